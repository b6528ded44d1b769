import { describe, expect, it } from "vitest";
import {
  encodePath,
  fragmentOf,
  isReadable,
  lineOf,
  nameOf,
  parseAddress,
  resolveLink,
  withoutFragment,
  withoutQuery,
  withQuery,
} from "./uri";

describe("an address", () => {
  it("is taken apart", () => {
    const address = parseAddress("mcp://backlog/resources/a%20b/c.md?x=1&y=%26#L3");
    expect(address).toMatchObject({ scheme: "mcp", host: "backlog", segments: ["resources", "a b", "c.md"] });
    expect(address?.query.get("y")).toBe("&");
    expect(parseAddress("file:///etc/hosts")).toMatchObject({ host: "", segments: ["etc", "hosts"] });
    expect(parseAddress("mcp://x/%ZZ")?.segments).toEqual(["%ZZ"]);
    expect(parseAddress("no address")).toBeNull();
    expect(nameOf("mcp://backlog/tasks/TASK-0001?x=1")).toBe("TASK-0001");
  });

  it("gets other parameters, and loses those that are empty", () => {
    expect(withQuery("mcp://backlog/tasks", { q: "a b" })).toBe("mcp://backlog/tasks?q=a%20b");
    expect(withQuery("mcp://backlog/tasks?q=a&sort=id", { q: "" })).toBe("mcp://backlog/tasks?sort=id");
    expect(withQuery("mcp://backlog/tasks?q=a?b", { sort: "id" })).toBe(
      "mcp://backlog/tasks?q=a%3Fb&sort=id",
    );
    expect(withQuery("mcp://backlog/tasks?q=a#x", { q: undefined })).toBe("mcp://backlog/tasks");
  });

  it("has a place behind its fragment", () => {
    expect(withoutFragment("file:///a#L2")).toBe("file:///a");
    expect(withoutQuery("file:///a?x#L2")).toBe("file:///a");
    expect(fragmentOf("file:///a#a%20b")).toBe("a b");
    expect([lineOf("L12"), lineOf("L12-L20"), lineOf("L0"), lineOf("heading")]).toEqual([12, 12, 0, 0]);
  });

  it("escapes what means something in one", () => {
    expect(encodePath("a b/c?d#e@f")).toBe("a%20b/c%3Fd%23e%40f");
  });
});

describe("a link in a text", () => {
  const base = "mcp://backlog/resources/docs/guide/a.md";
  it("is relative to the text", () => {
    expect(resolveLink("b.md", base)).toBe("mcp://backlog/resources/docs/guide/b.md");
    expect(resolveLink("../b.md#part", base)).toBe("mcp://backlog/resources/docs/b.md#part");
    expect(resolveLink("file:///x", base)).toBe("file:///x");
    expect(resolveLink("../../../../../../b.md", base)).toMatch(/^mcp:\/\/backlog\//);
  });

  it("is none if it is nothing of Lode's", () => {
    for (const href of [
      "https://example.org",
      "javascript:alert(1)",
      "data:text/html,x",
      "mailto:a@b",
      "//host/x",
      "#part",
      "",
    ]) {
      expect(resolveLink(href, base)).toBeNull();
    }
    for (const uri of ["http://a", "javascript://a", "data://a", "blob://a"])
      expect(isReadable(uri)).toBe(false);
  });
});
