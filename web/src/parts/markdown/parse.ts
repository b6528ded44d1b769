// Markdown as HTML text. What comes out is not safe yet: sanitize.ts makes it so.
import MarkdownIt, { type Token } from "markdown-it";
import footnotes from "markdown-it-footnote";
import { slugs } from "./slug";

interface Environment {
  level?: number;
}

const parser = new MarkdownIt({ html: true, linkify: true });
parser.use(footnotes);
// Only what says its scheme is a link: "main.rs" and "README.md" are names of files.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
for (const scheme of ["mcp:", "file:", "resource:", "skill:", "capability-index:", "lode:", "plugin:"])
  parser.linkify.add(scheme, {
    validate: (text, at) => /^\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}*_~]/.exec(text.slice(at))?.[0].length ?? 0,
  });
// Addresses of every scheme are links of Lode; which ones lead somewhere is decided in links.ts.
parser.validateLink = (url) => !/^\s*(javascript|vbscript|data|blob):/i.test(url);

parser.core.ruler.push("lode_headings", (state) => {
  const { level = 2 } = state.env as Environment;
  const slug = slugs();
  // Levels are told from the page's own, without gaps: a text may begin with "###".
  const outer: number[] = [];
  let depth = level;
  for (const [at, token] of state.tokens.entries()) {
    if (token.type === "heading_open") {
      const own = Number(token.tag.slice(1));
      while (outer.length > 0 && (outer.at(-1) ?? 0) >= own) outer.pop();
      depth = Math.min(6, level + outer.length);
      outer.push(own);
      token.tag = `h${depth}`;
      token.attrSet("id", slug(plainText(state.tokens[at + 1])));
    } else if (token.type === "heading_close") {
      token.tag = `h${depth}`;
    }
  }
});

// Styles are not allowed; what aligns a column of a table is an attribute.
parser.core.ruler.push("lode_tables", (state) => {
  for (const token of state.tokens) {
    const align = /^text-align:(left|right|center)$/.exec(String(token.attrGet("style") ?? ""))?.[1];
    if (align) token.attrs = [["align", align]];
  }
});

// "- [ ] to do" and "- [x] done".
parser.core.ruler.after("inline", "lode_tasks", (state) => {
  for (let at = 2; at < state.tokens.length; at += 1) {
    const [item, paragraph, inline] = [state.tokens[at - 2], state.tokens[at - 1], state.tokens[at]];
    if (inline?.type !== "inline" || paragraph?.type !== "paragraph_open" || item?.type !== "list_item_open")
      continue;
    const first = inline.children?.[0];
    const mark = first?.type === "text" ? /^\[([ xX])\]\s+/.exec(first.content) : null;
    if (!first || !mark) continue;
    first.content = first.content.slice(mark[0].length);
    const box = new state.Token("html_inline", "", 0);
    box.content = `<input type="checkbox" disabled${mark[1] === " " ? "" : " checked"}> `;
    inline.children?.unshift(box);
    item.attrJoin("class", "task-item");
  }
});

parser.renderer.rules.fence = (tokens, at) => {
  const token = tokens[at];
  const language = (token?.info ?? "").trim().split(/[\s{,:]/, 1)[0] ?? "";
  const name = /^[\w+#.-]{1,30}$/.test(language)
    ? ` class="language-${parser.utils.escapeHtml(language.toLowerCase())}"`
    : "";
  return `<pre><code${name}>${parser.utils.escapeHtml(token?.content ?? "")}</code></pre>\n`;
};

// A note in brackets would be read as a part of the sentence.
parser.renderer.rules.footnote_caption = (tokens, at) => {
  const { id = 0, subId = 0 } = (tokens[at]?.meta ?? {}) as { id?: number; subId?: number };
  return `${id + 1}${subId > 0 ? `:${subId}` : ""}`;
};

function plainText(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .filter((token) => token.type === "text" || token.type === "code_inline")
    .map((token) => token.content)
    .join("");
}

// `level` is that of the text's topmost headings.
export function toHtml(text: string, level = 2): string {
  return parser.render(text, { level });
}
