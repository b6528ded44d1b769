// Search from everywhere: as one types, with kinds, previews and what was opened last.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { file, files } from "./content.mjs";
import { audit, backlog, closeBrowser, equals, narrow, start, task, until, wide } from "./harness.mjs";

after(closeBrowser);

const uriOf = (page) => new URL(page.url()).searchParams.get("uri") ?? "";
const paneOf = (page) => new URL(page.url()).searchParams.get("pane") ?? "";

describe("search", () => {
  let app;
  let page;
  before(async () => {
    app = await start({
      files: { ...files, ...backlog(task("TASK-0001", { title: "Serve the board", labels: ["http"] }, "What is **to be done**.\n")) },
    });
    page = await app.owner();
  });
  after(() => app.stop());

  const field = () => page.getByRole("combobox", { name: "Search" });
  const hits = () => page.getByRole("option");
  const find = async (words) => {
    await page.keyboard.press("Control+k");
    await field().fill(words);
  };

  it("finds a task by the beginning of a word, and shows what it says", async () => {
    await page.at("resource://project/summary");
    await find("boa");
    const hit = page.getByRole("option", { name: /TASK-0001 Serve the board/ });
    await hit.waitFor();
    assert.equal(await hit.locator("mark").first().textContent(), "boa");
    await page.getByRole("radio", { name: "Tasks" }).check({ force: true });
    await equals(() => hits().count(), 1);
    await field().focus();
    await page.locator(".preview").getByText("to be done").waitFor();
    await page.keyboard.press("Enter");
    await equals(async () => uriOf(page), "mcp://backlog/tasks/TASK-0001");
    assert.equal(await page.getByRole("dialog").count(), 0);
  });

  it("finds symbols, files and elements, one kind or all, and opens them beside", async () => {
    await page.at("resource://project/summary");
    await find("shop");
    await page.getByRole("option", { name: /src\/shop\.ts/ }).first().waitFor();
    await page.getByRole("option", { name: /^symbol Shop/ }).first().waitFor();
    await page.getByRole("radio", { name: "Files" }).check({ force: true });
    await equals(() => hits().count(), 1);
    await field().focus();
    await page.keyboard.press("Control+Enter");
    await equals(async () => paneOf(page), file("src/shop.ts"));
    assert.equal(uriOf(page), "resource://project/summary");
    await find("reviewer");
    await page.getByRole("option", { name: /Code Reviewer/ }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("walks with the arrow keys, and says how much there is", async () => {
    await find("price");
    await until(async () => (await hits().count()) > 2, "hits");
    await equals(() => page.locator('[role="option"][aria-selected="true"]').getAttribute("id"), "hit-0");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await equals(() => field().getAttribute("aria-activedescendant"), "hit-1");
    await page.getByRole("status").filter({ hasText: /\d+ found/ }).waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
  });

  it("offers what was opened last, and goes to an address that is typed", async () => {
    await page.at(file("notes.txt"));
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /^recent notes\.txt/ }).waitFor();
    await field().fill("skill://pdf/SKILL.md");
    await page.getByRole("option", { name: /^address SKILL\.md/ }).waitFor();
    await page.keyboard.press("Enter");
    await equals(async () => uriOf(page), "skill://pdf/SKILL.md");
    await find("nothing-is-called-like-this");
    await page.getByText("Nothing was found.").waitFor();
    await page.keyboard.press("Escape");
  });

  it("is in order for axe, and fits a narrow window", async () => {
    await page.at("resource://project/summary");
    await find("shop");
    await page.locator(".preview pre .tok-keyword").first().waitFor();
    await audit(page, "search");
    await page.keyboard.press("Escape");
    await page.setViewportSize(narrow);
    await find("shop");
    await until(async () => (await hits().count()) > 1, "hits");
    assert.equal(await page.locator(".preview").count(), 0);
    await page.keyboard.press("Escape");
    await page.setViewportSize(wide);
  });
});
