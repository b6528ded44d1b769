// Writes entries (see files.mjs) to a directory, whatever stands in their way.
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";

const bytesOf = (path) => Buffer.from(path, "latin1");
const parentOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

// What a name or a path that is too long, or a file in the place of a directory,
// makes impossible is left out; that is no matter here.
function quietly(action) {
  try {
    action();
    return true;
  } catch (error) {
    if (!error.code) throw error;
    return false;
  }
}

export class Disk {
  #made = new Set();

  constructor(root) {
    this.root = root;
    mkdirSync(root, { recursive: true });
  }

  #full(path) {
    return bytesOf(`${this.root}/${path}`);
  }

  #place(path) {
    const parent = parentOf(path);
    if (this.#made.has(parent)) return;
    quietly(() => mkdirSync(this.#full(parent), { recursive: true }));
    this.#made.add(parent);
  }

  // Returns how many were written.
  write(entries) {
    const pipes = entries.filter(([, what]) => what.fifo).map(([path]) => path);
    if (pipes.length > 0) this.#makePipes(pipes);
    return entries.filter(([path, what]) => !what.fifo && this.#writeOne(path, what)).length + pipes.length;
  }

  #writeOne(path, what) {
    this.#place(path);
    if (what.link === undefined) {
      // A pipe or a link in its place would take the bytes elsewhere, or wait for ever.
      const plain = quietly(() => lstatSync(this.#full(path)).isFile() || unlinkSync(this.#full(path)));
      return quietly(() => writeFileSync(this.#full(path), what, { flag: plain ? "w" : "wx" }));
    }
    quietly(() => unlinkSync(this.#full(path)));
    return quietly(() => symlinkSync(what.link, this.#full(path)));
  }

  #makePipes(paths) {
    paths.forEach((path) => {
      this.#place(path);
      quietly(() => unlinkSync(this.#full(path)));
    });
    spawnSync("mkfifo", paths.map((path) => `${this.root}/${path}`));
  }

  remove(path) {
    this.#made.clear();
    return quietly(() => rmSync(this.#full(path), { recursive: true, force: true }));
  }

  rename(from, to) {
    this.#made.clear();
    return quietly(() => renameSync(this.#full(from), this.#full(to)));
  }

  // Every path below that is no directory, with what it is.
  #walk(below, visit) {
    for (const item of readdirSync(this.#full(below), { withFileTypes: true, encoding: "latin1" })) {
      const path = below === "" ? item.name : `${below}/${item.name}`;
      quietly(() => (item.isDirectory() ? this.#walk(path, visit) : visit(path, item)));
    }
  }

  paths() {
    const found = [];
    this.#walk("", (path) => found.push(path));
    return found;
  }

  // Every entry, as it could be written again.
  entries() {
    const found = [];
    this.#walk("", (path, item) => {
      if (item.isSymbolicLink()) found.push([path, { link: readlinkSync(this.#full(path), "latin1") }]);
      else if (item.isFIFO()) found.push([path, { fifo: true }]);
      else found.push([path, readFileSync(this.#full(path))]);
    });
    return found;
  }
}
