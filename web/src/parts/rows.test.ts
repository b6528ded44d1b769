import { describe, expect, it } from "vitest";
import { scrollTopOf, windowOf } from "./rows";

describe("windowOf", () => {
  const list = { rows: 1000, rowHeight: 20, viewport: 400, around: 5 };
  it("holds what is seen and a little more", () => {
    expect(windowOf({ ...list, scrollTop: 0 })).toEqual({ first: 0, count: 26, height: 20_000, top: 0 });
    expect(windowOf({ ...list, scrollTop: 2000 })).toEqual({
      first: 95,
      count: 31,
      height: 20_000,
      top: 1900,
    });
  });
  it("ends with the last row", () => {
    const { first, count } = windowOf({ ...list, scrollTop: 19_600 });
    expect(first + count).toBe(1000);
    expect(windowOf({ ...list, rows: 0, scrollTop: 0 })).toEqual({ first: 0, count: 0, height: 0, top: 0 });
    expect(windowOf({ ...list, rows: 3, scrollTop: 0 }).count).toBe(3);
  });
  it("reaches every row of a list that is too tall to draw", () => {
    const tall = { rows: 8_000_000, rowHeight: 20, viewport: 400 };
    const { height } = windowOf({ ...tall, scrollTop: 0 });
    expect(height).toBe(10_000_000);
    const end = windowOf({ ...tall, scrollTop: height - 400 });
    expect(end.first + end.count).toBe(tall.rows);
    for (const row of [0, 5, 1_234_567, 4_000_000, 7_999_999]) {
      const shown = windowOf({ ...tall, scrollTop: scrollTopOf(row, tall) });
      expect(shown.first).toBeLessThanOrEqual(row);
      expect(shown.first + shown.count).toBeGreaterThan(row);
    }
  });
});
