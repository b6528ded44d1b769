// Damaged workspaces: the server starts on one, follows its changes, is asked
// about it, and starts again on what is left.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Disk } from "./disk.mjs";
import { Failure } from "./failure.mjs";
import { makeEntries, makeSettings } from "./files.mjs";
import { killers } from "./killers.mjs";
import { Pipe } from "./pipe.mjs";
import { Random } from "./random.mjs";

const rounds = 12; // of changes to one workspace
const probed = 40; // files of each round that are asked about
const pause = 25; // ms between two looks at the index
const aspects = ["symbols", "symbols?compact=false", "structure", "imports", "exports", "diagnostics", "ast?max_depth=9", "query?expr=(_)%20@a", "source?lines=1-3", "references?symbol=Circle"];
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
const read = (uri) => ["resources/read", { uri }];
const escaped = (path) => path.replace(/[^\w./-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
const textOf = (answer) => answer.result?.contents?.[0]?.text ?? "";

// What is asked of every workspace.
const general = [
  ["prompts/list", {}], ["tools/list", {}], ["resources/templates/list", {}], read("resource://project/summary"), read("resource://project/./structure"),
  read("resource://project/files"), ...["summary", "full", "stats", "problems", "active", "recent", "search?q=review", "elements/persona", "elements/skill"].map((page) => read(`capability-index://${page}`)),
  ...["board", "problems", "tasks", "tasks?q=step&sort=updated", "tasks/TASK-0001", "tasks/TASK-0001/history", "artifacts"].map((page) => read(`mcp://backlog/${page}`)),
  read("lode://search?q=area%20circle&limit=50"), ["tools/call", { name: "find_files", arguments: { content: "name", limit: 50 } }], ["tools/call", { name: "find_files", arguments: { pattern: "*.py" } }],
  ["tools/call", { name: "resource_find", arguments: { prefix: "file://" } }],
  ["completion/complete", { ref: { type: "ref/resource", uri: "resource://file/{+path}/{aspect}" }, argument: { name: "path", value: "d1/" } }],
  ["completion/complete", { ref: { type: "ref/resource", uri: "file:///{+path}" }, argument: { name: "path", value: "" } }],
];

let nextKiller = 0; // of this run

class WorkspaceDialogue {
  #marker = 0;

  constructor(options, scratch) {
    this.options = options;
    this.scratch = scratch;
    rmSync(scratch, { recursive: true, force: true });
    this.disk = new Disk(join(scratch, "work"));
    this.files = 0;
    this.settings = false; // the workspace brings some of its own
    this.changed = [];
    this.size = options.sanitized ? 250 : 2500;
  }

  get server() {
    return this.pipe?.server;
  }

  #write(entries) {
    this.changed.push(...entries);
    this.files += this.disk.write(entries);
  }

  // A file whose symbol is found once the index has seen what was written before.
  #mark() {
    this.#marker += 1;
    this.disk.write([["marker.py", Buffer.from(`def marker${this.#marker}x(): pass\n`)]]);
  }

  #start() {
    this.pipe = new Pipe({ ...this.options, base: this.scratch, root: this.disk.root, args: [] });
  }

  // Settings of the workspace may hide the marker; then the index alone must be whole.
  async #complete() {
    const until = Date.now() + 2 * this.options.patience;
    for (;;) {
      const [answer] = await this.pipe.ask([read(`lode://search?q=marker${this.#marker}x`)]);
      const text = textOf(answer);
      if (answer.error ? this.settings : !text.includes("\"incomplete\"") && (this.settings || text.includes("marker.py"))) return;
      if (Date.now() > until) throw new Failure("hang", "the index does not become complete", JSON.stringify(answer).slice(0, 500));
      await wait(pause);
    }
  }

  async #probe(random) {
    const files = this.changed.filter(([, what]) => Buffer.isBuffer(what)).map(([path]) => escaped(path));
    const requests = [...general];
    for (let left = Math.min(probed, files.length); left > 0; left -= 1) {
      const path = random.pick(files);
      requests.push(read(`file://${this.disk.root}/${path}`), ...aspects.map((aspect) => read(`resource://file/${path}/${aspect}`)));
      const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      requests.push(read(`file://${this.disk.root}/${parent}`), read(`resource://project/${parent}/summary`), read(`skill://${path.split("/").at(-2) ?? "x"}/SKILL.md`));
    }
    await this.pages("resources/list");
    for (let from = 0; from < requests.length; from += 200) await this.pipe.ask(requests.slice(from, from + 200));
    await this.pipe.settle();
  }

  // Every page of a list.
  async pages(method) {
    for (let cursor, left = 100; left > 0; left -= 1) {
      const [{ result }] = await this.pipe.ask([[method, cursor === undefined ? {} : { cursor }]]);
      cursor = result?.nextCursor;
      if (cursor === undefined) return;
    }
  }

  #fill(random, count) {
    const entries = [];
    while (entries.length < count) entries.push(...makeEntries(random));
    this.#write(entries);
  }

  // Files come, change, go and move while the server looks on.
  #change(random) {
    this.changed = [];
    const known = this.disk.paths();
    for (let left = this.size >> 5; left > 0; left -= 1) {
      const path = random.pick(known);
      if (path.startsWith(".lode/") && random.chance(0.5)) continue;
      if (random.chance(0.7)) this.disk.remove(random.chance(0.95) ? path : `d${random.below(40)}`);
      else this.disk.rename(path, `d${random.below(40)}/f${random.below(2000)}.${random.pick(["py", "c", "md", "json"])}`);
    }
    this.#fill(random, this.size >> 1);
  }

  // A configuration that cannot be read is refused with a message.
  #refused() {
    return this.settings && [1, 2].includes(this.server.end?.code);
  }

  async #look(random) {
    this.#mark();
    if (!this.pipe) this.#start();
    try {
      await this.#complete();
    } catch (failure) {
      if (this.#refused()) return false;
      throw failure;
    }
    await this.#probe(random);
    return true;
  }

  // One at a time: the one that fails is known. The next server goes on after it.
  async #meetKillers() {
    this.#start();
    while (nextKiller < killers.length) {
      this.changed = [];
      this.#write([killers[nextKiller]]);
      nextKiller += 1;
      this.#mark();
      await this.#complete();
      const path = this.changed[0][0];
      await this.pipe.ask(aspects.map((aspect) => read(`resource://file/${path}/${aspect}`)));
      this.disk.remove(path);
    }
    await this.server.stop();
    this.pipe = null;
  }

  async converse(seed, deadline) {
    const random = new Random(seed);
    if (nextKiller < killers.length) await this.#meetKillers();
    this.settings = random.chance(0.1);
    if (this.settings) this.#write(makeSettings(random));
    this.#fill(random, this.size);
    if (!(await this.#look(random))) return;
    for (let round = 0; round < rounds && Date.now() < deadline; round += 1) {
      this.#change(random);
      await this.#look(random);
    }
    await this.server.stop();
    this.#change(random);
    this.pipe = null;
    if (await this.#look(random)) await this.server.stop();
  }

  // A workspace with these files and no others.
  async repeat(entries) {
    this.settings = entries.some(([path]) => path.startsWith(".lode/lode.toml") || path.startsWith(".lode/policy.toml"));
    this.#write(entries);
    if (await this.#look(new Random("replay"))) await this.server.stop();
  }
}

// Those of the last round at the end: they are the first to be suspected.
function suspects(dialogue) {
  const last = new Map(dialogue.changed);
  const others = dialogue.disk.entries().filter(([path]) => path !== "marker.py" && !last.has(path));
  return [...others, ...last];
}

const asText = ([path, what]) => JSON.stringify(Buffer.isBuffer(what) ? { path, bytes: what.toString("base64") } : { path, ...what });
function asEntry(line) {
  const { path, bytes, ...what } = JSON.parse(line);
  return [path, bytes === undefined ? what : Buffer.from(bytes, "base64")];
}

export const workspaces = {
  unit: "files",
  start: (options, scratch) => new WorkspaceDialogue(options, scratch),
  count: (dialogue) => dialogue.files,
  items: suspects,
  shape: (entries) => entries.at(-1)[0].replace(/^.*\./s, "*."),
  write: (entries) => `${entries.map(asText).join("\n")}\n`,
  read: (bytes) => bytes.toString().trim().split("\n").map(asEntry),
};
