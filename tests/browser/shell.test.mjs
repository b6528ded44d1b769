// The frame around the pages, in a browser: who may write, tabs, the way back, search, keys, a server
// that goes away, and narrow windows.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { audit, backlog, closeBrowser, equals, narrow, start, task, until, violations } from "./harness.mjs";

after(closeBrowser);

const uriOf = (page, name = "uri") => new URL(page.url()).searchParams.get(name) ?? "";
const first = task("TASK-0001", { title: "Serve the board", labels: ["http"] }, "Some words.\n\n- [ ] one\n");
const files = backlog(first, task("TASK-0002", { title: "Draw the columns" }));
const one = "mcp://backlog/tasks/TASK-0001";
const two = "mcp://backlog/tasks/TASK-0002";

describe("who may write", () => {
  let app;
  before(async () => {
    app = await start({ files });
  });
  after(() => app.stop());

  it("is whoever came by the link, whose token is nowhere to be seen", async () => {
    const page = await app.owner();
    await page.getByRole("button", { name: /^You may write/ }).waitFor();
    assert.ok(!page.url().includes(app.token));
    assert.equal(new URL(page.url()).hash, "");
    const seen = await page.evaluate(() => [document.documentElement.outerHTML, JSON.stringify(history.state), JSON.stringify({ ...localStorage }), document.cookie].join("\n"));
    assert.ok(!seen.includes(app.token));
    await page.close();
  });

  it("is in all tabs that are opened from one, and in none when it is forgotten", async () => {
    const page = await app.owner();
    await page.at("mcp://backlog/tasks");
    const link = page.getByRole("link", { name: "Serve the board" });
    const [tab] = await Promise.all([page.context().waitForEvent("page"), link.click({ button: "middle" })]);
    await tab.locator("main .task").waitFor();
    assert.equal(uriOf(tab), one);
    assert.equal(uriOf(page, "pane"), "", "the first tab stays where it was");
    await tab.getByRole("button", { name: /^You may write/ }).waitFor();
    await tab.getByRole("button", { name: "Delete" }).waitFor();
    await tab.getByRole("button", { name: /^You may write/ }).click();
    await tab.getByRole("button", { name: "Forget it" }).click();
    await page.getByRole("button", { name: /^Read-only/ }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: /^Read-only/ }).waitFor();
    await page.context().close();
  });

  it("is in many tabs, of which only those that are seen hold a connection", async () => {
    const page = await app.owner();
    const context = page.context();
    // A browser without a window shows all of its tabs; these are told that they are hidden.
    await context.addInitScript(() => {
      globalThis.seen = false;
      Object.defineProperty(document, "visibilityState", { get: () => (globalThis.seen ? "visible" : "hidden") });
    });
    let streams = 0;
    const count = (request) => {
      if (request.url().includes("/events?")) streams += 1;
    };
    const tabs = [];
    for (let i = 0; i < 10; i += 1) {
      const tab = await context.newPage();
      tab.on("request", count);
      await tab.at(one);
      await tab.getByRole("button", { name: "Delete" }).waitFor();
      tabs.push(tab);
    }
    assert.equal(streams, 0);
    app.write(...task("TASK-0001", { title: "Serve all tabs" }));
    await tabs[5].evaluate(() => {
      globalThis.seen = true;
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await tabs[5].getByRole("heading", { level: 1, name: /Serve all tabs/ }).waitFor();
    // And the other way round.
    const ended = tabs[5].waitForEvent("requestfailed", (request) => request.url().includes("/events?"));
    await tabs[5].evaluate(() => {
      globalThis.seen = false;
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await ended;
    app.write(...first);
    await context.close();
  });

  it("is nobody without a token: nothing that writes is there, and one line says how", async () => {
    const page = await app.visitor();
    await page.locator(".card").first().waitFor();
    for (const [uri, shown] of [["mcp://backlog/board", ".card"], ["mcp://backlog/tasks", "tr[data-id]"], [one, ".task"]]) {
      await page.at(uri);
      await page.locator(`main ${shown}`).first().waitFor();
      await page.getByText("Read-only.", { exact: false }).first().waitFor();
      for (const name of ["New task", "Edit", "Edit the title", "Delete", "Claim", "Comment"]) {
        assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, `${name} at ${uri}`);
      }
      assert.equal(await page.locator("main .status-picker, main textarea").count(), 0);
      assert.equal(await page.locator('main input[type="checkbox"]:enabled').count(), 0);
    }
    await page.keyboard.press("e");
    await page.keyboard.press("n");
    assert.equal(await page.getByRole("dialog").count(), 0);
    await audit(page, "read-only");
    await page.getByRole("button", { name: "How to write" }).click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByLabel("Token").fill("wrong");
    await dialog.getByRole("button", { name: "Use it" }).click();
    await dialog.getByText("The server does not know this token.").waitFor();
    await audit(page, "settings");
    await dialog.getByLabel("Token").fill(app.token);
    await dialog.getByRole("button", { name: "Use it" }).click();
    await dialog.getByRole("heading", { name: "You may write" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete" }).waitFor();
    await page.close();
  });

  it("signs comments and claims with the name that one gave", async () => {
    const page = await app.owner();
    await page.getByRole("button", { name: /^You may write/ }).click();
    await page.getByLabel("Your name").fill("dara");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await page.at(one);
    await page.getByRole("textbox", { name: "Write a comment" }).fill("Hello");
    await page.keyboard.press("Control+Enter");
    await page.locator(".comments li strong", { hasText: "dara" }).waitFor();
    await page.getByRole("button", { name: "Claim" }).click();
    await until(() => /^assignee: dara$/m.test(app.read(".lode/backlog/tasks/TASK-0001.md")), "the claim");
    await page.close();
  });
});

describe("the way around", () => {
  let app;
  let page;
  before(async () => {
    app = await start({ files: { ...files, "docs/plan.md": "# The plan\n\nFirst this.\n" } });
    page = await app.owner();
  });
  after(() => app.stop());

  it("has deep links to a page and to a pane beside it", async () => {
    await page.at("mcp://backlog/tasks?label=http", two);
    await equals(() => page.locator("main tr[data-id] a").allTextContents(), ["Serve the board"]);
    await page.locator("section.beside").getByRole("heading", { level: 2, name: /Draw the columns/ }).waitFor();
    const other = await app.visitor();
    await other.goto(page.url());
    await other.locator("section.beside").getByRole("heading", { level: 2, name: /Draw the columns/ }).waitFor();
    await other.close();
  });

  it("goes back and forward, to the same part of a list", async () => {
    for (let i = 100; i < 200; i += 1) app.write(...task(`TASK-0${i}`, { title: `Number ${i}` }));
    await page.at("mcp://backlog/tasks?sort=id");
    const scroller = page.locator(".tasks-scroller");
    await page.getByRole("link", { name: "Number 110" }).waitFor();
    await page.getByText("102 tasks").waitFor();
    await scroller.evaluate((element) => (element.scrollTop = 2000));
    await page.getByRole("link", { name: "Number 160" }).waitFor();
    const top = await scroller.evaluate((element) => element.scrollTop);
    await page.getByRole("link", { name: "Board" }).click();
    await page.locator(".card").first().waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "Number 160" }).waitFor();
    await equals(() => scroller.evaluate((element) => element.scrollTop), top);
    await page.getByRole("link", { name: "Number 160" }).click();
    await page.locator("section.beside .task").waitFor();
    await page.goBack();
    await page.locator("section.beside").waitFor({ state: "detached" });
    assert.equal(uriOf(page), "mcp://backlog/tasks?sort=id");
    await page.goForward();
    await page.locator("section.beside .task").waitFor();
  });

  it("keeps the place in a list when rows come and go above it", async () => {
    await page.at("mcp://backlog/tasks?sort=id");
    const scroller = page.locator(".tasks-scroller");
    await page.getByText("102 tasks").waitFor();
    await scroller.evaluate((element) => (element.scrollTop = 1500));
    const row = page.locator('tr[data-id="TASK-0150"]');
    await row.waitFor();
    await row.getByRole("link").focus();
    const before_ = await row.evaluate((element) => element.getBoundingClientRect().top);
    app.write(...task("TASK-0050", { title: "Above" }));
    await page.getByText("103 tasks").waitFor();
    await equals(() => row.evaluate((element) => element.getBoundingClientRect().top), before_);
    assert.equal(await page.evaluate(() => document.activeElement.closest("tr").dataset.id), "TASK-0150");
    await app.call("backlog_manage", { op: "delete", id: "TASK-0050" });
    await page.getByText("102 tasks").waitFor();
    await equals(() => row.evaluate((element) => element.getBoundingClientRect().top), before_);
  });

  it("finds everything with Ctrl K, and closes the uppermost with Escape", async () => {
    await page.at("mcp://backlog/board", one);
    await page.locator("section.beside .task").waitFor();
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.getByRole("combobox").fill("columns");
    await dialog.getByRole("option", { name: /Draw the columns/ }).first().waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator("section.beside .task").waitFor();
    // A menu, then an edit, then the pane.
    await page.locator("section.beside .pane").focus();
    await page.keyboard.press("s");
    await page.getByRole("listbox").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    await page.keyboard.press("t");
    await page.getByRole("textbox", { name: "Title" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "Title" }).waitFor({ state: "detached" });
    assert.equal(uriOf(page, "pane"), one);
    await page.locator("section.beside .pane").focus();
    await page.keyboard.press("Escape");
    await page.locator("section.beside").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await dialog.getByRole("combobox").fill("columns");
    await dialog.getByRole("option", { name: /Draw the columns/ }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.locator("main .task").getByRole("heading", { name: /Draw the columns/ }).waitFor();
  });

  it("shows its keys, and takes none of one letter from who does not want them", async () => {
    await page.at(one);
    await page.locator("main .task").waitFor();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keys" });
    await dialog.getByText("Close the pane").waitFor();
    await audit(page, "keys");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^You may write/ }).click();
    await page.getByLabel(/^Keys without Ctrl/).uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.keyboard.press("e");
    assert.equal(await page.getByRole("dialog").count(), 0);
    assert.equal(await page.getByRole("textbox", { name: "Description" }).count(), 0);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Search" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^You may write/ }).click();
    await page.getByLabel(/^Keys without Ctrl/).check();
    await page.keyboard.press("Escape");
  });

  it("copies addresses and paths, and opens the editor's link", async () => {
    await page.at(one);
    await page.getByRole("button", { name: "Copy URI" }).first().click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), one);
    await page.getByRole("button", { name: "Copy path" }).click();
    const path = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(path.endsWith(".lode/backlog/tasks/TASK-0001.md"));
    assert.equal(await page.getByRole("link", { name: "Open in editor" }).getAttribute("href"), `vscode://file${path}:1`);
  });

  it("chooses the theme by the system's wish, or one's own", async () => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: "light" });
    await equals(ground, "rgb(255, 255, 255)");
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await ground();
    assert.notEqual(dark, "rgb(255, 255, 255)");
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: /^You may write/ }).click();
    await page.getByLabel("Theme").selectOption("dark");
    await equals(ground, dark);
    await page.getByLabel("Theme").selectOption("system");
    await page.keyboard.press("Escape");
    await page.emulateMedia({ colorScheme: "dark" });
  });

  it("is wide enough on a phone: one pane, which closes", async () => {
    await page.setViewportSize(narrow);
    await page.at("mcp://backlog/tasks");
    await page.getByRole("link", { name: "Serve the board" }).click();
    await page.locator("section.beside .task").waitFor();
    assert.equal(await page.locator("main#content").isVisible(), false);
    assert.deepEqual(await violations(page), []);
    const widest = await page.evaluate(() => Math.max(...[...document.querySelectorAll("header.bar *")].map((element) => element.getBoundingClientRect().right)));
    assert.ok(widest <= narrow.width, `${widest}`);
    await page.locator("section.beside").getByRole("button", { name: "Close" }).click();
    await page.locator("main#content").getByRole("link", { name: "Serve the board" }).waitFor();
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("button", { name: "Status", exact: true }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("moves the divider with the keyboard", async () => {
    await page.at("mcp://backlog/board", one);
    const divider = page.getByRole("separator", { name: "Width of the pane" });
    const before_ = (await page.locator("section.beside").boundingBox()).width;
    await divider.focus();
    await page.keyboard.press("ArrowLeft");
    await until(async () => (await page.locator("section.beside").boundingBox()).width > before_ + 20, "a wider pane");
    await page.keyboard.press("ArrowRight");
  });
});

describe("a server that goes away", () => {
  it("leaves what was shown, with a note, and is followed again when it is back", async () => {
    const app = await start({ files });
    const page = await app.owner();
    await page.at("mcp://backlog/tasks", one);
    await page.locator("section.beside").getByText("Some words.").waitFor();
    await page.getByRole("link", { name: "Draw the columns" }).waitFor();
    await app.halt();
    await page.getByText("The server cannot be reached. This is what was here last.").waitFor();
    await page.locator("section.beside").getByText("Some words.").waitFor();
    assert.equal(await page.locator("tr[data-id]").count(), 2);
    assert.deepEqual(await violations(page), []);
    // What is typed meanwhile is kept, and so is what could not be written.
    await page.getByRole("textbox", { name: "Write a comment" }).fill("Written in the dark");
    await page.keyboard.press("Control+Enter");
    await page.locator("section.beside [role=alert]", { hasText: "The server cannot be reached." }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Write a comment" }).inputValue(), "Written in the dark");
    app.write(...task("TASK-0001", { title: "Serve the board", labels: ["http"] }, "Other words.\n"));
    app.write(...task("TASK-0003", { title: "Made in the dark" }));
    await app.resume();
    await page.locator(".offline p").waitFor({ state: "detached" });
    await page.locator("section.beside").getByText("Other words.").waitFor();
    await page.getByRole("link", { name: "Made in the dark" }).waitFor();
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator(".comments li", { hasText: "Written in the dark" }).waitFor();
    await app.stop();
  });
});
