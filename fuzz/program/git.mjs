// A git repository as files: loose objects, or a pack.
import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

const kinds = { commit: 1, tree: 2, blob: 3 };
const sha1 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha1")).digest();
const word = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

function object(kind, body) {
  const head = Buffer.from(`${kind} ${body.length}\0`);
  return { kind, body, whole: Buffer.concat([head, body]), id: sha1(head, body) };
}

const tree = (entries) =>
  object("tree", Buffer.concat(entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`), id])));

function commit(top, parents, subject, time) {
  const who = `Ada <ada@example.org> ${time} +0000`;
  const lines = [`tree ${top.toString("hex")}`, ...parents.map((id) => `parent ${id.toString("hex")}`), `author ${who}`, `committer ${who}`, "", subject, ""];
  return object("commit", Buffer.from(lines.join("\n")));
}

// Some commits, each of which changes a file; one tree has a gitlink.
function history(count) {
  const objects = [];
  const add = (made) => (objects.push(made), made.id);
  let parents = [];
  for (let at = 0; at < count; at += 1) {
    const text = add(object("blob", Buffer.from(`text ${at}\n`)));
    const inner = add(tree([["100644", "b.txt", text]]));
    const entries = [["100644", "a.txt", text], ["40000", "sub", inner], ["160000", "vendor", sha1("vendor")]];
    parents = [add(commit(add(tree(entries)), parents, `Change ${at}`, 1_700_000_000 + at))];
  }
  return { objects, head: parents[0].toString("hex") };
}

function packed({ kind, body }) {
  const head = [(kinds[kind] << 4) | (body.length & 15)];
  for (let rest = body.length >> 4; rest > 0; rest >>= 7) {
    head[head.length - 1] |= 128;
    head.push(rest & 127);
  }
  return Buffer.concat([Buffer.from(head), deflateSync(body)]);
}

// The files of a pack and of its index, version 2.
function pack(objects) {
  const sorted = objects.filter((one, at) => objects.findIndex((other) => other.id.equals(one.id)) === at).sort((a, b) => Buffer.compare(a.id, b.id));
  const parts = sorted.map(packed);
  let offset = 12;
  const offsets = parts.map((part) => word((offset += part.length) - part.length));
  const data = Buffer.concat([Buffer.from("PACK"), word(2), word(sorted.length), ...parts]);
  const sum = sha1(data);
  const fan = Array.from({ length: 256 }, (_, byte) => word(sorted.filter((one) => one.id[0] <= byte).length));
  const index = Buffer.concat([
    Buffer.from("ff744f6300000002", "hex"), ...fan, ...sorted.map((one) => one.id), ...parts.map((part) => word(crc32(part))), ...offsets, sum,
  ]);
  const name = sum.toString("hex");
  return [[`objects/pack/pack-${name}.pack`, Buffer.concat([data, sum])], [`objects/pack/pack-${name}.idx`, Buffer.concat([index, sha1(index)])]];
}

const loose = (objects) =>
  objects.map(({ id, whole }) => [`objects/${id.toString("hex").slice(0, 2)}/${id.toString("hex").slice(2)}`, deflateSync(whole)]);

// The files of a repository, as [path, bytes], below a directory such as ".git/".
export function repository(below, { commits = 3, inPack = false, bare = false } = {}) {
  const { objects, head } = history(commits);
  const files = [
    ["HEAD", "ref: refs/heads/main\n"], ["config", `[core]\n\trepositoryformatversion = 0\n\tbare = ${bare}\n[remote "origin"]\n\turl = https://example.org/x.git\n`],
    ["packed-refs", `# pack-refs with: peeled fully-peeled sorted\n${head} refs/tags/v1\n`], ["refs/heads/main", `${head}\n`], ["description", "x\n"],
    ["index", Buffer.concat([Buffer.from("DIRC"), word(2), word(0), sha1(Buffer.concat([Buffer.from("DIRC"), word(2), word(0)]))])],
    ["info/exclude", "*.log\n"], ["logs/HEAD", `${"0".repeat(40)} ${head} Ada <ada@example.org> 1700000000 +0000\tcommit\n`],
    ["objects/info/packs", ""], ...(inPack ? pack(objects) : loose(objects)),
  ];
  return files.map(([path, bytes]) => [below + path, Buffer.from(bytes)]);
}
