import { describe, expect, it } from "vitest";
import { diffLines, merge } from "./diff";

describe("a difference", () => {
  it("is cut where texts begin and cease to differ", () => {
    expect(diffLines("a\nb\nc", "a\nx\nc")).toEqual([
      { kind: "same", a: ["a"], b: ["a"] },
      { kind: "changed", a: ["b"], b: ["x"] },
      { kind: "same", a: ["c"], b: ["c"] },
    ]);
    expect(diffLines("a", "a")).toEqual([{ kind: "same", a: ["a"], b: ["a"] }]);
    expect(diffLines("a\nb", "b")).toEqual([
      { kind: "changed", a: ["a"], b: [] },
      { kind: "same", a: ["b"], b: ["b"] },
    ]);
  });

  it("holds all of both texts", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (seed >> 8) % below;
    };
    for (let round = 0; round < 200; round += 1) {
      const text = () => Array.from({ length: random(12) }, () => "abc"[random(3)]).join("\n");
      const [a, b] = [text(), text()];
      const hunks = diffLines(a, b);
      expect(hunks.flatMap((hunk) => hunk.a).join("\n")).toBe(a);
      expect(hunks.flatMap((hunk) => hunk.b).join("\n")).toBe(b);
      for (const hunk of hunks) if (hunk.kind === "same") expect(hunk.a).toEqual(hunk.b);
    }
  });
});

describe("a merge", () => {
  const base = "one\ntwo\nthree\nfour";
  it("takes what either changed", () => {
    expect(merge(base, "ONE\ntwo\nthree\nfour", "one\ntwo\nthree\nfour\nfive")).toEqual({
      text: "ONE\ntwo\nthree\nfour\nfive",
      conflicts: 0,
    });
    expect(merge(base, base, "x").text).toBe("x");
    expect(merge(base, "x", base).text).toBe("x");
    expect(merge(base, "one\nsame\nthree\nfour", "one\nsame\nthree\nfour").conflicts).toBe(0);
  });

  it("loses nothing where both changed the same lines", () => {
    const { text, conflicts } = merge(base, "one\nmine\nthree\nfour", "one\ntheirs\nthree\nfour");
    expect(conflicts).toBe(1);
    expect(text).toBe("one\n<<<<<<< mine\nmine\n=======\ntheirs\n>>>>>>> theirs\nthree\nfour");
  });

  it("of texts too long to compare is one conflict", () => {
    const lines = (word: string) => Array.from({ length: 3000 }, (_, i) => `${word} ${i}`).join("\n");
    const { conflicts, text } = merge(lines("a"), lines("b"), lines("c"));
    expect(conflicts).toBe(1);
    expect(text).toContain("b 2999");
    expect(text).toContain("c 2999");
  });
});
