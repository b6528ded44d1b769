import { expect, it } from "vitest";
import { outlineRows } from "../../parts/source/symbols";
import { firstLine } from "./firstLine";

const rows = outlineRows([
  {
    name: "lode",
    kind: "namespace",
    lines: "1-90",
    signature: "",
    members: [
      { name: "parse", kind: "function", lines: "5-9", signature: "" },
      { name: "parse", scope: "Uri", kind: "method", lines: "20-30", signature: "" },
    ],
  },
  { name: "last", kind: "function", lines: "95", signature: "" },
]);

it("knows where a part begins in its file", () => {
  expect(firstLine("10-40", null, [])).toBe(10);
  expect(firstLine(null, "lode.Uri.parse", rows)).toBe(20);
  expect(firstLine(null, "parse", rows)).toBe(5);
  expect(firstLine(null, "parse:20", rows)).toBe(20);
  expect(firstLine(null, "parse:20:3", rows)).toBe(20);
  expect(firstLine(null, "last", rows)).toBe(95);
  expect(firstLine(null, "nothing", rows)).toBe(1);
  expect(firstLine(null, null, rows)).toBe(1);
});
