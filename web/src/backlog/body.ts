// What stands in the body of a task: criteria that can be ticked, and comments. Pure functions, which
// read a body as the server does (docs/backlog.md).
import type { Criterion } from "./types";

export interface CriterionLine extends Criterion {
  line: number; // of the body, from 0
}

export interface Comment {
  who: string;
  when: string;
  text: string; // markdown
}

interface Line {
  number: number;
  text: string; // without blanks around it
  level: number; // of a heading; 0: it is none
}

// The lines outside of code blocks.
function linesOf(body: string): Line[] {
  const lines: Line[] = [];
  let fence = "";
  for (const [number, whole] of body.split("\n").entries()) {
    const text = whole.trim();
    const mark = text.startsWith("```") || text.startsWith("~~~");
    if (mark && fence === "") fence = text.slice(0, 3);
    else if (mark && text.startsWith(fence)) fence = "";
    else if (fence === "") {
      lines.push({ number, text, level: /^(#{1,6})(?:[ \t]|$)/.exec(text)?.[1]?.length ?? 0 });
    }
  }
  return lines;
}

const checkBox = /^(?:[-*+]|\d+[.)])[ \t]+\[([ xX])\](.*)$/;

function criterionIn({ number, text }: Line): CriterionLine | null {
  const match = checkBox.exec(text);
  if (!match) return null;
  return { text: (match[2] ?? "").trim(), done: match[1] !== " ", line: number };
}

// Those below a heading "Acceptance criteria", or all of them if there is none.
export function criteriaIn(body: string): CriterionLine[] {
  const all: CriterionLine[] = [];
  const below: CriterionLine[] = [];
  let titled = false;
  let level = 0; // of the heading that we are below
  for (const line of linesOf(body)) {
    if (line.level > 0) {
      if (/acceptance criteria/i.test(line.text)) {
        titled = true;
        level = line.level;
      } else if (line.level <= level) level = 0;
      continue;
    }
    const criterion = criterionIn(line);
    if (!criterion) continue;
    all.push(criterion);
    if (level > 0) below.push(criterion);
  }
  return titled ? below : all;
}

export interface Replacement {
  old: string;
  new: string;
}

// What ticks one criterion, and nothing else: a piece of the body that stands there once. More lines
// around it are taken while there is another piece like it. Null: the line is none.
export function tick(body: string, line: number, done: boolean): Replacement | null {
  const lines = body.split("\n");
  const whole = lines[line];
  if (whole === undefined || !checkBox.test(whole.trim())) return null;
  const changed = whole.replace(/\[[ xX]\]/, done ? "[x]" : "[ ]");
  let from = line;
  let to = line + 1;
  for (;;) {
    const old = lines.slice(from, to).join("\n");
    if (occurrences(body, old) === 1) {
      const now = [...lines.slice(from, line), changed, ...lines.slice(line + 1, to)].join("\n");
      return { old, new: now };
    }
    if (from === 0 && to === lines.length) return null;
    // The file has blank lines before its body that are not shown: a piece begins with no such line.
    do from = Math.max(0, from - 1);
    while (from > 0 && lines[from]?.trim() === "");
    if (to < lines.length) to += 1;
  }
}

function occurrences(text: string, piece: string): number {
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0 && count < 2; at = text.indexOf(piece, at + 1)) count += 1;
  return count;
}

interface Section {
  from: number; // the line of the heading
  to: number; // behind the last line
}

// The part below the last heading of this kind.
function sectionOf(body: string, isMeant: (line: Line) => boolean): Section | null {
  const lines = linesOf(body);
  const at = lines.findLastIndex((line) => line.level > 0 && isMeant(line));
  const heading = lines[at];
  if (!heading) return null;
  const end = lines.slice(at + 1).find((line) => line.level > 0 && line.level <= heading.level);
  return { from: heading.number, to: end?.number ?? body.split("\n").length };
}

export interface Parts {
  text: string; // what is left to be shown as markdown
  criteria: CriterionLine[];
  comments: Comment[];
}

// Takes out of a body what a page shows in its own way.
export function partsOf(body: string): Parts {
  const criteria = criteriaIn(body);
  const lines: (string | null)[] = body.split("\n");
  const remove = ({ from, to }: Section) => lines.fill(null, from, to);
  const list = sectionOf(body, (line) => /acceptance criteria/i.test(line.text));
  // A section that says more than its criteria stays.
  if (list && sectionLines(body, list).every((line) => line.trim() === "" || checkBox.test(line.trim()))) {
    remove(list);
  }
  if (!list) removeBlock(lines, criteria);
  const talk = sectionOf(body, (line) => line.level === 2 && line.text === "## Comments");
  const comments = talk ? commentsIn(sectionLines(body, talk)) : null;
  if (talk && comments) remove(talk);
  return {
    text: lines.filter((line) => line !== null).join("\n"),
    criteria,
    comments: comments ?? [],
  };
}

// Criteria without a heading, if they stand together: apart from each other they belong to what
// stands around them.
function removeBlock(lines: (string | null)[], criteria: CriterionLine[]): void {
  const [first, last] = [criteria[0], criteria.at(-1)];
  if (!first || !last) return;
  const known = new Set(criteria.map(({ line }) => line));
  const isBlank = (line: number) => (lines[line] ?? "").trim() === "";
  for (let line = first.line; line <= last.line; line += 1) if (!known.has(line) && !isBlank(line)) return;
  // More of the last criterion may follow in its next line.
  if (/^\s+\S/.test(lines[last.line + 1] ?? "")) return;
  lines.fill(null, first.line, last.line + 1);
}

function sectionLines(body: string, { from, to }: Section): string[] {
  return body.split("\n").slice(from + 1, to);
}

// Null: somebody wrote something else there, which is to be shown as it is.
function commentsIn(lines: string[]): Comment[] | null {
  const comments: Comment[] = [];
  for (const line of lines) {
    const begins = /^- \*\*(.+?)\*\* (\d{4}-\d\d-\d\d\S*): (.*)$/.exec(line.replace(/\r$/, ""));
    const last = comments.at(-1);
    if (begins) {
      const [, who = "", when = "", text = ""] = begins;
      comments.push({ who, when, text });
    } else if (line.trim() === "" || line.startsWith("  ")) {
      if (last) last.text += `\n${line.slice(2)}`;
    } else return null;
  }
  return comments.map((comment) => ({ ...comment, text: comment.text.trim() }));
}
