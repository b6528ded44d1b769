// Dialogues over standard input and output, many messages at a time.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Messages } from "./messages.mjs";
import { mutate } from "./mutate.mjs";
import { Pipe } from "./pipe.mjs";
import { Random } from "./random.mjs";
import { transcriptLines, writeSeedWorkspace } from "./seeds.mjs";

const chunkMessages = 64;
const blockChunks = 100; // then everything must have been answered
const episodeMessages = 400_000; // of one server
const windows = [1, 300, 300, 600, 600, 3000]; // answers awaited at a time; the last is more than the server's queue holds

// A message, or what became of one: a newline in it makes several.
function makeLines(random, messages) {
  let bytes = Buffer.from(messages.next());
  if (random.chance(0.15)) bytes = mutate(random, bytes);
  if (!bytes.includes(10)) return [bytes];
  return bytes.toString("latin1").split("\n").map((part) => Buffer.from(part, "latin1"));
}

class StdioDialogue {
  constructor(options, scratch) {
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(join(scratch, "work"), { recursive: true });
    this.workspace = writeSeedWorkspace(join(scratch, "work"));
    this.messages = 0;
    this.pipe = new Pipe({ ...options, base: scratch, root: this.workspace.root, args: [] });
    this.server = this.pipe.server;
  }

  // What the lists say becomes part of what is asked.
  async #learn() {
    const [resources, templates] = await this.pipe.ask([["resources/list", {}], ["resources/templates/list", {}]]);
    const cursor = resources.result?.nextCursor;
    this.workspace.cursors = cursor ? [cursor, `${cursor}x`, cursor.slice(1)] : [];
    this.workspace.templates = [...(templates.result?.resourceTemplates ?? []).map((template) => template.uriTemplate), "none://{x}", ""];
  }

  // Random messages until a time.
  async converse(seed, deadline) {
    const random = new Random(seed);
    await this.#learn();
    const messages = new Messages(random, this.workspace, transcriptLines());
    const window = random.pick(windows);
    while (Date.now() < deadline && this.messages < episodeMessages) {
      for (let chunk = 0; chunk < blockChunks && Date.now() < deadline; chunk += 1) await this.#chunk(random, messages, window);
      this.server.child.stdout.resume();
      await this.pipe.settle();
    }
    await this.server.stop();
  }

  async #chunk(random, messages, window) {
    const lines = [];
    for (let i = 0; i < chunkMessages; i += 1) lines.push(...makeLines(random, messages));
    this.messages += lines.length;
    const cuts = random.chance(0.05) ? [random.below(1000) / 1001, 0.999] : [];
    // A client that does not read for a while; send() makes it read again when the
    // server reads no more.
    if (random.chance(0.01)) this.server.child.stdout.pause();
    const paused = this.server.child.stdout.isPaused();
    await this.pipe.send(lines, { window: paused ? Infinity : window, cuts });
    if (random.chance(0.2)) this.server.child.stdout.resume();
  }

  // These lines and no others.
  async repeat(lines) {
    await this.pipe.send(lines, { window: Infinity });
    await this.pipe.settle();
    await this.server.stop();
  }
}

export const stdio = {
  unit: "messages",
  start: (options, scratch) => new StdioDialogue(options, scratch),
  count: (dialogue) => dialogue.messages,
  items: (dialogue) => dialogue.pipe.lastLines(),
  shape: (lines) => /"method" *: *"[^"]{0,60}"(,"params":\{"name":"[^"]{0,40}")?/.exec(lines.at(-1).toString("latin1"))?.[0] ?? "",
  write: (lines) => Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from("\n")])),
  read: (bytes) => bytes.toString("latin1").split("\n").slice(0, -1).map((text) => Buffer.from(text, "latin1")),
};
