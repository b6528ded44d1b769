import { describe, expect, it } from "vitest";
import { dataOfEvents, EventReader } from "./events";

describe("events", () => {
  it("are read from a whole body", () => {
    expect(dataOfEvents("data: 1\n\n: a comment\n\ndata:2\r\n\r\nevent: x\ndata: a\ndata: b\n\n")).toEqual([
      "1",
      "2",
      "a\nb",
    ]);
    expect(dataOfEvents("")).toEqual([]);
  });

  it("are the same whatever the pieces are that they come in", () => {
    const text = 'data: {"uri":"a"}\r\n\r\n: still here\n\ndata: {"uri":"b"}\n\ndata: half';
    for (let length = 1; length <= text.length; length += 1) {
      const reader = new EventReader();
      const found: string[] = [];
      for (let at = 0; at < text.length; at += length)
        found.push(...reader.take(text.slice(at, at + length)));
      expect(found).toEqual(['{"uri":"a"}', '{"uri":"b"}']);
    }
  });
});
