// A server to be mistreated over HTTP, and raw sockets to do it with.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { makeWorkspace, program } from "./support.mjs";

const patience = 30_000;

export const request = (id, method, params = {}) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method,
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  });

// The bytes of a POST, as an honest client would send it.
export function post(body, headers = {}) {
  const method = /"method":"([^"]*)"/.exec(body)?.[1] ?? "";
  const uri = /"uri":"([^"]*)"/.exec(body)?.[1];
  const all = {
    host: "127.0.0.1",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(uri ? { "mcp-name": uri } : {}),
    "content-length": Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(all).filter(([, value]) => value !== undefined);
  return `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}

// A raw connection: what came so far, and when it ended.
export function open(port, { halfOpen = false } = {}) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: halfOpen });
    const connection = { socket, text: "", ended: false };
    connection.closed = new Promise((end) => socket.on("close", () => end((connection.ended = true))));
    socket.on("data", (bytes) => (connection.text += bytes.toString("latin1")));
    socket.on("error", () => {});
    socket.once("connect", () => resolve(connection));
    socket.once("error", reject);
  });
}

export async function until(wanted, what) {
  const end = Date.now() + patience;
  while (!wanted()) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

// Sends bytes, waits until the server closes or has sent this many answers.
export async function send(port, bytes, answers = 1) {
  const connection = await open(port);
  connection.socket.write(bytes);
  const count = () => connection.text.split("HTTP/1.1 ").length - 1;
  await until(() => connection.ended || count() >= answers, "an answer");
  connection.socket.destroy();
  await connection.closed;
  return connection.text;
}

// `lode serve --http` on a port of its own. Ends well only if nothing crashed
// and nothing leaked: the sanitizers of the build say so at the end.
export async function serveHttp(args = [], { descriptors, files = {}, resources = true, environment = {} } = {}) {
  const work = makeWorkspace({ "README.md": "# Hello\n", "big.txt": "x".repeat(900_000), ...files });
  const words = ["serve", "--workspace", work.root, "--resources-enabled", `${resources}`, "--http", "127.0.0.1:0", ...args];
  const [command, rest] = descriptors
    ? ["/bin/sh", ["-c", `ulimit -n ${descriptors}; exec "$0" "$@"`, program, ...words]]
    : [program, words];
  const child = spawn(command, rest, { env: { ...work.environment, ...environment }, stdio: ["ignore", "ignore", "pipe"] });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
  let stderr = "";
  child.stderr.on("data", (bytes) => (stderr += bytes));
  const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
  const port = () => Number(/"port":"(\d+)"/.exec(stderr)?.[1]);
  await until(() => port() > 0, `a port; stderr: ${stderr}`);
  const server = {
    work,
    pid: child.pid,
    port: port(),
    stderr: () => stderr,
    read: request(1, "resources/read", { uri: work.uri("README.md") }),
    // Whether an honest client is still served.
    async serves() {
      const answer = await send(server.port, post(server.read));
      return answer.startsWith("HTTP/1.1 200") && answer.includes("# Hello");
    },
    signal: (name) => child.kill(name),
    ended,
    // The owner's, from the file where scripts find it.
    token: () => {
      const state = join(work.base, "state/lode");
      const [mine] = readdirSync(state).filter((name) => existsSync(join(state, name, "token")));
      return readFileSync(join(state, mine, "token"), "utf8");
    },
    metric: async (name) => {
      const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
      return Number(new RegExp(`^${name} ([0-9.e+]+)`, "m").exec(text)?.[1]);
    },
    // Bytes of memory, now ("VmRSS") or at most ever ("VmHWM").
    memory: (which) => 1024 * Number(new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]),
    async stop() {
      child.kill("SIGTERM");
      const how = await ended;
      work.remove();
      return { ...how, complaints: stderr.match(/.*(Sanitizer|runtime error).*/g) ?? [] };
    },
  };
  return server;
}

export const well = { code: 0, signal: null, complaints: [] };
