import hljs from "highlight.js/lib/core";
import javascript from "highlight.js/lib/languages/javascript";
import { describe, expect, it } from "vitest";
import { linesOf, type Node } from "./tokens";

describe("linesOf", () => {
  it("splits what spans several lines and joins what looks alike", () => {
    expect(
      linesOf({
        children: [
          "a\n",
          { scope: "comment", children: ["/* 1\n2 */"] },
          " b",
          { scope: "operator", children: ["+"] },
        ],
      }),
    ).toEqual([["a"], [["comment", "/* 1"]], [["comment", "2 */"], " b+"]]);
  });
  it("gives back every character", () => {
    hljs.registerLanguage("javascript", javascript);
    const text = `class A { b() {\n  return "x" + \`y\n$\{1}\` } }\n// <i>\n`;
    const root = (hljs.highlight(text, { language: "javascript" })._emitter as unknown as { rootNode: Node })
      .rootNode;
    const lines = linesOf(root);
    expect(
      lines
        .map((line) => line.map((piece) => (typeof piece === "string" ? piece : piece[1])).join(""))
        .join("\n"),
    ).toBe(text);
    expect(lines[0]?.[0]).toEqual(["keyword", "class"]);
  });
});
