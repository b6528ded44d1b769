// What resource://project/summary says, taken apart. It is written for people and models; what is
// not known here is shown as it stands. Pure.

export interface Language {
  name: string;
  files: number;
  lines: number;
  percent: number;
}

export interface Section {
  title: string;
  text: string; // its markdown
}

export interface Summary {
  title: string;
  about: string; // what the README says
  counts: string; // "259 files, 29 directories"
  languages: Language[];
  sections: Section[]; // all, in order, "Languages" too
}

export function parseSummary(text: string): Summary {
  const [intro = "", ...parts] = text.split(/^## /m);
  const lines = intro.split("\n").filter((line) => line.trim() !== "");
  const title = (lines[0] ?? "").replace(/^# /, "");
  const counts = lines.findLast((line) => /^[\d,]+ files?\b/.test(line)) ?? "";
  const about = lines
    .slice(1)
    .filter((line) => line !== counts)
    .join("\n\n");
  const sections = parts.map((part) => {
    const end = part.indexOf("\n");
    return { title: part.slice(0, end).trim(), text: part.slice(end + 1).trim() };
  });
  const languages = languagesIn(sections.find((section) => section.title === "Languages")?.text ?? "");
  return { title, about, counts, languages, sections };
}

function languagesIn(text: string): Language[] {
  return text.split("\n").flatMap((line) => {
    const match = /^- (.+): ([\d,]+) files?, ([\d,]+) lines? \(([\d.]+) %\)$/.exec(line);
    if (!match) return [];
    const [, name = "", files = "", count = "", percent = ""] = match;
    return [{ name, files: number(files), lines: number(count), percent: Number(percent) }];
  });
}

function number(text: string): number {
  return Number(text.replaceAll(",", ""));
}

export interface Command {
  name: string;
  command: string;
  file: string;
}

// "- build: `npm run build` (package.json)"
export function commandsIn(text: string): Command[] {
  return text.split("\n").flatMap((line) => {
    const match = /^- (.+?): `(.+)` \((.+)\)$/.exec(line);
    return match ? [{ name: match[1] ?? "", command: match[2] ?? "", file: match[3] ?? "" }] : [];
  });
}

export interface Manifest {
  file: string;
  groups: { title: string; packages: string[] }[];
  problem: string;
}

// "- package.json: 2 dependencies: a 1, b 2; 1 for development: c 3"
export function manifestsIn(text: string): Manifest[] {
  return text.split("\n").flatMap((line) => {
    const match = /^- (.+?): (.+)$/.exec(line);
    if (!match) return [];
    const [, file = "", rest = ""] = match;
    const groups = rest.split("; ").map((group) => /^([\d,]+ [^:]+): (.+)$/.exec(group));
    if (groups.some((group) => group === null)) return [{ file, groups: [], problem: rest }];
    return [
      {
        file,
        groups: groups.map((group) => ({
          title: group?.[1] ?? "",
          packages: (group?.[2] ?? "").split(", "),
        })),
        problem: "",
      },
    ];
  });
}

// "- src/a.c 14.8 MiB"
export function largestIn(text: string): { file: string; size: string }[] {
  return text.split("\n").flatMap((line) => {
    const match = /^- (.+) ([\d.,]+ [KMGT]?i?B)$/.exec(line);
    return match ? [{ file: match[1] ?? "", size: match[2] ?? "" }] : [];
  });
}

// "Most changed in the last 12 commits: a.ts (3), b.ts (2)"
export function changedIn(text: string): { about: string; files: { file: string; times: number }[] } | null {
  const match = /^(Most changed in the last .*?): (.+)$/m.exec(text);
  if (!match) return null;
  const files = (match[2] ?? "").split(/(?<=\)), /).flatMap((entry) => {
    const part = /^(.+) \((\d+)\)$/.exec(entry);
    return part ? [{ file: part[1] ?? "", times: Number(part[2]) }] : [];
  });
  return { about: match[1] ?? "", files };
}

export interface TreeEntry {
  name: string;
  directory: boolean;
  note: string; // "12 files"
}

// One level of resource://project/…/structure.
export function treeEntries(text: string): TreeEntry[] {
  return text
    .split("\n")
    .slice(1)
    .flatMap((line): TreeEntry[] => {
      if (line === "" || line.startsWith(" ") || /^Depth \d+: /.test(line)) return [];
      const directory = /^(.+)\/(?: \((.+)\))?$/.exec(line);
      if (directory) return [{ name: directory[1] ?? "", directory: true, note: directory[2] ?? "" }];
      return [{ name: line, directory: false, note: "" }];
    });
}
