// Arguments for the tools: mostly of the right kind, some of any.
import { address } from "./addresses.mjs";
import { weighted } from "./random.mjs";
import { json, number, text, word } from "./values.mjs";

const quoted = (make) => (random, workspace) => JSON.stringify(make(random, workspace));
const string = quoted(text);
const name = quoted(word);
const path = quoted((random, workspace) =>
  random.chance(0.6) ? random.pick(workspace.paths) : random.pick(["", ".", "..", "src", "/", "/etc/passwd", ".env", ".git/config", "absent", "link", `${workspace.root}/README.md`]));
const glob = quoted((random) => random.pick(["*", "**", "*.ts", "src/**", "{a,b}", "[", "[!a]", "**/**/**", "*".repeat(64), "", "\\", "a/../b", "*.{c,h}", "?"]));
const pattern = quoted((random) => random.pick(["area", "a", ".", "^$", "(", "(a*)*", "\\p{L}", "[[:alpha:]]", "a{1000}", "(?s).*", "\\xff", "", "\n", "(?i)CIRCLE", "x".repeat(5000)]));
const flag = (random) => random.pick(["true", "false"]);
const oneOf = (...values) => quoted((random) => random.pick(values));
const query = oneOf("(function_definition) @a", "(identifier) @x", "(_) @a", "(", "((a) @b (#match? @b \"(\"))", "[(a)", "(call) @c", "(comment) @c", "\"", ")");
const variables = (random) => `{"who":${JSON.stringify(text(random))},"tone":${json(random, 1)}}`;
const fields = (random) => `{"tags":${json(random, 1)},${JSON.stringify(text(random))}:${json(random, 1)},"author":${JSON.stringify(text(random))}}`;

export const tools = {
  element_manage: {
    operation: oneOf("create", "update", "delete", "restore", "activate", "deactivate", "render", "import", "export", "read", "list", "append", "none"),
    type: oneOf("persona", "skill", "template", "agent", "ensemble", "memory", "none"),
    id: oneOf("reviewer", "letter", "Letter", "pdf", "release", "team", "decision", "fuzz-1", "fuzz-2", "..", ""),
    name: oneOf("Fuzz 1", "Fuzz 2", "fuzz-1", "Letter", "é", "a/b", "\0", "..", "x".repeat(300)),
    description: string, fields, body: string, scope: oneOf("workspace", "user", "none"), values: variables,
    path: oneOf("old", "out", "src", "../x", "/etc", ".lode", ""), format: oneOf("dollhouse", "nexs", "none"), dry_run: flag, replace: flag,
  },
  ast_analyze: { query, pattern: glob, path, language: oneOf("python", "typescript", "c", "none", ""), limit: number },
  find_files: { pattern: glob, exclude: glob, path, content: pattern, regex: flag, ignore_case: flag, context: number, limit: number, ignored: flag },
  file_ops: {
    operation: oneOf("replace", "replace", "replace", "none"), path: oneOf("scratch.txt", "scratch.txt", "README.md", "src/shapes.py", "link", "..", "absent", ".env"),
    old: oneOf("a", "b", "one", "two", " ", "\n", "", "\r\n", "x y"), new: oneOf("a", "b", "one", "two", "", "one two", "\0", "\x1b", "é"),
    whitespace: oneOf("exact", "flexible", "none"), dry_run: flag, backup: flag,
  },
  resource_read: { uri: quoted(address) },
  resource_find: { query: name, prefix: quoted((random, w) => random.pick(["", "file://", `file://${w.root}`, "skill://", "resource:", "%", "\0"])), kinds: (random) => random.pick(["[]", "[\"symbol\"]", "[\"element\",\"\"]", "[1]", "null"]), limit: number },
};
// Cheap ones often: ast_analyze, which parses the workspace, costs as much as a thousand others.
const names = weighted([[50, "element_manage"], [1, "ast_analyze"], [6, "find_files"], [30, "file_ops"], [80, "resource_read"], [20, "resource_find"]]);
const required = { element_manage: ["operation", "type", "id"], ast_analyze: ["query"], find_files: ["pattern"], file_ops: ["operation", "path", "old", "new"], resource_read: ["uri"], resource_find: ["query"] };

export function toolName(random) {
  return random.chance(0.93) ? random.draw(names) : random.chance(0.3) ? random.pick(["list_agents", "knowledge_mutate", "plugin_call", "File_Ops"]) : text(random);
}

// The arguments as JSON text.
export function toolArguments(random, workspace, tool) {
  const known = tools[tool];
  if (known === undefined || random.chance(0.03)) return json(random, 2);
  const given = Object.keys(known).filter((key) => random.chance(required[tool].includes(key) ? 0.95 : 0.25));
  const members = given.map((key) => `"${key}":${random.chance(0.93) ? known[key](random, workspace) : json(random, 1)}`);
  if (random.chance(0.02)) members.push(`${JSON.stringify(text(random))}:${json(random, 1)}`);
  return `{${members}}`;
}
