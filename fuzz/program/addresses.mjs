// URIs: of everything that Lode serves, and twisted.
import { weighted } from "./random.mjs";
import { number, text, word } from "./values.mjs";

const aspects = ["symbols", "structure", "imports", "exports", "diagnostics", "ast", "query", "source", "references", "callers", "none", ""];
const projectAspects = ["structure", "summary", "files", "map", "none", ""];
const pages = ["summary", "full", "stats", "problems", "active", "recent", "search", "elements", "none"];
const types = ["persona", "personas", "skill", "template", "agent", "ensemble", "memory", "none"];
const ids = ["reviewer", "pdf", "letter", "Letter", "release", "team", "decision", "plain", "none"];
const tasks = ["TASK-0001", "task-0001", "TASK-0002", "task-3", "TASK-0004", "EPIC-0001", "FLDR-0001", "odd%20@1", "odd%20%401", "TASK-1", "TASK-999999999999", "TASK-99999999999999999999",
  "TASK--1", "TASK-0001.md", "TASK-0001-some-words", ".", "..", "%2e%2e", "%20", "a%2fb", "-", "_", "~", "none", "all", "x".repeat(101), "%F0%9F%A7%BF", "%ff", ""];
const revisions = ["HEAD", "main", "v1", "0000", "ffffffff", "2026-01-22", "2026-01-22T10:00+02:00", "9999-12-31", "0000-00-00", "HEAD~1", "feature%2Fx", "..%2f", "@", "%40", "%00", ""];
const lists = { status: ["open", "in_progress,blocked", "To%20Do", "none", ","], type: ["task", "epic,folder", "bug"], parent: ["EPIC-0001", "none", "TASK-0404"], label: ["ui", "none"], assignee: ["ana", "none"],
  q: ["circle", "TASK-0001", "step%20area", "%20", "*", "%22"], ready: ["true", "false", "1", "", "soon"], sort: ["rank", "id", "priority", "due", "updated", "created", "title", "mood"], cursor: ["", "abc", "dDE6", "%25"], limit: ["1", "0"] };
const expressions = ["(function_definition) @a", "(identifier) @x", "(_) @a", "(", "(a", "((a) @b (#eq? @b \"x\"))", "[(a) (b)]", "(ERROR) @e", "(MISSING) @m", "(_ (_ (_ (_)))) @d"];

const encoded = (value) => encodeURIComponent(value.toWellFormed());

function query(random, names) {
  if (random.chance(0.3)) return "";
  const parts = Array.from({ length: random.between(1, 3) }, () => {
    const name = random.pick(names);
    const value = name === "expr" ? random.pick(expressions) : random.chance(0.3) ? number(random) : random.chance(0.5) ? text(random) : word(random);
    return `${name}=${random.chance(0.9) ? encoded(value) : value}`;
  });
  return `?${parts.join(random.pick(["&", "&", "&", "&&", ";"]))}`;
}

// Each value is one that means something, mostly.
function listQuery(random) {
  const names = Object.keys(lists).filter(() => random.chance(0.3));
  return names.length === 0 ? "" : `?${names.map((name) => `${name}=${random.chance(0.85) ? random.pick(lists[name]) : encoded(text(random))}`).join("&")}`;
}

// Of tasks, lists and pages, files and artifacts, and their versions.
function backlog(random, workspace) {
  const at = random.chance(0.3) ? `@${random.pick(revisions)}` : "";
  const task = () => `tasks/${random.pick(tasks)}`;
  const artifact = () => random.pick(["", "TASK-0001", "TASK-0001/trace%201.txt", "notes/a@v1.md", "notes/a", "artifacts/TASK-0001", "tasks/TASK-0001.md", "../README.md", "backlog/notes/a", "absent"]);
  const kind = random.pick(["task", "file", "history", "list", "list", "page", "resource", "artifact", "old"]);
  if (kind === "task") return `mcp://backlog/${task()}${at}`;
  if (kind === "file") return `mcp://backlog/${task()}/${random.pick(["file", "file/", "files", "history", ""])}${at}`;
  if (kind === "history") return `mcp://backlog/${task()}/history${random.pick(["", `?after=${number(random)}`, `?after=20&from=${random.pick(["", "0".repeat(40), "f".repeat(40), "HEAD", "x"])}`])}`;
  if (kind === "list") return `mcp://backlog/tasks${random.pick(["", "", "", "/"])}${listQuery(random)}`;
  if (kind === "page") return `mcp://backlog/${random.pick(["board", "problems", "board/", "", "nothing"])}${random.chance(0.5) ? `?after=${number(random)}` : ""}`;
  if (kind === "resource") return `mcp://backlog/resources${random.pick(["", "/", `/${file(random, workspace)}`, "/README", "/src"])}${at}${random.chance(0.2) ? query(random, ["after", "rev"]) : ""}`;
  if (kind === "artifact") return `mcp://backlog/artifacts/${artifact()}${at}${random.chance(0.2) ? query(random, ["after", "rev"]) : ""}`;
  return `mcp://backlog/${random.pick(["docs/tasks/TASK-0001.md", "tasks/TASK-0001.md", "docs/adr/0001.md", "README.md", "epics/EPIC-0001.md"])}${at}`;
}

