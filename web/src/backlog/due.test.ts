import { describe, expect, it } from "vitest";
import { agoOf, dueOf } from "./due";

const now = new Date(2026, 10, 18, 15, 0);

describe("a due date", () => {
  it("is said as one would", () => {
    expect(dueOf("2026-11-18", now, "en")).toEqual({ text: "today", state: "soon" });
    expect(dueOf("2026-11-19", now, "en")).toEqual({ text: "tomorrow", state: "soon" });
    expect(dueOf("2026-11-17", now, "en")).toEqual({ text: "yesterday", state: "late" });
    expect(dueOf("2026-12-01", now, "en")).toEqual({ text: "Dec 1", state: "later" });
    expect(dueOf("2027-02-03", now, "en")).toEqual({ text: "Feb 3, 2027", state: "later" });
    expect(dueOf("some day", now, "en")).toEqual({ text: "some day", state: "later" });
  });
});

describe("a time", () => {
  it("is said by how long ago it was", () => {
    const earlier = (ms: number) => new Date(now.getTime() - ms).toISOString();
    expect(agoOf(earlier(1000), now, "en")).toBe("this minute");
    expect(agoOf(earlier(5 * 60_000), now, "en")).toBe("5 minutes ago");
    expect(agoOf(earlier(26 * 3_600_000), now, "en")).toBe("yesterday");
    expect(agoOf(earlier(400 * 86_400_000), now, "en")).toBe("last year");
    expect(agoOf("never", now, "en")).toBe("never");
  });
});
