// The entries of a directory, with what is known about each.
import { callMethod } from "../core/api";
import { nameOf } from "../core/uri";

export interface Entry {
  uri: string;
  name: string;
  directory: boolean;
  size: number | null;
  modified: string | null;
}

interface Listed {
  uri: string;
  name: string;
  mimeType?: string;
  size?: number;
  annotations?: { lastModified?: string };
}

const mostPages = 50;

// `lines`: what was read at the address itself, one address a line; if nothing more can be had,
// the names alone.
export async function readDirectory(uri: string, lines: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  try {
    for (let page = 0; page < mostPages; page += 1) {
      const params = cursor === undefined ? { uri } : { uri, cursor };
      const answer = await callMethod<{ resources: Listed[]; nextCursor?: string }>(
        "resources/directory/read",
        params,
      );
      entries.push(...answer.resources.map(entryOf));
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return entries;
  } catch {
    return namesIn(lines);
  }
}

function entryOf({ uri, mimeType, size, annotations }: Listed): Entry {
  return {
    uri,
    name: nameOf(uri),
    directory: mimeType === "inode/directory",
    size: size ?? null,
    modified: annotations?.lastModified ?? null,
  };
}

export function namesIn(lines: string): Entry[] {
  return lines
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "))
    .map((uri) => ({ uri, name: nameOf(uri), directory: false, size: null, modified: null }));
}

export type SortKey = "name" | "size" | "modified";

// Directories first, then as wanted; "-size" is the largest first.
export function sortedEntries(entries: readonly Entry[], by: SortKey, down: boolean): Entry[] {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  return entries.toSorted((a, b) => {
    if (a.directory !== b.directory) return a.directory ? -1 : 1;
    const difference =
      by === "size"
        ? (a.size ?? -1) - (b.size ?? -1)
        : by === "modified"
          ? (a.modified ?? "").localeCompare(b.modified ?? "")
          : 0;
    return (down ? -1 : 1) * (difference || collator.compare(a.name, b.name));
  });
}
