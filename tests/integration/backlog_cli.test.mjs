// `lode backlog` for people, and `lode import` of other backlogs, through the real program.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { makeWorkspace, program, run } from "./support.mjs";

const fixtures = join(dirname(fileURLToPath(import.meta.url)), "..", "fixtures");
const on = ["--resources-enabled", "true"];

const file = (id, fields, body = "Text.\n") => `---\nid: ${id}\ntitle: Title of ${id}\n${fields}---\n\n${body}`;
const backlog = (work) => join(work.root, ".lode/backlog");

async function json(work, ...args) {
  const { stdout, stderr, status } = await run(work, [...args, "--json", ...on]);
  assert.ok(stdout, stderr);
  return { ...JSON.parse(stdout), exit: status };
}

// On a pseudo terminal of so many columns.
function onTerminal(work, columns, args, environment = {}) {
  const command = `stty cols ${columns} && exec "${program}" ${args.join(" ")} --workspace "${work.root}"`;
  return new Promise((resolve) => {
    const env = { ...work.environment, TERM: "xterm", ...environment };
    execFile("script", ["-qec", command, "/dev/null"], { env }, (error, stdout) => resolve(stdout.replaceAll("\r\n", "\n")));
  });
}

function filesIn(directory) {
  const out = {};
  const walk = (here) => {
    for (const entry of readdirSync(here, { withFileTypes: true })) {
      const path = join(here, entry.name);
      if (entry.isDirectory()) walk(path);
      else out[relative(directory, path)] = readFileSync(path, "latin1");
    }
  };
  if (existsSync(directory)) walk(directory);
  return out;
}

