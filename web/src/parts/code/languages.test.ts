import { describe, expect, it } from "vitest";
import { languageOfFile, languageOfType, languageOfWord } from "./languages";

describe("languages", () => {
  it("are told by a file's name", () => {
    expect(languageOfFile("src/a.test.ts")).toBe("typescript");
    expect(languageOfFile("x/Makefile")).toBe("makefile");
    expect(languageOfFile("CMakeLists.txt")).toBe("cmake");
    expect(languageOfFile("notes.txt")).toBe("");
    expect(languageOfFile("ts")).toBe("");
  });
  it("are told by a fence's word", () => {
    expect(languageOfWord("TS")).toBe("typescript");
    expect(languageOfWord("c++")).toBe("cpp");
    expect(languageOfWord("console")).toBe("bash");
    expect(languageOfWord("nonsense")).toBe("");
    expect(languageOfWord("constructor")).toBe("");
  });
  it("are told by a media type", () => {
    expect(languageOfType("text/x-python; charset=utf-8")).toBe("python");
    expect(languageOfType("image/svg+xml")).toBe("xml");
    expect(languageOfType("text/plain")).toBe("");
  });
});
