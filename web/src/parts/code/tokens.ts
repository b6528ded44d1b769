// What a highlighter found, as lines of pieces: data that is sent between threads and becomes
// text nodes, never HTML.

export type Piece = string | [kind: string, text: string];
export type Line = Piece[];

// A part of highlight.js's result: text, or parts with a scope.
export interface Node {
  scope?: string;
  children: (Node | string)[];
}

// Scopes of highlight.js by what they look like here; all others are plain.
const kinds = new Map(
  Object.entries({
    addition: "addition",
    attr: "attribute",
    attribute: "attribute",
    built_in: "type",
    bullet: "keyword",
    char: "string",
    class: "type",
    code: "string",
    comment: "comment",
    deletion: "deletion",
    doctag: "keyword",
    emphasis: "", // of markdown: found in many_names too
    formula: "string",
    function: "",
    keyword: "keyword",
    link: "string",
    literal: "number",
    meta: "meta",
    name: "keyword",
    number: "number",
    operator: "",
    property: "attribute",
    punctuation: "",
    quote: "comment",
    regexp: "string",
    section: "title",
    "selector-attr": "attribute",
    "selector-class": "title",
    "selector-id": "title",
    "selector-pseudo": "keyword",
    "selector-tag": "keyword",
    string: "string",
    strong: "strong",
    symbol: "number",
    tag: "",
    "template-tag": "keyword",
    "template-variable": "variable",
    title: "title",
    type: "type",
    variable: "variable",
  }),
);

function kindOf(scope: string | undefined, outer: string): string {
  const [first = "", second = ""] = (scope ?? "").split(".");
  // The text between the braces of a template is code again.
  if (first === "subst") return "";
  if (first === "title" && second === "class") return "type";
  return kinds.get(first) || outer;
}

export function linesOf(root: Node): Line[] {
  const lines: Line[] = [[]];
  const add = (text: string, kind: string): void => {
    for (const [at, part] of text.split("\n").entries()) {
      if (at > 0) lines.push([]);
      const line = lines.at(-1);
      if (!line || part === "") continue;
      const last = line.at(-1);
      if (kind === "" && typeof last === "string") line[line.length - 1] = last + part;
      else if (kind !== "" && Array.isArray(last) && last[0] === kind) last[1] += part;
      else line.push(kind === "" ? part : [kind, part]);
    }
  };
  const walk = (node: Node, outer: string): void => {
    const kind = kindOf(node.scope, outer);
    for (const child of node.children) {
      if (typeof child === "string") add(child, kind);
      else walk(child, kind);
    }
  };
  walk(root, "");
  return lines;
}
