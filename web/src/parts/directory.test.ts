import { expect, it } from "vitest";
import { type Entry, namesIn, sortedEntries } from "./directory";

const entry = (name: string, size: number | null, modified: string | null = null): Entry => ({
  uri: `mcp://backlog/resources/${name}`,
  name,
  directory: size === null,
  size,
  modified,
});

it("has directories first", () => {
  const all = [entry("b10", 1), entry("src", null), entry("b9", 3), entry("A", 2)];
  const names = (by: "name" | "size", down: boolean) => sortedEntries(all, by, down).map(({ name }) => name);
  expect(names("name", false)).toEqual(["src", "A", "b9", "b10"]);
  expect(names("name", true)).toEqual(["src", "b10", "b9", "A"]);
  expect(names("size", true)).toEqual(["src", "b9", "A", "b10"]);
});

it("reads names, and no remarks", () => {
  expect(
    namesIn("file:///a/b%20c\nfile:///a/d\n# more: file:///a?after=d\n").map(({ name }) => name),
  ).toEqual(["b c", "d"]);
});
