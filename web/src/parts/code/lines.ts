// A text as lines, and which of them are meant. Pure.

export interface Range {
  from: number;
  to: number;
}

export function linesIn(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

export function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}

// "L12" and "L12-L20", either way round.
export function rangeOf(fragment: string): Range | null {
  const match = /^L([1-9][0-9]{0,8})(?:-L?([1-9][0-9]{0,8}))?$/.exec(fragment);
  if (!match) return null;
  const one = Number(match[1]);
  const other = Number(match[2] ?? match[1]);
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

export function fragmentOfRange({ from, to }: Range): string {
  return from === to ? `L${from}` : `L${from}-L${to}`;
}

// How wide the widest line is, in characters; a tab counts as it is drawn.
export function widthOf(lines: readonly string[], most: number): number {
  let widest = 0;
  for (const line of lines) {
    if (!line.includes("\t")) {
      if (line.length > widest) widest = line.length;
      continue;
    }
    let width = 0;
    for (const character of line.length > most ? line.slice(0, most) : line)
      width += character === "\t" ? 4 - (width % 4) : 1;
    widest = Math.max(widest, width);
  }
  return Math.min(widest, most);
}
