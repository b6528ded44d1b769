import { describe, expect, it } from "vitest";
import { keptBlocks } from "./blocks";

const kept = (old: string, now: string) => keptBlocks([...old], [...now]).join(" ");

describe("keptBlocks", () => {
  it("keeps all but what changed", () => {
    expect(kept("abc", "abc")).toBe("0 1 2");
    expect(kept("abc", "axc")).toBe("0 -1 2");
    expect(kept("abc", "abxc")).toBe("0 1 -1 2");
    expect(kept("abc", "ac")).toBe("0 2");
    expect(kept("", "a")).toBe("-1");
    expect(kept("a", "")).toBe("");
  });
  it("keeps in order what several changes leave", () => {
    expect(kept("abcdef", "xbcyef")).toBe("-1 1 2 -1 4 5");
    expect(kept("aba", "bab")).toBe("1 2 -1");
  });
  it("never keeps a block twice", () => {
    expect(kept("aa", "aaa")).toBe("0 1 -1");
  });
  it("gives up on what is too long to compare", () => {
    const many = Array.from({ length: 2000 }, (_, i) => `${i}`);
    const result = keptBlocks(["first", ...many], ["first", ...many.toReversed()]);
    expect(result[0]).toBe(0);
    expect(result[1]).toBe(-1);
  });
});
