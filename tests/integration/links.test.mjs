// `lode links` and `lode path` through the real program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { makeWorkspace, run } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const task = "---\nid: TASK-0001\ntitle: One\nstatus: open\n---\n\nText.\n";

async function check(work, ...args) {
  const { stdout, stderr, status } = await run(work, ["links", "check", ...args, "--json", ...on]);
  assert.ok(stdout, stderr);
  return { ...JSON.parse(stdout), status };
}

async function convert(work, ...args) {
  const { stdout, stderr, status } = await run(work, ["links", "convert", ...args, "--json", ...on]);
  assert.ok(stdout, stderr);
  return { ...JSON.parse(stdout), status };
}

describe("links check", () => {
  let work;
  before(() => {
    work = makeWorkspace({
      "README.md": "# Project\n\n[docs](docs/a.md), [root](/docs/a.md), <https://example.com>\n",
      "docs/a.md": "[up](../README.md#project)\n",
      ".lode/backlog/tasks/TASK-0001.md": task,
      "ignored/b.md": "[dead](nowhere.md)\n",
      ".gitignore": "ignored/\n",
    });
  });
  after(() => work.remove());

  it("finds nothing where all is well", async () => {
    const found = await check(work);
    assert.deepEqual(found.problems, []);
    assert.equal(found.status, 0);
    assert.equal(found.links, 4);
  });

  it("does not say that all is well when a file was left out", async () => {
    const other = makeWorkspace({ "README.md": "# Project\n" });
    writeFileSync(join(other.root, "latin.md"), Buffer.from([0x23, 0x20, 0xe9, 0x0a]));
    const { stdout, stderr, status } = await run(other, ["links", "check", ...on]);
    assert.equal(status, 5);
    assert.match(stdout, /no problems; 1 left out/);
    assert.doesNotMatch(stdout, /all is well/);
    assert.match(stderr, /latin\.md: left alone: it is no UTF-8/);
    other.remove();
  });

  it("names file, line, link and what would be right", async () => {
    writeFileSync(join(work.root, "docs/wrong.md"), `---
url: file://${work.root}/docs/a.md
---

[dead](gone.md), [moved](TASK-0001.md), [short](a)
\`[code](gone.md)\` and mcp://backlog/tasks/{id}

\`\`\`
[code](gone.md)
\`\`\`

[absolute](${work.root}/README.md#project) [other](file:///Users/bo/work/docs/a.md) [far](file:///Users/bo/x/none.md)
<mcp://backlog/tasks/TASK-0001> mcp://backlog/tasks/TASK-0404, mcp://backlog/resources/docs/a.md
[task](file://${work.root}/.lode/backlog/tasks/TASK-0001.md) resource://project/nothing-here
`);
    const found = await check(work);
    assert.equal(found.status, 1);
    const told = found.problems.map(({ line, problem, link, right }) => [line, problem, link.replace(work.root, "ROOT"), right]);
    assert.deepEqual(told, [
      [2, "machine-specific", "file://ROOT/docs/a.md", "mcp://backlog/resources/docs/a.md"],
      [5, "dead", "gone.md", undefined],
      [5, "dead", "TASK-0001.md", "../.lode/backlog/tasks/TASK-0001.md"],
      [5, "dead", "a", "a.md"],
      [12, "machine-specific", "ROOT/README.md#project", "mcp://backlog/resources/README.md#project"],
      [12, "machine-specific", "file:///Users/bo/work/docs/a.md", "mcp://backlog/resources/docs/a.md"],
      [12, "machine-specific", "file:///Users/bo/x/none.md", undefined],
      [13, "unresolved", "mcp://backlog/tasks/TASK-0404", undefined],
      [14, "machine-specific", "file://ROOT/.lode/backlog/tasks/TASK-0001.md", "mcp://backlog/tasks/TASK-0001"],
      [14, "unresolved", "resource://project/nothing-here", undefined],
    ]);
    assert.ok(found.problems.every((problem) => problem.file === "docs/wrong.md" && problem.why));
    const plain = await run(work, ["links", "check", ...on]);
    assert.equal(plain.status, 1);
    assert.match(plain.stdout, /^docs\/wrong\.md:5: dead: a: no such file; write a\.md$/m);
    const narrow = await check(work, "README.md");
    assert.equal(narrow.status, 0);
    assert.equal((await run(work, ["links", "check", "none.md", ...on])).status, 3);
    const off = await run(work, ["links", "check", "--resources-enabled", "false"]);
    assert.match(off.stderr, /resources are off/);
  });
});

