// Files of the workspace: their paths and their addresses.
import type { Resource } from "../core/api";
import { encodePath, parseAddress } from "../core/uri";

// The address of a file or directory by its path in the workspace: the same on every machine.
export function fileUri(path: string, line = 0): string {
  const base = "mcp://backlog/resources";
  return `${path === "" ? base : `${base}/${encodePath(path)}`}${line > 0 ? `#L${line}` : ""}`;
}

export function aspectUri(path: string, aspect: string, parameters = ""): string {
  return `resource://file/${encodePath(path)}/${aspect}${parameters ? `?${parameters}` : ""}`;
}

// The path in the workspace of what was read at an address; null if it is no file there as it is now
// (an artifact elsewhere, an earlier version).
export function workspacePath(uri: string, resource: Resource | null, root: string | null): string | null {
  const address = parseAddress(uri);
  if (!address) return null;
  const { scheme, host, segments } = address;
  if (scheme === "resource" && (host === "file" || host === "project"))
    return segments.slice(0, -1).join("/");
  if (scheme === "mcp" && host === "backlog" && segments[0] === "resources") {
    // "@" begins a version unless it is escaped, or the file is called so.
    const last = uri.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
    return last.includes("@") ? null : segments.slice(1).join("/");
  }
  const path = resource?.path ?? null;
  if (path === null) return null;
  // Others than the owner are told paths in the workspace.
  if (!path.startsWith("/")) return path;
  return root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
}

// The directory that a file or directory is in; null: there is none to read.
export function parentUri(uri: string): string | null {
  const path = uri.split(/[?#]/, 1)[0]?.replace(/\/$/, "") ?? "";
  const parent = path.slice(0, path.lastIndexOf("/"));
  const isBelow = /^(mcp:\/\/backlog\/(resources|artifacts)|file:\/\/\/[^/]|skill:\/\/[^/])/.test(parent);
  return isBelow ? parent : null;
}

// What a number of bytes is called.
export function sizeText(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  let at = 0;
  let size = bytes;
  while (size >= 1000 && at < units.length - 1) {
    size /= 1000;
    at += 1;
  }
  return `${at === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[at]}`;
}
