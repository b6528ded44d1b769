// Visitors share what there is, and cannot lock the owner out: neither by sessions,
// nor by connections, nor by calls that hang.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { open, post, request, send, serveHttp, until, well } from "./hostile.mjs";

const token = "the-owners-token";
const owner = { authorization: `Bearer ${token}` };
const status = (text) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);

const hello = JSON.stringify({
  jsonrpc: "2.0", id: 1, method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});
const legacy = (body, headers = {}) => post(body, { "mcp-protocol-version": "2025-11-25", "mcp-method": undefined, "mcp-name": undefined, ...headers });
const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });

// The fixture over HTTP, whose owner has that token.
async function serveFixture(args) {
  const child = spawn(process.env.LODE_FIXTURE, ["--no-stdio", "--http", "127.0.0.1:0", "--token", token, ...args], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "pipe"],
  });
  process.once("exit", () => child.exitCode ?? child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (bytes) => (stderr += bytes));
  const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
  const port = () => Number(/"port":"(\d+)"/.exec(stderr)?.[1]);
  await until(() => port() > 0, "a port");
  return {
    port: port(),
    signal: (name) => child.kill(name),
    ended,
    stderr: () => stderr,
    stop: async () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

const readText = request(1, "resources/read", { uri: "test://static-text" });
const trouble = (kind) => request(1, "tools/call", { name: "test_trouble", arguments: { kind } });
const call = (kind, headers = {}) => post(trouble(kind), { "mcp-name": "test_trouble", ...headers });

describe("sessions", () => {
  it("of visitors leave room for the owner's, and for other visitors", async () => {
    const server = await serveHttp(["--limits-sessions", "100"]);
    const own = { authorization: `Bearer ${server.token()}` };
    const begin = async (headers) => {
      const answer = await send(server.port, legacy(hello, { "mcp-protocol-version": undefined, ...headers }));
      assert.equal(status(answer), 200, answer.slice(0, 300));
      return /mcp-session-id: (\S+)/i.exec(answer)?.[1];
    };
    const owners = await begin(own);
    assert.ok(owners);
    let last;
    for (let i = 0; i < 300; i += 1) last = await begin({});
    assert.ok(last, "the last visitor has a session too");
    assert.equal(status(await send(server.port, legacy(ping, { "mcp-session-id": last }))), 200);
    assert.ok(await begin(own), "the owner begins another");
    assert.equal(status(await send(server.port, legacy(ping, { "mcp-session-id": owners, ...own }))), 200, "the first is still there");
    assert.ok((await server.metric("lode_sessions")) <= 52, "half are for visitors");
    assert.deepEqual(await server.stop(), well);
  });
});

describe("connections", () => {
  it("that visitors hold are closed for the owner, and the owner's are not", async () => {
    const server = await serveFixture(["--connections", "40"]);
    const listen = post(request(7, "subscriptions/listen", { notifications: { resourcesListChanged: true } }));
    const held = [];
    const hold = async (bytes) => {
      const connection = await open(server.port);
      connection.socket.write(bytes);
      held.push(connection);
    };
    for (let i = 0; i < 30; i += 1) await hold(listen);
    for (let i = 0; i < 30; i += 1) await hold("POST /mcp HT");
    const mine = await open(server.port);
    mine.socket.write(post(request(7, "subscriptions/listen", { notifications: { resourcesListChanged: true } }), owner));
    await until(() => mine.text.includes("acknowledged"), "the owner's subscription");
    for (let i = 0; i < 100; i += 1) await hold(i % 2 ? listen : "G");
    assert.match(await send(server.port, post(readText, owner)), /static text resource/);
    assert.equal(mine.ended, false, "the owner's stream goes on");
    for (const connection of held) connection.socket.destroy();
    mine.socket.destroy();
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  });
});

describe("calls", () => {
  it("of visitors that hang leave the owner a thread, a place in the queue, and every provider", async () => {
    const server = await serveFixture(["--trouble"]);
    const hanging = await Promise.all(Array.from({ length: 100 }, async () => {
      const connection = await open(server.port);
      connection.socket.write(call("hang"));
      return connection;
    }));
    for (let i = 0; i < 20; i += 1) {
      assert.match(await send(server.port, post(readText, owner)), /static text resource/);
      assert.match(await send(server.port, call("fine", owner)), /"fine"/);
    }
    for (const connection of hanging) connection.socket.destroy();
    await Promise.all(hanging.map((connection) => connection.closed));
    server.signal("SIGKILL");
    await server.ended;
  });
});

describe("a second signal", () => {
  // The first waits for calls that hang; nothing but the second ends them.
  it("ends at once, while connections are waited for", async () => {
    const server = await serveFixture(["--trouble"]);
    const connection = await open(server.port);
    connection.socket.write(call("hang") );
    assert.match(await send(server.port, call("fine", owner)), /"fine"/);
    server.signal("SIGTERM");
    await until(() => /stopping/.test(server.stderr()), "the first signal to be heard");
    server.signal("SIGINT");
    assert.deepEqual(await server.ended, { code: 130, signal: null });
    connection.socket.destroy();
  });

  it("ends at once, while threads are waited for", async () => {
    const server = await serveFixture(["--trouble"]);
    const connection = await open(server.port);
    connection.socket.write(call("hang"));
    assert.match(await send(server.port, call("fine", owner)), /"fine"/);
    connection.socket.destroy();
    await connection.closed;
    server.signal("SIGTERM");
    await until(() => /stopping/.test(server.stderr()), "the first signal to be heard");
    let refused = false;
    while (!refused) await open(server.port).then((c) => c.socket.destroy(), () => (refused = true));
    server.signal("SIGTERM");
    assert.deepEqual(await server.ended, { code: 143, signal: null });
  });
});
