import { describe, expect, it } from "vitest";
import { columnWidths, isNumeric, parseTable, separatorOf, sortedRows } from "./table";

describe("parseTable", () => {
  it("reads quotes, commas and line ends in fields", () => {
    expect(parseTable('a,b\r\n"x, ""y""","two\nlines"\r\n', ",")).toEqual({
      head: ["a", "b"],
      rows: [['x, "y"', "two\nlines"]],
      uneven: 0,
    });
  });
  it("keeps empty fields, also the last", () => {
    expect(parseTable("a,b,c\n1,,\n,,3\n", ",").rows).toEqual([
      ["1", "", ""],
      ["", "", "3"],
    ]);
    expect(parseTable("a,b\n1,", ",").rows).toEqual([["1", ""]]);
  });
  it("leaves empty lines out and counts uneven ones", () => {
    const table = parseTable("\ufeffa\tb\n\n1\t2\n3\n", "\t");
    expect(table.head).toEqual(["a", "b"]);
    expect(table.rows).toEqual([["1", "2"], ["3"]]);
    expect(table.uneven).toBe(1);
  });
  it("ends where the text ends, whatever is open", () => {
    expect(parseTable('a\n"open', ",").rows).toEqual([["open"]]);
    expect(parseTable("", ",")).toEqual({ head: [], rows: [], uneven: 0 });
    expect(parseTable('a,b\n"x"y,2', ",").rows).toEqual([["xy", "2"]]);
  });
});

it("finds what separates", () => {
  expect(separatorOf("a;b;c\n1;2,5;3")).toBe(";");
  expect(separatorOf("a\tb\n")).toBe("\t");
  expect(separatorOf('"a;b;c;d",e\n')).toBe(",");
});

describe("sortedRows", () => {
  const rows = [["10"], ["9"], [""], ["b"], ["A"], ["1,000"]];
  const sorted = (down: boolean) => sortedRows(rows, { column: 0, down }).map((index) => rows[index]?.[0]);
  it("puts numbers before letters and nothing last", () => {
    expect(sorted(false)).toEqual(["9", "10", "1,000", "A", "b", ""]);
    expect(sorted(true)).toEqual(["b", "A", "1,000", "10", "9", ""]);
  });
});

it("knows columns", () => {
  expect(columnWidths({ head: ["a", "long name"], rows: [["x".repeat(100), ""]], uneven: 0 })).toEqual([
    50, 14,
  ]);
  expect(isNumeric([["1"], ["2.5"], [""]], 0)).toBe(true);
  expect(isNumeric([["1"], ["x"]], 0)).toBe(false);
  expect(isNumeric([[""]], 0)).toBe(false);
});
