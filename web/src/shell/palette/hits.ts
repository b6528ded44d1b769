// What the palette shows, and in which order. Pure.

export interface Hit {
  uri: string;
  kind: string; // task, symbol, element, file, recent, page, address
  title: string;
  type?: string;
  description?: string;
  snippet?: string;
}

export const kinds = ["", "task", "symbol", "element", "file"] as const;
export type Kind = (typeof kinds)[number];

export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

// The last part of a title that people know it by: "parse" of "lode.Uri.parse", "uri.h" of
// "src/base/uri.h".
function nameIn(hit: Hit): string {
  const parts = hit.kind === "symbol" ? hit.title.split(/[.:]+/) : hit.title.split("/");
  return (parts.at(-1) ?? "").toLowerCase();
}

// 0: it is called so; 1: it begins so; 2: its title has all words; 3: it was found by something else.
function closeness(hit: Hit, words: readonly string[]): number {
  const whole = words.join(" ");
  const title = hit.title.toLowerCase();
  const id = title.split(" ", 1)[0];
  if (title === whole || nameIn(hit) === whole || id === whole) return 0;
  if (title.startsWith(whole) || nameIn(hit).startsWith(whole)) return 1;
  return words.every((word) => title.includes(word)) ? 2 : 3;
}

// One list of several, each in its own order; each address once.
export function merged(lists: readonly (readonly Hit[])[], query: string, most: number): Hit[] {
  const words = wordsOf(query);
  const seen = new Set<string>();
  const all = lists.flat().filter(({ uri }) => !seen.has(uri) && seen.add(uri));
  return all
    .map((hit) => ({ hit, close: closeness(hit, words) }))
    .sort((a, b) => a.close - b.close)
    .slice(0, most)
    .map(({ hit }) => hit);
}

// Those whose title or address has all words.
export function filtered(hits: readonly Hit[], query: string, most: number): Hit[] {
  const words = wordsOf(query);
  const found: Hit[] = [];
  for (const hit of hits) {
    if (found.length === most) break;
    const text = `${hit.title} ${hit.uri}`.toLowerCase();
    if (words.every((word) => text.includes(word))) found.push(hit);
  }
  return found;
}

// A glob for the names of files that have the words, in whichever case; empty: it makes none.
export function filePattern(query: string): string {
  const plain = query.trim().replace(/[*?[\]{}!,\\]/g, "");
  if (plain === "" || plain.length > 60) return "";
  const anyCase = [...plain]
    .map((letter) => {
      if (/\s/.test(letter)) return "*";
      const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
      return lower !== upper && /^[a-z]$/i.test(letter) ? `[${lower}${upper}]` : letter;
    })
    .join("");
  return plain.includes("/") ? `**/*${anyCase}*,*${anyCase}*` : `*${anyCase}*`;
}

export interface Piece {
  text: string;
  marked: boolean;
}

// A text in pieces, with the words that were typed marked.
export function marked(text: string, query: string): Piece[] {
  const words = wordsOf(query).filter((word) => word.length > 1 || /[^a-z]/.test(word));
  if (words.length === 0) return [{ text, marked: false }];
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text
    .split(new RegExp(`(${escaped.join("|")})`, "gi"))
    .map((part, at) => ({ text: part, marked: at % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
