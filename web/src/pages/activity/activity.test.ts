import { describe, expect, it } from "vitest";
import { lastHour, latencyOf, linePath, type Minute, mostOf, roundUp, shortNumber, sumOf } from "./activity";

const minute = (at: string, requests: number, p95_ms = 1): Minute => ({
  at: `2026-01-01T${at}:00Z`,
  requests,
  errors: 1,
  p50_ms: 1,
  p95_ms,
  cache_hits: 2,
  cache_misses: 1,
  tokens_served: 100,
  tokens_saved: 50,
});

describe("lastHour", () => {
  it("ends with the newest and has gaps where nothing was", () => {
    const hour = lastHour([minute("10:00", 1), minute("10:58", 2), minute("11:00", 3)]);
    expect(hour).toHaveLength(60);
    expect(hour[59]?.requests).toBe(3);
    expect(hour[58]).toBeNull();
    expect(hour[57]?.requests).toBe(2);
    expect(sumOf(hour, "requests")).toBe(5);
    expect(lastHour([]).every((entry) => entry === null)).toBe(true);
  });
});

it("adds up and averages", () => {
  const hour = lastHour([minute("10:00", 1, 10), minute("10:01", 3, 2)]);
  expect(mostOf(hour, ["cache_hits", "cache_misses"])).toBe(3);
  expect(latencyOf(hour, "p95_ms")).toBe(4);
  expect(latencyOf([], "p95_ms")).toBe(0);
  expect(mostOf([], ["requests"])).toBe(0);
});

it("finds round numbers", () => {
  expect([0, 0.3, 1, 3, 7, 11, 450, 1000].map(roundUp)).toEqual([1, 0.5, 1, 5, 10, 20, 500, 1000]);
});

it("draws a line that is broken where nothing was measured", () => {
  const hour = [minute("10:00", 1, 5), null, minute("10:02", 1, 10), minute("10:03", 1, 0)];
  expect(linePath(hour, "p95_ms", 10, 40, 100)).toBe("M5 50h0.01M25 0h0.01L35 100");
  expect(linePath([minute("10:00", 0)], "p95_ms", 10, 40, 100)).toBe("");
});

it("shortens numbers", () => {
  expect([0, 12, 0.034, 999, 12_345, 123_456, 1_234_567, 12_345_678].map(shortNumber)).toEqual([
    "0",
    "12",
    "0.034",
    "999",
    "12.3k",
    "123k",
    "1.2M",
    "12M",
  ]);
});
