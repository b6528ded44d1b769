// Many tasks: the page stays as small as its window while one scrolls through all of them. A tenth of
// 50,000, unless LODE_MANY_TASKS says otherwise: with sanitizers all of them take minutes.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { backlog, closeBrowser, equals, start, task, until } from "./harness.mjs";

after(closeBrowser);

const count = Number(process.env.LODE_MANY_TASKS ?? 5_000);
const shown = (number) => number.toLocaleString("en");
const most = 2500; // elements
const id = (i) => `TASK-${String(i).padStart(5, "0")}`;
const elements = (page) => page.evaluate(() => document.querySelectorAll("*").length);

describe(`${shown(count)} tasks`, () => {
  let app;
  let page;
  before(async () => {
    const tasks = Array.from({ length: count }, (_, i) => task(id(i + 1), { title: `Number ${i + 1}`, labels: [`l${i % 50}`], priority: ["low", "high"][i % 2] }));
    app = await start({ files: backlog(...tasks) });
    page = await app.owner();
  });
  after(() => app.stop());

  it("are a list of which only what is seen is drawn", async () => {
    await page.at("mcp://backlog/tasks?sort=id");
    await page.getByText(`${shown(count)} tasks`).waitFor();
    await page.locator(`tr[data-id="${id(1)}"]`).waitFor();
    const scroller = page.locator(".tasks-scroller");
    const { height, view } = await scroller.evaluate((element) => ({ height: element.scrollHeight, view: element.clientHeight }));
    assert.ok(height > count * 20, "the scroll bar knows how long the list is");
    let largest = await elements(page);
    for (let at = 0; at <= 20; at += 1) {
      const top = Math.round(((height - view) * at) / 20);
      await scroller.evaluate((element, to) => (element.scrollTop = to), top);
      // Rows stand in the middle of the window, wherever it is.
      await until(
        () => scroller.evaluate((element) => {
          const box = element.getBoundingClientRect();
          return document.elementFromPoint(box.left + 300, box.top + box.height / 2)?.closest("tr[data-id]") !== null;
        }),
        `a row at ${top}`,
      );
      largest = Math.max(largest, await elements(page));
    }
    await page.locator(`tr[data-id="${id(count)}"]`).waitFor();
    assert.ok(largest < most, `${largest} elements`);
    // A change down here is shown here, and moves nothing.
    await app.call("backlog_manage", { op: "update", id: id(count), title: "The last" });
    await page.getByRole("link", { name: "The last" }).waitFor();
    await equals(() => page.locator(`tr[data-id="${id(count)}"]`).getAttribute("aria-rowindex"), String(count + 1));
  });

  it("are walked from one end to the other with keys", async () => {
    await page.at("mcp://backlog/tasks?sort=id");
    await page.locator(`tr[data-id="${id(1)}"]`).waitFor();
    await page.keyboard.press("j");
    await page.evaluate(() => (document.querySelector(".tasks-scroller").scrollTop = 1e9));
    await page.locator(`tr[data-id="${id(count)}"]`).waitFor();
    // What has the focus is still there, though it is out of view.
    assert.equal(await page.evaluate(() => document.activeElement.closest("tr").dataset.id), id(1));
    await page.keyboard.press("End");
    await equals(() => page.evaluate(() => document.activeElement.closest("tr")?.dataset.id), id(count));
    await page.keyboard.press("Home");
    await equals(() => page.evaluate(() => document.activeElement.closest("tr")?.dataset.id), id(1));
    assert.ok((await elements(page)) < most);
  });

  it("are a board of which only what is seen is drawn", async () => {
    await page.at("mcp://backlog/board");
    const column = page.locator('[data-status="open"]');
    await column.getByText(shown(count)).waitFor();
    assert.ok((await elements(page)) < most);
    await column.locator(".cards").evaluate((element) => (element.scrollTop = 100_000));
    await until(async () => (await column.locator("[data-id]").count()) > 3, "cards");
    assert.ok((await elements(page)) < most);
    const first = await column.locator("[data-id]").first().getAttribute("data-id");
    const card = column.locator(`[data-id="${first}"]`);
    await card.getByRole("link").focus();
    await page.keyboard.press("Shift+ArrowRight");
    await page.locator(`[data-status="in_progress"] [data-id="${first}"]`).waitFor();
    await column.getByText(shown(count - 1)).waitFor();
  });
});
