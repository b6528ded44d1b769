// The page of a task in a browser: what it shows, editing in its place, and two people at once.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { audit, backlog, closeBrowser, equals, shot, start, task, until } from "./harness.mjs";

after(closeBrowser);

const body = `It answers at \`/\`. See [the plan](../../../docs/plan.md) and [TASK-0003](mcp://backlog/tasks/TASK-0003).

## Acceptance criteria

- [x] It answers.
- [ ] It is quick.

## Comments

- **bo** 2026-11-06T10:30:00Z: The counts are wrong.
`;
const main = task(
  "TASK-0001",
  {
    title: "Serve the board",
    status: "in_progress",
    priority: "high",
    labels: ["http"],
    parent_id: "EPIC-0001",
    dependencies: ["TASK-0003", "TASK-0004"],
    references: [{ url: "mcp://backlog/resources/docs/plan.md", title: "The plan" }, { url: "https://example.org/spec" }, { url: "javascript:alert(1)" }],
    evidence: ["curl answers 200"],
    created_at: "2026-11-02T08:00:00Z",
    updated_at: "2026-11-10T08:00:00Z",
  },
  body,
);
const path = main[0];
const uri = "mcp://backlog/tasks/TASK-0001";

describe("the page of a task", () => {
  let app;
  let page;
  const text = () => app.read(path);
  const view = () => page.locator("main .task");
  before(async () => {
    app = await start({
      git: true,
      files: {
        "docs/plan.md": "# The plan\n\nFirst this.\n",
        ...backlog(
          task("MLST-0001", { title: "Autumn", type: "milestone" }),
          task("EPIC-0001", { title: "Ship it", type: "epic", parent_id: "MLST-0001" }),
          main,
          task("TASK-0002", { title: "Draw the columns", parent_id: "TASK-0001", dependencies: ["TASK-0001"] }),
          task("TASK-0003", { title: "Read the pages", status: "done" }),
          task("TASK-0004", { title: "Tell changes", status: "blocked" }),
          task("TASK-0005", { title: "A field is wrong", status: "asleep" }),
          task("TASK-0006", { title: "Twice the same" }, "- [ ] same\n\nbetween\n\n- [ ] same\n"),
          task("TASK-0007", { title: "To be deleted" }),
        ),
      },
    });
    page = await app.owner();
  });
  after(() => app.stop());

  it("shows the task, its parents, children, dependencies and references", async () => {
    await page.at(uri);
    await page.getByRole("heading", { level: 1, name: /Serve the board/ }).waitFor();
    await equals(() => page.getByRole("navigation", { name: "Parents of TASK-0001" }).getByRole("link").allTextContents(), ["MLST-0001 Autumn", "EPIC-0001 Ship it"]);
    await view().getByText("It answers at").waitFor();
    assert.deepEqual(await page.locator(".criteria-list li").allTextContents(), ["It answers.", "It is quick."]);
    const waits = page.getByRole("list", { name: "Waits for" });
    await equals(() => waits.getByRole("listitem").allTextContents(), ["Done TASK-0003 Read the pages", "Blocked TASK-0004 Tell changes"]);
    assert.deepEqual(await page.getByRole("list", { name: "Blocks" }).getByRole("listitem").allTextContents(), ["Open TASK-0002 Draw the columns"]);
    assert.equal(await page.locator("svg.edges path").count(), 3);
    assert.match(await page.locator(".task-list").textContent(), /TASK-0002 Draw the columns/);
    const links = page.locator(".task-references a");
    assert.deepEqual(await links.allTextContents(), ["The plan", "https://example.org/spec"], "a script is no link");
    assert.equal(await links.nth(1).getAttribute("rel"), "noopener noreferrer");
    await page.getByText("curl answers 200").waitFor();
    assert.match(await page.locator(".comments li").textContent(), /bo.*The counts are wrong/);
    assert.match(await page.title(), /^TASK-0001 Serve the board/);
  });

  it("opens its links beside, and Back closes them", async () => {
    await page.at(uri);
    await view().getByRole("link", { name: "TASK-0003", exact: true }).first().click();
    await page.locator("section.beside").getByRole("heading", { name: /Read the pages/ }).waitFor();
    await page.locator(".task-references a").first().click();
    await page.locator("section.beside").getByText("First this.").waitFor();
    await page.goBack();
    await page.locator("section.beside").getByRole("heading", { name: /Read the pages/ }).waitFor();
    await page.goBack();
    await page.locator("section.beside").waitFor({ state: "detached" });
    await page.goForward();
    await page.locator("section.beside").getByRole("heading", { name: /Read the pages/ }).waitFor();
  });

  it("ticks criteria, and changes nothing but that line", async () => {
    await page.at(uri);
    const before_ = text();
    await page.getByRole("checkbox", { name: "It is quick." }).check();
    await until(() => text().includes("- [x] It is quick."), "the file");
    assert.equal(text().replace("- [x] It is quick.", "- [ ] It is quick.").replace(/updated_at.*/, ""), before_.replace(/updated_at.*/, ""));
    await page.getByRole("checkbox", { name: "It is quick." }).uncheck();
    await until(() => text().includes("- [ ] It is quick."), "the file");
    await page.at("mcp://backlog/tasks/TASK-0006");
    await page.locator(".criteria-list").getByRole("checkbox", { name: "same" }).nth(1).check();
    await until(() => app.read(".lode/backlog/tasks/TASK-0006.md").endsWith("- [ ] same\n\nbetween\n\n- [x] same\n"), "the second line");
  });

  it("adds comments", async () => {
    await page.at(uri);
    await page.getByRole("textbox", { name: "Write a comment" }).fill("Seen on *Linux*.\n\nTwice.");
    await page.keyboard.press("Control+Enter");
    await page.locator(".comments li em", { hasText: "Linux" }).waitFor();
    assert.match(text(), /- \*\*\S+\*\* \S+: Seen on \*Linux\*\.\n/);
    await equals(() => page.getByRole("textbox", { name: "Write a comment" }).inputValue(), "");
  });

  it("changes fields in their place", async () => {
    await page.at(uri);
    const choose = async (button, option) => {
      await view().getByRole("button", { name: button }).click();
      await page.getByRole("option", { name: option }).first().click();
    };
    await choose(/^Priority/, "Low");
    await until(() => /^priority: low$/m.test(text()), "the priority");
    await view().getByRole("button", { name: "Assignee: Nobody" }).click();
    await page.keyboard.type("dara");
    await page.getByRole("option", { name: "dara" }).waitFor();
    await page.keyboard.press("Enter");
    await until(() => /^assignee: dara$/m.test(text()), "the assignee");
    await view().getByRole("button", { name: "Labels: http" }).click();
    await page.keyboard.type("viewer");
    await page.getByRole("option", { name: "viewer" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await until(() => /^labels: .*viewer|^ {2}- viewer$/m.test(text()), "the label");
    await view().getByLabel("Due").fill("2027-01-31");
    await page.keyboard.press("Enter");
    await until(() => /^due_date: "?2027-01-31/m.test(text()), "the due date");
    await choose(/^Parent/, "No parent");
    await until(() => !/^parent_id/m.test(text()), "no parent");
    await view().getByRole("button", { name: /^Waits for/ }).click();
    await page.getByRole("option", { name: "TASK-0003" }).first().click();
    await until(() => !/TASK-0003/.test(/^dependencies:[^]*?\n(?=\w)/m.exec(text())[0]), "no such dependency");
    await page.keyboard.press("Escape");
    await choose(/^Status of TASK-0001/, "Blocked");
    await until(() => /^status: blocked$/m.test(text()), "the status");
    await page.getByRole("button", { name: "Undo" }).click();
    await until(() => /^status: in_progress$/m.test(text()), "the status");
  });

  it("says what the server refuses", async () => {
    await page.at("mcp://backlog/tasks/TASK-0004");
    await view().getByRole("button", { name: /^Waits for/ }).click();
    await page.keyboard.type("TASK-0001");
    await page.getByRole("option", { name: "TASK-0001" }).first().click();
    await page.getByText(/It was not saved\..*round in a circle/).waitFor();
    await page.keyboard.press("Escape");
  });

  it("edits the title and the description, with a preview", async () => {
    await page.at(uri);
    await page.keyboard.press("t");
    await page.getByRole("textbox", { name: "Title" }).fill("Serve the board, quickly");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /quickly/ }).waitFor();
    assert.match(text(), /^title: Serve the board, quickly$/m);
    await page.keyboard.press("e");
    const field = page.getByRole("textbox", { name: "Description" });
    assert.equal(await field.inputValue(), text().split("---\n\n")[1]);
    await field.fill(`**More**\n\n${await field.inputValue()}`);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator(".editor-preview strong", { hasText: "More" }).waitFor();
    await shot(page, "task-preview");
    await field.press("Control+Enter");
    await field.waitFor({ state: "detached" });
    await view().locator("strong", { hasText: "More" }).waitFor();
    assert.ok(text().includes("---\n\n**More**\n\nIt answers"));
  });

  it("asks before it loses what was typed, and keeps it over a reload", async () => {
    await page.at(uri);
    await page.keyboard.press("e");
    const field = page.getByRole("textbox", { name: "Description" });
    await field.fill("half a thought");
    await page.reload();
    await field.waitFor();
    assert.equal(await field.inputValue(), "half a thought");
    await field.press("Escape");
    await page.getByText("Discard what you typed?").waitFor();
    await page.getByRole("button", { name: "Go on editing" }).click();
    assert.equal(await field.inputValue(), "half a thought");
    await field.press("Escape");
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await field.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.keyboard.press("e");
    assert.equal(await field.inputValue(), "half a thought");
    await field.press("Escape");
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await page.reload();
    await view().waitFor();
    assert.equal(await field.count(), 0);
  });

  it("shows an edit by hand at once, and leaves the caret and the scroll position where they are", async () => {
    await page.setViewportSize({ width: 1280, height: 400 });
    await page.at(uri);
    const field = page.getByRole("textbox", { name: "Write a comment" });
    await field.fill("I am still typing this");
    await field.evaluate((element) => element.setSelectionRange(5, 10));
    const before_ = await page.evaluate(() => document.querySelector("main").scrollTop);
    assert.ok(before_ > 0);
    app.write(path, text().replace("The counts are wrong.", "The counts are right.").replace("priority: low", "priority: critical"));
    await page.locator(".comments li", { hasText: "The counts are right." }).waitFor();
    const now = await field.evaluate((element) => ({
      value: element.value,
      from: element.selectionStart,
      to: element.selectionEnd,
      focused: document.activeElement === element,
      top: document.querySelector("main").scrollTop,
    }));
    assert.deepEqual(now, { value: "I am still typing this", from: 5, to: 10, focused: true, top: before_ });
    await field.fill("");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("lets two browsers edit one text, shows both, and loses nothing", async () => {
    app.write(...task("TASK-0020", { title: "Shared" }, "one\ntwo\nthree\n"));
    const shared = "mcp://backlog/tasks/TASK-0020";
    const other = await app.owner();
    const fieldOf = (who) => who.getByRole("textbox", { name: "Description" });
    for (const who of [page, other]) {
      await who.at(shared);
      await who.getByRole("heading", { level: 1, name: /Shared/ }).waitFor();
      await who.keyboard.press("e");
    }
    await fieldOf(page).fill("one\nTWO of the first\nthree\n");
    await fieldOf(other).fill("one\ntwo of the second\nthree\nfour\n");
    await fieldOf(other).press("Control+Enter");
    await fieldOf(other).waitFor({ state: "detached" });
    // The first is told, and what it typed stays.
    await page.getByText("Somebody changed this while you edit it.").waitFor();
    assert.equal(await fieldOf(page).inputValue(), "one\nTWO of the first\nthree\n");
    await fieldOf(page).press("Control+Enter");
    const conflict = page.getByRole("region", { name: "Somebody else changed this meanwhile." });
    await conflict.waitFor();
    const sides = conflict.locator(".side pre");
    assert.equal(await sides.nth(0).textContent(), "one\nTWO of the first\nthree\n");
    assert.equal(await sides.nth(1).textContent(), "one\ntwo of the second\nthree\nfour\n");
    await audit(page, "conflict");
    await conflict.getByRole("button", { name: "Edit both together" }).click();
    assert.equal(
      await fieldOf(page).inputValue(),
      "one\n<<<<<<< mine\nTWO of the first\n=======\ntwo of the second\n>>>>>>> theirs\nthree\nfour\n",
    );
    await fieldOf(page).fill("one\nTWO of both\nthree\nfour\n");
    await fieldOf(page).press("Control+Enter");
    await fieldOf(page).waitFor({ state: "detached" });
    assert.ok(app.read(".lode/backlog/tasks/TASK-0020.md").endsWith("\n\none\nTWO of both\nthree\nfour\n"));
    await other.locator("main .task-body", { hasText: "TWO of both" }).waitFor();

    // Taking one's own, and taking the other's.
    for (const [button, left] of [["Take mine", "mine"], ["Take theirs", "theirs"]]) {
      await page.keyboard.press("e");
      await fieldOf(page).fill("mine\n");
      await app.call("backlog_manage", { op: "update", id: "TASK-0020", replace: [{ old: "one\nTWO of both\nthree\nfour\n", new: "theirs\n" }] });
      await page.getByText("Somebody changed this while you edit it.").waitFor();
      await fieldOf(page).press("Control+Enter");
      await conflict.getByRole("button", { name: button }).click();
      await conflict.waitFor({ state: "detached" });
      await until(() => app.read(".lode/backlog/tasks/TASK-0020.md").endsWith(`\n\n${left}\n`), `the text ${left}`);
      await page.locator("main .task-body", { hasText: left }).waitFor();
      app.write(...task("TASK-0020", { title: "Shared" }, "one\nTWO of both\nthree\nfour\n"));
      await page.locator("main .task-body", { hasText: "TWO of both" }).waitFor();
    }
    await other.close();
  });

  it("makes a change of another field than somebody else's without asking", async () => {
    app.write(...task("TASK-0021", { title: "Shared too", priority: "low" }, "text\n"));
    const quiet = await app.owner();
    await quiet.route("**/events?**", (route) => route.abort());
    await quiet.at("mcp://backlog/tasks/TASK-0021");
    await quiet.getByRole("heading", { level: 1, name: /Shared too/ }).waitFor();
    await app.call("backlog_manage", { op: "update", id: "TASK-0021", title: "Shared indeed" });
    const choose = async (name) => {
      await quiet.getByRole("button", { name: /^Priority/ }).click();
      await quiet.getByRole("option", { name, exact: true }).click();
    };
    await choose("High");
    await until(() => /priority: high/.test(app.read(".lode/backlog/tasks/TASK-0021.md")), "the priority");
    assert.match(app.read(".lode/backlog/tasks/TASK-0021.md"), /title: Shared indeed/);
    await quiet.getByRole("button", { name: "Priority: High" }).waitFor();
    // The same field is a conflict.
    await app.call("backlog_manage", { op: "update", id: "TASK-0021", priority: "critical" });
    await choose("Lowest");
    const conflict = quiet.getByRole("region", { name: "Somebody else changed this meanwhile." });
    await conflict.getByText("critical").waitFor();
    await conflict.getByRole("button", { name: "Take mine" }).click();
    await until(() => /priority: lowest/.test(app.read(".lode/backlog/tasks/TASK-0021.md")), "the priority");
    await quiet.close();
  });

  it("claims, deletes and restores", async () => {
    await page.at("mcp://backlog/tasks/TASK-0007");
    await page.getByRole("button", { name: "Claim" }).click();
    await page.getByText("TASK-0007 is yours.").waitFor();
    assert.match(app.read(".lode/backlog/tasks/TASK-0007.md"), /status: in_progress\n[^]*assignee: /);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator("main").getByText("TASK-0007 was deleted.").waitFor();
    assert.equal(app.exists(".lode/backlog/tasks/TASK-0007.md"), false);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { level: 1, name: /To be deleted/ }).waitFor();
    assert.ok(app.exists(".lode/backlog/tasks/TASK-0007.md"));
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator("main").getByRole("button", { name: "Restore it" }).click();
    await page.getByRole("heading", { level: 1, name: /To be deleted/ }).waitFor();
  });

  it("shows its history from git, and an earlier version to be read only", async () => {
    app.git("commit", "-qam", "Change the board");
    await page.at(uri);
    await page.getByRole("heading", { name: "History" }).click();
    const history = page.locator(".history li");
    await equals(async () => (await history.allTextContents()).map((text) => /Begin|Change the board/.exec(text)?.[0]), ["Change the board", "Begin"]);
    await history.nth(1).getByRole("link").click();
    const beside = page.locator("section.beside");
    await beside.getByText("This is an earlier version.").waitFor();
    await beside.getByText("Serve the board", { exact: true }).waitFor();
    assert.equal(await beside.getByRole("checkbox", { name: "It is quick." }).isDisabled(), true);
    assert.equal(await beside.getByRole("button", { name: "Edit" }).count(), 0);
    await audit(page, "revision");
    await page.at(`${uri}/history`);
    await page.locator("main .history li").first().waitFor();
    await audit(page, "history");
  });

  it("shows problems, of one file and of all", async () => {
    await page.at("mcp://backlog/tasks/TASK-0005");
    await page.locator(".task-problems").getByText(/status is none of/).waitFor();
    app.write(".lode/backlog/tasks/TASK-0099.md", "---\ntitle: [open\n---\n");
    await page.at("mcp://backlog/problems");
    await equals(() => page.locator(".backlog-problems li a:first-child").allTextContents(), ["TASK-0005", "TASK-0099"]);
    await audit(page, "problems");
    await page.locator(".backlog-problems a", { hasText: "tasks/TASK-0099.md:2" }).click();
    await page.locator("section.beside").getByText("title: [open").waitFor();
    await page.at("mcp://backlog/tasks/TASK-0099");
    await page.getByText("Its file is malformed").waitFor();
    assert.equal(await page.getByRole("button", { name: "Edit" }).count(), 0);
  });

  it("is accessible in both themes, wide and narrow", async () => {
    await page.at(uri);
    await page.locator(".task-body .markdown p").first().waitFor();
    await audit(page, "task");
    await page.at("mcp://backlog/board", uri);
    await page.locator("section.beside .task-body .markdown p").first().waitFor();
    await audit(page, "board-and-task");
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Description" }).waitFor();
    await audit(page, "task-edit");
  });
});