describe("lode backlog", () => {
  let work;
  before(() => {
    work = makeWorkspace({
      ".lode/backlog/tasks/TASK-0001.md": file("TASK-0001", "status: in_progress\npriority: high\nassignee: ana\nlabels: [ui]\n"),
      ".lode/backlog/tasks/TASK-0002.md": file("TASK-0002", "status: open\ndependencies: [TASK-0001]\n", "## Acceptance criteria\n\n- [ ] It answers\n"),
      ".lode/backlog/tasks/TASK-0003.md": file("TASK-0003", "status: done\n"),
      ".lode/backlog/tasks/TASK-0004.md": file("TASK-0004", "status: open\ndue_date: 2026-12-01\n").replace("Title of TASK-0004", '"A title that goes on for a very long time, much longer than any terminal is wide, as titles do \\x1b[31m"'),
    });
  });
  after(() => work.remove());

  it("lists what is to be done, filtered as asked", async () => {
    const ids = async (...args) => (await json(work, "backlog", "list", ...args)).tasks.map((task) => task.id);
    assert.deepEqual(await ids(), ["TASK-0001", "TASK-0004", "TASK-0002"]);
    assert.deepEqual((await ids("--all")).length, 4);
    assert.deepEqual(await ids("--status", "done"), ["TASK-0003"]);
    assert.deepEqual(await ids("--status", "done,in_progress", "--sort", "id"), ["TASK-0001", "TASK-0003"]);
    assert.deepEqual(await ids("--label", "ui"), ["TASK-0001"]);
    assert.deepEqual(await ids("--assignee", "ana"), ["TASK-0001"]);
    assert.deepEqual(await ids("--ready"), ["TASK-0004"]);
    assert.deepEqual(await ids("-q", "answers"), ["TASK-0002"]);
    const first = await json(work, "backlog", "list", "--limit", "1");
    assert.equal(first.tasks.length, 1);
    assert.equal(first.more, true);
    assert.equal((await run(work, ["backlog", "list", "--status", "nonsense", ...on])).status, 2);
    const plain = await run(work, ["backlog", "list", ...on]);
    assert.match(plain.stdout, /^TASK-0001 {2}in_progress {2}Title of TASK-0001 !high @ana$/m);
    assert.doesNotMatch(plain.stdout, /\u001b/, "neither colours nor what a title holds");
  });

  it("shows one task", async () => {
    const shown = await run(work, ["backlog", "show", "task-0002", ...on]);
    assert.match(shown.stdout, /^TASK-0002 Title of TASK-0002$/m);
    assert.match(shown.stdout, /^blocked by +TASK-0001$/m);
    assert.match(shown.stdout, /- \[ \] It answers/);
    assert.equal((await json(work, "backlog", "show", "TASK-0002")).id, "TASK-0002");
    assert.equal((await run(work, ["backlog", "show", "TASK-0404", ...on])).status, 3);
  });

  it("fits the board to the terminal, in colour unless NO_COLOR is set", async () => {
    for (const columns of [40, 80, 132]) {
      const board = await onTerminal(work, columns, ["backlog", "board", ...on], { NO_COLOR: "1" });
      assert.match(board, /In progress/);
      assert.doesNotMatch(board, /\u001b/);
      for (const line of board.split("\n")) assert.ok([...line].length <= columns, `${columns}: ${line}`);
    }
    const coloured = await onTerminal(work, 80, ["backlog", "board", ...on]);
    assert.match(coloured, /\u001b\[34mTASK-0001/);
    const piped = await run({ ...work, environment: { ...work.environment, COLUMNS: "70" } }, ["backlog", "board", ...on]);
    assert.match(piped.stdout, /^In progress +Ready +Blocked or wait… +Done lately/m);
    assert.doesNotMatch(piped.stdout, /\u001b/);
    const data = await json(work, "backlog", "board");
    assert.deepEqual(data.in_progress.tasks.map((task) => task.id), ["TASK-0001"]);
    assert.deepEqual(data.ready.tasks.map((task) => task.id), ["TASK-0004"]);
    assert.deepEqual(data.blocked.tasks.map((task) => task.id), ["TASK-0002"]);
    const stuck = join(backlog(work), "tasks/TASK-0009.md");
    writeFileSync(stuck, file("TASK-0009", "status: blocked\nblocked_reason: the walrus\n"));
    const blocked = async (...args) => (await json(work, "backlog", "board", ...args)).blocked;
    assert.deepEqual((await blocked()).tasks.map((task) => task.id), ["TASK-0009", "TASK-0002"]);
    const first = await blocked("--limit", "1");
    assert.deepEqual([first.tasks.map((task) => task.id), first.more], [["TASK-0009"], true]);
    const wide = await run({ ...work, environment: { ...work.environment, COLUMNS: "160" } }, ["backlog", "board", ...on]);
    assert.match(wide.stdout, /TASK-0009/);
    rmSync(stuck);
  });

  it("makes tasks, and marks them as done", async () => {
    const made = await json(work, "backlog", "new", "Write the guide", "--label", "docs,ui", "--priority", "low", "--depends-on", "TASK-0001", "--due", "2026-12-24", "--body", "All of it.");
    assert.equal(made.id, "TASK-0005");
    assert.equal(made.uri, "mcp://backlog/tasks/TASK-0005");
    const task = await json(work, "backlog", "show", "TASK-0005");
    assert.equal(task.title, "Write the guide");
    assert.deepEqual(task.labels, ["docs", "ui"]);
    assert.deepEqual(task.dependencies, ["TASK-0001"]);
    assert.equal(task.due, "2026-12-24");
    assert.match(task.body, /All of it\./);
    const done = await run(work, ["backlog", "done", "TASK-0005", "TASK-0001", "--evidence", "seen", ...on]);
    assert.equal(done.status, 0, done.stderr);
    assert.equal((await json(work, "backlog", "list", "--status", "done")).tasks.length, 3);
    const none = await run(work, ["backlog", "done", "TASK-0404", ...on]);
    assert.equal(none.status, 3);
    assert.match(none.stderr, /TASK-0404/);
    const plain = await run(work, ["backlog", "new", "Plain", ...on]);
    assert.equal(plain.stdout, "TASK-0006\n");
    assert.equal((await run(work, ["backlog", "new", "Lost", "--parent", "EPIC-0404", ...on])).status, 3);
    const wrong = await run(work, ["backlog", "new", "Late", "--due", "soon", ...on]);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /2026-12-01\. Example: lode backlog new 'Serve the board'/);
    assert.doesNotMatch(wrong.stderr, /"op"/);
  });

  it("edits a copy, and saves nothing that is malformed", async () => {
    const path = join(backlog(work), "tasks/TASK-0002.md");
    const before = readFileSync(path, "utf8");
    const edit = (script, name = "EDITOR") => {
      const editor = join(work.base, "editor.sh");
      writeFileSync(editor, `#!/bin/sh\n${script}\n`);
      chmodSync(editor, 0o755);
      return run({ ...work, environment: { ...work.environment, [name]: editor } }, ["backlog", "edit", "TASK-0002", ...on]);
    };
    const same = await edit("true");
    assert.match(same.stdout, /TASK-0002 unchanged/);
    const broken = await edit('printf -- "---\\na: [\\n---\\n" > "$1"');
    assert.equal(broken.status, 1);
    assert.match(broken.stderr, /was not saved: .*malformed.* what you wrote is in /);
    const kept = /what you wrote is in (\S+)/.exec(broken.stderr)[1];
    assert.match(readFileSync(kept, "utf8"), /a: \[/);
    assert.equal(readFileSync(path, "utf8"), before);
    const renamed = await edit('sed -i "s/^id: .*/id: TASK-0777/" "$1"');
    assert.match(renamed.stderr, /its id is TASK-0777 now/);
    const failed = await edit("exit 3");
    assert.match(failed.stderr, /the editor failed/);
    const raced = await edit(`echo more >> "$1"; echo theirs >> "${path}"`);
    assert.equal(raced.status, 1);
    assert.match(raced.stderr, /was not saved/);
    assert.match(readFileSync(path, "utf8"), /theirs\n$/);
    const saved = await edit('sed -i "s/It answers/It answers twice/" "$1"', "VISUAL");
    assert.equal(saved.status, 0, saved.stderr);
    assert.match(readFileSync(path, "utf8"), /It answers twice/);
  });

  it("renumbers ids that a merge brought twice, when told to", async () => {
    const twin = join(backlog(work), "tasks/TASK-0003-twin.md");
    writeFileSync(twin, file("TASK-0003", "status: open\ncreated_at: 2030-01-01T00:00:00Z\n").replace("Title of", "Twin of"));
    const plan = await json(work, "backlog", "renumber");
    assert.equal(plan.applied, false);
    assert.equal(plan.renumbered.length, 1, JSON.stringify(plan));
    assert.ok(existsSync(twin));
    const done = await json(work, "backlog", "renumber", "--apply");
    assert.equal(done.renumbered.length, 1);
    assert.equal((await json(work, "backlog", "renumber")).renumbered.length, 0);
    assert.equal((await json(work, "backlog", "show", done.renumbered[0].new_id)).id, done.renumbered[0].new_id);
  });

  it("helps", async () => {
    const help = await run(work, ["backlog", "list", "--help"]);
    assert.equal(help.status, 0);
    assert.match(help.stdout, /--ready/);
    const wrong = await run(work, ["backlog", "lsit"]);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /did you mean "list"/);
  });
});

