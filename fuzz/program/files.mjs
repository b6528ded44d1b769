// Files of a workspace: what people have in theirs, damaged; and what nobody has.
import { repository } from "./git.mjs";
import { cross, mutate } from "./mutate.mjs";
import { weighted } from "./random.mjs";
import { families, samples } from "./seeds.mjs";

// A path is latin1: each character a byte of the name. An entry is [path, bytes],
// or [path, {link: target}] or [path, {fifo: true}].
const extensionOf = (path) => path.slice(path.lastIndexOf(".") + 1);
const extensions = [...new Set(samples.map(([path]) => extensionOf(path))), "h", "cc", "hpp", "jsx", "mts", "pyi", "kts", "sbt", "gemspec", "bash", "txt", "bin", ""];
const oddNames = ["\xff\xfe", "a\nb", "\x1b[31mred", "a?b", "a#b", "a%41", "%", "a b", " ", "\x7f", "\xc3\xa9", "-rf", "~", "a\\b", "\"", "'", "*", "a:b", "\xe2\x80\xae", "nul\x01", "..a", "x".repeat(250)];
const directories = 40;

const directory = (random) => `d${random.below(directories)}`;

function damaged(random, bytes) {
  const kind = random.below(10);
  if (kind < 7) return mutate(random, bytes);
  if (kind < 8) return cross(random, bytes, random.pick(samples)[1]);
  if (kind < 9) return mutate(random, mutate(random, mutate(random, bytes)));
  return bytes;
}

function code(random) {
  const [path, bytes] = random.pick(samples);
  const extension = random.chance(0.95) ? extensionOf(path) : random.pick(extensions);
  return [[`${directory(random)}/f${random.below(2000)}.${extension}`, damaged(random, bytes)]];
}

function oddlyNamed(random) {
  const [path, bytes] = random.pick(samples);
  const name = `${random.pick(oddNames)}${random.chance(0.5) ? random.pick(oddNames).slice(0, 4) : ""}`;
  const at = random.chance(0.3) ? "" : `${directory(random)}/${random.chance(0.3) ? `${random.pick(oddNames)}/` : ""}`;
  return [[`${at}${name}.${extensionOf(path)}`.replaceAll("\0", "0"), bytes]];
}

// Directories at the top are listed: more of them than a page holds.
const top = (random) => [[`${random.pick(oddNames).slice(0, 200)}${random.below(60)}/f.py`, random.pick(samples)[1]]];

const fromFamily = (name, place) => (random) => {
  const [path, bytes] = random.pick(families[name]);
  const again = random.chance(0.5) ? path : path.replace(/(\.\w+)$/, `${random.below(50)}$1`);
  return [[place(random, again), damaged(random, bytes)]];
};

// A repository below the workspace; one or two of its files are damaged.
function git(random) {
  const at = `${directory(random)}/r${random.below(8)}`;
  const bare = random.chance(0.3);
  const files = repository(bare ? `${at}/` : `${at}/.git/`, { commits: random.between(1, 4), inPack: random.chance(0.5), bare });
  for (let times = random.below(3); times > 0; times -= 1) {
    const one = random.pick(files);
    one[1] = mutate(random, one[1]);
  }
  const file = [`${directory(random)}/.git`, Buffer.from(random.pick(["gitdir: ../..\n", "gitdir: /etc\n", "gitdir: \0\n", "gitdir:", "x", "gitdir: .git\n"]))];
  return [...files, [`${at}/README.md`, Buffer.from("# Repository\n")], ...(random.chance(0.2) ? [file] : [])];
}

function link(random) {
  const target = random.pick(["absent", "/etc/passwd", "/", "..", "../..", ".", "self", "/proc/self/mem", "/dev/zero", `../${directory(random)}`, `${"../".repeat(30)}etc`, "x".repeat(1000)]);
  return [[`${directory(random)}/${random.chance(0.3) ? "self" : `l${random.below(50)}.${random.pick(extensions)}`}`, { link: target }]];
}

const fifo = (random) => [[`${directory(random)}/p${random.below(20)}.${random.pick(extensions)}`, { fifo: true }]];

function deep(random) {
  const [path, bytes] = random.pick(samples);
  const names = Array.from({ length: random.pick([20, 60, 150]) }, () => random.pick(["a", "b", "long-name"]));
  return [[`${directory(random)}/${names.join("/")}/${path}`, bytes]];
}

const makers = {
  code, oddlyNamed, top, git, link, fifo, deep,
  manifest: fromFamily("manifests", (random, path) => (random.chance(0.2) ? path : `${directory(random)}/${path}`)),
  element: fromFamily("elements", (random, path) => path),
  task: fromFamily("backlog", (random, path) => path),
  skill: fromFamily("skills", (random, path) => path.replace("pdf2", `skill${random.below(20)}`)),
  portfolio: fromFamily("portfolio", (random, path) => `${directory(random)}/${path}`),
  ignore: (random) => [[`${directory(random)}/.gitignore`, mutate(random, Buffer.from("*.log\nbuild/\n!keep.log\n/x[0-9]\n**/tmp\na**b\n[!a]\n\\#\n"))]],
};
const kinds = weighted([[120, "code"], [8, "oddlyNamed"], [8, "top"], [2, "git"], [5, "link"], [2, "fifo"], [2, "deep"], [14, "manifest"], [14, "element"], [10, "task"], [6, "skill"], [6, "portfolio"], [3, "ignore"]]);

// Entries to be written one after the other.
export const makeEntries = (random) => makers[random.draw(kinds)](random);

// A policy and a configuration that came with the workspace.
export const makeSettings = (random) => families.settings.filter(([path]) => path.startsWith(".lode/")).map(([path, bytes]) => [path, mutate(random, Buffer.from(bytes))]);
