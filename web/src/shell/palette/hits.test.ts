import { describe, expect, it } from "vitest";
import { filePattern, filtered, type Hit, marked, merged } from "./hits";

const hit = (kind: string, title: string, uri = `${kind}://${title}`): Hit => ({ kind, title, uri });

describe("merged", () => {
  it("puts what is called so first, and keeps the rest in order", () => {
    const found = [
      hit("symbol", "a.parser"),
      hit("task", "TASK-1 Parse it"),
      hit("symbol", "lode.Uri.parse"),
    ];
    const files = [hit("file", "src/parse.ts"), hit("file", "parse")];
    expect(merged([found, files], "parse", 10).map(({ title }) => title)).toEqual([
      "lode.Uri.parse",
      "parse",
      "a.parser",
      "src/parse.ts",
      "TASK-1 Parse it",
    ]);
    expect(merged([found], "task-1", 1)[0]?.title).toBe("TASK-1 Parse it");
  });
  it("has each address once", () => {
    expect(merged([[hit("task", "a", "u")], [hit("recent", "a", "u")]], "a", 10)).toHaveLength(1);
  });
});

it("filters by all words", () => {
  const all = [hit("task", "TASK-0001 Serve the board"), hit("task", "TASK-0002 Bored")];
  expect(filtered(all, "boa serv", 10)).toEqual([all[0]]);
  expect(filtered(all, "task", 1)).toHaveLength(1);
});

it("makes globs", () => {
  expect(filePattern("Ab1")).toBe("*[aA][bB]1*");
  expect(filePattern("a b")).toBe("*[aA]*[bB]*");
  expect(filePattern("x/y")).toBe("**/*[xX]/[yY]*,*[xX]/[yY]*");
  expect(filePattern("*{}")).toBe("");
});

it("marks words", () => {
  expect(marked("Serve the board", "the BOA")).toEqual([
    { text: "Serve ", marked: false },
    { text: "the", marked: true },
    { text: " ", marked: false },
    { text: "boa", marked: true },
    { text: "rd", marked: false },
  ]);
  expect(marked("a.b(c)", "b(")).toContainEqual({ text: "b(", marked: true });
  expect(marked("text", "")).toEqual([{ text: "text", marked: false }]);
});
