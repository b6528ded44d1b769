import { describe, expect, it } from "vitest";
import { criteriaIn, partsOf, tick } from "./body";

const body = `What is to be done.

## Acceptance criteria

- [x] It answers.
- [ ] It is quick.

## Notes

- [ ] not a criterion

## Comments

- **ana** 2026-11-05T09:00:00Z: Begun.
- **bo** 2026-11-06T10:30:00Z: Twice.

  A second paragraph.
`;

describe("criteria", () => {
  it("are those below their heading", () => {
    expect(criteriaIn(body)).toEqual([
      { text: "It answers.", done: true, line: 4 },
      { text: "It is quick.", done: false, line: 5 },
    ]);
  });

  it("are all check-boxes if there is no heading, but none in code", () => {
    const text = "1. [X] one\n```\n- [ ] code\n```\n* [ ] two\n- [y] none\n-[ ] none";
    expect(criteriaIn(text).map(({ text }) => text)).toEqual(["one", "two"]);
  });

  it("end at the next heading of their level, not at one below it", () => {
    const text = "## Acceptance Criteria\n### First\n- [ ] a\n# End\n- [ ] b";
    expect(criteriaIn(text).map(({ text }) => text)).toEqual(["a"]);
  });
});

describe("ticking", () => {
  it("replaces one line", () => {
    expect(tick(body, 5, true)).toEqual({ old: "- [ ] It is quick.", new: "- [x] It is quick." });
    expect(tick(body, 4, false)).toEqual({ old: "- [x] It answers.", new: "- [ ] It answers." });
  });

  it("takes more of what stands around a line that is there twice", () => {
    const text = "a\n- [ ] same\nb\n- [ ] same\nc";
    const made = tick(text, 3, true);
    expect(made).toEqual({ old: "b\n- [ ] same\nc", new: "b\n- [x] same\nc" });
    expect(text.split(made?.old ?? "").length).toBe(2);
  });

  it("begins with no blank line, of which the file may have more than the body shows", () => {
    const made = tick("- [ ] same\n\nbetween\n\n- [ ] same\n", 4, true);
    expect(made?.old).toBe("between\n\n- [ ] same\n");
    expect(made?.new).toBe("between\n\n- [x] same\n");
  });

  it("takes a line that another contains", () => {
    const text = "- [ ] do it\n- [ ] do it well";
    expect(tick(text, 0, true)).toEqual({ old: text, new: "- [x] do it\n- [ ] do it well" });
  });

  it("keeps the ends of lines, and knows a line that is no criterion", () => {
    expect(tick("- [ ] a\r\n- [ ] b\r\n", 0, true)).toEqual({ old: "- [ ] a\r", new: "- [x] a\r" });
    expect(tick(body, 0, true)).toBeNull();
    expect(tick(body, 999, true)).toBeNull();
  });
});

describe("the parts of a body", () => {
  it("are criteria, comments and the rest", () => {
    const parts = partsOf(body);
    expect(parts.criteria).toHaveLength(2);
    expect(parts.comments).toEqual([
      { who: "ana", when: "2026-11-05T09:00:00Z", text: "Begun." },
      { who: "bo", when: "2026-11-06T10:30:00Z", text: "Twice.\n\nA second paragraph." },
    ]);
    expect(parts.text).toBe("What is to be done.\n\n## Notes\n\n- [ ] not a criterion\n");
  });

  it("leave out nothing that is not shown elsewhere", () => {
    const text = "## Acceptance criteria\n\nOnly if it rains:\n\n- [ ] a\n\n## Comments\n\nNot a list.\n";
    expect(partsOf(text).text).toBe(text);
    expect(partsOf(text).comments).toEqual([]);
  });

  it("have criteria without a heading taken out, if they stand together", () => {
    expect(partsOf("Before.\n\n- [ ] a\n\n- [x] b\n\nAfter.").text).toBe("Before.\n\n\nAfter.");
    const apart = "For one:\n- [ ] a\n\nFor two:\n- [ ] b\n";
    expect(partsOf(apart).text).toBe(apart);
    const longer = "- [ ] a\n  more of it\n";
    expect(partsOf(longer).text).toBe(longer);
  });

  it("of an empty body are empty", () => {
    expect(partsOf("")).toEqual({ text: "", criteria: [], comments: [] });
  });
});
