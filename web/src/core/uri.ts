// Addresses of Lode, as text. Pure functions.

export interface Address {
  scheme: string; // "mcp"
  host: string; // "backlog"; of file:///a it is empty
  segments: string[]; // decoded
  query: URLSearchParams;
}

// Null: it is no address.
export function parseAddress(uri: string): Address | null {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?/i.exec(uri);
  if (!match) return null;
  const [, scheme = "", host = "", path = "", query = ""] = match;
  return {
    scheme: scheme.toLowerCase(),
    host,
    segments: path.split("/").filter(Boolean).map(decode),
    query: new URLSearchParams(query),
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

// A path's segments in an address: "/" stays, "?", "#" and "@" are escaped.
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

// What stands behind "#" is a place in what is read there (a line, a heading); the server never
// gets it.
export function withoutFragment(uri: string): string {
  return uri.split("#", 1)[0] ?? uri;
}

export function fragmentOf(uri: string): string {
  const at = uri.indexOf("#");
  return at < 0 ? "" : decode(uri.slice(at + 1));
}

// #L12 and #L12-L20: the first line that is meant, or 0.
export function lineOf(fragment: string): number {
  return Number(/^L([1-9][0-9]{0,8})(?:-L?[0-9]+)?$/.exec(fragment)?.[1] ?? 0);
}

export function withQuery(uri: string, parameters: Record<string, string | undefined>): string {
  const whole = withoutFragment(uri);
  const base = withoutQuery(uri);
  const all = new URLSearchParams(whole.slice(base.length + 1));
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === "") all.delete(name);
    else all.set(name, value);
  }
  const text = all.toString().replaceAll("+", "%20");
  return text ? `${base}?${text}` : base;
}

export function withoutQuery(uri: string): string {
  return uri.split(/[?#]/, 1)[0] ?? uri;
}

// The last part of an address that a person would call it by.
export function nameOf(uri: string): string {
  const address = parseAddress(uri);
  return address?.segments.at(-1) ?? address?.host ?? uri;
}

// Whether Lode can be asked for it; web pages and mail addresses are the browser's.
export function isReadable(uri: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(uri) &&
    !/^(https?|ftp|wss?|data|blob|javascript|vbscript|about):/i.test(uri)
  );
}

// What a link in a text means that was read at `base`: an address, or null if it is none of Lode's.
export function resolveLink(href: string, base: string): string | null {
  if (href === "" || href.startsWith("#") || href.startsWith("//")) return null;
  if (isReadable(href)) return href;
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return null;
  // Below these are trees of files of their own, which no link leaves.
  const match = /^(mcp:\/\/backlog\/(?:resources|artifacts)|[a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)/i.exec(
    base,
  );
  if (!match) return null;
  const [, tree = "", path = ""] = match;
  const target = withoutQuery(href);
  const fragment = href.includes("#") ? href.slice(href.indexOf("#")) : "";
  // "/docs/a.md" begins at the root of the workspace, as forges read it.
  const whole = target.startsWith("/");
  const root = whole && /^(file|mcp):/i.test(tree) ? "mcp://backlog/resources" : tree;
  const segments = whole ? [] : path.split("/").slice(1, -1);
  for (const segment of target.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  return `${root}/${segments.join("/")}${fragment}`;
}
