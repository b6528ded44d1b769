// Which rows of a long list are drawn. Pure functions.

export interface View {
  first: number;
  last: number; // behind the last
}

export function viewOf(top: number, height: number, rowHeight: number, count: number, beyond: number): View {
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - beyond);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + beyond);
  return { first, last: Math.max(first, last) };
}

export type Segment = { kind: "row"; index: number } | { kind: "gap"; at: number; rows: number };

// The rows in view, those that are to stay though they are not (what has the focus must not vanish),
// and room for all others.
export function segmentsOf(view: View, stay: number[], count: number): Segment[] {
  const drawn = new Set(stay.filter((index) => index >= 0 && index < count));
  for (let index = view.first; index < view.last; index += 1) drawn.add(index);
  const segments: Segment[] = [];
  let at = 0;
  for (const index of [...drawn].sort((a, b) => a - b)) {
    if (index > at) segments.push({ kind: "gap", at, rows: index - at });
    segments.push({ kind: "row", index });
    at = index + 1;
  }
  if (at < count) segments.push({ kind: "gap", at, rows: count - at });
  return segments;
}

// Where to scroll so that a row is seen whole; null: it is. `lead` is what stands above the first row
// and stays in view.
export function scrollFor(
  index: number,
  rowHeight: number,
  top: number,
  height: number,
  lead: number,
): number | null {
  const begins = index * rowHeight;
  if (begins < top) return begins;
  const ends = begins + rowHeight;
  return ends > top + height - lead ? ends - height + lead : null;
}
