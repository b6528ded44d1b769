import { describe, expect, it } from "vitest";
import { countLines, fragmentOfRange, linesIn, rangeOf, widthOf } from "./lines";

describe("lines", () => {
  it("end with the last that is there", () => {
    expect(linesIn("a\nb\n")).toEqual(["a", "b"]);
    expect(linesIn("a\n\n")).toEqual(["a", ""]);
    expect(linesIn("")).toEqual([""]);
    for (const text of ["", "a", "a\n", "a\n\n", "\n", "\n\nb", "a\nb\n"])
      expect(countLines(text)).toBe(linesIn(text).length);
  });
  it("are named in a fragment", () => {
    expect(rangeOf("L12")).toEqual({ from: 12, to: 12 });
    expect(rangeOf("L20-L12")).toEqual({ from: 12, to: 20 });
    expect(rangeOf("L3-9")).toEqual({ from: 3, to: 9 });
    expect(rangeOf("L0")).toBeNull();
    expect(rangeOf("Lx")).toBeNull();
    expect(rangeOf("license")).toBeNull();
    expect(fragmentOfRange({ from: 3, to: 9 })).toBe("L3-L9");
    expect(fragmentOfRange({ from: 3, to: 3 })).toBe("L3");
  });
  it("are as wide as they are drawn", () => {
    expect(widthOf(["ab", "\ta", "abc"], 100)).toBe(5);
    expect(widthOf(["x".repeat(500)], 100)).toBe(100);
  });
});
