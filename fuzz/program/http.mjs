// Dialogues over HTTP, many connections at a time.
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { Connection, makePlan } from "./http_connection.mjs";
import { sessionCount } from "./http_requests.mjs";
import { revisions } from "./messages.mjs";
import { transcriptLines, writeSeedWorkspace } from "./seeds.mjs";
import { Server } from "./server.mjs";

const together = 32; // connections
const kept = 1024; // plans
const episodePlans = 30_000; // of one server
const limits = ["--limits-read-time", "2s", "--limits-write-time", "2s", "--limits-idle-time", "10s", "--limits-sessions", "200"];
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

class HttpDialogue {
  constructor(options, scratch) {
    this.options = options;
    this.scratch = scratch;
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(join(scratch, "work"), { recursive: true });
    this.workspace = writeSeedWorkspace(join(scratch, "work"));
    this.messages = 0;
    this.recent = [];
    // At level info the log names the port.
    this.server = new Server({ ...options, base: scratch, root: this.workspace.root, args: ["--http", "127.0.0.1:0", ...limits], level: "info" });
    this.server.child.stdout.resume();
  }

  async #port() {
    for (let left = this.options.patience; left > 0; left -= 20) {
      const port = Number(/"port":"(\d+)"/.exec(this.server.log)?.[1]);
      if (port > 0) return port;
      this.server.check();
      await wait(20);
    }
    throw new Failure("hang", "HTTP is not served");
  }

  #token() {
    const state = join(this.scratch, "state");
    const path = readdirSync(state, { recursive: true }).find((name) => name.endsWith("/token"));
    return readFileSync(join(state, path), "latin1").trim();
  }

  async #session(port, token, revision) {
    const hello = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: "fuzz", version: "1" } } });
    const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: ${hello.length}\r\n\r\n`;
    const plan = { requests: [{ bytes: head + hello, honest: true, id: 0, method: "initialize" }], how: "whole", cuts: [] };
    const connection = new Connection(plan, { port, token, sessions: [] }, this.options.patience);
    await connection.run();
    return connection.responses.whole[0].headers.get("mcp-session-id") ?? "none";
  }

  async #begin() {
    const port = await this.#port();
    const token = this.#token();
    const sessions = await Promise.all(revisions.slice(0, sessionCount).map((revision) => this.#session(port, token, revision)));
    this.known = { port, token, sessions };
  }

  async #connect(plan) {
    this.recent.push(plan);
    if (this.recent.length > 2 * kept) this.recent.splice(0, kept);
    this.messages += plan.requests.length;
    const connection = new Connection(plan, this.known, this.options.patience);
    try {
      await connection.run();
    } catch (failure) {
      // A server that dies takes its connections along.
      await Promise.race([this.server.ended, wait(1000)]);
      this.server.check();
      throw failure;
    }
    this.server.check();
  }

  // Runs next() on several connections at a time until it returns null.
  async #all(next) {
    let failure = null;
    const worker = async () => {
      for (let plan = next(); plan !== null && failure === null; plan = next()) await this.#connect(plan);
    };
    await Promise.all(Array.from({ length: together }, () => worker().catch((error) => (failure ??= error))));
    if (failure) throw failure;
  }

  async converse(seed, deadline) {
    await this.#begin();
    const lines = transcriptLines();
    let at = 0;
    await this.#all(() => (Date.now() < deadline && at < episodePlans ? makePlan(seed, at++, this.workspace, lines) : null));
    await this.server.stop();
  }

  async repeat(plans) {
    await this.#begin();
    const left = [...plans];
    await this.#all(() => left.shift() ?? null);
    await this.server.stop();
  }
}

export const http = {
  unit: "requests",
  start: (options, scratch) => new HttpDialogue(options, scratch),
  count: (dialogue) => dialogue.messages,
  items: (dialogue) => dialogue.recent.slice(-kept),
  shape: (plans) => `${plans.at(-1).how} ${plans.at(-1).requests.map((one) => one.method).join(" ")}`.slice(0, 100),
  write: (plans) => `${plans.map((plan) => JSON.stringify(plan)).join("\n")}\n`,
  read: (bytes) => bytes.toString().trim().split("\n").map((line) => JSON.parse(line)),
};
