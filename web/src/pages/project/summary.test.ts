import { describe, expect, it } from "vitest";
import { changedIn, commandsIn, largestIn, manifestsIn, parseSummary, treeEntries } from "./summary";

const text = `# work (shop)

Sells things.

6 files, 5 directories

## Languages
- C++: 1 file, 1,003 lines (27.3 %)
- TypeScript: 2 files, 3 lines (9.1 %)
- … 2 more languages
Read in depth (symbols, references, queries): C++

## Build
npm
- build: \`npm run build\` (package.json)

## Git
Branch trunk, head 84c of 2023-11-14: The first
Most changed in the last 1 commit: a (b).ts (1), README.md (12)
`;

describe("parseSummary", () => {
  const summary = parseSummary(text);
  it("knows the beginning", () => {
    expect(summary.title).toBe("work (shop)");
    expect(summary.about).toBe("Sells things.");
    expect(summary.counts).toBe("6 files, 5 directories");
  });
  it("knows languages and sections", () => {
    expect(summary.languages).toEqual([
      { name: "C++", files: 1, lines: 1003, percent: 27.3 },
      { name: "TypeScript", files: 2, lines: 3, percent: 9.1 },
    ]);
    expect(summary.sections.map(({ title }) => title)).toEqual(["Languages", "Build", "Git"]);
    expect(commandsIn(summary.sections[1]?.text ?? "")).toEqual([
      { name: "build", command: "npm run build", file: "package.json" },
    ]);
    expect(changedIn(summary.sections[2]?.text ?? "")?.files).toEqual([
      { file: "a (b).ts", times: 1 },
      { file: "README.md", times: 12 },
    ]);
  });
  it("takes anything", () => {
    expect(parseSummary("").sections).toEqual([]);
    expect(changedIn("nothing")).toBeNull();
  });
});

it("reads manifests, and those that cannot be read", () => {
  expect(
    manifestsIn(
      "- a/package.json: 1 dependency: lit ^3.1.0; 2 for development: x 1, y 2\n- b.json: cannot be read: no end",
    ),
  ).toEqual([
    {
      file: "a/package.json",
      groups: [
        { title: "1 dependency", packages: ["lit ^3.1.0"] },
        { title: "2 for development", packages: ["x 1", "y 2"] },
      ],
      problem: "",
    },
    { file: "b.json", groups: [], problem: "cannot be read: no end" },
  ]);
});

it("reads sizes", () => {
  expect(largestIn("- src/a b.c 14.8 MiB\n- x 1 B\nelse")).toEqual([
    { file: "src/a b.c", size: "14.8 MiB" },
    { file: "x", size: "1 B" },
  ]);
});

it("reads one level of the tree", () => {
  expect(
    treeEntries("ws: 3 files\nsrc/ (2 files)\nempty/\nREADME.md\nDepth 1: more with max_depth.\n"),
  ).toEqual([
    { name: "src", directory: true, note: "2 files" },
    { name: "empty", directory: true, note: "" },
    { name: "README.md", directory: false, note: "" },
  ]);
});
