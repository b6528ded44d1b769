import { describe, expect, it } from "vitest";
import { edgesOf } from "./edges";

describe("edges", () => {
  it("lead from each box to the one in the middle, and back", () => {
    expect(edgesOf(1, 1)).toEqual(["M0 50C50 50 50 50 100 50"]);
    expect(edgesOf(2, 1)).toEqual(["M0 25C50 25 50 50 100 50", "M0 75C50 75 50 50 100 50"]);
    expect(edgesOf(1, 2)).toEqual(["M0 50C50 50 50 25 100 25", "M0 50C50 50 50 75 100 75"]);
    expect(edgesOf(3, 1)[0]).toBe("M0 16.67C50 16.67 50 50 100 50");
  });
});
