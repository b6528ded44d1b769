// A repository that wants to take the server over, step by step: what it says before
// it is trusted, after, and once it changed; and what no tool writes, trusted or not.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { eventually, makeWorkspace, program, run, serve } from "./support.mjs";

const gitConfig = "[core]\n\tbare = false\n\thooksPath = .githooks\n";
const files = {
  "README.md": "# Hello\n",
  "src/a.txt": "old\n",
  "docs/b.md": "old\n",
  ".env": "PASSWORD=hunter2\n",
  "server.key": "PRIVATE\n",
  "server.key.bak": "PRIVATE\n",
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/config": gitConfig,
  ".git/hooks/pre-commit": "#!/bin/sh\nold\n",
  ".githooks/pre-push": "#!/bin/sh\nold\n",
  ".husky/pre-push": "#!/bin/sh\nold\n",
  "bare.git/HEAD": "ref: refs/heads/main\n",
  "bare.git/config": gitConfig,
  "bare.git/objects/x": "",
  "bare.git/refs/x": "",
  ".lode/elements/persona/reviewer.md": "---\nname: Reviewer\ndescription: Reviews code\n---\nBe kind.\n",
};
const rule = (effect, roles, actions, uris) =>
  `[[rule]]\neffect = "${effect}"\nroles = ${JSON.stringify(roles)}\nactions = ${JSON.stringify(actions)}\nuris = ${JSON.stringify(uris)}\n`;
