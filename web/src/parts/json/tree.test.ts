import { describe, expect, it } from "vitest";
import { findIn, firstOpen, opened, pathText, placeOfError, rowsOf } from "./tree";

const root = { name: "x", list: [{ id: 1 }, { id: 2 }], "a key": { deep: null } };

describe("rowsOf", () => {
  it("has what is open", () => {
    expect(rowsOf(root, new Set()).map((row) => row.size)).toEqual([3]);
    const rows = rowsOf(root, opened(new Set(["[]"]), ["list", 0]));
    expect(rows.map((row) => `${row.level} ${row.key}`)).toEqual([
      "0 null",
      "1 name",
      "1 list",
      "2 0",
      "2 1",
      "1 a key",
    ]);
    expect(rows.map((row) => row.open)).toEqual([true, false, true, false, false, false]);
  });
  it("begins with what fits", () => {
    expect(rowsOf(root, firstOpen(root, 100))).toHaveLength(9);
    expect(rowsOf(root, firstOpen(root, 6))).toHaveLength(6);
    const long = Array.from({ length: 1000 }, (_, i) => ({ i }));
    expect(rowsOf(long, firstOpen(long, 100))).toHaveLength(1001);
  });
});

it("finds keys and values", () => {
  expect(findIn(root, "ID", 10).found).toEqual([
    ["list", 0, "id"],
    ["list", 1, "id"],
  ]);
  expect(findIn(root, "2", 10).found).toEqual([["list", 1, "id"]]);
  expect(findIn(root, "id", 1)).toEqual({ found: [["list", 0, "id"]], more: true });
  expect(findIn(root, "null", 1).found).toEqual([["a key", "deep"]]);
});

it("writes paths as programs do", () => {
  expect(pathText(["list", 0, "id"])).toBe("$.list[0].id");
  expect(pathText(["a key"])).toBe('$["a key"]');
  expect(pathText([])).toBe("$");
});

it("tells where a text is broken", () => {
  expect(placeOfError("Unexpected token at position 10", '{"a": 1,\n "b": }')?.line).toBe(2);
  expect(placeOfError("bad (line 3 column 1)", "")?.line).toBe(3);
  expect(placeOfError("bad", "")).toBeNull();
});
