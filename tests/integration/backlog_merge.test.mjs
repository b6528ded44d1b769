// Ids that two clones gave twice: what `lode backlog renumber` makes of a real merge.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, it } from "node:test";
import { makeWorkspace, run } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const tasksOf = (clone) => join(clone.root, ".lode/backlog/tasks");
const read = (clone, name) => readFileSync(join(tasksOf(clone), name), "utf8");

const author = { GIT_AUTHOR_NAME: "Ana", GIT_AUTHOR_EMAIL: "a@example.org", GIT_COMMITTER_NAME: "Ana", GIT_COMMITTER_EMAIL: "a@example.org" };
const git = (clone, ...args) => execFileSync("git", ["-C", clone.root, ...args], { env: { ...clone.environment, ...author, GIT_CONFIG_NOSYSTEM: "1" }, stdio: "pipe" }).toString();
const commit = (clone, message) => (git(clone, "add", "-Af"), git(clone, "commit", "-qm", message));

async function lode(clone, ...args) {
  const done = await run(clone, ["backlog", ...args, ...on]);
  return { ...done, json: args.includes("--json") && done.stdout ? JSON.parse(done.stdout) : undefined };
}
async function make(clone, ...args) {
  const made = await lode(clone, "new", ...args);
  assert.equal(made.status, 0, made.stderr);
}
// Every task by its title: its id, and the titles of what it needs and is part of.
async function meaning(clone) {
  const { json } = await lode(clone, "list", "--all", "--json");
  const title = new Map(json.tasks.map((task) => [task.id, task.title]));
  const out = {};
  for (const each of json.tasks) {
    const task = (await lode(clone, "show", each.id, "--json")).json;
    const named = [...(task.dependencies ?? []), ...(task.parent ? [task.parent] : [])];
    out[task.title] = { id: task.id, means: named.map((id) => title.get(id)), body: task.body };
  }
  return out;
}

// Two clones of one beginning, each of which makes TASK-0002 and tasks that mean it.
async function makeClones() {
  const ours = makeWorkspace({ "README.md": "# Project\n" });
  git(ours, "init", "-q", "-b", "main");
  await make(ours, "Base");
  commit(ours, "Begin");
  const theirs = makeWorkspace({ "README.md": "# Project\n" });
  rmSync(theirs.root, { recursive: true });
  execFileSync("git", ["clone", "-q", ours.root, theirs.root], { env: theirs.environment });
  for (const [clone, name] of [[ours, "Alpha"], [theirs, "Beta"]]) {
    await make(clone, name);
    await make(clone, `${name} needs it`, "--depends-on", "TASK-0002");
    await make(clone, `${name} is part of it`, "--parent", "TASK-0002", "--body", "See mcp://backlog/tasks/TASK-0002 and mcp://backlog/tasks/TASK-0003.");
  }
  await make(theirs, "Beta alone", "--depends-on", "TASK-0002,TASK-0001", "--body", "After mcp://backlog/tasks/TASK-0003/file");
  commit(ours, "Ours");
  commit(theirs, "Theirs");
  return { ours, theirs };
}
const pull = (ours, theirs, ...how) => spawnSync("git", ["-C", ours.root, "pull", "-q", ...how, theirs.root, "main"], { env: { ...ours.environment, ...author }, stdio: "pipe" }).status;

async function assertFollowed(clone) {
  const all = await meaning(clone);
  assert.equal(new Set(Object.values(all).map((task) => task.id)).size, 8, JSON.stringify(all));
  for (const name of ["Alpha", "Beta"]) {
    assert.deepEqual(all[`${name} needs it`].means, [name]);
    assert.deepEqual(all[`${name} is part of it`].means, [name]);
    assert.match(all[`${name} is part of it`].body, new RegExp(`${all[name].id} and mcp://backlog/tasks/${all[`${name} needs it`].id}\\.`));
  }
  assert.deepEqual(all["Beta alone"].means, ["Beta", "Base"]);
  assert.match(all["Beta alone"].body, new RegExp(`${all["Beta needs it"].id}/file`));
}

