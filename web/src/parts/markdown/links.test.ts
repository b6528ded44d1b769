import { describe, expect, it } from "vitest";
import { targetOf } from "./links";

const base = "mcp://backlog/resources/docs/a.md";

describe("targetOf", () => {
  it("tells addresses of Lode, the web and places in the text apart", () => {
    expect(targetOf("b.md", base)).toEqual({ kind: "address", uri: "mcp://backlog/resources/docs/b.md" });
    expect(targetOf("b.md#part", base)).toEqual({
      kind: "address",
      uri: "mcp://backlog/resources/docs/b.md#part",
    });
    expect(targetOf("../../../x.md", base)).toEqual({ kind: "address", uri: "mcp://backlog/resources/x.md" });
    expect(targetOf("/docs/x.md", "file:///home/me/a/b.md")).toEqual({
      kind: "address",
      uri: "mcp://backlog/resources/docs/x.md",
    });
    expect(targetOf("/x.md", "skill://pdf/SKILL.md")).toEqual({ kind: "address", uri: "skill://pdf/x.md" });
    expect(targetOf("skill://x/SKILL.md", base)).toEqual({ kind: "address", uri: "skill://x/SKILL.md" });
    expect(targetOf("https://a.example/", base)).toEqual({ kind: "web", href: "https://a.example/" });
    expect(targetOf("#a%20b", base)).toEqual({ kind: "place", id: "a b" });
  });
  it("takes nothing else for a link", () => {
    for (const link of [
      "",
      "#",
      "javascript:alert(1)",
      "JavaScript://%0aalert(1)",
      " javascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "blob:http://a/b",
      "//other.example/x",
      "mailto:a@b.example",
      "about:blank",
      "https:///x",
    ])
      expect(targetOf(link, base)).toEqual({ kind: "none" });
  });
});