describe("files of other programs, and of a merge", () => {
  it("have types of their own, and problems that say what to do", async () => {
    const work = makeWorkspace({
      ".lode/backlog/tasks/TASK-0001.md": file("TASK-0001", "type: bug\nlabels: [ui]\n"),
      ".lode/backlog/tasks/TASK-0002.md": "---\nid: TASK-0002\n<<<<<<< HEAD\ntitle: A\n=======\ntitle: B\n>>>>>>> x\n---\n",
    });
    const bug = await json(work, "backlog", "show", "TASK-0001");
    assert.equal(bug.type, "task");
    assert.deepEqual(bug.labels, ["ui", "bug"]);
    await run(work, ["backlog", "done", "TASK-0001", ...on]);
    assert.match(readFileSync(join(backlog(work), "tasks/TASK-0001.md"), "utf8"), /^type: bug\nlabels: \[ui\]$/m);
    assert.equal(bug.problems, undefined);
    const { stdout } = await run(work, ["read", "mcp://backlog/problems", ...on]);
    assert.doesNotMatch(stdout, /TASK-0001/);
    assert.match(stdout, /TASK-0002.*lode backlog renumber/s);
    work.remove();
  });
});

describe("an id that Backlog.md gave again", () => {
  it("is that of the task that is not archived", async () => {
    const task = (title, status) => `---\nid: TASK-1\ntitle: ${title}\nstatus: ${status}\n---\n`;
    const from = makeWorkspace({
      "backlog/config.yml": "project_name: x\n",
      "backlog/archive/tasks/task-1 - Old.md": task("Old", "To Do"),
      "backlog/tasks/task-1 - New.md": task("New", "To Do"),
    });
    const work = makeWorkspace({ "README.md": "# Project\n" });
    const report = await json(work, "import", from.root);
    assert.equal(report.files.find((each) => each.from.includes("Old")).fate, "conflict");
    const { tasks } = await json(work, "backlog", "list", "--all");
    assert.deepEqual(tasks.map((each) => each.title), ["New"]);
    from.remove();
    work.remove();
  });
});

