// The board in a browser: columns, dragging with a mouse, a finger and the keyboard, and refusals.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { audit, backlog, closeBrowser, equals, start, task, until } from "./harness.mjs";

after(closeBrowser);

const column = (page, status) => page.locator(`[data-status="${status}"]`);
const cards = (page, status) => column(page, status).locator("[data-id]").evaluateAll((all) => all.map((each) => each.dataset.id));
const card = (page, id) => page.locator(`.card[data-id="${id}"]`);
const statusIn = (app, id) => /^status: (\S+)/m.exec(app.read(`.lode/backlog/tasks/${id}.md`))[1];
const focused = (page) => page.evaluate(() => document.activeElement.closest("[data-id]")?.dataset.id);

async function drag(page, id, status, { drop = true } = {}) {
  const from = await card(page, id).boundingBox();
  const to = await column(page, status).boundingBox();
  await page.mouse.move(from.x + 40, from.y + 50);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 60, { steps: 3 });
  await page.mouse.move(to.x + to.width / 2, to.y + 120, { steps: 5 });
  await page.locator(`[data-status="${status}"][data-target="true"]`).waitFor();
  if (drop) await page.mouse.up();
}

describe("the board", () => {
  let app;
  let page;
  before(async () => {
    app = await start({
      files: backlog(
        task("TASK-0001", { title: "Serve the board", priority: "high", labels: ["http"], assignee: "ana", due_date: "2026-12-01" }, "- [x] one\n- [ ] two\n"),
        task("TASK-0002", { title: "Draw the columns", labels: ["viewer"] }),
        task("TASK-0003", { title: "Read the pages", status: "done" }),
        task("TASK-0004", { title: "Wait for rain", status: "blocked" }),
        task("TASK-0005", { title: "Count the cards", status: "in_progress" }),
        task("TASK-0006", { title: "Forget it", status: "cancelled" }),
      ),
    });
    page = await app.owner();
  });
  after(() => app.stop());

  it("is the first page, with a column for each status", async () => {
    await page.goto(app.url);
    await equals(() => cards(page, "open"), ["TASK-0001", "TASK-0002"]);
    await equals(() => cards(page, "in_progress"), ["TASK-0005"]);
    await equals(() => cards(page, "blocked"), ["TASK-0004"]);
    await equals(() => cards(page, "done"), ["TASK-0003"]);
    assert.match(await column(page, "open").locator("h2").textContent(), /Open\s*2/);
    for (const text of ["http", "ana", "1/2", "High", "Dec"]) assert.match(await card(page, "TASK-0001").textContent(), new RegExp(text));
    // Cancelled is folded, and counted.
    await equals(() => cards(page, "cancelled"), []);
    assert.match(await column(page, "cancelled").locator("h2").textContent(), /Cancelled\s*1/);
    await page.getByRole("button", { name: "Show Cancelled" }).click();
    await equals(() => cards(page, "cancelled"), ["TASK-0006"]);
    await page.getByRole("button", { name: "Show Cancelled" }).click();
  });

  it("is shown after less than 100 KB, compressed, of the viewer's own", async () => {
    const fresh = await app.owner();
    await card(fresh, "TASK-0001").waitFor();
    const sizes = await fresh.evaluate(() =>
      [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .filter(({ name }) => !/\/(mcp|events)/.test(new URL(name).pathname))
        .map(({ name, transferSize }) => [new URL(name).pathname, transferSize]),
    );
    const whole = sizes.reduce((sum, [, size]) => sum + size, 0);
    assert.ok(sizes.length > 3 && whole > 10_000, JSON.stringify(sizes));
    assert.ok(whole < 100_000, JSON.stringify(sizes));
    await fresh.close();
  });

  it("moves a card that is dragged with the mouse, and takes it back", async () => {
    await page.goto(app.url);
    await card(page, "TASK-0002").waitFor();
    await drag(page, "TASK-0002", "in_progress");
    await equals(() => cards(page, "in_progress"), ["TASK-0002", "TASK-0005"]);
    await page.getByText("TASK-0002 is now: In progress").waitFor();
    assert.equal(statusIn(app, "TASK-0002"), "in_progress");
    assert.equal(new URL(page.url()).searchParams.get("pane"), null, "letting go is no click");
    await page.getByRole("button", { name: "Undo" }).click();
    await until(() => statusIn(app, "TASK-0002") === "open", "the file");
    await equals(() => cards(page, "open"), ["TASK-0001", "TASK-0002"]);
  });

  it("leaves a card where it is when Escape is pressed", async () => {
    await page.goto(app.url);
    await card(page, "TASK-0002").waitFor();
    await drag(page, "TASK-0002", "done", { drop: false });
    await page.keyboard.press("Escape");
    await page.locator(".ghost").waitFor({ state: "detached" });
    await page.mouse.up();
    assert.equal(statusIn(app, "TASK-0002"), "open");
    await equals(() => cards(page, "open"), ["TASK-0001", "TASK-0002"]);
  });

  it("moves a card with the keyboard, keeps the focus on it and says so", async () => {
    await page.goto(app.url);
    await card(page, "TASK-0002").waitFor();
    await page.keyboard.press("j");
    assert.equal(await focused(page), "TASK-0001");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(page), "TASK-0005");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(page), "TASK-0002");
    await page.keyboard.press("Shift+ArrowRight");
    await equals(() => cards(page, "in_progress"), ["TASK-0002", "TASK-0005"]);
    await equals(() => focused(page), "TASK-0002");
    await page.locator("[aria-live]", { hasText: "TASK-0002 is now: In progress" }).waitFor();
    await until(() => statusIn(app, "TASK-0002") === "in_progress", "the file");
    await page.keyboard.press("Shift+ArrowLeft");
    await until(() => statusIn(app, "TASK-0002") === "open", "the file");
    await equals(() => focused(page), "TASK-0002");
    await page.keyboard.press("Enter");
    await page.locator("section.beside .task").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("section.beside").waitFor({ state: "detached" });
    assert.equal(await focused(page), "TASK-0002");
  });

  it("takes a refused move back, with the reason", async () => {
    await page.goto(app.url);
    await card(page, "TASK-0001").waitFor();
    // Somebody moved it, and this page has not heard of it: what it asks for is cut off from changes.
    const quiet = await app.owner();
    await quiet.route("**/events?**", (route) => route.abort());
    await quiet.goto(app.url);
    await card(quiet, "TASK-0001").waitFor();
    await app.call("backlog_manage", { op: "move", id: "TASK-0001", status: "blocked" });
    await drag(quiet, "TASK-0001", "done");
    await quiet.getByText(/TASK-0001 was not moved.*it is blocked now/).waitFor();
    await equals(() => cards(quiet, "done"), ["TASK-0003"]);
    await equals(() => cards(quiet, "blocked"), ["TASK-0001", "TASK-0004"]);
    await quiet.close();
    await app.call("backlog_manage", { op: "move", id: "TASK-0001", status: "open" });
  });

  it("says what the server says when it cannot write", async () => {
    await page.goto(app.url);
    await card(page, "TASK-0002").waitFor();
    await page.route("**/mcp", (route) => route.fulfill({ status: 403, contentType: "application/json", body: '{"error":{"message":"not permitted"}}' }));
    await drag(page, "TASK-0002", "done");
    await page.getByText(/TASK-0002 was not moved.*You may not do this.*not permitted/).waitFor();
    await equals(() => cards(page, "open"), ["TASK-0001", "TASK-0002"]);
    await page.unroute("**/mcp");
  });

  it("is filtered by its address", async () => {
    await page.at("mcp://backlog/board?label=viewer");
    await equals(() => cards(page, "open"), ["TASK-0002"]);
    await equals(() => cards(page, "done"), []);
    await page.getByRole("searchbox").fill("board");
    await page.getByText("No task is like this.").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await equals(() => cards(page, "open"), ["TASK-0001", "TASK-0002"]);
  });

  it("follows changes from outside", async () => {
    await page.goto(app.url);
    await equals(() => cards(page, "open"), ["TASK-0001", "TASK-0002"]);
    app.write(...task("TASK-0010", { title: "By hand", status: "blocked", priority: "critical" }));
    await equals(() => cards(page, "blocked"), ["TASK-0010", "TASK-0004"]);
    app.write(...task("TASK-0010", { title: "By hand", status: "done", priority: "critical" }));
    await equals(() => cards(page, "done"), ["TASK-0010", "TASK-0003"]);
    await equals(() => cards(page, "blocked"), ["TASK-0004"]);
    await app.call("backlog_manage", { op: "delete", id: "TASK-0010" });
    await equals(() => cards(page, "done"), ["TASK-0003"]);
  });

  it("makes a task where one looks", async () => {
    await page.at("mcp://backlog/board?label=viewer");
    await card(page, "TASK-0002").waitFor();
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New task" });
    await dialog.getByLabel("Title").fill("Made here");
    await dialog.getByLabel("Description").fill("- [ ] seen\n");
    // What is typed outlives the dialog.
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("n");
    assert.equal(await dialog.getByLabel("Title").inputValue(), "Made here");
    await dialog.getByLabel("Description").press("Control+Enter");
    await page.locator("section.beside .task").waitFor();
    const id = new URL(page.url()).searchParams.get("pane").split("/").at(-1);
    assert.match(app.read(`.lode/backlog/tasks/${id}.md`), /title: Made here\n[^]*labels:\n {2}- viewer\n[^]*- \[ \] seen/);
    await equals(() => cards(page, "open"), ["TASK-0002", id]);
    await app.call("backlog_manage", { op: "delete", id });
  });

  it("is dragged with a finger that rests first", async () => {
    const phone = await app.owner({ hasTouch: true, isMobile: true, viewport: { width: 800, height: 740 } });
    await card(phone, "TASK-0002").waitFor();
    const client = await phone.context().newCDPSession(phone);
    const from = await card(phone, "TASK-0002").boundingBox();
    const to = await column(phone, "in_progress").boundingBox();
    const touch = (type, x, y) => client.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
    await touch("touchStart", from.x + 40, from.y + 50);
    await phone.locator(".ghost").waitFor();
    await touch("touchMove", from.x + 90, from.y + 60);
    await touch("touchMove", to.x + to.width / 2, to.y + 150);
    await phone.locator('[data-status="in_progress"][data-target="true"]').waitFor();
    await touch("touchEnd");
    await until(() => statusIn(app, "TASK-0002") === "in_progress", "the file");
    await app.call("backlog_manage", { op: "move", id: "TASK-0002", status: "open" });
    await phone.close();
  });

  it("is accessible in both themes, wide and narrow", async () => {
    await page.goto(app.url);
    await card(page, "TASK-0001").waitFor();
    await audit(page, "board");
    await page.keyboard.press("n");
    await page.getByRole("dialog", { name: "New task" }).waitFor();
    await audit(page, "new-task");
  });
});

describe("an empty backlog", () => {
  it("says how to begin", async () => {
    const app = await start();
    const page = await app.visitor();
    await page.getByRole("heading", { name: "The backlog is empty" }).waitFor();
    await page.getByText("lode backlog new").waitFor();
    await audit(page, "empty");
    app.write(...task("TASK-0001", { title: "The first" }));
    await equals(() => cards(page, "open"), ["TASK-0001"]);
    await page.getByRole("heading", { name: "The backlog is empty" }).waitFor({ state: "detached" });
    await app.stop();
  });
});