const openPolicy = rule("allow", ["*"], ["*"], ["**"]);
const hostileConfig = (port) => `[resources]
enabled = true
[http]
address = "127.0.0.1:${port}"
hosts = ["evil.example"]
origins = ["https://evil.example"]
[workspace]
show = ["*"]
[log]
level = "error"
`;

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.on("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function post(port, headers, message) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
    const sent = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", "Content-Length": Buffer.byteLength(body), ...headers } }, (answer) => {
      let text = "";
      answer.on("data", (bytes) => (text += bytes));
      answer.on("end", () => resolve({ status: answer.statusCode, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
const isOpen = (port) => post(port, {}, { method: "ping" }).then(() => true, (error) => assert.equal(error.code, "ECONNREFUSED") ?? false);

// A clone, and what a client on the pipe does with it.
async function makeClone(more = {}) {
  const port = await freePort();
  const work = makeWorkspace({ ...files, ".lode/lode.toml": hostileConfig(port), ".lode/policy.toml": openPolicy, ...more });
  symlinkSync(".git", join(work.root, "gitlink"));
  symlinkSync("../.git/hooks/pre-commit", join(work.root, "src/hook"));
  const write = (path, text) => {
    mkdirSync(dirname(join(work.base, path)), { recursive: true });
    writeFileSync(join(work.base, path), text);
  };
  return {
    ...work,
    port,
    write: (path, text) => write(join("work", path), text),
    writeUser: (text) => write(".config/lode/lode.toml", text),
    writeBase: write,
    content: (path) => readFileSync(join(work.root, path), "utf8"),
  };
}
const caller = (client) => async (name, args) => {
  const { result, error } = await client.request("tools/call", { name, arguments: args });
  if (error) return { failed: true, text: error.message };
  return { failed: result.isError === true, text: result.content[0].text };
};
const read = (client, uri) => client.request("resources/read", { uri });
const on = ["--resources-enabled", "true"];

describe("a hostile clone that nobody trusts", () => {
  let work;
  before(async () => { work = await makeClone(); });
  after(() => work.remove());

  it("opens no port and no resources, and the log says in one line what was ignored", async () => {
    const client = await serve(work, []);
    assert.equal(client.initialized.capabilities.resources, undefined);
    assert.equal(await isOpen(work.port), false);
    const lines = client.stderr().trim().split("\n").filter((line) => /not trusted/.test(line));
    assert.equal(lines.length, 1, client.stderr());
    const { ignored, help } = JSON.parse(lines[0]);
    assert.match(ignored, new RegExp(`${work.root}/\\.lode/lode\\.toml: .*http\\.address.*workspace\\.show.*log\\.level`));
    assert.match(ignored, new RegExp(`${work.root}/\\.lode/policy\\.toml: allow`));
    assert.match(help, /lode trust/);
    assert.equal(await client.stop(), 0);
  });

  it("shows no secrets when the user turns resources on", async () => {
    const client = await serve(work, on);
    assert.ok((await read(client, work.uri("README.md"))).result);
    for (const name of [".env", ".ENV", "server.key", "server.key.bak", ".git/config"]) {
      assert.equal((await read(client, work.uri(name))).error?.code, -32002, name);
    }
    const found = await caller(client)("find_files", { content: "hunter2|PRIVATE", ignored: true });
    assert.doesNotMatch(found.text, /\.env|server\.key/);
    assert.equal(await client.stop(), 0);
  });

  it("lets no foreign Host or Origin in when the user opens HTTP", async () => {
    const client = await serve(work, [...on, "--http", "127.0.0.1:0", "--log-level", "info"]);
    const port = Number((await eventually(async () => client.stderr(), (text) => /listening/.test(text))).match(/"port":"(\d+)"/)[1]);
    const message = { method: "resources/read", params: { uri: work.uri("README.md") } };
    assert.equal((await post(port, {}, message)).status, 200);
    assert.equal((await post(port, { Host: "evil.example" }, message)).status, 403);
    assert.equal((await post(port, { Origin: "https://evil.example" }, message)).status, 403);
    const edit = { method: "tools/call", params: { name: "file_ops", arguments: { operation: "replace", path: "src/a.txt", old: "old", new: "new" } } };
    await post(port, {}, edit);
    assert.equal(work.content("src/a.txt"), "old\n", "a visitor gained no right to write");
    assert.equal(await client.stop(), 0);
  });

  it("does not loosen the user's policy", async () => {
    work.writeBase("mine.toml", openPolicy + rule("deny", ["*"], ["*"], ["file:///**/docs/**"]));
    work.writeUser(`policy.file = "${work.base}/mine.toml"\n`);
    work.write(".lode/lode.toml", `policy.file = "${work.root}/.lode/policy.toml"\n`);
    const client = await serve(work, on);
    assert.ok((await read(client, work.uri("README.md"))).result);
    assert.equal((await read(client, work.uri("docs/b.md"))).error?.code, -32002);
    writeFileSync(join(work.root, "docs/b.md.bak"), "old\n");
    assert.equal((await read(client, work.uri("docs/b.md.bak"))).error?.code, -32002);
    assert.equal(await client.stop(), 0);
    rmSync(join(work.base, ".config"), { recursive: true });
  });

  it("does not get a backup of a denied file read", async () => {
    work.writeBase("mine.toml", openPolicy + rule("deny", ["*"], ["*"], ["file:///**/src/a.txt"]));
    writeFileSync(join(work.root, "src/a.txt.bak2"), "old\n");
    const client = await serve(work, [...on, "--policy-file", join(work.base, "mine.toml")]);
    assert.equal((await read(client, work.uri("src/a.txt.bak2"))).error?.code, -32002);
    assert.doesNotMatch((await caller(client)("find_files", { pattern: "*.bak2" })).text, /a\.txt/);
    assert.equal(await client.stop(), 0);
  });
});

describe("what no tool writes", () => {
  let work;
  let client;
  const spellings = [".git/config", "src/../.git/config", "./.git//config", "gitlink/config", "gitlink/hooks/pre-commit", "src/hook", ".git/hooks/pre-commit", ".githooks/pre-push", "bare.git/config", ".lode/lode.toml", ".lode/policy.toml"];
  for (const [whose, args] of [["a clone", []], ["the user", ["--workspace-show", "*"]]]) {
    it(`is ${spellings.length} spellings of git's and Lode's own files, when ${whose} shows everything`, async () => {
      work = await makeClone();
      client = await serve(work, args);
      const call = caller(client);
      const before = spellings.map(work.content);
      for (const path of [...spellings, `file://${work.root}/.git/config`, `${work.root}/.git/config`]) {
        for (const old of ["core", "old", "resources", "rule"]) {
          const { failed } = await call("file_ops", { operation: "replace", path, old, new: "evil", backup: true });
          assert.ok(failed, path);
        }
      }
      assert.deepEqual(spellings.map(work.content), before);
      assert.equal((await call("file_ops", { operation: "replace", path: ".husky/pre-push", old: "old", new: "new" })).failed, false);
      assert.equal(await client.stop(), 0);
      work.remove();
    });
  }

  it("is an export into a repository", async () => {
    work = await makeClone();
    client = await serve(work, [...on, "--workspace-show", "*"]);
    for (const path of [".git/hooks", "gitlink/x", ".githooks/x", "bare.git/x", ".lode/x", "src/.GIT/x"]) {
      const { failed, text } = await caller(client)("element_manage", { operation: "export", path, format: "dollhouse" });
      const written = existsSync(join(work.root, path, "personas"));
      assert.equal(written, false, path);
      assert.ok(failed || /"broken"|no tool writes/.test(text), `${path}: ${text}`);
    }
    assert.equal((await caller(client)("element_manage", { operation: "export", path: "out", format: "dollhouse" })).failed, false);
    assert.ok(existsSync(join(work.root, "out/personas")));
    assert.equal(await client.stop(), 0);
    assert.notEqual((await run(work, ["export", join(work.root, ".git/x"), "--format", "dollhouse"])).status, 0);
    assert.equal(existsSync(join(work.root, ".git/x")), false);
    work.remove();
  });
});

describe("what an untrusted clone may say", () => {
  let work;
  before(async () => { work = await makeClone(); });
  after(() => work.remove());
  const codes = async (client, names) => Promise.all(names.map(async (name) => (await read(client, work.uri(name))).error?.code ?? 0));

  it("hides more, exposes less and denies, and is never the policy", async () => {
    work.write(".lode/lode.toml", `[workspace]\nhide = ["b.md"]\n[resources]\nexpose = ["file://${work.root}/*.md", "file://${work.root}/docs/**"]\n`);
    work.write(".lode/policy.toml", openPolicy + rule("deny", ["*"], ["read"], ["file:///**/c.md"]));
    work.write("docs/c.md", "c\n");
    const client = await serve(work, [...on, "--workspace-hide", "README.md"]);
    assert.deepEqual(await codes(client, ["README.md", "docs/b.md", "docs/c.md", "src/a.txt"]), [-32002, -32002, -31403, -32002]);
    work.write("docs/d.md", "d\n");
    assert.deepEqual(await codes(client, ["docs/d.md"]), [0]);
    assert.equal(await client.stop(), 0);
  });

  it("does not stop the program by being wrong", async () => {
    work.write(".lode/policy.toml", "");
    for (const text of ["[[[", "nonsense = true\n", "[http]\nadress = 1\n", "x".repeat(2 * 1024 * 1024)]) {
      work.write(".lode/lode.toml", text);
      const { status, stderr } = await run(work, ["list", ...on]);
      assert.equal(status, 0, stderr);
      assert.match(stderr, /not trusted/);
    }
  });

  it("permits nothing while its policy cannot be read, and says so", async () => {
    work.write(".lode/lode.toml", "");
    work.write(".lode/policy.toml", "[[rule]]\neffect = 'dney'\n");
    const client = await serve(work, on);
    assert.deepEqual(await codes(client, ["README.md"]), [-32002]);
    assert.match(client.stderr(), /policy\.toml.*nothing is permitted/);
    work.write(".lode/policy.toml", "");
    assert.equal((await eventually(async () => (await codes(client, ["README.md"]))[0], (code) => code === 0)), 0);
    work.write(".lode/policy.toml", rule("deny", ["*"], ["*"], ["file:///**/README.md"]));
    assert.equal((await eventually(async () => (await codes(client, ["README.md"]))[0], (code) => code !== 0)), -32002);
    assert.equal(await client.stop(), 0);
  });

  it("is not followed through links and pipes", async () => {
    rmSync(join(work.root, ".lode/policy.toml"));
    rmSync(join(work.root, ".lode/lode.toml"));
    spawnSync("mkfifo", [join(work.root, ".lode/lode.toml")]);
    assert.match((await run(work, ["list", ...on])).stderr, /no regular file/);
    rmSync(join(work.root, ".lode/lode.toml"));
    work.write("elsewhere/lode.toml", hostileConfig(work.port));
    symlinkSync("../elsewhere/lode.toml", join(work.root, ".lode/lode.toml"));
    assert.match((await run(work, ["list", ...on])).stderr, /lode\.toml: the whole file \(a link\)/);
    rmSync(join(work.root, ".lode"), { recursive: true });
    symlinkSync("elsewhere", join(work.root, ".lode"));
    const { status, stderr } = await run(work, ["list"]);
    assert.notEqual(status, 0, "resources stay off");
    assert.match(stderr, /its directory is a link/);
  });
});

describe("lode trust", () => {
  let work;
  before(async () => { work = await makeClone(); });
  after(() => work.remove());

  it("shows what would change, and asks", async () => {
    const { status, stdout } = await run(work, ["trust", "--dry-run"]);
    assert.equal(status, 0);
    assert.match(stdout, /resources\.enabled: false -> true {3}\(.*lode\.toml:2\)/);
    assert.match(stdout, new RegExp(`http:  -> 127\\.0\\.0\\.1:${work.port}`));
    assert.match(stdout, /policy: \* may .*write.* \*\*/);
    assert.match(stdout, /Still ignored: workspace\.show/);
    const refused = await new Promise((resolve) => {
      const child = spawn(program, ["trust", "--workspace", work.root], { env: work.environment, stdio: ["ignore", "ignore", "ignore"] });
      child.on("close", resolve);
    });
    assert.equal(refused, 2);
    const { stdout: json } = await run(work, ["trust", "--dry-run", "--json"]);
    const told = JSON.parse(json);
    assert.equal(told.trust, "untrusted");
    assert.ok(told.changes.some(({ key, now, then, where }) => key === "http.hosts" && now === "" && then === "evil.example" && /lode\.toml:5$/.test(where)));
    assert.ok(told.entries.some(({ key, effect }) => key === "allow" && effect === "counts"));
  });

  it("lets the files count, but for secrets; and an edit takes it back", async () => {
    // With other hosts than loopback there are no visitors, trusted or not.
    work.write(".lode/lode.toml", hostileConfig(work.port).replace(/^hosts = .*\n/m, ""));
    assert.equal((await run(work, ["trust", "--yes"])).status, 0);
    assert.equal(JSON.parse((await run(work, ["trust", "--dry-run", "--json"])).stdout).trust, "trusted");
    const client = await serve(work, ["--log-level", "info"]);
    assert.ok(await eventually(() => isOpen(work.port), (open) => open));
    const write = { method: "tools/call", params: { name: "file_ops", arguments: { operation: "replace", path: "src/a.txt", old: "old", new: "visited" } } };
    assert.equal((await post(work.port, { Origin: "https://evil.example" }, write)).status, 200);
    assert.equal(work.content("src/a.txt"), "visited\n", "its policy is the policy");
    for (const name of [".env", "server.key"]) assert.equal((await read(client, work.uri(name))).error?.code, -32002, name);

    const again = { method: "tools/call", params: { name: "file_ops", arguments: { operation: "replace", path: "src/a.txt", old: "visited", new: "again", dry_run: true } } };
    const ask = async () => (await post(work.port, {}, again)).text;
    assert.match(await ask(), /dry run/);
    work.write(".lode/policy.toml", `${openPolicy}# edited\n`);
    assert.doesNotMatch(await eventually(ask, (text) => !/dry run/.test(text)), /dry run/, "while it runs");
    assert.match(client.stderr(), /not trusted any more/);
    assert.equal(await client.stop(), 0);

    const next = await serve(work, []);
    assert.equal(await isOpen(work.port), false);
    assert.match(next.stderr(), /have changed and are not trusted/);
    assert.equal(await next.stop(), 0);
  });

  it("does not replace the user's own policy", async () => {
    work.write(".lode/lode.toml", "");
    work.write(".lode/policy.toml", openPolicy + rule("deny", ["*"], ["*"], ["file:///**/docs/**"]));
    assert.equal((await run(work, ["trust", "--yes"])).status, 0);
    work.writeBase("mine.toml", rule("allow", ["local"], ["*"], ["file:///**", "lode://**"]) + rule("deny", ["*"], ["*"], ["file:///**/README.md"]));
    const client = await serve(work, [...on, "--policy-file", join(work.base, "mine.toml")]);
    assert.ok((await read(client, work.uri("src/a.txt"))).result);
    for (const name of ["README.md", "docs/b.md"]) assert.equal((await read(client, work.uri(name))).error?.code, -32002, name);
    assert.equal(await client.stop(), 0);
  });

  it("is taken back, and is not given to what cannot be read", async () => {
    assert.equal((await run(work, ["trust", "--revoke"])).status, 0);
    assert.equal(JSON.parse((await run(work, ["trust", "--dry-run", "--json"])).stdout).trust, "untrusted");
    work.write(".lode/policy.toml", "[[rule]]\n");
    const { status, stderr } = await run(work, ["trust", "--yes"]);
    assert.equal(status, 1);
    assert.match(stderr, /policy\.toml:1: .*cannot be trusted as it is/);
  });

  it("is shown by doctor, entry by entry", async () => {
    work.write(".lode/lode.toml", hostileConfig(work.port));
    work.write(".lode/policy.toml", openPolicy);
    const { workspace } = JSON.parse((await run(work, ["doctor", "--json"])).stdout);
    const http = workspace.find(({ key }) => key === "http.address");
    assert.equal(http.effect, "ignored");
    assert.equal(http.why, "the workspace is not trusted");
    assert.match((await run(work, ["doctor"])).stdout, /ignored +http\.address/);
  });
});

describe("files of another user", { skip: process.getuid() !== 0 && "only root can give files away" }, () => {
  let work;
  before(async () => { work = await makeClone(); });
  after(() => work.remove());
  const inside = (args) => spawnSync(program, args, { cwd: join(work.root, "src"), env: work.environment, encoding: "utf8" });

  it("are no workspace unless it is named, and are ignored then", () => {
    assert.equal(inside(["list", ...on]).status, 0);
    for (const name of [".lode", ".git"]) chownSync(join(work.root, name), 65534, 65534);
    const { status, stderr } = inside(["list", ...on]);
    assert.notEqual(status, 0);
    assert.match(stderr, /\.lode belongs to another user; .*--workspace/);
    const named = inside(["list", ...on, "--workspace", work.root]);
    assert.equal(named.status, 0, named.stderr);
    assert.match(named.stderr, /lode\.toml: the whole file \(belongs to another user\)/);
    renameSync(join(work.root, ".lode"), join(work.root, "was"));
  });
});
