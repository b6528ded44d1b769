import { describe, expect, it } from "vitest";
import type { Resource } from "../core/api";
import { aspectUri, fileUri, parentUri, sizeText, workspacePath } from "./files";

const at = (path: string | null) => ({ path }) as Resource;

describe("workspacePath", () => {
  it("is in the address, or told", () => {
    expect(workspacePath("mcp://backlog/resources/src/a%20b.ts", null, null)).toBe("src/a b.ts");
    expect(workspacePath("resource://file/src/a.ts/symbols", null, null)).toBe("src/a.ts");
    expect(workspacePath("file:///home/me/w/a.ts", at("/home/me/w/a.ts"), "/home/me/w")).toBe("a.ts");
    expect(workspacePath("file:///home/me/w/a.ts", at("a.ts"), null)).toBe("a.ts");
  });
  it("is nothing for what is elsewhere, or was", () => {
    expect(workspacePath("mcp://backlog/resources/a.ts@v1", null, null)).toBeNull();
    expect(workspacePath("mcp://backlog/resources/a%40v1.ts", null, null)).toBe("a@v1.ts");
    expect(workspacePath("file:///x/a.ts", at("/x/a.ts"), "/home")).toBeNull();
    expect(workspacePath("file:///homes/a.ts", at("/homes/a.ts"), "/home")).toBeNull();
    expect(workspacePath("lode://activity", at(null), "/home")).toBeNull();
  });
});

it("makes addresses", () => {
  expect(fileUri("a b/c#.ts", 3)).toBe("mcp://backlog/resources/a%20b/c%23.ts#L3");
  expect(fileUri("")).toBe("mcp://backlog/resources");
  expect(aspectUri("a.ts", "references", "symbol=f")).toBe("resource://file/a.ts/references?symbol=f");
});

it("knows the way up", () => {
  expect(parentUri("mcp://backlog/resources/a/b#L1")).toBe("mcp://backlog/resources/a");
  expect(parentUri("mcp://backlog/resources/a")).toBe("mcp://backlog/resources");
  expect(parentUri("mcp://backlog/resources")).toBeNull();
  expect(parentUri("file:///a/b/")).toBe("file:///a");
  expect(parentUri("file:///a")).toBeNull();
  expect(parentUri("skill://pdf/scripts")).toBe("skill://pdf");
  expect(parentUri("skill://pdf")).toBeNull();
});

it("calls sizes by their units", () => {
  expect([0, 999, 1000, 12_345, 123_456, 16_000_000].map(sizeText)).toEqual([
    "0 B",
    "999 B",
    "1.0 KB",
    "12.3 KB",
    "123 KB",
    "16.0 MB",
  ]);
});
