// Strangers cannot make the server hold more memory than its budget, whatever
// they ask for and do not read; and the owner is served beside them.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { open, post, request, send, serveHttp, until, well } from "./hostile.mjs";

const MiB = 1 << 20;
const budget = 64 * MiB;
// What is not in the budget: the contents and renderings that four workers make at
// the moment, the cache, and what the allocator (a sanitizer's too) keeps free.
const slack = 256 * MiB;
const fileBytes = 4_000_000;
const fileCount = 40;

const files = Object.fromEntries(
  Array.from({ length: fileCount }, (_, i) => [`big${i}.txt`, `${i} ${"x".repeat(98)}\n`.repeat(fileBytes / 100)]),
);

const start = () =>
  serveHttp([], {
    files,
    environment: {
      LODE_LIMITS_MEMORY_BYTES: `${budget}`,
      ASAN_OPTIONS: "quarantine_size_mb=1:allocator_release_to_os_interval_ms=0",
    },
  });

const legacy = (body, headers = {}) =>
  post(body, { "mcp-protocol-version": "2025-03-26", "mcp-method": undefined, "mcp-name": undefined, ...headers });
const message = (id, method, params) => JSON.stringify({ jsonrpc: "2.0", id, method, params });
const read = (server, id, i) => message(id, "resources/read", { uri: server.work.uri(`big${i % fileCount}.txt`) });

// Waits until so many reads were answered, one way or another.
async function answered(server, count) {
  for (let i = 0; i < 600; i += 1) {
    const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    const lines = text.split("\n").filter((line) => line.startsWith("lode_requests_total") && line.includes("resources/read"));
    if (lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`${count} reads were not answered`);
}

async function ownerIsServed(server) {
  const answer = await send(server.port, post(server.read, { authorization: `Bearer ${server.token()}` }));
  assert.match(answer, /# Hello/, "the owner is answered");
}

// Runs the attack; the peak of the server's memory stays within the budget and the slack.
async function bounded(attack) {
  const server = await start();
  assert.ok(await server.serves());
  const before = server.memory("VmRSS");
  const after = (await attack(server)) ?? (() => {});
  const growth = server.memory("VmHWM") - before;
  console.log(`growth: ${Math.round(growth / MiB)} MiB`);
  assert.ok(growth < budget + slack, `grew by ${Math.round(growth / MiB)} MiB`);
  await after();
  assert.ok(await server.serves(), "others are served afterwards");
  assert.deepEqual(await server.stop(), well);
}

describe("memory", () => {
  it("of a batch that asks for everything", () =>
    bounded(async (server) => {
      const batch = `[${Array.from({ length: 200 }, (_, i) => read(server, i, i)).join(",")}]`;
      const connection = await open(server.port);
      let length = 0;
      let busy = 0;
      connection.socket.removeAllListeners("data");
      connection.socket.on("data", (bytes) => {
        length += bytes.length;
        busy += bytes.toString("latin1").split("retryAfterMs").length - 1;
      });
      connection.socket.write(legacy(batch, { connection: "close" }));
      await connection.closed;
      assert.ok(length > fileBytes, `${length} bytes came`);
      assert.ok(busy > 0, "some are told to come again");
      assert.ok((await server.metric("lode_memory_refusals_total")) > 0);
    }));

  it("of sessions that were abandoned", () =>
    bounded(async (server) => {
      const hello = message(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } });
      for (let session = 0; session < 10; session += 1) {
        const begun = await send(server.port, legacy(hello, { "mcp-protocol-version": undefined }));
        const id = /mcp-session-id: (\S+)/i.exec(begun)[1];
        const gone = Array.from({ length: 20 }, async (_, i) => {
          const connection = await open(server.port);
          const headers = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
          // Whose user the kernel no longer knows is nobody: first be known, then go.
          connection.socket.write(legacy(message(`ping ${i}`, "ping", {}), headers));
          await until(() => connection.text.includes("result"), "an answer");
          connection.socket.write(legacy(read(server, i, i), headers), () => connection.socket.destroy());
          await connection.closed;
        });
        await Promise.all(gone);
      }
      await ownerIsServed(server);
      await answered(server, 180);
    }));

  it("of clients that do not read", () =>
    bounded(async (server) => {
      const lazy = [];
      for (let i = 0; i < 120; i += 1) {
        const connection = await open(server.port);
        connection.socket.pause();
        connection.socket.write(post(request(i, "resources/read", { uri: server.work.uri(`big${i % fileCount}.txt`) })));
        lazy.push(connection);
      }
      await ownerIsServed(server);
      await answered(server, 120);
      return async () => {
        for (const connection of lazy) connection.socket.destroy();
        await Promise.all(lazy.map((connection) => connection.closed));
        for (let i = 0; (await server.metric("lode_memory_bytes")) > 0; i += 1) {
          assert.ok(i < 300, "what they did not read is let go");
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      };
    }));

  it("of requests that never become whole", () =>
    bounded(async (server) => {
      const half = legacy("x".repeat(3_900_000), { "content-length": 3_999_999 });
      const slow = [];
      for (let i = 0; i < 60; i += 1) {
        const connection = await open(server.port);
        connection.socket.write(half);
        slow.push(connection);
      }
      await until(() => slow.filter((connection) => connection.text.startsWith("HTTP/1.1 503")).length > 30, "refusals");
      await ownerIsServed(server);
      return () => slow.forEach((connection) => connection.socket.destroy());
    }));
});
