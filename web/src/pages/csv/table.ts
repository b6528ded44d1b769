// Tables as text: comma-, semicolon- or tab-separated values (RFC 4180). Pure.

export interface Table {
  head: string[];
  rows: string[][];
  uneven: number; // rows that have more or fewer fields than the head
}

// What separates the fields, by which of the signs the first lines have most of, outside of quotes.
export function separatorOf(text: string): string {
  const sample = text.slice(0, 10_000).replace(/"(?:[^"]|"")*"/g, "");
  const counted = [",", ";", "\t", "|"].map((sign) => ({ sign, count: sample.split(sign).length }));
  return counted.sort((a, b) => b.count - a.count)[0]?.sign ?? ",";
}

export function parseTable(text: string, separator: string): Table {
  const all = recordsOf(text.startsWith("\ufeff") ? text.slice(1) : text, separator);
  const [head = [], ...rows] = all;
  return { head, rows, uneven: rows.filter((row) => row.length !== head.length).length };
}

function recordsOf(text: string, separator: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  const endRecord = () => {
    // A line with nothing on it is no row.
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  };
  while (at < text.length) {
    let field: string;
    if (text[at] === '"') [field, at] = quoted(text, at, separator);
    else [field, at] = plain(text, at, separator);
    record.push(field);
    if (text[at] === separator) {
      at += 1;
      if (at === text.length || text[at] === "\n" || text[at] === "\r") record.push("");
      if (at < text.length && text[at] !== "\n" && text[at] !== "\r") continue;
    }
    if (text[at] === "\r") at += 1;
    if (text[at] === "\n") at += 1;
    endRecord();
  }
  return records;
}

// The field that begins at a quote, and where what follows it stands.
function quoted(text: string, begin: number, separator: string): [string, number] {
  let at = begin + 1;
  let field = "";
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0) return [field + text.slice(at), text.length];
    field += text.slice(at, end);
    if (text[end + 1] !== '"') {
      // What somebody wrote behind the closing quote is kept.
      const [rest, next] = plain(text, end + 1, separator);
      return [field + rest, next];
    }
    field += '"';
    at = end + 2;
  }
}

function plain(text: string, begin: number, separator: string): [string, number] {
  let at = begin;
  while (at < text.length && text[at] !== "\n" && text[at] !== "\r" && text[at] !== separator) at += 1;
  return [text.slice(begin, at), at];
}

export interface Order {
  column: number;
  down: boolean;
}

// The indices of the rows in an order: numbers by their value, before all else by its letters; empty
// fields last.
export function sortedRows(rows: readonly string[][], { column, down }: Order): number[] {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const keys = rows.map((row) => keyOf(row[column] ?? ""));
  const order = rows.map((_, index) => index);
  return order.sort((a, b) => {
    const [left, right] = [keys[a] ?? "", keys[b] ?? ""];
    if (left === "" || right === "") return left === right ? a - b : left === "" ? 1 : -1;
    const difference =
      typeof left === "number" && typeof right === "number"
        ? left - right
        : typeof left !== typeof right
          ? typeof left === "number"
            ? -1
            : 1
          : collator.compare(String(left), String(right));
    return (down ? -difference : difference) || a - b;
  });
}

function keyOf(field: string): number | string {
  const text = field.trim();
  return /^[-+]?(\d[\d,]*\.?\d*|\.\d+)(e[-+]?\d+)?%?$/i.test(text)
    ? Number.parseFloat(text.replaceAll(",", ""))
    : text;
}

// How wide each column is, in characters: as wide as what some of its rows hold, within limits.
export function columnWidths({ head, rows }: Table): number[] {
  return head.map((name, column) => {
    let width = name.length + 3;
    const step = Math.max(1, Math.floor(rows.length / 500));
    for (let at = 0; at < rows.length; at += step) width = Math.max(width, (rows[at]?.[column] ?? "").length);
    return Math.max(5, Math.min(48, width)) + 2;
  });
}

export function isNumeric(rows: readonly string[][], column: number): boolean {
  const sample = rows.slice(0, 100).map((row) => (row[column] ?? "").trim());
  const filled = sample.filter((field) => field !== "");
  return filled.length > 0 && filled.every((field) => typeof keyOf(field) === "number");
}
