// The list of tasks in a browser: filters and sort in the address, saved views, keys, and 50,000 rows.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { audit, backlog, closeBrowser, equals, look, start, task, until } from "./harness.mjs";

after(closeBrowser);

const titles = (page) => page.locator("tr[data-id] .col-title a").allTextContents();
const shows = (page, wanted) => equals(() => titles(page), wanted);
const uriOf = (page, name = "uri") => new URL(page.url()).searchParams.get(name) ?? "";
const pill = (page, name) => page.getByRole("search").getByRole("button", { name: new RegExp(`^${name}`) });
const choose = (page, name) => page.getByRole("option", { name, exact: false }).first().click();

describe("the list of tasks", () => {
  let app;
  let page;
  before(async () => {
    app = await start({
      files: backlog(
        task("EPIC-0001", { title: "Ship it", type: "epic", priority: "low" }),
        task("TASK-0001", { title: "Serve the board", priority: "high", labels: ["http"], assignee: "ana", due_date: "2026-12-01", parent_id: "EPIC-0001" }, "- [x] one\n- [ ] two\n"),
        task("TASK-0002", { title: "Draw the columns", dependencies: ["TASK-0001"], labels: ["viewer"], assignee: "bo", due_date: "2026-11-01" }),
        task("TASK-0003", { title: "Read the pages", status: "done", labels: ["http"] }),
        task("TASK-0004", { title: "Wait for rain", status: "blocked", priority: "critical" }),
      ),
    });
    page = await app.owner();
  });
  after(() => app.stop());

  it("shows every task with what matters about it", async () => {
    await page.at("mcp://backlog/tasks");
    await shows(page, ["Serve the board", "Draw the columns", "Ship it", "Wait for rain", "Read the pages"]);
    const row = page.locator('tr[data-id="TASK-0001"]');
    for (const text of ["TASK-0001", "http", "ana", "1/2"]) assert.match(await row.textContent(), new RegExp(text));
    assert.match(await page.getByRole("search").textContent(), /5 tasks/);
    assert.equal(await row.getByRole("button", { name: "Copy URI" }).count(), 1);
    assert.equal(await page.title(), "Tasks · Lode");
  });

  it("filters by status, type, label, assignee, parent and readiness, in its address", async () => {
    await page.at("mcp://backlog/tasks");
    await pill(page, "Status").click();
    await choose(page, "Blocked");
    await choose(page, "Done");
    await shows(page, ["Wait for rain", "Read the pages"]);
    assert.equal(uriOf(page), "mcp://backlog/tasks?status=blocked%2Cdone");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Clear" }).click();
    await pill(page, "Label").click();
    await choose(page, "http");
    await shows(page, ["Serve the board", "Read the pages"]);
    await pill(page, "Assignee").click();
    await page.getByRole("combobox", { name: "Assignee" }).fill("an");
    await choose(page, "ana");
    await shows(page, ["Serve the board"]);
    assert.equal(uriOf(page), "mcp://backlog/tasks?label=http&assignee=ana");
    await page.goBack();
    await shows(page, ["Serve the board", "Read the pages"]);
    await page.goForward();
    await shows(page, ["Serve the board"]);
    await page.at("mcp://backlog/tasks?parent=EPIC-0001");
    await shows(page, ["Serve the board"]);
    await page.at("mcp://backlog/tasks?type=epic");
    await shows(page, ["Ship it"]);
    await page.at("mcp://backlog/tasks?assignee=none&status=open");
    await shows(page, ["Ship it"]);
    await page.at("mcp://backlog/tasks?ready=true");
    await shows(page, ["Serve the board"]);
  });

  it("finds words as they are typed, and takes Escape to empty the field", async () => {
    await page.at("mcp://backlog/tasks");
    await page.getByRole("searchbox").fill("columns");
    await shows(page, ["Draw the columns"]);
    assert.equal(uriOf(page), "mcp://backlog/tasks?q=columns");
    await page.keyboard.press("Escape");
    await until(() => uriOf(page) === "mcp://backlog/tasks", "no words in the address");
    assert.equal((await titles(page)).length, 5);
    await page.getByRole("searchbox").fill("nothing is called so");
    await page.getByText("No task is like this.").waitFor();
  });

  it("is sorted by its heads, and says so", async () => {
    await page.at("mcp://backlog/tasks?status=open");
    await page.getByRole("link", { name: "Due", exact: true }).click();
    await shows(page, ["Draw the columns", "Serve the board", "Ship it"]);
    assert.equal(await page.getByRole("columnheader", { name: "Due" }).getAttribute("aria-sort"), "ascending");
    await pill(page, "Sort").click();
    await choose(page, "Title");
    await shows(page, ["Draw the columns", "Serve the board", "Ship it"]);
    assert.equal(uriOf(page), "mcp://backlog/tasks?status=open&sort=title");
  });

  it("keeps views under a name, for every tab", async () => {
    await page.at("mcp://backlog/tasks?label=http&sort=id");
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.keyboard.type("Web");
    await page.keyboard.press("Enter");
    await page.at("mcp://backlog/tasks");
    await page.getByRole("link", { name: "Web" }).click();
    await shows(page, ["Serve the board", "Read the pages"]);
    assert.equal(uriOf(page), "mcp://backlog/tasks?label=http&sort=id");
    const other = await page.context().newPage();
    await other.at("mcp://backlog/tasks");
    await other.getByRole("link", { name: "Web" }).waitFor();
    await other.close();
    await page.getByRole("button", { name: "Forget Web" }).click();
    await page.getByRole("link", { name: "Web" }).waitFor({ state: "detached" });
  });

  it("is walked, opened and changed with the keyboard", async () => {
    await page.at("mcp://backlog/tasks");
    await shows(page, ["Serve the board", "Draw the columns", "Ship it", "Wait for rain", "Read the pages"]);
    const focused = () => page.evaluate(() => document.activeElement.closest("[data-id]")?.dataset.id);
    await page.keyboard.press("j");
    assert.equal(await focused(), "TASK-0001");
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "EPIC-0001");
    await page.keyboard.press("k");
    assert.equal(await focused(), "TASK-0002");
    await page.keyboard.press("s");
    await page.getByRole("listbox", { name: /^Status of TASK-0002/ }).waitFor();
    await page.keyboard.press("i");
    await page.keyboard.press("Enter");
    await page.getByText("TASK-0002 is now: In progress").waitFor();
    await until(() => /status: in_progress/.test(app.read(".lode/backlog/tasks/TASK-0002.md")), "the file");
    await page.getByRole("button", { name: "Undo" }).click();
    await until(() => /status: open/.test(app.read(".lode/backlog/tasks/TASK-0002.md")), "the file");
    await page.keyboard.press("j");
    const opened = await focused();
    await page.keyboard.press("Enter");
    await page.locator("section.beside .task").waitFor();
    assert.equal(uriOf(page, "pane"), `mcp://backlog/tasks/${opened}`);
    assert.ok(await page.evaluate(() => document.activeElement.matches("section.beside > .pane")));
    await page.keyboard.press("Escape");
    await page.locator("section.beside").waitFor({ state: "detached" });
    assert.equal(await focused(), opened);
    await page.keyboard.press("o");
    await page.locator("main .task").waitFor();
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.getByText("Edit the description").waitFor();
    await page.keyboard.press("Escape");
    await keys.waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("b");
    await page.locator('main [data-page="board"]').waitFor();
  });

  it("follows changes from outside", async () => {
    await page.at("mcp://backlog/tasks?status=open");
    await shows(page, ["Serve the board", "Draw the columns", "Ship it"]);
    app.write(...task("TASK-0009", { title: "By hand", priority: "critical" }));
    await shows(page, ["By hand", "Serve the board", "Draw the columns", "Ship it"]);
    await app.call("backlog_manage", { op: "update", id: "TASK-0009", title: "By a tool" });
    await shows(page, ["By a tool", "Serve the board", "Draw the columns", "Ship it"]);
    await app.call("backlog_manage", { op: "delete", id: "TASK-0009" });
    await shows(page, ["Serve the board", "Draw the columns", "Ship it"]);
  });

  it("is accessible in both themes, wide and narrow", async () => {
    await page.at("mcp://backlog/tasks");
    await shows(page, ["Serve the board", "Draw the columns", "Ship it", "Wait for rain", "Read the pages"]);
    await audit(page, "list");
    await pill(page, "Status").click();
    await page.getByRole("option", { name: "Blocked" }).waitFor();
    await audit(page, "list-menu");
    await page.keyboard.press("Escape");
    await pill(page, "Label").click();
    await page.getByRole("option", { name: "http" }).waitFor();
    await look(page, "list-labels");
  });
});
