import type { OutlineRow } from "../../parts/source/symbols";

// The number that the first line of a part has in its file: of "10-40" it is 10; of a symbol it is
// where the symbol begins. 1 if it is not known.
export function firstLine(lines: string | null, symbol: string | null, rows: readonly OutlineRow[]): number {
  if (lines) return Number(/^\d+/.exec(lines)?.[0] ?? 1) || 1;
  if (!symbol) return 1;
  const [, path = symbol, at] = /^(.*?)(?::(\d+)(?::\d+)?)?$/.exec(symbol) ?? [];
  if (at) return Number(at);
  const wanted = path.split(".");
  const found = rows.find((_, index) => {
    const names = pathOf(rows, index);
    return wanted.every((name, i) => name === names[names.length - wanted.length + i]);
  });
  return found?.line ?? 1;
}

// The names of what a row is in, and its own; a scope ("A" of `void A::f()`) is one too.
function pathOf(rows: readonly OutlineRow[], at: number): string[] {
  const names: string[] = [];
  let level = Number.POSITIVE_INFINITY;
  for (let i = at; i >= 0 && level > 0; i -= 1) {
    const row = rows[i];
    if (!row || row.level >= level) continue;
    level = row.level;
    names.unshift(...(row.symbol.scope ? row.symbol.scope.split(/::|\./) : []), row.symbol.name);
  }
  return names;
}
