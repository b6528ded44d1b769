// JSON as the rows of a tree that is folded. Pure: which rows there are follows from what is open.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Path = readonly (string | number)[];

export interface Row {
  path: Path;
  key: string | number | null; // null: the root
  value: Json;
  level: number;
  size: number; // entries; -1: it has none
  open: boolean;
}

export function isBranch(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === "object" && value !== null;
}

function entriesOf(value: Json): [string | number, Json][] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item]);
  return isBranch(value) ? Object.entries(value) : [];
}

function sizeOf(value: Json): number {
  if (Array.isArray(value)) return value.length;
  return isBranch(value) ? Object.keys(value).length : -1;
}

// One text for a path; no two paths have the same.
export function nameOfPath(path: Path): string {
  return JSON.stringify(path);
}

export function rowsOf(root: Json, open: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const add = (path: Path, key: string | number | null, value: Json): void => {
    const isOpen = isBranch(value) && open.has(nameOfPath(path));
    rows.push({ path, key, value, level: path.length, size: sizeOf(value), open: isOpen });
    if (isOpen) for (const [name, item] of entriesOf(value)) add([...path, name], name, item);
  };
  add([], null, root);
  return rows;
}

// What is open at first: level by level, as long as that makes no more than so many rows.
export function firstOpen(root: Json, most: number): Set<string> {
  const open = new Set<string>();
  let level: [Path, Json][] = [[[], root]];
  let rows = 1;
  while (level.length > 0) {
    const next: [Path, Json][] = [];
    for (const [path, value] of level) {
      const size = sizeOf(value);
      if (size <= 0) continue;
      if (rows + size > most && path.length > 0) continue;
      rows += size;
      open.add(nameOfPath(path));
      if (size <= most) for (const [name, item] of entriesOf(value)) next.push([[...path, name], item]);
    }
    level = next;
  }
  return open;
}

// The paths whose key or value has the words, in order; and whether there are more than so many.
export function findIn(root: Json, words: string, most: number): { found: Path[]; more: boolean } {
  const wanted = words.toLowerCase();
  const found: Path[] = [];
  let more = false;
  const look = (path: Path, value: Json): void => {
    if (more) return;
    const key = path.at(-1);
    const text = isBranch(value) ? "" : String(value);
    if (`${key ?? ""}`.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted)) {
      if (found.length === most) {
        more = true;
        return;
      }
      found.push(path);
    }
    for (const [name, item] of entriesOf(value)) look([...path, name], item);
  };
  look([], root);
  return { found, more };
}

// All that must be open for a row to be seen.
export function opened(open: ReadonlySet<string>, path: Path): Set<string> {
  const more = new Set(open);
  for (let length = 0; length < path.length; length += 1) more.add(nameOfPath(path.slice(0, length)));
  return more;
}

// As programs write it: $.list[0]["a key"].
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return /^[A-Za-z_$][\w$]*$/.test(part) ? `${text}.${part}` : `${text}[${JSON.stringify(part)}]`;
  }, "$");
}

// Which line and column a parser stumbled at, as far as its message tells.
export function placeOfError(message: string, text: string): { line: number; message: string } | null {
  const line = /line (\d+)/.exec(message)?.[1];
  const position = /position (\d+)/.exec(message)?.[1];
  if (line) return { line: Number(line), message };
  if (position) return { line: text.slice(0, Number(position)).split("\n").length, message };
  return null;
}
