// Names, numbers and addresses that mean harm, through the real program.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { post, send, serveHttp, well } from "./hostile.mjs";
import { eventually, makeWorkspace, program, run, serve } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const status = (text) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);

describe("names and numbers from a client", () => {
  const work = makeWorkspace({ "README.md": "# Hello\n", "a.c": "int main(void) { return 0; }\n" });
  let server;
  before(async () => (server = await serve(work, on)));
  after(async () => {
    assert.equal(await server.stop(), 0);
    work.remove();
  });

  it("names of tools and prompts that no address holds are names of nothing", async () => {
    for (const name of ["\u0000", "../x", "..", "a/../../b", "a".repeat(9000), "ä".repeat(4000), "\u001b[2J", ""]) {
      const called = await server.request("tools/call", { name, arguments: {} });
      assert.equal(called.error?.code, -32602, name.slice(0, 20));
      const prompted = await server.request("prompts/get", { name });
      assert.equal(prompted.error?.code, -32602, name.slice(0, 20));
      const ref = { type: "ref/prompt", name };
      const completed = await server.request("completion/complete", { ref, argument: { name: "a", value: "" } });
      assert.equal(completed.error?.code, -32602, name.slice(0, 20));
      assert.ok(JSON.stringify([called, prompted, completed]).length < 2000, "it is not repeated in full");
    }
  });

  it("numbers that are no counts are refused in words", async () => {
    const tools = { resource_find: { prefix: "file" }, ast_analyze: { query: "(identifier) @a" }, find_files: { pattern: "*" } };
    for (const [name, words] of Object.entries(tools)) {
      for (const limit of [1e300, -1e300, 1.5, -1, 0, 2 ** 63, 1e19]) {
        const answer = await server.request("tools/call", { name, arguments: { ...words, limit } });
        assert.equal(answer.error, undefined, `${name} ${limit}: ${JSON.stringify(answer.error)}`);
        assert.equal(answer.result.isError, true, `${name} ${limit}`);
        assert.match(answer.result.content[0].text, /limit/, `${name} ${limit}`);
      }
      const whole = await server.request("tools/call", { name, arguments: { ...words, limit: 2.0 } });
      assert.notEqual(whole.result?.isError, true, JSON.stringify(whole));
    }
  });

  it("credentials in an address are refused and not repeated", async () => {
    for (const query of ["token=s3cret", "a=1&API_KEY=s3cret", "%74oken=s3cret", "access_token=s3cret", "apikey=s3cret"]) {
      for (const method of ["resources/read", "resources/subscribe"]) {
        const answer = await server.request(method, { uri: `${work.uri("README.md")}?${query}` });
        assert.equal(answer.error?.code, -32602, query);
        assert.match(answer.error.message, /Authorization/);
        assert.doesNotMatch(JSON.stringify(answer), /s3cret/);
      }
    }
    const spoilt = await server.request("resources/read", { uri: "file:///a b?token=s3cret" });
    assert.doesNotMatch(JSON.stringify(spoilt), /s3cret/);
    assert.doesNotMatch(server.stderr(), /s3cret/);
    const printed = await run(work, ["read", `${work.uri("README.md")}?token=s3cret`, ...on]);
    assert.equal(printed.status, 2);
    assert.match(printed.stderr, /Authorization/);
    assert.doesNotMatch(printed.stderr, /s3cret/);
  });
});

describe("credentials in the query of a request", () => {
  it("are refused on every path, and logged nowhere", async () => {
    const server = await serveHttp(["--log-level", "debug"]);
    for (const target of ["/mcp?token=s3cret", "/mcp?a=1&api_key=s3cret", "/nothing?access_token=s3cret", "/?ApiKey=s3cret"]) {
      const answer = await send(server.port, post(server.read).replace("POST /mcp", `POST ${target}`));
      assert.equal(status(answer), 400, answer);
      assert.match(answer, /Authorization/);
      assert.doesNotMatch(answer, /s3cret/);
    }
    assert.ok(await server.serves());
    assert.doesNotMatch(server.stderr(), /s3cret/);
    assert.deepEqual(await server.stop(), well);
  });
});