describe("renumbering after a merge of clones", () => {
  let clones;
  afterEach(() => Object.values(clones).forEach((clone) => clone.remove()));

  it("follows what each side meant, while the merge is under way", async () => {
    clones = await makeClones();
    assert.notEqual(pull(clones.ours, clones.theirs, "--no-rebase"), 0);
    const plan = await lode(clones.ours, "renumber");
    assert.equal(plan.status, 0, plan.stdout + plan.stderr);
    const done = await lode(clones.ours, "renumber", "--apply", "--json");
    assert.equal(done.status, 0, done.stderr);
    assert.equal(done.json.applied, true);
    assert.deepEqual(done.json.unclear, []);
    assert.equal(done.json.renumbered.length, 3);
    await assertFollowed(clones.ours);
  });

  it("follows when the task that is asked for keeps the id", async () => {
    clones = await makeClones();
    pull(clones.ours, clones.theirs, "--no-rebase");
    const done = await lode(clones.ours, "renumber", "--apply", "--keep", ".lode/backlog/tasks/TASK-0002.md:theirs", "--json");
    assert.equal(done.status, 0, done.stderr);
    await assertFollowed(clones.ours);
    assert.equal((await meaning(clones.ours)).Beta.id, "TASK-0002");
  });

  it("follows while a rebase is under way", async () => {
    clones = await makeClones();
    assert.notEqual(pull(clones.ours, clones.theirs, "--rebase"), 0);
    const done = await lode(clones.ours, "renumber", "--apply");
    assert.equal(done.status, 0, done.stdout + done.stderr);
    await assertFollowed(clones.ours);
  });

  it("follows when the merge was committed, with the other task under another name", async () => {
    clones = await makeClones();
    const { ours, theirs } = clones;
    for (const name of readdirSync(tasksOf(theirs)).filter((each) => !/000[15]/.test(each))) {
      renameSync(join(tasksOf(theirs), name), join(tasksOf(theirs), name.replace(".md", "-beta.md")));
    }
    commit(theirs, "Rename");
    assert.equal(pull(ours, theirs, "--no-rebase", "--no-edit"), 0);
    writeFileSync(join(ours.root, "README.md"), "# Later\n");
    commit(ours, "Later");
    const done = await lode(ours, "renumber", "--apply");
    assert.equal(done.status, 0, done.stdout + done.stderr);
    await assertFollowed(ours);
  });

  it("follows when git's marks were committed", async () => {
    clones = await makeClones();
    pull(clones.ours, clones.theirs, "--no-rebase");
    commit(clones.ours, "Merge, unseen");
    assert.match(read(clones.ours, "TASK-0003.md"), /<<<<<<< /);
    const done = await lode(clones.ours, "renumber", "--apply");
    assert.equal(done.status, 0, done.stdout + done.stderr);
    await assertFollowed(clones.ours);
  });

  it("writes nothing while it is unclear what is meant, and says where", async () => {
    clones = await makeClones();
    const { ours, theirs } = clones;
    pull(ours, theirs, "--no-rebase");
    // Written when both were there.
    const late = join(tasksOf(ours), "TASK-0001.md");
    writeFileSync(late, readFileSync(late, "utf8").trimEnd() + "\n\nBlocked by mcp://backlog/tasks/TASK-0002\n");
    const line = readFileSync(late, "utf8").trimEnd().split("\n").length;
    const before = read(ours, "TASK-0002.md");
    for (const apply of [[], ["--apply"]]) {
      const plan = await lode(ours, "renumber", ...apply);
      assert.equal(plan.status, 1);
      assert.match(plan.stdout, new RegExp(`^tasks/TASK-0001\\.md:${line}: may mean either task TASK-0002: Blocked by mcp://`, "m"));
      assert.match(plan.stderr, /nothing was written: say which .*--keep tasks\/TASK-0002\.md:\w+ or --keep tasks\/TASK-0002\.md:/);
      assert.equal(read(ours, "TASK-0002.md"), before);
    }
    const { json } = await lode(ours, "renumber", "--json");
    assert.deepEqual(json.unclear.map(({ file, line: at, id }) => [file, at, id]), [["tasks/TASK-0001.md", line, "TASK-0002"]]);
    const wrong = await lode(ours, "renumber", "--apply", "--keep", "tasks/TASK-0404.md");
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /these do: .*tasks\/TASK-0002\.md:ours/);
    const done = await lode(ours, "renumber", "--apply", "--keep", "tasks/TASK-0002.md:theirs");
    assert.equal(done.status, 0, done.stderr);
    assert.match(done.stdout, new RegExp(`tasks/TASK-0001\\.md:${line}: may have meant either, and means tasks/TASK-0002\\.md:theirs now`));
    await assertFollowed(ours);
    assert.equal((await meaning(ours)).Beta.id, "TASK-0002");
  });

  it("leaves a task that both sides changed to who merges", async () => {
    clones = await makeClones();
    const { ours, theirs } = clones;
    for (const [clone, title] of [[ours, "One"], [theirs, "Other"]]) {
      const file = join(tasksOf(clone), "TASK-0001.md");
      writeFileSync(file, readFileSync(file, "utf8").replace("title: Base", `title: ${title}`));
      commit(clone, "Retitle");
    }
    pull(ours, theirs, "--no-rebase");
    const before = read(ours, "TASK-0001.md");
    const done = await lode(ours, "renumber", "--apply");
    assert.equal(done.status, 5, done.stdout + done.stderr);
    assert.match(done.stdout, /tasks\/TASK-0001\.md has the conflict of a merge in one task: merge it by hand/);
    assert.equal(read(ours, "TASK-0001.md"), before);
  });
});
