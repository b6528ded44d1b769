// The end is prompt and certain, whatever goes on.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { open, post, request, send, serveHttp, until, well } from "./hostile.mjs";
import { makeWorkspace, program, serve } from "./support.mjs";

// LODE_SOAK=1 looks for what happens once in a hundred times.
const rounds = process.env.LODE_SOAK ? 300 : 30;
const patience = 60_000;

const within = (time, promise, what) =>
  Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error(`${what} did not end`)), time).unref())]);

describe("the end", () => {
  it(`comes ${rounds} times under load`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const server = await serveHttp([], { files: { "a.ts": "export const a = 1;\n".repeat(1000) } });
      let running = true;
      let answers = 0;
      const clients = Array.from({ length: 8 }, async (_, i) => {
        const uri = server.work.uri(i % 2 ? "big.txt" : "README.md");
        while (running) {
          await send(server.port, post(request(i, "resources/read", { uri }))).then(() => (answers += 1), () => (running = false));
        }
      });
      await until(() => answers >= 8 + (round % 7), "some answers");
      const stopped = await within(patience, server.stop(), `round ${round}; stderr: ${server.stderr().slice(-2000)}`);
      running = false;
      assert.deepEqual(stopped, well, `round ${round}`);
      await Promise.all(clients);
    }
  });

  it("does not wait for requests that are not whole", async () => {
    const server = await serveHttp();
    const half = await open(server.port);
    half.socket.write(post(server.read).slice(0, -10));
    const nothing = await open(server.port);
    assert.ok(await server.serves());
    assert.deepEqual(await within(patience, server.stop(), "the server"), well);
    await Promise.all([half.closed, nothing.closed]);
    assert.equal(half.text, "");
  });

  it("comes when standard input closes, also while symbols are looked for", async () => {
    const source = Array.from({ length: 2000 }, (_, i) => `export function f${i}() { return ${i}; }\n`).join("");
    const work = makeWorkspace(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`src/a${i}.ts`, source])));
    const client = await serve(work, ["--resources-enabled", "true"]);
    assert.equal(await within(patience, client.stop(), "the server"), 0);
    work.remove();
  });

  it("comes at the second signal, while a client does not read", async () => {
    const work = makeWorkspace({ "big.txt": "x".repeat(900_000) });
    const child = spawn(program, ["serve", "--workspace", work.root, "--resources-enabled", "true"], { env: work.environment });
    process.once("exit", () => child.exitCode ?? child.kill("SIGKILL"));
    let stderr = "";
    child.stderr.on("data", (bytes) => (stderr += bytes));
    const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal })));
    let served = false;
    child.stdout.on("data", () => {
      served = true;
      child.stdout.pause();
    });
    for (let i = 0; i < 20; i += 1) child.stdin.write(`${request(i, "resources/read", { uri: work.uri("big.txt") })}\n`);
    await until(() => served, "the first bytes");
    child.kill("SIGTERM");
    await until(() => /stopping/.test(stderr), "the first signal to be heard");
    child.kill("SIGTERM");
    assert.deepEqual(await within(patience, ended, "the server"), { code: 143, signal: null });
    work.remove();
  });
});

describe("a limit of file sizes", () => {
  it("is an error of the write, not the end", async () => {
    const work = makeWorkspace({ "a.txt": "line\n" });
    const words = ["serve", "--workspace", work.root, "--resources-enabled", "true"];
    const child = spawn("/bin/bash", ["-c", 'ulimit -f 2048; exec "$0" "$@"', program, ...words], { env: work.environment });
    let stdout = "";
    child.stdout.on("data", (bytes) => (stdout += bytes));
    const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
    const edit = { operation: "replace", path: "a.txt", old: "line", new: "x".repeat(3 << 20) };
    child.stdin.write(`${request("edit", "tools/call", { name: "file_ops", arguments: edit })}\n`);
    await until(() => stdout.includes('"edit"'), "an answer to the edit");
    child.stdin.end(`${request("after", "tools/list")}\n`);
    assert.deepEqual(await ended, { code: 0, signal: null });
    const answers = Object.fromEntries(stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line)).map((answer) => [answer.id, answer]));
    assert.match(answers.edit.error.message, /File too large/);
    assert.ok(answers.after.result.tools.length > 0);
    work.remove();
  });
});

describe("a message that is too long for the pipe", () => {
  it("is answered with its id", async () => {
    const work = makeWorkspace({ "README.md": "# Hello\n" });
    const child = spawn(program, ["serve", "--workspace", work.root], { env: work.environment });
    let stdout = "";
    child.stdout.on("data", (bytes) => (stdout += bytes));
    const ended = new Promise((resolve) => child.on("close", resolve));
    const long = "y".repeat(5 << 20);
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: "first", method: "ping", params: { id: 7, x: long } })}\n`);
    child.stdin.write(`${JSON.stringify({ method: "ping", params: { x: long }, jsonrpc: "2.0", id: 12 })}\n`);
    child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"ping","x":"${long}","id":2}\n`);
    child.stdin.end();
    assert.equal(await ended, 0);
    const answers = stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    assert.deepEqual(answers.map((answer) => answer.id), ["first", 12, null]);
    for (const { error } of answers) assert.match(error.message, /at most 4194304 bytes/);
    work.remove();
  });
});
