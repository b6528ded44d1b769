// What a file defines, as resource://file/PATH/symbols?compact=false tells it. Pure.

export interface FileSymbol {
  name: string;
  kind: string;
  scope?: string;
  lines: string; // "5-11"
  signature: string;
  doc?: string;
  visibility?: string;
  exported?: boolean;
  members?: FileSymbol[];
}

export interface OutlineRow {
  symbol: FileSymbol;
  level: number;
  line: number;
  end: number;
}

// In the order of the file, with how deep each stands.
export function outlineRows(symbols: readonly FileSymbol[], level = 0): OutlineRow[] {
  return symbols.flatMap((symbol) => {
    const [line = 0, end = line] = symbol.lines.split("-").map(Number);
    return [{ symbol, level, line, end }, ...outlineRows(symbol.members ?? [], level + 1)];
  });
}

// The innermost that holds a line.
export function symbolAt(rows: readonly OutlineRow[], line: number): OutlineRow | null {
  return rows.findLast((row) => row.line <= line && line <= row.end) ?? null;
}

// As …/references?symbol= wants it: the line tells it from others of its name.
export function symbolQuery({ symbol, line }: OutlineRow): string {
  return `${symbol.name}:${line}`;
}

export function outlineMatches(rows: readonly OutlineRow[], words: string): OutlineRow[] {
  const wanted = words.trim().toLowerCase();
  return wanted === "" ? [...rows] : rows.filter(({ symbol }) => symbol.name.toLowerCase().includes(wanted));
}

export interface References {
  symbol: string;
  defined: string;
  references: { file: string; by: string; lines: string[] }[];
  define_their_own?: unknown[];
  known_by?: string;
  incomplete?: string;
  unsupported?: string;
}

// "12 const a = b": the line's number, and the line.
export function lineAndText(text: string): { line: number; text: string } {
  const at = text.indexOf(" ");
  return at < 0
    ? { line: Number(text), text: "" }
    : { line: Number(text.slice(0, at)), text: text.slice(at + 1) };
}
