// The list of resources is kept while nothing in it can have changed, and is never older than
// what was told: for both transports, both eras and every caller.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { eventually, makeWorkspace, serve } from "./support.mjs";

const rule = (role, uris) =>
  `[[rule]]\neffect = "allow"\nroles = ["${role}"]\nactions = ["*"]\nuris = ${JSON.stringify(uris)}\n`;

describe("the list of resources", () => {
  let work;
  let client;
  let port;
  let policy;
  const names = ({ resources }) => resources.filter(({ uri }) => uri.startsWith("file:")).map(({ name }) => name);
  const list = async () => (await client.request("resources/list")).result;
  // A visitor of the modern era.
  const visit = async () => {
    const protocol = "2026-07-28";
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": protocol,
        "mcp-method": "resources/list",
      },
      body: JSON.stringify({
        jsonrpc: "2.0", id: 1, method: "resources/list",
        params: {
          _meta: {
            "io.modelcontextprotocol/protocolVersion": protocol,
            "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      }),
    });
    return (await answer.json()).result;
  };
  const count = async (name) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(text.match(new RegExp(`^${name} (\\S+)$`, "m"))?.[1]);
  };
  // How many of a few lists had to be worked out.
  const workedOut = async (ask) => {
    const before = await count("lode_cache_misses_total");
    for (let i = 0; i < 5; i += 1) await ask();
    return (await count("lode_cache_misses_total")) - before;
  };
  const isKept = async (ask) => assert.equal(await eventually(() => workedOut(ask), (missed) => missed === 0), 0);

  before(async () => {
    work = makeWorkspace({ "README.md": "# Hello\n", "src/a.txt": "a\n" });
    policy = join(work.base, "policy.toml");
    writeFileSync(policy, rule("*", ["**"]));
    client = await serve(work, ["--resources-enabled", "true", "--http", "127.0.0.1:0", "--policy-file", policy]);
    port = client.stderr().match(/port\W+(\d+)/)[1];
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("is worked out once for each caller, whatever the transport and the era", async () => {
    await isKept(list);
    await isKept(visit);
    assert.deepEqual(names(await list()), ["README.md", "src"]);
    assert.deepEqual(names(await visit()), ["README.md", "src"]);
    assert.deepEqual((await visit()).resources, (await list()).resources);
  });

  it("has what came, and not what went, at once", async () => {
    for (let i = 0; i < 20; i += 1) {
      await isKept(list);
      mkdirSync(join(work.root, "new"));
      assert.deepEqual(names(await list()), ["README.md", "new", "src"]);
      assert.deepEqual(names(await visit()), ["README.md", "new", "src"]);
      rmSync(join(work.root, "new"), { recursive: true });
      assert.deepEqual(names(await list()), ["README.md", "src"]);
      assert.deepEqual(names(await visit()), ["README.md", "src"]);
    }
  });

  it("tells the size and the date of what was written, once the change is noticed", async () => {
    await isKept(list);
    const file = join(work.root, "README.md");
    writeFileSync(file, "# Longer than before\n");
    const entry = async () => (await list()).resources.find(({ name }) => name === "README.md");
    assert.equal((await eventually(entry, ({ size }) => size === 21)).size, 21);
    await isKept(list);
    utimesSync(file, 1e9, 1e9);
    const touched = ({ annotations }) => annotations.lastModified === "2001-09-09T01:46:40Z";
    assert.ok(touched(await eventually(entry, touched)));
    await isKept(list);
  });

  it("has what Lode itself wrote as soon as it has", async () => {
    await isKept(list);
    const replace = { operation: "replace", path: "README.md", old: "Longer", new: "Much longer" };
    const { result } = await client.request("tools/call", { name: "file_ops", arguments: replace });
    assert.ok(!result.isError, JSON.stringify(result));
    assert.equal((await list()).resources.find(({ name }) => name === "README.md").size, 26);
  });

  it("has the tasks of the backlog as they are now", async () => {
    await isKept(list);
    const backlog = join(work.root, ".lode/backlog/tasks");
    mkdirSync(backlog, { recursive: true });
    writeFileSync(join(backlog, "TASK-0001.md"), "---\nid: TASK-0001\ntitle: First\nstatus: open\n---\n");
    const tasks = async () => (await list()).resources.filter(({ uri }) => uri.startsWith("mcp://backlog/tasks/"));
    await eventually(tasks, (now) => now.length > 0);
    assert.match((await tasks())[0].name, /First/);
    await isKept(list);
    writeFileSync(join(backlog, "TASK-0001.md"), "---\nid: TASK-0001\ntitle: Second\nstatus: open\n---\n");
    const renamed = (now) => /Second/.test(now[0].name);
    assert.ok(renamed(await eventually(tasks, renamed)));
  });

  it("is another under another policy, and worked out each time where files are told apart", async () => {
    await isKept(visit);
    writeFileSync(policy, rule("local", ["**"]) + rule("visitor", ["capability-index://**"]));
    assert.deepEqual(names(await eventually(visit, (now) => names(now).length === 0)), []);
    await isKept(visit);
    assert.deepEqual(names(await list()), ["README.md", "src"]);
    writeFileSync(policy, rule("*", ["**"]) + rule("*", [work.uri("src")]).replace("allow", "deny"));
    assert.deepEqual(names(await eventually(list, (now) => names(now).length === 1)), ["README.md"]);
    assert.equal(await workedOut(list), 5);
  });
});
