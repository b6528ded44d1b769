import { describe, expect, it } from "vitest";
import type { Task } from "./types";
import { contested, sameValue } from "./write";

const base: Task = {
  id: "TASK-0001",
  title: "One",
  type: "task",
  uri: "mcp://backlog/tasks/TASK-0001",
  labels: ["a"],
  created: "",
  updated: "",
  body: "text",
};

describe("a change", () => {
  it("is contested where somebody else changed the same to something else", () => {
    expect(contested({ title: "Mine" }, base, { ...base, title: "Theirs" })).toEqual(["title"]);
    expect(contested({ title: "Same" }, base, { ...base, title: "Same" })).toEqual([]);
    expect(contested({ title: "Mine" }, base, { ...base, body: "theirs" })).toEqual([]);
    expect(contested({ labels: null, due: "2026-01-01" }, base, { ...base, labels: ["b"] })).toEqual([
      "labels",
    ]);
  });

  it("of nothing to nothing is none", () => {
    expect(sameValue(undefined, null)).toBe(true);
    expect(sameValue([], undefined)).toBe(true);
    expect(sameValue(["a"], ["a"])).toBe(true);
    expect(sameValue(["a"], ["b"])).toBe(false);
    expect(sameValue("", null)).toBe(false);
  });
});
