import { expect, it } from "vitest";
import { keywordsIn } from "./keywords";

it("finds the words of a summary", () => {
  expect(
    keywordsIn("# S\n\n## Top Keywords\n\n1. **a b** (6.01)\n2. **c** (5)\n\n## Recent\n\n1. **no** (1)\n"),
  ).toEqual(["a b", "c"]);
  expect(keywordsIn("## Top Keywords\n\n1. **last** (1)")).toEqual(["last"]);
  expect(keywordsIn("")).toEqual([]);
});
