// Which rows of a long list are in the page: those in the window and a few around it.

export interface Window {
  first: number;
  count: number;
  height: number; // of all rows together, as the scroll bar shows it
  top: number; // of the first row that is there
}

// Browsers draw nothing beyond some 17 million pixels. A longer list is shown in a shorter one,
// whose scroll bar moves it proportionally.
const tallest = 10_000_000;

export function isTooTall(height: number): boolean {
  return height > tallest;
}

interface Scroller {
  rows: number;
  rowHeight: number;
  viewport: number; // its height
  scrollTop: number;
  around?: number; // rows above and below the window
}

export function windowOf({ rows, rowHeight, viewport, scrollTop, around = 20 }: Scroller): Window {
  const whole = rows * rowHeight;
  const height = Math.min(whole, tallest);
  const fits = Math.ceil(viewport / rowHeight) + 1;
  const offset = height === whole ? 0 : offsetOf(whole, height, viewport, scrollTop);
  const at = Math.floor((scrollTop + offset) / rowHeight);
  const first = Math.max(0, Math.min(at - around, rows - fits));
  const count = Math.max(0, Math.min(rows - first, at - first + fits + around));
  return { first, count, height, top: first * rowHeight - offset };
}

// Where the scroll bar must be for a row to stand a third below the upper edge.
export function scrollTopOf(row: number, { rows, rowHeight, viewport }: Omit<Scroller, "scrollTop">): number {
  const whole = rows * rowHeight;
  const wanted = Math.max(0, Math.min(row * rowHeight - viewport / 3, whole - viewport));
  if (whole <= tallest) return wanted;
  return (wanted / (whole - viewport)) * (tallest - viewport);
}

function offsetOf(whole: number, height: number, viewport: number, scrollTop: number): number {
  const share = Math.min(1, scrollTop / Math.max(1, height - viewport));
  return share * (whole - height);
}
