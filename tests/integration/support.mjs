// Drives the real program over its pipe.
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const patience = 60_000;
export const program = process.env.LODE;
if (!program) throw new Error("LODE names no program");

// A workspace with these files, and a state directory of its own.
export function makeWorkspace(files) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "lode-integration-")));
  const root = join(base, "work");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return {
    base,
    root,
    uri: (path) => `file://${root}/${path}`,
    environment: { PATH: process.env.PATH, HOME: base, XDG_STATE_HOME: join(base, "state") },
    remove: () => rmSync(base, { recursive: true }),
  };
}

// `lode ARGS`: what it printed and how it ended. said: hears what it has written to stderr so far.
export function run(workspace, args, said = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, "--workspace", workspace.root], { env: workspace.environment });
    const out = { stdout: "", stderr: "" };
    child.stdout.on("data", (bytes) => (out.stdout += bytes));
    child.stderr.on("data", (bytes) => said(child, (out.stderr += bytes)));
    child.on("error", reject);
    child.on("close", (status) => resolve({ ...out, status }));
  });
}

// `lode serve` on a pipe, as a legacy client of 2025-06-18.
export function serve(workspace, args) {
  return connect(program, ["serve", "--workspace", workspace.root, ...args], workspace.environment);
}

// Any server on a pipe.
export async function connect(command, args, environment) {
  const child = spawn(command, args, { env: environment });
  // A test that failed half-way leaves nothing running.
  process.once("exit", () => child.exitCode ?? child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.on("close", resolve));
  let stderr = "";
  child.stderr.on("data", (bytes) => (stderr += bytes));
  const messages = [];
  let wake = () => {};
  createInterface({ input: child.stdout }).on("line", (line) => {
    messages.push(JSON.parse(line));
    wake();
  });

  async function next(wanted, what) {
    const until = Date.now() + patience;
    for (;;) {
      const at = messages.findIndex(wanted);
      if (at >= 0) return messages.splice(at, 1)[0];
      if (Date.now() > until) throw new Error(`no ${what} came; stderr: ${stderr.slice(-1000)}`);
      await new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, 100);
      });
    }
  }
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let id = 0;
  const request = (method, params = {}) => {
    id += 1;
    const mine = id;
    send({ id: mine, method, params });
    return next((message) => message.id === mine, `answer to ${method}`);
  };
  const client = {
    request,
    // What has come of a kind so far, and is taken away.
    take: (method) => {
      const taken = messages.filter((message) => message.method === method);
      taken.forEach((message) => messages.splice(messages.indexOf(message), 1));
      return taken;
    },
    pid: child.pid,
    notification: (method) => next((message) => message.method === method, method),
    stderr: () => stderr,
    stop: async () => {
      child.stdin.end();
      return ended;
    },
  };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  client.initialized = (await request("initialize", hello)).result;
  send({ method: "notifications/initialized" });
  return client;
}

// Asks again until the answer is as wanted; fails if it never is.
export async function eventually(ask, wanted) {
  const until = Date.now() + patience;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (Date.now() > until) throw new Error(`waited in vain for ${wanted}; the last answer: ${JSON.stringify(answer)?.slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
