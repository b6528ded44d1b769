// Dialogues over standard input and output, many messages at a time.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { Ledger } from "./ledger.mjs";
import { Messages } from "./messages.mjs";
import { mutate } from "./mutate.mjs";
import { Random } from "./random.mjs";
import { transcriptLines, writeSeedWorkspace } from "./seeds.mjs";
import { Server } from "./server.mjs";

const chunkMessages = 64;
const blockChunks = 100; // then everything must have been answered
const keptLines = 4096;
const episodeMessages = 400_000; // of one server
const newline = Buffer.from("\n");
const hello = [
  { id: "hello-0", method: "resources/list", params: {} },
  { id: "hello-1", method: "resources/templates/list", params: {} },
].map((message) => Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message })));

// One server and what is said to it.
export class StdioDialogue {
  #wake = () => {};
  #rest = Buffer.alloc(0);
  #heard = new Map(); // answers to hello

  constructor(options, scratch) {
    this.options = options;
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(join(scratch, "work"), { recursive: true });
    this.workspace = writeSeedWorkspace(join(scratch, "work"));
    this.ledger = new Ledger();
    this.recent = [];
    this.messages = 0;
    this.server = new Server({ ...options, base: scratch, root: this.workspace.root, args: [] });
    this.server.child.stdout.on("data", (bytes) => this.#take(bytes));
    this.server.child.stdin.on("drain", () => this.#wake());
    this.server.ended.then(() => this.#wake());
  }

  #take(bytes) {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    let from = 0;
    try {
      for (let end = this.#rest.indexOf(10); end >= 0; end = this.#rest.indexOf(10, from)) {
        const answer = this.ledger.received(this.#rest.subarray(from, end));
        if (typeof answer.id === "string" && answer.id.startsWith("hello-")) this.#heard.set(answer.id, answer.result);
        from = end + 1;
      }
    } catch (failure) {
      this.server.fail(failure);
    }
    this.#rest = this.#rest.subarray(from);
    this.#wake();
  }

  // Until something comes; throws if nothing does for too long, or all is over.
  async #news() {
    this.server.check();
    if (this.server.end) throw new Failure("crash", "ended before its standard input did");
    let timer;
    const heard = await new Promise((resolve) => {
      this.#wake = () => resolve(true);
      timer = setTimeout(resolve, this.options.patience, false);
    });
    clearTimeout(timer);
    this.server.check();
    if (!heard) throw new Failure("hang", "no answer", `open: ${this.ledger.missing().join(" ")}`);
  }

  async #settle() {
    this.ledger.sent(Buffer.from("{\"jsonrpc\":\"2.0\",\"id\":\"settle\",\"method\":\"ping\"}"));
    this.server.child.stdin.write("{\"jsonrpc\":\"2.0\",\"id\":\"settle\",\"method\":\"ping\"}\n");
    while (this.ledger.open > 0) await this.#news();
    this.server.check();
    this.ledger.settle();
  }

  // Sends lines; a cut is where a write ends early.
  async #send(lines, { window = 500, cuts = [] } = {}) {
    for (const line of lines) {
      this.ledger.sent(line);
      this.recent.push(line);
    }
    if (this.recent.length > 2 * keptLines) this.recent.splice(0, this.recent.length - keptLines);
    const bytes = Buffer.concat(lines.flatMap((line) => [line, newline]));
    let from = 0;
    for (const cut of [...cuts, 1]) {
      const until = Math.floor(bytes.length * cut);
      const taken = this.server.child.stdin.write(bytes.subarray(from, until));
      from = until;
      if (!taken) await this.#drained();
      else if (cut < 1) await new Promise(setImmediate);
    }
    while (this.ledger.open > window) await this.#news();
  }

  async #drained() {
    this.server.child.stdout.resume();
    while (this.server.child.stdin.writableNeedDrain) await this.#news();
  }

  // What the lists say becomes part of what is asked.
  async #learn() {
    await this.#send(hello);
    await this.#settle();
    const cursor = this.#heard.get("hello-0")?.nextCursor;
    const templates = this.#heard.get("hello-1")?.resourceTemplates ?? [];
    this.workspace.cursors = cursor ? [cursor, `${cursor}x`, cursor.slice(1)] : [];
    this.workspace.templates = [...templates.map((template) => template.uriTemplate), "none://{x}", ""];
  }

  // Random messages until a time.
  async converse(seed, deadline) {
    const random = new Random(seed);
    await this.#learn();
    const messages = new Messages(random, this.workspace, transcriptLines());
    const window = random.pick([1, 300, 300, 600, 600, 3000]);
    while (Date.now() < deadline && this.messages < episodeMessages) {
      for (let chunk = 0; chunk < blockChunks && Date.now() < deadline; chunk += 1) {
        const lines = [];
        for (let i = 0; i < chunkMessages; i += 1) lines.push(...line(random, messages));
        this.messages += lines.length;
        const cuts = random.chance(0.05) ? [random.below(1000) / 1001, 0.999] : [];
        if (random.chance(0.01)) this.server.child.stdout.pause();
        await this.#send(lines, { window, cuts: cuts.sort() });
        if (random.chance(0.1)) this.server.child.stdout.resume();
      }
      this.server.child.stdout.resume();
      await this.#settle();
    }
    await this.server.stop();
  }

  // These lines and no others.
  async repeat(lines) {
    await this.#send(lines, { window: Infinity });
    await this.#settle();
    await this.server.stop();
  }
}

// A message, or what became of one: a newline in it makes several.
function line(random, messages) {
  let bytes = Buffer.from(messages.next());
  if (random.chance(0.25)) bytes = mutate(random, bytes);
  if (!bytes.includes(10)) return [bytes];
  return bytes.toString("latin1").split("\n").map((part) => Buffer.from(part, "latin1"));
}

export const stdio = {
  unit: "messages",
  start: (options, scratch) => new StdioDialogue(options, scratch),
  count: (dialogue) => dialogue.messages,
  items: (dialogue) => dialogue.recent.slice(-keptLines),
  write: (lines) => Buffer.concat(lines.flatMap((bytes) => [bytes, newline])),
  read: (bytes) => bytes.toString("latin1").split("\n").slice(0, -1).map((text) => Buffer.from(text, "latin1")),
};
