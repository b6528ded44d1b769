import { describe, expect, it } from "vitest";
import { addressOf, columnOf, everything, filterCount, filterOf, listOf, toggled } from "./filter";
import { boardUri, tasksUri } from "./types";

describe("a filter", () => {
  it("comes back from its address", () => {
    const filter = {
      ...everything,
      status: ["open" as const, "blocked" as const],
      label: "a b&c",
      assignee: "none",
      q: "50% +1?",
      sort: "due" as const,
    };
    const address = addressOf(tasksUri, filter);
    expect(address).toBe(
      "mcp://backlog/tasks?status=open%2Cblocked&label=a%20b%26c&assignee=none&q=50%25%20%2B1%3F&sort=due",
    );
    expect(filterOf(new URLSearchParams(address.split("?")[1]))).toEqual(filter);
  });

  it("takes only what there is", () => {
    const filter = filterOf(new URLSearchParams("status=open,asleep&type=wish&sort=luck&ready=maybe"));
    expect(filter).toEqual({ ...everything, status: ["open"] });
    expect(filterCount(filter)).toBe(1);
  });

  it("names the lists that are read", () => {
    expect(listOf(everything, 500)).toBe("mcp://backlog/tasks?limit=500");
    expect(listOf({ ...everything, q: " x ", sort: "due" }, 500)).toBe("mcp://backlog/tasks?q=x&limit=500");
    expect(columnOf({ ...everything, label: "http", status: ["done"] }, "open", 9)).toBe(
      "mcp://backlog/tasks?status=open&label=http&limit=9",
    );
    expect(addressOf(boardUri, everything)).toBe(boardUri);
  });

  it("is toggled", () => {
    expect(toggled(["a"], "b")).toEqual(["a", "b"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
  });
});
