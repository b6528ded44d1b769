// How two texts differ, line by line, and what two people's changes of one text come to. Pure
// functions.

export interface Hunk {
  kind: "same" | "changed";
  a: string[];
  b: string[];
}

const mostCells = 4_000_000; // of the table; beyond it, what differs is one hunk

// The lines that both have, in order, as pairs of indices.
function matches(a: string[], b: string[]): [number, number][] {
  const pairs: [number, number][] = [];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  ) {
    tail += 1;
  }
  for (let i = 0; i < head; i += 1) pairs.push([i, i]);
  const middle = longestCommon(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  for (const [i, j] of middle) pairs.push([head + i, head + j]);
  for (let i = tail; i > 0; i -= 1) pairs.push([a.length - i, b.length - i]);
  return pairs;
}

function longestCommon(a: string[], b: string[]): [number, number][] {
  const width = b.length + 1;
  if (a.length === 0 || b.length === 0 || (a.length + 1) * width > mostCells) return [];
  const table = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: [number, number][] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

// The whole of both texts, cut where they begin and cease to differ.
export function diffLines(a: string, b: string): Hunk[] {
  const left = a.split("\n");
  const right = b.split("\n");
  const hunks: Hunk[] = [];
  let i = 0;
  let j = 0;
  for (const [x, y] of [...matches(left, right), [left.length, right.length] as [number, number]]) {
    if (i < x || j < y) hunks.push({ kind: "changed", a: left.slice(i, x), b: right.slice(j, y) });
    const last = hunks.at(-1);
    if (x < left.length && last?.kind === "same") {
      last.a.push(left[x] ?? "");
      last.b.push(right[y] ?? "");
    } else if (x < left.length) hunks.push({ kind: "same", a: [left[x] ?? ""], b: [right[y] ?? ""] });
    i = x + 1;
    j = y + 1;
  }
  return hunks;
}

export interface Merged {
  text: string;
  conflicts: number; // places that both changed, in different ways
}

// Both changes of `base` in one text. Where both changed the same lines, both stand there, between
// the marks that git uses.
export function merge(base: string, mine: string, theirs: string): Merged {
  const origin = base.split("\n");
  const left = mine.split("\n");
  const right = theirs.split("\n");
  const inMine = new Map(matches(origin, left));
  const inTheirs = new Map(matches(origin, right));
  const out: string[] = [];
  let conflicts = 0;
  let o = 0;
  let l = 0;
  let r = 0;
  const take = (toO: number, toL: number, toR: number) => {
    const was = origin.slice(o, toO);
    const one = left.slice(l, toL);
    const other = right.slice(r, toR);
    if (same(one, was) || same(one, other)) out.push(...other);
    else if (same(other, was)) out.push(...one);
    else {
      conflicts += 1;
      out.push("<<<<<<< mine", ...one, "=======", ...other, ">>>>>>> theirs");
    }
  };
  for (let at = 0; at < origin.length; at += 1) {
    const x = inMine.get(at);
    const y = inTheirs.get(at);
    if (x === undefined || y === undefined) continue;
    take(at, x, y);
    out.push(origin[at] ?? "");
    o = at + 1;
    l = x + 1;
    r = y + 1;
  }
  take(origin.length, left.length, right.length);
  return { text: out.join("\n"), conflicts };
}

function same(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}
