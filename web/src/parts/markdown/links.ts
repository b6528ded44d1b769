// What a link of a text leads to. Pure.
import { resolveLink } from "../../core/uri";

export type Target =
  | { kind: "place"; id: string } // in the same text
  | { kind: "address"; uri: string } // of Lode
  | { kind: "web"; href: string }
  | { kind: "none" };

export function targetOf(href: string, base: string): Target {
  const link = href.trim();
  if (link.startsWith("#"))
    return link.length > 1 ? { kind: "place", id: decoded(link.slice(1)) } : { kind: "none" };
  const uri = resolveLink(link, base);
  if (uri !== null) return { kind: "address", uri };
  return /^https?:\/\/[^/]/i.test(link) ? { kind: "web", href: link } : { kind: "none" };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
