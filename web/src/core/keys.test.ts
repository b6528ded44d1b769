import { describe, expect, it } from "vitest";
import { candidatesFor, isSingle, type Key, nameOfKey } from "./keys";

const press = (key: string, held: string[] = []) =>
  nameOfKey({
    key,
    ctrlKey: held.includes("ctrl"),
    metaKey: held.includes("meta"),
    altKey: held.includes("alt"),
    shiftKey: held.includes("shift"),
  });

describe("a key", () => {
  it("has one name on every keyboard", () => {
    expect(press("k", ["ctrl"])).toBe("mod+k");
    expect(press("K", ["meta"])).toBe("mod+k");
    expect(press("?", ["shift"])).toBe("?");
    expect(press("J", ["shift"])).toBe("shift+j");
    expect(press("ArrowLeft", ["shift"])).toBe("shift+ArrowLeft");
    expect(press(" ")).toBe("Space");
  });

  it("is single if it could be pressed by accident", () => {
    expect(isSingle("j")).toBe(true);
    expect(isSingle("g b")).toBe(true);
    expect(isSingle("mod+k")).toBe(false);
    expect(isSingle("Escape")).toBe(false);
  });
});

describe("of several that take a key", () => {
  const key = (text: string, more: Partial<Key> = {}): Key => ({
    keys: "s",
    group: "",
    text,
    run: () => {},
    ...more,
  });
  const inside = {} as Element;
  const pane = { contains: (element: Element | null) => element === inside } as Element;
  const names = (keys: Key[], target: Element | null, options = { inField: false, single: true }) =>
    candidatesFor("s", keys, target, options).map(({ text }) => text);

  it("the one with the focus counts first, then the last", () => {
    const keys = [key("list", { within: () => pane }), key("task"), key("other", { keys: "x" })];
    expect(names(keys, inside)).toEqual(["list", "task"]);
    expect(names(keys, null)).toEqual(["task", "list"]);
  });

  it("none is taken from a field, unless it says so", () => {
    const keys = [key("plain"), key("anywhere", { inFields: true })];
    expect(names(keys, null, { inField: true, single: true })).toEqual(["anywhere"]);
    expect(names(keys, null, { inField: false, single: false })).toEqual([]);
  });
});
