// Repositories that are small on disk and large, or without end, in memory: the page of
// a project is answered, says what could not be read, and costs a bounded amount.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { deflateSync } from "node:zlib";
import { makeWorkspace, serve } from "./support.mjs";

const large = 768 * 1024 * 1024;
// The library may hold 128 MiB; the sanitizers of a test build keep freed memory besides.
const most = 600 * 1024;

const sha1 = (bytes) => createHash("sha1").update(bytes).digest();
const person = "a <a@example.com> 1700000000 +0000";
const commit = (tree, parent = "") =>
  Buffer.from(`tree ${tree}\n${parent && `parent ${parent}\n`}author ${person}\ncommitter ${person}\n\nsubject\n`);
const named = (type, body) => Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);

// An embedded bare repository at "pkg" of a workspace.
function repository() {
  const work = makeWorkspace({ "README.md": "# Hello\n" });
  const git = join(work.root, "pkg");
  const put = (path, bytes) => {
    mkdirSync(dirname(join(git, path)), { recursive: true });
    writeFileSync(join(git, path), bytes);
  };
  put("HEAD", "ref: refs/heads/main\n");
  mkdirSync(join(git, "objects/pack"), { recursive: true });
  mkdirSync(join(git, "refs/heads"), { recursive: true });
  const at = (id) => `objects/${id.slice(0, 2)}/${id.slice(2)}`;
  const loose = (type, body) => {
    const bytes = named(type, body);
    const id = sha1(bytes).toString("hex");
    put(at(id), deflateSync(bytes, { level: 9 }));
    return id;
  };
  return { work, git, put, at, loose, main: (id) => put("refs/heads/main", `${id}\n`) };
}

const kilobytes = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);

// The page about pkg, and by how much the server grew.
async function page({ work }) {
  const server = await serve(work, ["--resources-enabled", "true"]);
  await server.request("resources/read", { uri: "resource://project/summary" });
  const before = kilobytes(server.pid);
  const answer = await server.request("resources/read", { uri: "resource://project/pkg/summary" });
  const grown = kilobytes(server.pid) - before;
  assert.equal(await server.stop(), 0);
  work.remove();
  assert.ok(grown < most, `it grew by ${grown} kB`);
  return answer.result.contents[0].text;
}

// A pack of entries: {id, type, size, body, base}; a base is an id (7) or a distance (6).
function putPack({ put }, entries) {
  const number = (type, size) => {
    const bytes = [(type << 4) | (size & 15)];
    for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
      bytes[bytes.length - 1] |= 128;
      bytes.push(rest % 128);
    }
    return Buffer.from(bytes);
  };
  const distance = (value) => {
    const bytes = [value & 127];
    for (let rest = value >> 7; rest > 0; rest >>= 7) {
      rest -= 1;
      bytes.unshift(128 | (rest & 127));
    }
    return Buffer.from(bytes);
  };
  const parts = [Buffer.from("PACK\0\0\0\x02"), Buffer.alloc(4)];
  parts[1].writeUInt32BE(entries.length);
  let offset = 12;
  for (const entry of entries) {
    entry.offset = offset;
    const base =
      entry.type === 7 ? Buffer.from(entry.base, "hex") : entry.type === 6 ? distance(offset - entry.base.offset) : Buffer.alloc(0);
    const bytes = Buffer.concat([number(entry.type, entry.size ?? entry.body.length), base, entry.packed ?? deflateSync(entry.body)]);
    parts.push(bytes);
    offset += bytes.length;
  }
  const pack = Buffer.concat(parts);
  const trailer = sha1(pack);
  const sorted = [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));
  const index = Buffer.alloc(8 + 1024 + sorted.length * 28 + 40);
  index.writeUInt32BE(0xff744f63, 0);
  index.writeUInt32BE(2, 4);
  for (let i = 0; i < 256; i += 1) {
    index.writeUInt32BE(sorted.filter((entry) => parseInt(entry.id.slice(0, 2), 16) <= i).length, 8 + 4 * i);
  }
  sorted.forEach((entry, i) => {
    Buffer.from(entry.id, "hex").copy(index, 1032 + 20 * i);
    index.writeUInt32BE(entry.offset, 1032 + 24 * sorted.length + 4 * i);
  });
  trailer.copy(index, index.length - 40);
  sha1(index.subarray(0, index.length - 20)).copy(index, index.length - 20);
  const name = `objects/pack/pack-${trailer.toString("hex")}`;
  put(`${name}.pack`, Buffer.concat([pack, trailer]));
  put(`${name}.idx`, index);
}