describe("links convert", () => {
  let work;
  before(() => {
    work = makeWorkspace({ "docs/a.md": "# A\n", ".lode/backlog/tasks/TASK-0001.md": task });
    writeFileSync(join(work.root, "b.md"), `first\r\n[a](file://${work.root}/docs/a.md#x "t") [b](file:///nowhere/z.md)\r\nlast`);
    writeFileSync(join(work.root, "broken.md"), `---\na: [\n---\n[a](file://${work.root}/docs/a.md)\n`);
    writeFileSync(join(work.root, ".lode/backlog/tasks/TASK-0002.md"), `---\nid: TASK-0002\ntitle: Two\nstatus: open # now\nreferences:\n  - url: file://${work.root}/.lode/backlog/tasks/TASK-0001.md\n---\n`);
    chmodSync(join(work.root, "b.md"), 0o640);
  });
  after(() => work.remove());

  it("shows a diff, and writes nothing", async () => {
    const old = readFileSync(join(work.root, "b.md"), "utf8");
    const done = await convert(work);
    assert.equal(done.status, 5, "a malformed file is left alone");
    assert.equal(done.applied, false);
    assert.deepEqual(done.files.map((file) => file.file), [".lode/backlog/tasks/TASK-0002.md", "b.md"]);
    assert.match(done.files[1].diff, /^--- a\/b\.md\n\+\+\+ b\/b\.md\n@@ -1,3 \+1,3 @@\n first\r\n-\[a\]\(file:/);
    assert.deepEqual(done.left_alone.map((left) => left.file), ["broken.md"]);
    assert.match(done.left_alone[0].why, /malformed: line/);
    assert.equal(readFileSync(join(work.root, "b.md"), "utf8"), old);
    const plain = await run(work, ["links", "convert", "b.md", ...on]);
    assert.match(plain.stdout, /^\+\[a\]\(mcp:\/\/backlog\/resources\/docs\/a\.md#x "t"\)/m);
    assert.match(plain.stderr, /--apply/);
  });

  it("changes the bytes of the links alone", async () => {
    const broken = readFileSync(join(work.root, "broken.md"), "utf8");
    const done = await convert(work, "--apply");
    assert.equal(done.applied, true);
    assert.equal(done.count, 2);
    assert.equal(readFileSync(join(work.root, "b.md"), "utf8"), 'first\r\n[a](mcp://backlog/resources/docs/a.md#x "t") [b](file:///nowhere/z.md)\r\nlast');
    assert.equal(statSync(join(work.root, "b.md")).mode & 0o777, 0o640);
    assert.equal(readFileSync(join(work.root, ".lode/backlog/tasks/TASK-0002.md"), "utf8"), "---\nid: TASK-0002\ntitle: Two\nstatus: open # now\nreferences:\n  - url: mcp://backlog/tasks/TASK-0001\n---\n");
    assert.equal(readFileSync(join(work.root, "broken.md"), "utf8"), broken);
    const again = await convert(work, "--apply");
    assert.equal(again.count, 0);
  });

  it("waits for who holds the backlog, and loses nothing that came meanwhile", async () => {
    const held = makeWorkspace({ "docs/a.md": "# A\n" });
    const directory = join(held.root, ".lode/backlog");
    const path = join(directory, "tasks/TASK-0001.md");
    mkdirSync(join(directory, "tasks"), { recursive: true });
    const text = `---\nid: TASK-0001\ntitle: One\nstatus: open\n---\n\n[a](file://${held.root}/docs/a.md)\n`;
    writeFileSync(path, text);
    // As one who changes a task does.
    const holder = spawn("flock", [directory, "sh", "-c", "echo held; read end"], { stdio: ["pipe", "pipe", "inherit"] });
    await once(holder.stdout, "data");
    let over = false;
    const converting = convert(held, "--apply").finally(() => (over = true));
    const until = Date.now() + 3000;
    while (!over && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(readFileSync(path, "utf8"), text, "written while another held the backlog");
    appendFileSync(path, "A comment.\n");
    holder.stdin.end("\n");
    const done = await converting;
    assert.match(readFileSync(path, "utf8"), /A comment\.\n$/);
    if (done.status !== 0) assert.match(done.left_alone[0].why, /changed meanwhile/);
    const again = await convert(held, "--apply");
    assert.equal(again.status, 0);
    assert.match(readFileSync(path, "utf8"), /\[a\]\(mcp:\/\/backlog\/resources\/docs\/a\.md\)\nA comment\.\n$/);
    held.remove();
  });

  it("gives addresses that lead back to the file", async () => {
    const there = async (uri) => (await run(work, ["path", uri, ...on])).stdout.trim();
    assert.equal(await there("mcp://backlog/resources/docs/a.md"), join(work.root, "docs/a.md"));
    assert.equal(await there("mcp://backlog/tasks/TASK-0001"), join(work.root, ".lode/backlog/tasks/TASK-0001.md"));
    assert.equal((await run(work, ["path", "mcp://backlog/tasks/TASK-0404", ...on])).status, 3);
  });

  it("looks at a backlog outside of the workspace too", async () => {
    const home = join(work.base, ".backlog");
    mkdirSync(join(home, "tasks"), { recursive: true });
    writeFileSync(join(home, "tasks/TASK-0001.md"), task);
    writeFileSync(join(home, "tasks/TASK-0002.md"), `---\nid: TASK-0002\ntitle: Two\n---\n[one](file:///Users/bo/.backlog/tasks/TASK-0001.md) [a](file://${work.root}/docs/a.md)\n`);
    const done = await convert(work, "--apply", "--backlog-dir", home);
    assert.equal(done.count, 2, JSON.stringify(done));
    const converted = /\[one\]\(mcp:\/\/backlog\/tasks\/TASK-0001\) \[a\]\(mcp:\/\/backlog\/resources\/docs\/a\.md\)/;
    assert.match(readFileSync(join(home, "tasks/TASK-0002.md"), "utf8"), converted);
    // By another name of the same directory.
    writeFileSync(join(home, "tasks/TASK-0003.md"), `---\nid: TASK-0003\ntitle: Three\n---\n[a](file://${work.root}/docs/a.md)\n`);
    symlinkSync(home, join(work.base, "alias"));
    assert.equal((await convert(work, "--apply", "--backlog-dir", join(work.base, "alias"))).count, 1);
    assert.match(readFileSync(join(home, "tasks/TASK-0003.md"), "utf8"), /\(mcp:\/\/backlog\/resources\/docs\/a\.md\)/);
  });
});