describe("a tree with a secret and a pit in it", () => {
  it("is imported without them, and says so", async () => {
    const deep = `backlog/docs/${"d/".repeat(40)}`;
    const from = makeWorkspace({
      "backlog/config.yml": "project_name: x\n",
      "backlog/tasks/task-1 - New.md": "---\nid: TASK-1\ntitle: New\nstatus: To Do\n---\n",
      "backlog/docs/.env": "KEY=abcdef\n",
      "backlog/docs/plan.md": "# plan\n",
      [`${deep}x.md`]: "deep\n",
    });
    const work = makeWorkspace({ "README.md": "# Project\n" });
    const report = await json(work, "import", from.root);
    const fates = (part) => report.files.filter((each) => each.from.includes(part)).map((each) => [each.fate, each.notes]);
    assert.deepEqual(fates(".env"), [["skipped", ["its name is that of a secret"]]]);
    assert.deepEqual(fates("d/d/d"), [["skipped", ["directories are nested deeper than 32"]]]);
    assert.equal(fates("plan.md")[0][0], "kept");
    assert.ok(!existsSync(join(work.root, ".lode/backlog/artifacts/docs/.env")));
    const { tasks } = await json(work, "backlog", "list", "--all");
    assert.deepEqual(tasks.map((each) => each.title), ["New"]);
    from.remove();
    work.remove();
  });
});

