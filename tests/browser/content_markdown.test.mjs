// Markdown in a browser: everything that it can hold, links, and changes that keep one's place.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { file, files, kitchen } from "./content.mjs";
import { audit, closeBrowser, equals, start, until } from "./harness.mjs";

after(closeBrowser);

const paneOf = (page) => new URL(page.url()).searchParams.get("pane") ?? "";
const uriOf = (page) => new URL(page.url()).searchParams.get("uri") ?? "";

describe("markdown", () => {
  let app;
  let page;
  before(async () => {
    app = await start({ files });
    page = await app.owner();
  });
  after(() => app.stop());

  it("shows tables, task lists, footnotes, code and frontmatter", async () => {
    await page.at(file("docs/kitchen.md"));
    const text = page.locator(".markdown");
    await text.locator("table td").first().waitFor();
    assert.deepEqual(await text.locator("td").allTextContents(), ["one", "1"]);
    assert.equal(await text.locator("td").nth(1).getAttribute("align"), "right");
    const boxes = text.locator("input[type=checkbox]");
    assert.equal(await boxes.count(), 2);
    assert.deepEqual(await boxes.evaluateAll((all) => all.map(({ checked, disabled }) => [checked, disabled])), [[true, true], [false, true]]);
    assert.match(await text.textContent(), /\$e = mc\^2\$/);
    assert.equal(await text.locator("s").textContent(), "gone");
    await text.locator(".tok-keyword", { hasText: "export" }).waitFor();
    assert.deepEqual(await page.locator(".frontmatter dt").allTextContents(), ["title", "tags"]);
    await text.locator("summary").click();
    assert.ok(await text.getByText("Hidden text.").isVisible());
    await text.locator(".footnote-ref a").click();
    assert.match(uriOf(page), /#fn1$/);
    await page.goBack();
    await equals(async () => uriOf(page), file("docs/kitchen.md"));
  });

  it("draws diagrams in a frame that has no origin, and says why one could not be drawn", async () => {
    await page.at(file("docs/kitchen.md"));
    await page.locator(".diagram.drawn").waitFor();
    const frame = await (await page.locator(".diagram.drawn iframe").elementHandle()).contentFrame();
    assert.equal(await frame.evaluate(() => self.origin), "null");
    assert.equal(await frame.locator("svg").count(), 1);
    assert.match(await frame.locator("svg").textContent(), /Engine/);
    const failed = page.locator(".diagram:not(.drawn)");
    await failed.getByText("could not be drawn").waitFor();
    assert.match(await failed.locator("pre").textContent(), /this is no diagram/);
    assert.equal(await failed.locator("iframe").count(), 0);
  });

  it("shows images of the workspace by blob: URLs and those of other hosts as links", async () => {
    await page.at(file("docs/kitchen.md"));
    const image = page.locator(".markdown img");
    await until(() => image.evaluate((one) => one.naturalWidth > 0), "the image");
    assert.match(await image.getAttribute("src"), /^blob:/);
    const remote = page.getByRole("link", { name: "Remote (images.example)" });
    assert.equal(await remote.getAttribute("rel"), "noopener noreferrer");
    assert.equal(await remote.getAttribute("target"), "_blank");
  });

  it("opens links beside, at the heading or line that they name", async () => {
    await page.at(file("docs/kitchen.md"));
    await page.getByRole("link", { name: "the guide" }).click();
    assert.equal(paneOf(page), `${file("docs/guide.md")}#second`);
    const heading = page.locator(".beside .markdown h3", { hasText: "Second" });
    await heading.waitFor();
    await until(() => heading.evaluate((one) => one.getBoundingClientRect().top < innerHeight), "the heading");
    await page.getByRole("link", { name: "line", exact: true }).click();
    await page.locator(".beside .code-row.marked", { hasText: "sell(" }).waitFor();
    await page.getByRole("link", { name: "root", exact: true }).click();
    await equals(async () => paneOf(page), file("README.md"));
    await page.getByRole("link", { name: "mcp://backlog/board" }).click();
    await equals(async () => paneOf(page), "mcp://backlog/board");
    const web = page.getByRole("link", { name: "web", exact: true });
    assert.equal(await web.getAttribute("rel"), "noopener noreferrer");
    assert.equal(await page.getByRole("link", { name: "mail", exact: true }).count(), 0);
  });

  it("has its source as the other view, with lines that have addresses", async () => {
    await page.at(`${file("docs/kitchen.md")}#L2`);
    await page.locator(".code-row.marked", { hasText: "title: Kitchen sink" }).waitFor();
    await page.getByRole("button", { name: "Rendered" }).click();
    await page.locator(".markdown table").waitFor();
    await page.getByRole("button", { name: "Source" }).click();
    await page.locator(".code-row", { hasText: "# Kitchen sink" }).waitFor();
    assert.equal(uriOf(page), `${file("docs/kitchen.md")}#view=source`);
  });

  it("follows a change without touching what did not change", async () => {
    await page.at(file("docs/guide.md"));
    const last = page.locator(".markdown p", { hasText: "Here." });
    await last.scrollIntoViewIfNeeded();
    await last.evaluate((one) => {
      one.dataset.same = "yes";
      getSelection().selectAllChildren(one);
    });
    const top = await last.evaluate((one) => one.getBoundingClientRect().top);
    app.write("docs/guide.md", files["docs/guide.md"].replace("First.\n\n", "First.\n\nAnd a new paragraph.\n\n"));
    await page.getByText("And a new paragraph.").waitFor({ state: "attached" });
    assert.equal(await last.getAttribute("data-same"), "yes");
    assert.equal(await page.evaluate(() => getSelection().toString()), "Here.");
    assert.ok(Math.abs((await last.evaluate((one) => one.getBoundingClientRect().top)) - top) < 2);
  });

  it("keeps a diagram that was drawn when the text around it changes", async () => {
    await page.at(file("docs/kitchen.md"));
    await page.locator(".diagram.drawn").waitFor();
    await page.locator(".diagram.drawn iframe").evaluate((one) => {
      one.dataset.same = "yes";
    });
    app.write("docs/kitchen.md", kitchen.replace("**bold**", "**bolder**"));
    await page.getByText("bolder").waitFor();
    assert.equal(await page.locator(".diagram.drawn iframe").getAttribute("data-same"), "yes");
  });

  it("is in order for axe, in both themes", async () => {
    await page.at(file("docs/kitchen.md"));
    await page.locator(".diagram.drawn").waitFor();
    await audit(page, "markdown");
  });
});