const file = (random, workspace) => encodeURI(random.pick(workspace.paths));
const makers = {
  file: (random, w) => `file://${w.root}/${file(random, w)}${random.chance(0.1) ? query(random, ["after", "x"]) : ""}`,
  directory: (random, w) => `file://${w.root}${random.pick(["", "/", "/src", "/.lode", "/.git", "/.git/config", "/.env", "/src/", "/absent"])}${query(random, ["after"])}`,
  code: (random, w) =>
    `resource://file/${file(random, w)}/${random.pick(aspects)}${query(random, ["compact", "max_depth", "use_symbol_table", "include_semantic_hash", "expr", "symbol", "lines"])}`,
  project: (random) => `resource://project/${random.pick(["", "./", "src/", "../", "absent/", "%2e/"])}${random.pick(projectAspects)}${query(random, ["pattern", "exclude", "max_depth", "cursor"])}`,
  page: (random) => `capability-index://${random.pick(pages)}${query(random, ["days", "q", "type", "limit", "tag", "cursor"])}`,
  element: (random) => `capability-index://elements/${random.pick(types)}/${random.pick(ids)}${random.chance(0.2) ? query(random, ["tag", "limit"]) : ""}`,
  skill: (random) => `skill://${random.pick(["pdf", "plain", "none", "..", ""])}/${random.pick(["SKILL.md", "", "scripts", "scripts/run.sh", "../x", "."])}`,
  search: (random) => `lode://search${query(random, ["q", "kinds", "limit"])}`,
  alias: (random) => `${random.pick(["dollhouse://capability-index/", "capability://nexs-mcp/index/"])}${random.pick(pages)}`,
  backlog,
  other: (random) =>
    random.pick(["plugin://x/y", "resource://knowledge/search?query=a",
      "resource://agent/all", "resource://room/all", "resource://", "resource:", "http://127.0.0.1/", "file:", "file://host/x", "file:///", "urn:x", ":", "a:b"]),
  nonsense: (random) => text(random),
};
const kinds = weighted([
  [10, "file"], [4, "directory"], [10, "code"], [4, "project"], [5, "page"], [4, "element"], [8, "backlog"], [3, "skill"], [2, "search"], [2, "alias"], [2, "other"], [2, "nonsense"],
]);

const hex = (byte) => `%${byte.toString(16).padStart(2, "0")}`;
const twists = [
  (random, uri) => uri.replaceAll("/", random.pick(["%2f", "//", "/./", "\\"])),
  (random, uri, at) => `${uri.slice(0, at)}${random.pick(["%00", "%ff", "%c0%af", "%2e%2e/", "../", "%", "%4", "%zz", "\0", "\x1b", "\n", " ", "é", "\ud800", "@", "%40", "[", "^"])}${uri.slice(at)}`,
  (random, uri, at) => uri.slice(0, at) + hex(uri.charCodeAt(at) & 255) + uri.slice(at + 1),
  (random, uri, at) => uri.slice(0, at) + "%25" + hex(uri.charCodeAt(at) & 255).slice(1) + uri.slice(at + 1),
  (random, uri) => uri.toUpperCase(),
  (random, uri) => uri + random.pick(["/", "//", "/.", "/..", "#", "#x", "?", "?a=b&a=c", "?token=x", "?api_key=x", "@HEAD", "@{1}"]),
  (random, uri, at) => uri.slice(0, at),
  (random, uri) => uri + random.pick(["a", "/a", "%41", "&a=b", "../"]).repeat(random.pick([16, 255, 256, 4000, 8192])),
  (random, uri) => uri.replace("://", random.pick([":", ":/", ":///", "://user:pass@", "://x:99999/", "://[::1]/"])),
];

// workspace: its root, and paths in it.
export function address(random, workspace) {
  let uri = makers[random.draw(kinds)](random, workspace);
  for (let times = random.pick([0, 0, 0, 1, 1, 2]); times > 0; times -= 1) uri = random.pick(twists)(random, uri, random.below(uri.length + 1));
  return uri;
}

// One that most likely exists.
export const plainAddress = (random, workspace) => makers[random.pick(["file", "file", "code", "page", "element", "skill", "backlog"])](random, workspace);