describe("import of Backlog.md", () => {
  const source = join(fixtures, "backlog_md");
  let work;
  before(() => (work = makeWorkspace({ "README.md": "# Project\n" })));
  after(() => work.remove());
  const find = (report, name) => report.files.find((each) => each.from.includes(name));

  it("says what it would do", async () => {
    const plan = await json(work, "import", source, "--dry-run");
    assert.equal(plan.format, "backlog.md");
    assert.equal(plan.exit, 0);
    assert.deepEqual(plan.files.map((each) => each.from).sort(), Object.keys(filesIn(source)).sort());
    assert.deepEqual(filesIn(backlog(work)), {});
  });

  it("brings every task, with what belongs to it", async () => {
    const untouched = filesIn(source);
    const done = await json(work, "import", source);
    assert.equal(done.exit, 0, JSON.stringify(done));
    assert.deepEqual(filesIn(source), untouched);
    assert.equal(find(done, "task-2 ").fate, "kept");
    assert.equal(find(done, "task-1 ").fate, "mended");
    assert.equal(find(done, "config.yml").fate, "skipped");
    assert.equal(find(done, "doc-1").to, "artifacts/docs/doc-1 - Guide.md");

    const show = (id) => json(work, "backlog", "show", id);
    const first = await show("TASK-1");
    assert.equal(first.status, "open");
    assert.equal(first.parent, "m-0");
    assert.equal(first.priority, "high");
    assert.equal(first.due, "2026-12-01");
    assert.deepEqual(first.labels, ["auth", "ui"]);
    assert.deepEqual(first.acceptance_criteria.map((each) => each.done), [false, false]);
    assert.deepEqual(first.children.map((each) => each.id), ["task-1.1"]);
    assert.deepEqual((await show("TASK-2")).dependencies, ["TASK-1"]);
    assert.deepEqual((await show("TASK-2")).blocked_by.map((each) => each.id), ["task-1"]);
    assert.deepEqual((await show("TASK-4")).acceptance_criteria.map((each) => each.done), [true]);
    assert.deepEqual((await show("DRAFT-1")).labels, ["draft"]);
    assert.deepEqual((await show("TASK-3")).labels, ["archived"]);
    assert.equal((await show("m-0")).type, "milestone");
    const guide = await run(work, ["read", "mcp://backlog/artifacts/docs/doc-1%20-%20Guide.md", ...on]);
    assert.equal(guide.stdout, readFileSync(join(source, "backlog/docs/doc-1 - Guide.md"), "utf8"));
  });

  it("brings nothing twice, and does not overwrite", async () => {
    const once = filesIn(backlog(work));
    const again = await json(work, "import", join(source, "backlog"));
    assert.equal(again.counts.kept + again.counts.mended, 0);
    assert.deepEqual(filesIn(backlog(work)), once);
    const changed = join(backlog(work), "tasks/task-2 - Store-sessions-with-care-now.md");
    writeFileSync(changed, readFileSync(changed, "utf8") + "More.\n");
    const conflict = await json(work, "import", source);
    assert.equal(conflict.exit, 5);
    assert.equal(find(conflict, "task-2 ").fate, "conflict");
    assert.match(readFileSync(changed, "utf8"), /More\./);
    const replaced = await json(work, "import", source, "--replace");
    assert.equal(replaced.exit, 0);
    assert.doesNotMatch(readFileSync(changed, "utf8"), /More\./);
  });

  it("leaves what is malformed behind, and says where", async () => {
    const copy = join(work.base, "copy");
    cpSync(source, copy, { recursive: true });
    writeFileSync(join(copy, "backlog/tasks/task-9 - Broken.md"), "---\nid: [\n---\n");
    writeFileSync(join(copy, "backlog/tasks/task-2 - Again.md"), "---\nid: TASK-2\ntitle: Again\n---\n");
    const done = await json(work, "import", copy, "--from", "backlog.md");
    assert.equal(done.exit, 5);
    assert.equal(find(done, "task-9").fate, "broken");
    assert.match(find(done, "task-9").notes[0], /line/);
    assert.ok(["task-2 - Again", "task-2 - Store"].some((name) => find(done, name).fate === "conflict"));
    const none = await run(work, ["import", join(work.root), "--from", "backlog.md", ...on]);
    assert.equal(none.status, 1);
  });

  it("takes homes of backlog-mcp", async () => {
    const home = join(work.base, "home");
    mkdirSync(join(home, "docs/tasks"), { recursive: true });
    mkdirSync(join(home, "docs/epics"));
    writeFileSync(join(home, "docs/tasks/TASK-0041.md"), file("TASK-0041", "status: open\nparent_id: EPIC-0002\n"));
    writeFileSync(join(home, "docs/epics/EPIC-0002.md"), file("EPIC-0002", "status: open\n"));
    const done = await json(work, "import", home);
    assert.equal(done.format, "backlog-mcp");
    assert.equal(find(done, "TASK-0041").to, "tasks/TASK-0041.md");
    assert.deepEqual((await json(work, "backlog", "show", "EPIC-0002")).children.map((each) => each.id), ["TASK-0041"]);
  });
});
