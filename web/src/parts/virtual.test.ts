import { describe, expect, it } from "vitest";
import { scrollFor, segmentsOf, viewOf } from "./virtual";

describe("the rows in view", () => {
  it("are those that the window shows, and some beyond", () => {
    expect(viewOf(0, 100, 10, 1000, 2)).toEqual({ first: 0, last: 12 });
    expect(viewOf(505, 100, 10, 1000, 2)).toEqual({ first: 48, last: 63 });
    expect(viewOf(9_990, 100, 10, 1000, 2)).toEqual({ first: 997, last: 1000 });
    expect(viewOf(99_999, 100, 10, 5, 0)).toEqual({ first: 5, last: 5 });
    expect(viewOf(0, 100, 10, 0, 2)).toEqual({ first: 0, last: 0 });
  });

  it("are drawn with room for all others", () => {
    expect(segmentsOf({ first: 2, last: 4 }, [], 10)).toEqual([
      { kind: "gap", at: 0, rows: 2 },
      { kind: "row", index: 2 },
      { kind: "row", index: 3 },
      { kind: "gap", at: 4, rows: 6 },
    ]);
    expect(segmentsOf({ first: 0, last: 1 }, [3, 99, -1], 4)).toEqual([
      { kind: "row", index: 0 },
      { kind: "gap", at: 1, rows: 2 },
      { kind: "row", index: 3 },
    ]);
    expect(segmentsOf({ first: 0, last: 0 }, [], 0)).toEqual([]);
  });

  it("always add up", () => {
    for (let first = 0; first < 6; first += 1) {
      const segments = segmentsOf({ first, last: first + 2 }, [0, 7], 8);
      expect(segments.reduce((sum, each) => sum + (each.kind === "gap" ? each.rows : 1), 0)).toBe(8);
    }
  });
});

describe("scrolling to a row", () => {
  it("is as little as is needed", () => {
    expect(scrollFor(3, 10, 0, 100, 0)).toBeNull();
    expect(scrollFor(12, 10, 0, 100, 0)).toBe(30);
    expect(scrollFor(12, 10, 0, 100, 10)).toBe(40);
    expect(scrollFor(1, 10, 50, 100, 0)).toBe(10);
  });
});