// The numbers of a difference: little-endian, seven bits each.
function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push((rest % 128) | (rest >= 128 ? 128 : 0));
    if (rest < 128) return bytes;
  }
}
// A difference that gives a text, whatever the base is.
const difference = (from, text) => {
  const out = [...varint(from), ...varint(text.length)];
  for (let at = 0; at < text.length; at += 127) {
    const piece = text.subarray(at, at + 127);
    out.push(piece.length, ...piece);
  }
  return Buffer.from(out);
};

const id = (text) => sha1(Buffer.from(text)).toString("hex");
const unreadable = /## Git\n(the commit of the repository's head cannot be read|the repository takes too much memory)/;

describe("a repository that means harm", () => {
  it("a tree of hundreds of megabytes", async () => {
    const bomb = repository();
    const entry = Buffer.from(`100644 a\0${"\x01".repeat(20)}`, "latin1");
    const tree = bomb.loose("tree", Buffer.alloc(large, entry));
    bomb.main(bomb.loose("commit", commit(tree)));
    const text = await page(bomb);
    assert.match(text, /Branch main of a bare repository, head [0-9a-f]{12} of 2023-11-14: subject/);
    assert.match(text, /Its history takes too much memory to be read/);
  });

  it("an object whose header tells a smaller size", async () => {
    const bomb = repository();
    // The old form of a file: a header of its own (a commit of 0 bytes), then the bytes.
    const commitId = id("old");
    bomb.put(bomb.at(commitId), Buffer.concat([Buffer.from([0x10]), deflateSync(Buffer.alloc(large))]));
    bomb.main(commitId);
    assert.match(await page(bomb), unreadable);
    // And the usual one, by much and by little.
    for (const length of [large, 40, 11]) {
      const usual = repository();
      usual.put(usual.at(commitId), deflateSync(Buffer.concat([Buffer.from("commit 10\0"), Buffer.alloc(length)])));
      usual.main(commitId);
      assert.match(await page(usual), unreadable);
    }
  });

  it("a small difference to a large base", async () => {
    const bomb = repository();
    const text = commit("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    const base = { id: id("base"), type: 1, size: large, body: Buffer.alloc(0), packed: deflateSync(Buffer.alloc(large)) };
    const small = { id: sha1(named("commit", text)).toString("hex"), type: 6, base, body: difference(large, text) };
    putPack(bomb, [base, small]);
    bomb.main(small.id);
    assert.match(await page(bomb), unreadable);
  });

  it("differences to each other", async () => {
    const bomb = repository();
    const [one, two] = [id("one"), id("two")];
    const body = difference(10, Buffer.from("0123456789"));
    putPack(bomb, [
      { id: one, type: 7, base: two, body },
      { id: two, type: 7, base: one, body },
    ]);
    bomb.main(one);
    assert.match(await page(bomb), unreadable);
  });

  it("a long chain of differences", async () => {
    const bomb = repository();
    const text = commit("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    const entries = [{ id: id("0"), type: 1, body: text }];
    const packed = deflateSync(difference(text.length, text));
    for (let i = 1; i <= 20_000; i += 1) {
      entries.push({ id: id(`${i}`), type: 6, base: entries[i - 1], size: difference(text.length, text).length, packed });
    }
    entries.at(-1).id = sha1(named("commit", text)).toString("hex");
    putPack(bomb, entries);
    bomb.main(entries.at(-1).id);
    assert.match(await page(bomb), /## Git\n/);
  });

  it("lists, indexes and configurations of gigabytes", async () => {
    const bomb = repository();
    bomb.main(bomb.loose("commit", commit("4b825dc642cb6eb9a060e54bf8d69288fbee4904")));
    for (const name of ["index", "config", "shallow", "objects/info/alternates"]) {
      bomb.put(name, "");
      truncateSync(join(bomb.git, name), 8 * 1024 ** 3);
    }
    assert.match(await page(bomb), /Branch main of a bare repository, head/);
    const refs = repository();
    refs.put("packed-refs", "");
    truncateSync(join(refs.git, "packed-refs"), 8 * 1024 ** 3);
    assert.match(await page(refs), /packed-refs is too long/);
    const branch = repository();
    branch.put("refs/heads/main", "");
    truncateSync(join(branch.git, "refs/heads/main"), 8 * 1024 ** 3);
    assert.match(await page(branch), /a reference is too long/);
    const file = repository();
    file.main(id("huge"));
    file.put(file.at(id("huge")), "");
    truncateSync(join(file.git, file.at(id("huge"))), 8 * 1024 ** 3);
    assert.match(await page(file), unreadable);
  });

  it("pipes instead of files", async () => {
    const bomb = repository();
    bomb.main(id("pipe"));
    mkdirSync(join(bomb.git, dirname(bomb.at(id("pipe")))), { recursive: true });
    execFileSync("mkfifo", [join(bomb.git, bomb.at(id("pipe")))]);
    assert.match(await page(bomb), unreadable);
  });
});