describe("names of files", () => {
  const forged = "x\n# forged\u001b[31m\u202e.py";
  const raw = /[\u0000-\u0008\u000b-\u001f\u007f\u202e]|^# forged/m;
  const work = makeWorkspace({ "README.md": "# Hello\n", [`d/${forged}`]: "def found(): pass\n" });
  mkdirSync(join(work.root, "dir\nforged"));
  after(() => work.remove());

  it("neither forge lines nor drive terminals", async () => {
    const server = await serve(work, on);
    const texts = [];
    for (const uri of ["resource://project/structure", "resource://project/summary", "resource://project/d/structure"]) {
      texts.push((await server.request("resources/read", { uri })).result.contents[0].text);
    }
    const path = encodeURIComponent(forged);
    texts.push((await server.request("resources/read", { uri: `resource://file/d/${path}/structure` })).result.contents[0].text);
    const call = async (name, words) => (await server.request("tools/call", { name, arguments: words })).result.content[0].text;
    texts.push(await call("find_files", { pattern: "*.py" }), await call("find_files", { content: "found" }));
    texts.push(await call("ast_analyze", { query: "(function_definition) @f" }), await call("resource_find", { prefix: "file" }));
    texts.push(await call("file_ops", { operation: "replace", path: `d/${forged}`, old: "pass", new: "1", dry_run: true }));
    for (const text of texts) assert.doesNotMatch(text, raw);
    assert.match(texts[0], /x\\n# forged\\x1b\[31m\\u202e\.py/);
    assert.equal(await server.stop(), 0);
  });

  it("are shown by the commands as well", async () => {
    writeFileSync(join(work.root, "esc.txt"), "\u001b]0;title\u0007text\n");
    const read = ["read", work.uri("esc.txt"), "--workspace", work.root, ...on];
    assert.equal((await run(work, read.slice(0, 2).concat(on))).stdout, "\u001b]0;title\u0007text\n", "a program gets the bytes");
    const quoted = [program, ...read].map((word) => `'${word}'`).join(" ");
    const terminal = spawnSync("script", ["-qec", quoted, "/dev/null"], { env: work.environment, encoding: "utf8" });
    assert.match(terminal.stdout, /\\x1b\]0;title\\x07text/);
    assert.doesNotMatch(terminal.stdout, /\u001b\]0/);
  });
});

describe("a write that was killed", () => {
  it("leaves nothing behind after the next start", async () => {
    const work = makeWorkspace({ "README.md": "# Hello\n", "src/a.txt": "one\n" });
    const elements = join(work.root, ".lode/elements/skill");
    mkdirSync(elements, { recursive: true });
    const left = [join(work.root, "src"), elements, work.root].map((path, i) => join(path, `.lode-000000000000000${i}.unfinished`));
    const old = new Date(Date.now() - 60_000);
    for (const path of left) {
      writeFileSync(path, "half");
      utimesSync(path, old, old);
    }
    const server = await serve(work, on);
    await eventually(() => left.filter(existsSync), (there) => there.length === 0);
    assert.deepEqual(left.filter(existsSync), []);
    assert.equal(await server.stop(), 0);
    work.remove();
  });

  it("leaves what its successor in the directory removes, also where git looks away", async () => {
    const work = makeWorkspace({ ".gitignore": "out/\n", "out/a.txt": "one\n" });
    const path = join(work.root, "out/.lode-0123456789abcdef.unfinished");
    writeFileSync(path, "half");
    const old = new Date(Date.now() - 60_000);
    utimesSync(path, old, old);
    const words = JSON.stringify({ operation: "replace", path: "out/a.txt", old: "one", new: "two" });
    const done = await run(work, ["call", "file_ops", words]);
    assert.equal(done.status, 0, done.stderr);
    assert.deepEqual(readdirSync(join(work.root, "out")), ["a.txt"]);
    work.remove();
  });
});
