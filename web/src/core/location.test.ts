import { describe, expect, it } from "vitest";
import { hrefOf, placeOf } from "./location";

describe("a place", () => {
  it("comes back from its link, whatever the addresses are", () => {
    for (const uri of [
      "mcp://backlog/tasks?q=a%26b&status=open",
      "file:///a%20b/ü?#L12",
      "lode://search?q=1+1",
      "",
    ]) {
      for (const pane of ["", "mcp://backlog/tasks/TASK-0001@v1.2", "file:///x#heading"]) {
        const href = hrefOf({ uri, pane });
        expect(href).toMatch(/^\/(\?|$)/);
        expect(placeOf(href.slice(1))).toEqual({ uri, pane });
      }
    }
  });

  it("is the home page if nothing is said", () => {
    expect(hrefOf({ uri: "", pane: "" })).toBe("/");
    expect(placeOf("")).toEqual({ uri: "", pane: "" });
  });
});
