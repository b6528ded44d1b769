import { describe, expect, it } from "vitest";
import { toHtml } from "./parse";

describe("toHtml", () => {
  it("gives headings ids, and levels without gaps below the page's own", () => {
    const html = toHtml("# One\n\n### Deep *and* `code`\n\n## Two\n\n# One");
    expect(html).toContain('<h2 id="one">One</h2>');
    expect(html).toContain('<h3 id="deep-and-code">Deep <em>and</em> <code>code</code></h3>');
    expect(html).toContain('<h3 id="two">');
    expect(html).toContain('<h2 id="one-1">');
    expect(toHtml("##### Far", 3)).toContain("<h3");
  });
  it("shows task lists as boxes that cannot be changed", () => {
    const html = toHtml("- [ ] open\n- [x] done\n- [y] neither\n\n[ ] no item");
    expect(html).toContain('<li class="task-item"><input type="checkbox" disabled> open');
    expect(html).toContain('<input type="checkbox" disabled checked> done');
    expect(html).toContain("<li>[y] neither");
    expect(html).toContain("<p>[ ] no item");
  });
  it("has tables, strikethrough and footnotes", () => {
    expect(toHtml("|a|b|\n|-|-|\n|1|2|")).toContain("<table>");
    expect(toHtml("|a|\n|-:|\n|1|")).toContain('<td align="right">1');
    expect(toHtml("~~gone~~")).toContain("<s>gone</s>");
    const notes = toHtml("Said[^1].\n\n[^1]: By whom.");
    expect(notes).toContain('<a href="#fn1" id="fnref1">1</a>');
    expect(notes).toContain('id="fn1"');
  });
  it("links addresses and no names of files", () => {
    expect(toHtml("see mcp://backlog/tasks/TASK-1.")).toContain('href="mcp://backlog/tasks/TASK-1"');
    expect(toHtml("see capability-index://stats")).toContain('href="capability-index://stats"');
    expect(toHtml("see README.md and main.rs")).not.toContain("<a");
    expect(toHtml("<https://a.example/b>")).toContain('href="https://a.example/b"');
    expect(toHtml("[f](file:///a/b.md)")).toContain('href="file:///a/b.md"');
    expect(toHtml("[x](javascript:alert(1))")).not.toContain("href");
    expect(toHtml("![x](data:image/svg+xml,a)")).not.toContain("<img");
  });
  it("leaves math as it is written", () => {
    expect(toHtml("$a_1 + b_1$")).toContain("$a_1 + b_1$");
  });
  it("names a fence's language and nothing else of its line", () => {
    expect(toHtml("```ts title=x\na<b\n```")).toContain('<pre><code class="language-ts">a&lt;b');
    expect(toHtml('```"><img\nx\n```')).toContain("<pre><code>x");
    expect(toHtml("```mermaid\ngraph TD\n```")).toContain("language-mermaid");
  });
});
