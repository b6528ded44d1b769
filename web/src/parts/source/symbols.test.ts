import { describe, expect, it } from "vitest";
import { type FileSymbol, lineAndText, outlineMatches, outlineRows, symbolAt, symbolQuery } from "./symbols";

const symbols: FileSymbol[] = [
  {
    name: "Config",
    kind: "class",
    lines: "5-11",
    signature: "class Config",
    members: [
      { name: "values", kind: "field", lines: "6", signature: "values" },
      { name: "parse", kind: "method", lines: "8-10", signature: "parse()" },
    ],
  },
  { name: "load", kind: "function", lines: "13-15", signature: "load()" },
];
const rows = outlineRows(symbols);

describe("outline", () => {
  it("has rows in the order of the file", () => {
    expect(rows.map(({ symbol, level, line, end }) => `${level} ${symbol.name} ${line}-${end}`)).toEqual([
      "0 Config 5-11",
      "1 values 6-6",
      "1 parse 8-10",
      "0 load 13-15",
    ]);
  });
  it("knows what holds a line", () => {
    expect(symbolAt(rows, 9)?.symbol.name).toBe("parse");
    expect(symbolAt(rows, 7)?.symbol.name).toBe("Config");
    expect(symbolAt(rows, 12)).toBeNull();
  });
  it("is found by a part of a name", () => {
    expect(outlineMatches(rows, "PAR").map(({ symbol }) => symbol.name)).toEqual(["parse"]);
    expect(outlineMatches(rows, " ")).toHaveLength(4);
  });
  it("names a symbol with its line", () => {
    expect(rows[2] && symbolQuery(rows[2])).toBe("parse:8");
  });
});

it("tells a line's number from its text", () => {
  expect(lineAndText("12 a b")).toEqual({ line: 12, text: "a b" });
  expect(lineAndText("12")).toEqual({ line: 12, text: "" });
});
