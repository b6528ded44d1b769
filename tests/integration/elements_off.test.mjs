// The tool element_manage while resources are off: it is offered, it works, and
// nothing is indexed or watched for it.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { request, serveHttp, well } from "./hostile.mjs";
import { makeWorkspace, run, serve } from "./support.mjs";

const offered = ["ast_analyze", "backlog_manage", "element_manage", "file_ops", "find_files"];

const elements = ".lode/elements";
const files = {
  [`${elements}/persona/reviewer.md`]: "---\nname: Reviewer\ndescription: Reviews\n---\nLook twice.\n",
  [`${elements}/template/letter.md`]: "---\nname: Letter\ndescription: A letter\n---\nDear {{who}}.\n",
  [`${elements}/memory/broken.md`]: "---\nname: [\n---\n",
};

// What the state directory holds, at any depth.
const kept = (directory) => (existsSync(directory) ? readdirSync(directory, { recursive: true }) : []);
const watches = (pid) =>
  readdirSync(`/proc/${pid}/fdinfo`).filter((fd) => /^inotify/m.test(readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8")));
const threads = (pid) => readdirSync(`/proc/${pid}/task`).length;

describe("while resources are off", () => {
  let work;
  let client;
  const manage = async (args) => {
    const { result, error } = await client.request("tools/call", { name: "element_manage", arguments: args });
    assert.ok(result, JSON.stringify(error));
    return { failed: result.isError === true, text: result.content[0].text };
  };
  before(async () => {
    work = makeWorkspace(files);
    client = await serve(work, []);
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    assert.ok(!kept(work.environment.XDG_STATE_HOME).some((name) => /search\.index|elements\.known|\.snapshot/.test(name)));
    work.remove();
  });

  it("the tool alone is offered", async () => {
    const { capabilities, instructions } = client.initialized;
    assert.deepEqual(Object.keys(capabilities).sort(), ["logging", "tools"]);
    assert.equal(instructions, undefined);
    const { tools } = (await client.request("tools/list")).result;
    assert.deepEqual(tools.map((tool) => tool.name).sort(), offered);
    for (const method of ["resources/list", "resources/read", "prompts/list", "completion/complete", "skills/list"]) {
      assert.equal((await client.request(method)).error.code, -32601, method);
    }
  });

  it("it does everything, and what is changed by hand between is seen", async () => {
    const before = threads(client.pid);
    const done = async (args) => {
      const answer = await manage(args);
      assert.ok(!answer.failed, answer.text);
      return answer.text;
    };
    const file = join(work.root, elements, "persona/captain.md");
    await done({ operation: "create", type: "persona", name: "Captain", description: "Commands" });
    await done({ operation: "update", type: "persona", id: "captain", fields: { tags: ["sea"] } });
    assert.match(readFileSync(file, "utf8"), /tags:/);
    await done({ operation: "activate", type: "persona", id: "captain" });
    await done({ operation: "deactivate", type: "persona", id: "captain" });
    await done({ operation: "delete", type: "persona", id: "captain" });
    assert.ok(!existsSync(file));
    await done({ operation: "restore", type: "persona", id: "captain" });
    assert.ok(existsSync(file));
    assert.equal((await done({ operation: "render", id: "letter", values: { who: "Bo" } })).trim(), "Dear Bo.");
    const answer = await manage({ operation: "update", type: "memory", id: "broken", fields: { a: 1 } });
    assert.ok(answer.failed);
    assert.match(answer.text, /memory\/broken\.md:\d+: /);
    assert.deepEqual(watches(client.pid), []);
    assert.equal(threads(client.pid), before);
  });

  it("a modern client over HTTP sees the same", async () => {
    const server = await serveHttp([], { files, resources: false });
    const ask = async (method, params = {}, headers = {}) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(params.name ? { "mcp-name": params.name } : {}),
          ...headers,
        },
        body: request(1, method, params),
      });
      return answer.json();
    };
    const { capabilities } = (await ask("server/discover")).result;
    assert.deepEqual(Object.keys(capabilities).sort(), ["logging", "tools"]);
    assert.deepEqual((await ask("tools/list")).result.tools.map((tool) => tool.name).sort(), offered);
    assert.equal((await ask("resources/list")).error.code, -32601);
    const call = { name: "element_manage", arguments: { operation: "render", id: "letter", values: { who: "Bo" } } };
    assert.equal((await ask("tools/call", call)).error.code, -31403, "a visitor does not call it");
    const [state] = readdirSync(join(server.work.environment.XDG_STATE_HOME, "lode"));
    const token = readFileSync(join(server.work.environment.XDG_STATE_HOME, "lode", state, "token"), "utf8");
    const { result } = await ask("tools/call", call, { authorization: `Bearer ${token}` });
    assert.equal(result.content[0].text.trim(), "Dear Bo.");
    assert.deepEqual(watches(server.pid), []);
    assert.deepEqual(await server.stop(), well);
  });

  it("what it costs is counted in both states", async () => {
    const items = async (...args) => JSON.parse((await run(work, ["tokens", "--json", ...args])).stdout).items;
    const off = await items();
    assert.deepEqual(off.map(({ kind, name }) => `${kind} ${name}`).sort(), offered.map((name) => `tools ${name}`));
    assert.ok(off[0].tokens > 0 && off[0].tokens < 220);
    const on = await items("--resources-enabled", "true");
    assert.deepEqual(on.filter(({ kind }) => kind === "tools").map(({ name }) => name).sort(), [...offered, "resource_find", "resource_read"]);
    assert.ok(on.some(({ kind }) => kind === "instructions"));
    const called = await run(work, ["call", "element_manage", JSON.stringify({ operation: "render", id: "letter", values: { who: "Di" } })]);
    assert.equal(called.stdout.trim(), "Dear Di.");
  });
});
