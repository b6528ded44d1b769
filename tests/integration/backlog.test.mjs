// The backlog through the real program: its addresses in both eras, lists, the board, files that
// other programs wrote, what happens when files change, and files that are not as they should be.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { request } from "./hostile.mjs";
import { eventually, makeWorkspace, program, run, serve } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const backlog = ".lode/backlog";
const lists = "mcp://backlog/tasks{?status,type,parent,label,assignee,q,ready,sort,limit,cursor}";
const task = (fields, body = "") => `---\n${fields}\n---\n\n${body}`;

const tree = {
  "README.md": "# Project\n",
  "docs/adr/0004-mcp-resource-viewer.md": "# 4. Viewer\n",
  "docs/adr/0004.md": "# 4. First\n",
  "viewer/components/resource-viewer.ts": "export const a = 1;\n",
  ".env": "SECRET=1\n",
  [`${backlog}/epics/EPIC-0001.md`]: task("id: EPIC-0001\ntitle: Ship it\nstatus: open"),
  [`${backlog}/tasks/TASK-0001.md`]: task(
    "id: TASK-0001\ntitle: First step\nstatus: in_progress\nparent_id: EPIC-0001\nlabels: [web, ui]\nassignee: ana\nmood: good\nreferences:\n  - url: mcp://backlog/resources/docs/adr/0004-mcp-resource-viewer.md\n    title: ADR 4\ncreated_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-02T00:00:00Z",
    "Describe the walrus.\n\n## Acceptance criteria\n\n- [x] one\n- [ ] two\n",
  ),
  [`${backlog}/tasks/TASK-0002.md`]: task("title: Second step\nstatus: open\ndependencies: [TASK-0001]\nparent_id: EPIC-0001"),
  [`${backlog}/tasks/TASK-0003.md`]: task("title: Urgent thing\nstatus: open\npriority: high\ndue_date: 2026-02-01"),
  [`${backlog}/tasks/TASK-0004.md`]: task("title: Over\nstatus: done", "About a walrus too.\n"),
  [`${backlog}/artifacts/task-0060/artifact.md`]: "artifact\n",
  [`${backlog}/engineer/report.md`]: "report\n",
};

describe("the backlog", () => {
  let work;
  let client;
  let modern;
  const answer = (uri) => client.request("resources/read", { uri });
  const read = async (uri) => {
    const { result, error } = await answer(uri);
    return result ? result.contents[0].text : error;
  };
  const json = async (uri) => JSON.parse(await read(uri));
  const ids = async (uri) => (await json(uri)).tasks.map((each) => each.id);
  const write = (name, text) => writeFileSync(join(work.root, backlog, name), text);
  before(async () => {
    work = makeWorkspace(tree);
    client = await serve(work, on);
    modern = JSON.parse(request(1, "server/discover")).params._meta;
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("has a task as JSON, with its children and what blocks it", async () => {
    const one = await json("mcp://backlog/tasks/TASK-0001");
    assert.equal(one.title, "First step");
    assert.equal(one.status, "in_progress");
    assert.deepEqual(one.labels, ["web", "ui"]);
    assert.deepEqual(one.acceptance_criteria, [{ text: "one", done: true }, { text: "two", done: false }]);
    assert.deepEqual(one.fields, { mood: "good" });
    assert.equal(one.references[0].title, "ADR 4");
    assert.deepEqual(one.blocks.map((each) => each.id), ["TASK-0002"]);
    const { version, ...metadata } = one.resource;
    assert.deepEqual(metadata, {
      tags: ["web", "ui"],
      description: "Describe the walrus. [x] one [ ] two",
      size: tree[`${backlog}/tasks/TASK-0001.md`].length,
      modified: "2026-01-02T00:00:00Z",
      file: "mcp://backlog/tasks/TASK-0001/file",
    });
    assert.match(version, /./);
    assert.equal(version, one.version, "what if_version takes");
    assert.match(one.body, /^Describe the walrus/);
    const two = await json("mcp://backlog/tasks/task-0002");
    assert.deepEqual(two.blocked_by.map((each) => each.id), ["TASK-0001"]);
    assert.equal(two.ready, false);
    const epic = await json("mcp://backlog/tasks/EPIC-0001");
    assert.deepEqual(epic.children.map((each) => each.id), ["TASK-0001", "TASK-0002"]);
    const raw = (await answer("mcp://backlog/tasks/TASK-0001")).result.contents[0];
    assert.equal(raw.mimeType, "application/json");
    assert.ok(Object.keys(raw._meta).length >= 2);
  });

  it("has its file byte for byte, by all names", async () => {
    const text = tree[`${backlog}/tasks/TASK-0001.md`];
    for (const name of ["tasks/TASK-0001/file", "tasks/TASK-0001.md", "docs/tasks/TASK-0001.md"]) {
      const { result } = await answer(`mcp://backlog/${name}`);
      assert.equal(result.contents[0].text, text, name);
      assert.equal(result.contents[0].mimeType, "text/markdown");
    }
    assert.equal(await read(work.uri(`${backlog}/tasks/TASK-0001.md`)), text);
  });

  it("answers in the newest revision too", async () => {
    const { result } = await client.request("resources/read", { uri: "mcp://backlog/tasks/TASK-0003", _meta: modern });
    assert.equal(JSON.parse(result.contents[0].text).priority, "high");
    assert.equal(result.ttlMs, 0);
    const gone = await client.request("resources/read", { uri: "mcp://backlog/tasks/TASK-0404", _meta: modern });
    assert.equal(gone.error.code, -32602);
    assert.equal((await answer("mcp://backlog/tasks/TASK-0404")).error.code, -32002);
  });

  it("lists tasks by what they have", async () => {
    const of = (query) => ids(`mcp://backlog/tasks?${query}`);
    assert.deepEqual(await ids("mcp://backlog/tasks"), ["TASK-0001", "TASK-0003", "EPIC-0001", "TASK-0002", "TASK-0004"]);
    assert.deepEqual(await of("status=open&type=task"), ["TASK-0003", "TASK-0002"]);
    assert.deepEqual(await of("status=open,done&sort=id"), ["EPIC-0001", "TASK-0002", "TASK-0003", "TASK-0004"]);
    assert.deepEqual(await of("parent=EPIC-0001"), ["TASK-0001", "TASK-0002"]);
    assert.deepEqual(await of("label=ui"), ["TASK-0001"]);
    assert.deepEqual(await of("assignee=ana"), ["TASK-0001"]);
    assert.deepEqual(await of("ready=true"), ["TASK-0003"]);
    const found = await json("mcp://backlog/tasks?q=walrus");
    assert.deepEqual(found.tasks.map((each) => each.id), ["TASK-0001", "TASK-0004"]);
    assert.match(found.tasks[0].snippet, /Describe the walrus/);
    assert.equal((await of("q=TASK-0002"))[0], "TASK-0002");
    assert.deepEqual(await of("q=walrus&sort=title"), ["TASK-0001", "TASK-0004"]);
    assert.deepEqual(await of("q=step&sort=id&type=task"), ["TASK-0001", "TASK-0002"]);
    assert.deepEqual(await of("q=step&ready=false"), ["TASK-0002"]);
    assert.deepEqual(await of("q=step&ready=true"), []);
    assert.deepEqual(await of("ready=false"), ["EPIC-0001", "TASK-0002"]);
    assert.deepEqual(await of("ready=false&status=in_progress,open&type=task"), ["TASK-0001", "TASK-0002"]);
    for (const [query, words] of [["status=maybe", /status: "maybe" is none of/], ["colour=red", /no parameter "colour"/], ["sort=mood", /"sort" is/], ["ready=soon", /"ready" is/], ["cursor=%25", /cursor/], ["cursor=abc", /cursor/], ["q=thing&cursor=abc", /cursor/]]) {
      const { error } = await answer(`mcp://backlog/tasks?${query}`);
      assert.equal(error.code, -32602, query);
      assert.match(error.message, words);
    }
  });

  it("has a board of the open work", async () => {
    const board = await read("mcp://backlog/board");
    assert.match(board, /1 in progress, 3 open \(1 ready\), 0 blocked, 1 done, 0 cancelled/);
    assert.match(board, /## In progress \(1\)\n- TASK-0001 First step @ana 1\/2/);
    assert.match(board, /## Ready \(1\)\n- TASK-0003 Urgent thing !high due 2026-02-01/);
    assert.match(board, /TASK-0002 Second step/);
  });

  it("is found by the search over everything", async () => {
    const found = await json("lode://search?q=walrus&kinds=task");
    assert.deepEqual(found.hits.map((hit) => hit.uri), ["mcp://backlog/tasks/TASK-0001", "mcp://backlog/tasks/TASK-0004"]);
    assert.match(found.hits[0].snippet, /walrus/);
    assert.equal((await json("lode://search?q=TASK-0003")).hits[0].uri, "mcp://backlog/tasks/TASK-0003");
  });

  it("has files of the repository and artifacts", async () => {
    assert.equal(await read("mcp://backlog/resources/docs/adr/0004-mcp-resource-viewer.md"), "# 4. Viewer\n");
    assert.equal(await read("mcp://backlog/resources/docs/adr/0004-mcp-resource-viewer"), "# 4. Viewer\n");
    assert.equal(await read("mcp://backlog/docs/adr/0004-mcp-resource-viewer.md"), "# 4. Viewer\n");
    assert.equal(await read("mcp://backlog/resources/docs/adr/0004"), "# 4. First\n");
    assert.equal(await read("mcp://backlog/resources/viewer/components/resource-viewer.ts"), "export const a = 1;\n");
    assert.equal(await read("mcp://backlog/resources/docs/adr"), ["0004-mcp-resource-viewer", "0004"].map((name) => `mcp://backlog/resources/docs/adr/${name}.md\n`).join(""));
    assert.match(await read("mcp://backlog/resources"), /resources\/README\.md\n/);
    assert.equal(await read("mcp://backlog/artifacts/task-0060/artifact.md"), "artifact\n");
    assert.equal(await read("mcp://backlog/artifacts/task-0060/artifact"), "artifact\n");
    assert.equal(await read("mcp://backlog/artifacts/engineer/report.md"), "report\n");
    for (const bad of ["resources/.env", "resources/..%2f..%2fetc/passwd", "resources/../../etc/passwd", "resources/%2e%2e/x", "artifacts/tasks/TASK-0001.md", "artifacts/backlog/tasks/TASK-0001.md", "artifacts/..%2f..%2fREADME.md", "artifacts/nothing", "resources/docs/adr/0005", "tasks/..%2fx", "tasks/TASK-0001/other", "nothing"]) {
      const { error } = await answer(`mcp://backlog/${bad}`);
      assert.ok(error && [-32002, -32602].includes(error.code), `${bad}: ${JSON.stringify(error)}`);
    }
  });

  it("is in the list of resources, and completes", async () => {
    const { resources } = (await client.request("resources/list")).result;
    const names = Object.fromEntries(resources.map((each) => [each.uri, each]));
    assert.equal(names["mcp://backlog/tasks/TASK-0001"].name, "Task TASK-0001: First step");
    assert.match(names["mcp://backlog/tasks/TASK-0001"].description, /^Describe the walrus/);
    assert.equal(names["mcp://backlog/tasks/TASK-0001/file"].name, "TASK-0001.md");
    assert.equal(names["mcp://backlog/resources/docs/adr"].name, "Architecture Decision Records");
    assert.ok(names["mcp://backlog/board"]);
    assert.equal(names["mcp://backlog/tasks/TASK-0004"], undefined, "it is over");
    const list = "mcp://backlog/tasks{?status,type,parent,label,assignee,q,ready,sort,limit,cursor}";
    const complete = async (uri, name, value) =>
      (await client.request("completion/complete", { ref: { type: "ref/resource", uri }, argument: { name, value } })).result.completion.values;
    assert.deepEqual(await complete("mcp://backlog/tasks/{id}", "id", "task-000"), ["TASK-0001", "TASK-0002", "TASK-0003", "TASK-0004"]);
    assert.deepEqual(await complete(list, "status", "in"), ["in_progress"]);
    assert.deepEqual(await complete(list, "label", "u"), ["ui"]);
    assert.deepEqual(await complete("mcp://backlog/resources/{+path}", "path", "docs/a"), ["docs/adr"]);
    assert.deepEqual(await complete("mcp://backlog/artifacts/{+path}", "path", "task"), ["task-0060"]);
  });

  it("is told to who listens, at every address", async () => {
    const addresses = ["mcp://backlog/board", "mcp://backlog/tasks/TASK-0003", "mcp://backlog/tasks/TASK-0003/file", "mcp://backlog/tasks?status=open", "mcp://backlog/tasks?ready=true", "mcp://backlog/resources/docs/adr", "mcp://backlog/resources/README.md"];
    for (const uri of addresses) assert.ok((await client.request("resources/subscribe", { uri })).result, uri);
    const told = new Set();
    write("tasks/TASK-0003.md", task("title: Urgent thing\nstatus: in_progress"));
    writeFileSync(join(work.root, "README.md"), "# Changed\n");
    writeFileSync(join(work.root, "docs/adr/0005-new.md"), "# 5\n");
    await eventually(
      () => client.take("notifications/resources/updated").forEach(({ params }) => told.add(params.uri)),
      () => addresses.every((uri) => told.has(uri)),
    );
    assert.deepEqual([...told].sort(), [...addresses].sort());
    assert.deepEqual(await ids("mcp://backlog/tasks?ready=true"), []);
    assert.match(await read("mcp://backlog/board"), /2 in progress/);
    write("tasks/TASK-0005.md", task("title: New\nstatus: open"));
    assert.equal((await json("mcp://backlog/tasks/TASK-0005")).title, "New", "at once");
    await client.notification("notifications/resources/list_changed");
    rmSync(join(work.root, backlog, "tasks/TASK-0005.md"));
    const gone = await eventually(() => answer("mcp://backlog/tasks/TASK-0005"), ({ error }) => error !== undefined);
    assert.equal(gone.error.code, -32002);
  });

  it("shows what is wrong, and harms nothing", async () => {
    const broken = "---\ntitle: [\n---\nkept \u0000 as it is\n";
    write("tasks/TASK-0010.md", broken);
    write("tasks/TASK-0011.md", task("title: Own parent\nparent_id: TASK-0011"));
    write("tasks/TASK-0012.md", task("title: A\ndependencies: [TASK-0013]"));
    write("tasks/TASK-0013.md", task("title: B\ndependencies: [TASK-0012]"));
    write("tasks/TASK-0014.md", task("title: Long", "x".repeat(20 << 20)));
    write("tasks/TASK-0015.md", task("title: Tomorrow\nupdated_at: 2999-01-01T00:00:00Z\ncreated_at: 3000-01-01"));
    write("tasks/TASK-0012-again.md", "# Twice\n");
    const all = await eventually(
      () => json("mcp://backlog/problems"),
      ({ problems }) => ["TASK-0010", "TASK-0011", "TASK-0012", "TASK-0013", "TASK-0014"].every((id) => problems.some((each) => each.id === id)) && problems.some((each) => each.problem.includes("also that of")),
    );
    const of = (id) => all.problems.filter((each) => each.id === id).map((each) => each.problem).join("\n");
    assert.match(of("TASK-0011"), /parent_id is the task itself/);
    assert.match(of("TASK-0013"), /dependencies lead round/);
    assert.match(of("TASK-0012"), /also that of/);
    assert.match(of("TASK-0014"), /longer than/);
    const malformed = await json("mcp://backlog/tasks/TASK-0010");
    assert.equal(malformed.malformed, true);
    assert.match(malformed.body, /title: \[/);
    assert.equal(malformed.problems.length, 1);
    const { contents } = (await answer("mcp://backlog/tasks/TASK-0010/file")).result;
    assert.equal(Buffer.from(contents[0].blob, "base64").toString(), broken);
    assert.equal(readFileSync(join(work.root, backlog, "tasks/TASK-0010.md"), "utf8"), broken);
    const long = await json("mcp://backlog/tasks/TASK-0014");
    assert.equal(long.body_cut, true);
    assert.equal(long.resource.size > 20 << 20, true);
    assert.match(await read("mcp://backlog/board"), /files have problems/);
    assert.equal((await ids("mcp://backlog/tasks?sort=updated"))[0], "TASK-0015");
    for (const id of ["0010", "0011", "0012", "0013", "0014", "0015", "0012-again"]) rmSync(join(work.root, backlog, `tasks/TASK-${id}.md`));
    await eventually(() => json("mcp://backlog/problems"), ({ count }) => count === 0);
  });

  it("survives files that go while they are read", async () => {
    const file = join(work.root, backlog, "tasks/TASK-0020.md");
    for (let i = 0; i < 20; i += 1) {
      writeFileSync(file, task(`title: Round ${i}`));
      const asked = [answer("mcp://backlog/tasks/TASK-0020"), answer("mcp://backlog/tasks/TASK-0020/file")];
      rmSync(file);
      for (const { result, error } of await Promise.all(asked)) assert.ok(result || error.code === -32002);
    }
  });

  it("has pages that go on where the last ended", async () => {
    const made = Array.from({ length: 250 }, (_, i) => `TASK-${1000 + i}`);
    for (const id of made) write(`tasks/${id}.md`, task(`title: Task number ${id} of many\nlabels: [many]`));
    await eventually(() => read("mcp://backlog/board"), (board) => /25\d open/.test(board));
    const seen = [];
    let next = "mcp://backlog/tasks?label=many&sort=id";
    while (next) {
      const text = await read(next);
      assert.ok(text.length < 20_000);
      const page = JSON.parse(text);
      seen.push(...page.tasks.map((each) => each.id));
      if (page.next) {
        const { error } = await client.request("resources/read", { uri: page.next.replace("sort=id", "sort=rank") });
        assert.match(error.message, /"cursor" is not one of this list/);
      }
      assert.equal(page.total, made.length);
      ({ next } = page);
    }
    assert.deepEqual(seen, made);
    const whole = JSON.parse(await read("mcp://backlog/tasks?label=many&sort=id&limit=1000"));
    assert.deepEqual([whole.tasks.map((each) => each.id), whole.total, whole.next], [made, made.length, undefined]);
    const part = JSON.parse(await read("mcp://backlog/tasks?label=many&sort=id&limit=200"));
    assert.deepEqual(JSON.parse(await read(part.next)).tasks.map((each) => each.id), made.slice(200));
    const tokens = await run(work, ["read", "mcp://backlog/board", ...on]);
    assert.ok(tokens.stdout.length < 6000);
    const listed = [];
    let cursor;
    do {
      const { result } = await client.request("resources/list", cursor ? { cursor } : {});
      listed.push(...result.resources.map((each) => each.uri));
      cursor = result.nextCursor;
    } while (cursor);
    assert.equal(new Set(listed).size, listed.length);
    assert.ok(made.every((id) => listed.includes(`mcp://backlog/tasks/${id}`)));
  });
});

describe("the directory of the backlog", () => {
  it("is that of backlog-mcp in the user's home", async () => {
    const work = makeWorkspace({ "README.md": "# A\n" });
    const home = join(work.base, ".backlog");
    for (const folder of ["tasks", "docs/epics", "backlog-mcp-engineer/viewer-2026-01-22"]) mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, "tasks/TASK-0001.md"), task("id: TASK-0001\ntitle: Old\nstatus: open\nepic_id: EPIC-0001"));
    writeFileSync(join(home, "docs/epics/EPIC-0001.md"), task("id: EPIC-0001\ntitle: Later home\nstatus: open"));
    writeFileSync(join(home, "backlog-mcp-engineer/viewer-2026-01-22/artifact.md"), "made\n");
    writeFileSync(join(work.base, "private.md"), "private\n");
    work.environment.BACKLOG_DATA_DIR = home;
    const read = async (uri) => run(work, ["read", uri, ...on]);
    const epic = JSON.parse((await read("mcp://backlog/tasks/EPIC-0001")).stdout);
    assert.deepEqual(epic.children.map((each) => each.id), ["TASK-0001"]);
    assert.match((await read("mcp://backlog/tasks/TASK-0001/file")).stdout, /^---\nid: TASK-0001/);
    assert.equal((await read("mcp://backlog/artifacts/backlog-mcp-engineer/viewer-2026-01-22/artifact.md")).stdout, "made\n");
    for (const outside of ["private.md", ".backlog/tasks/TASK-0001.md", "tasks/TASK-0001.md"]) {
      assert.notEqual((await read(`mcp://backlog/artifacts/${outside}`)).status, 0, outside);
    }
    // A home inside of ~/.backlog has the folders beside it.
    mkdirSync(join(home, "mine/tasks"), { recursive: true });
    work.environment.BACKLOG_DATA_DIR = join(home, "mine");
    assert.equal((await read("mcp://backlog/artifacts/backlog-mcp-engineer/viewer-2026-01-22/artifact.md")).stdout, "made\n");
    assert.notEqual((await read("mcp://backlog/artifacts/mine/tasks/x.md")).status, 0);
    work.remove();
  });

  it("outside of the workspace has artifacts that are told of", async () => {
    const work = makeWorkspace({ "README.md": "# A\n" });
    const home = join(work.base, ".backlog");
    for (const folder of ["mine/tasks", "mine/notes", "engineer"]) mkdirSync(join(home, folder), { recursive: true });
    const inside = join(home, "mine/notes/a.md");
    const beside = join(home, "engineer/b.md");
    for (const path of [inside, beside]) writeFileSync(path, "first\n");
    work.environment.BACKLOG_DATA_DIR = join(home, "mine");
    const client = await serve(work, on);
    for (const [uri, path] of [["mcp://backlog/artifacts/notes/a.md", inside], ["mcp://backlog/artifacts/engineer/b.md", beside]]) {
      assert.deepEqual((await client.request("resources/subscribe", { uri })).result, {});
      writeFileSync(path, "another text\n");
      assert.equal((await client.notification("notifications/resources/updated")).params.uri, uri);
      assert.equal((await client.request("resources/read", { uri })).result.contents[0].text, "another text\n");
    }
    assert.equal(await client.stop(), 0);
    const watching = spawn(program, ["watch", "mcp://backlog/artifacts/engineer/b.md", "--workspace", work.root, ...on], { env: work.environment });
    let said = "";
    watching.stdout.on("data", (bytes) => (said += bytes));
    let edits = 0;
    await eventually(() => writeFileSync(beside, "x".repeat((edits += 1))), () => said.includes("\n"));
    assert.match(said, /^mcp:\/\/backlog\/artifacts\/engineer\/b\.md\n/);
    watching.kill("SIGTERM");
    assert.deepEqual(await once(watching, "close"), [0, null]);
    work.remove();
  });

  it("of an untrusted workspace stays in it", async () => {
    const work = makeWorkspace({ ".lode/lode.toml": 'backlog.dir = "notes"\n', "notes/tasks/TASK-0001.md": "# Inside\n" });
    const inside = await run(work, ["read", "mcp://backlog/tasks/TASK-0001", ...on]);
    assert.equal(JSON.parse(inside.stdout).title, "Inside");
    mkdirSync(join(work.base, "elsewhere/tasks"), { recursive: true });
    writeFileSync(join(work.base, "elsewhere/tasks/TASK-0001.md"), "# Outside\n");
    for (const dir of ["../elsewhere", join(work.base, "elsewhere"), "~/elsewhere"]) {
      writeFileSync(join(work.root, ".lode/lode.toml"), `backlog.dir = "${dir}"\n`);
      assert.doesNotMatch((await run(work, ["read", "mcp://backlog/tasks/TASK-0001", ...on])).stdout, /Outside/, dir);
    }
    // Nor does a link in it lead out.
    rmSync(join(work.root, ".lode/lode.toml"));
    mkdirSync(join(work.root, ".lode"), { recursive: true });
    symlinkSync(join(work.base, "elsewhere"), join(work.root, ".lode/backlog"));
    assert.doesNotMatch((await run(work, ["read", "mcp://backlog/tasks/TASK-0001", ...on])).stdout, /Outside/);
    work.remove();
  });
});

describe("versions from git", () => {
  const dated = (date) => ({ ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" });
  const git = (work, date, ...args) => execFileSync("git", ["-C", work.root, "-c", "user.name=Ana", "-c", "user.email=a@example.org", ...args], { env: dated(date), stdio: "pipe" });
  it("are read at …@{rev} without touching the work tree, and make a history", async () => {
    const work = makeWorkspace(tree);
    const file = join(work.root, backlog, "tasks/TASK-0003.md");
    git(work, "2026-01-01T12:00:00Z", "init", "-q", "-b", "main");
    git(work, "2026-01-01T12:00:00Z", "add", "-A", "-f");
    git(work, "2026-01-01T12:00:00Z", "commit", "-qm", "Begin");
    git(work, "2026-01-01T12:00:00Z", "tag", "v1");
    writeFileSync(file, task("title: Urgent thing\nstatus: done\nassignee: bob", "Done now.\n"));
    writeFileSync(join(work.root, "docs/adr/0004-mcp-resource-viewer.md"), "# 4. Changed\n");
    writeFileSync(join(work.root, "docs/adr/0004.md"), "# 4. Second\n");
    git(work, "2026-02-01T12:00:00Z", "commit", "-qam", "Finish it");
    git(work, "2026-02-01T12:00:00Z", "tag", "v2");
    writeFileSync(join(work.root, "docs/adr/0004.md"), "# 4. Third\n");
    const client = await serve(work, on);
    const read = async (uri) => {
      const { result, error } = await client.request("resources/read", { uri });
      return result ? result.contents[0].text : error;
    };
    assert.equal(JSON.parse(await read("mcp://backlog/tasks/TASK-0003")).status, "done");
    for (const revision of ["v1", "2026-01-15", "main"]) {
      const { status } = JSON.parse(await read(`mcp://backlog/tasks/TASK-0003@${revision}`));
      assert.equal(status, revision === "main" ? "done" : "open", revision);
    }
    assert.equal(await read("mcp://backlog/tasks/TASK-0003/file@v1"), tree[`${backlog}/tasks/TASK-0003.md`]);
    assert.equal(await read("mcp://backlog/resources/docs/adr/0004-mcp-resource-viewer.md@v1"), "# 4. Viewer\n");
    assert.equal(await read("mcp://backlog/resources/docs/adr/0004-mcp-resource-viewer@v1"), "# 4. Viewer\n");
    assert.equal(await read("mcp://backlog/resources/docs/adr/0004"), "# 4. Third\n");
    assert.equal(await read("mcp://backlog/resources/docs/adr/0004@v2"), "# 4. Second\n");
    assert.equal(await read("mcp://backlog/resources/docs/adr/0004.md@v1"), "# 4. First\n");
    assert.match(await read("mcp://backlog/resources/docs/adr@v1"), /0004-mcp-resource-viewer\.md@v1\n/);
    assert.equal(await read("mcp://backlog/artifacts/task-0060/artifact.md@v1"), "artifact\n");
    for (const bad of ["resources/README.md@no-such", "resources/.env@v1", "resources/README.md%40v1", "tasks/TASK-0003@..%2f", "resources/nothing.md@v1"]) {
      assert.equal((await read(`mcp://backlog/${bad}`)).code, -32002, bad);
    }
    for (const uri of ["mcp://backlog/tasks/TASK-0003@v1", "mcp://backlog/resources/README.md@v1"]) {
      assert.match((await client.request("resources/subscribe", { uri })).error.message, /a version from git never changes/);
    }
    writeFileSync(join(work.root, "odd@v1"), "a name\n");
    assert.equal(await read("mcp://backlog/resources/odd@v1"), "a name\n", "a file of that name counts");
    const { history } = JSON.parse(await read("mcp://backlog/tasks/TASK-0003/history"));
    assert.deepEqual(history.map(({ author, subject }) => [author, subject]), [["Ana", "Finish it"], ["Ana", "Begin"]]);
    const changed = Object.fromEntries(history[0].changes.map((each) => [each.field, each]));
    assert.deepEqual([changed.status.from, changed.status.to], ["open", "done"]);
    assert.equal(changed.assignee.to, "bob");
    assert.ok(changed.body && changed.priority.from === "high" && changed.priority.to === undefined);
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("are there of tasks that were deleted or renamed since", async () => {
    const words = "tasks/TASK-0070-some-words.md";
    const work = makeWorkspace({ ...tree, [`${backlog}/${words}`]: task("title: With words\nstatus: open", "Words.\n") });
    const path = (name) => join(work.root, backlog, name);
    git(work, "2026-01-01T12:00:00Z", "init", "-q", "-b", "main");
    git(work, "2026-01-01T12:00:00Z", "add", "-A", "-f");
    git(work, "2026-01-01T12:00:00Z", "commit", "-qm", "Begin");
    git(work, "2026-01-01T12:00:00Z", "tag", "v1");
    rmSync(path("tasks/TASK-0003.md"));
    rmSync(path(words));
    renameSync(path("tasks/TASK-0001.md"), path("tasks/TASK-0001-renamed.md"));
    git(work, "2026-02-01T12:00:00Z", "add", "-A", "-f");
    git(work, "2026-02-01T12:00:00Z", "commit", "-qm", "Clean up");
    const client = await serve(work, on);
    const read = async (uri) => {
      const { result, error } = await client.request("resources/read", { uri: `mcp://backlog/tasks/${uri}` });
      return result ? result.contents[0].text : error;
    };
    assert.equal((await read("TASK-0003")).code, -32002);
    assert.equal(JSON.parse(await read("TASK-0003@v1")).title, "Urgent thing");
    assert.equal(await read("TASK-0003/file@v1"), tree[`${backlog}/tasks/TASK-0003.md`]);
    assert.equal(JSON.parse(await read("TASK-0070@v1")).title, "With words");
    assert.equal(JSON.parse(await read("TASK-0001@v1")).id, "TASK-0001");
    const subjects = async (id) => JSON.parse(await read(`${id}/history`)).history.map((each) => each.subject);
    assert.deepEqual(await subjects("TASK-0003"), ["Clean up", "Begin"]);
    assert.deepEqual(await subjects("TASK-0001"), ["Clean up", "Begin"]);
    for (const none of ["TASK-0003@main", "TASK-0404@v1", "TASK-0404/history"]) {
      assert.equal((await read(none)).code, -32002, none);
    }
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("have a history in pages, with every commit once, whatever the clocks said", async () => {
    const work = makeWorkspace(tree);
    const old = join(work.root, backlog, "tasks/TASK-0003.md");
    const renamed = join(work.root, backlog, "tasks/TASK-0003-renamed.md");
    git(work, "2026-01-01T12:00:00Z", "init", "-q", "-b", "main");
    const wanted = [];
    for (let i = 0; i < 45; i += 1) {
      if (i === 30) renameSync(old, renamed);
      writeFileSync(i < 30 ? old : renamed, task(`title: Urgent thing\nstatus: open\norder: ${i}`));
      git(work, "2026-01-01T12:00:00Z", "add", "-A", "-f");
      // Back and forth; the last, in the year 5138.
      const date = i === 44 ? "@99999999999 +0000" : `2026-01-01T${String((i * 7) % 24).padStart(2, "0")}:00:00Z`;
      git(work, date, "commit", "-qm", `c${i}`);
      wanted.unshift(`c${i}`);
    }
    const client = await serve(work, on);
    const answer = (uri) => client.request("resources/read", { uri });
    const seen = [];
    let pages = 0;
    for (let next = "mcp://backlog/tasks/TASK-0003/history"; next; pages += 1) {
      const page = JSON.parse((await answer(next)).result.contents[0].text);
      seen.push(...page.history.map((each) => each.subject));
      if (pages === 0) git(work, "2026-02-01T12:00:00Z", "commit", "-q", "--allow-empty", "-m", "meanwhile");
      ({ next } = page);
    }
    assert.equal(pages, 3);
    assert.deepEqual(seen, wanted);
    for (const end of ["/history", "@main", "/file@main"]) assert.ok((await answer(`mcp://backlog/tasks/TASK-0003${end}`)).result, end);
    for (const after of ["x", "-1", "99999999999999999999", "100000"]) {
      assert.equal((await answer(`mcp://backlog/tasks/TASK-0003/history?after=${after}`)).error.code, -32602, after);
    }
    assert.doesNotMatch(client.stderr(), /runtime error|Sanitizer/);
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("make a history whose subscribers hear of the commit", async () => {
    const work = makeWorkspace(tree);
    git(work, "2026-01-01T12:00:00Z", "init", "-q", "-b", "topic/history");
    git(work, "2026-01-01T12:00:00Z", "add", "-A", "-f");
    git(work, "2026-01-01T12:00:00Z", "commit", "-qm", "Begin");
    const client = await serve(work, on);
    const uri = "mcp://backlog/tasks/TASK-0003/history";
    assert.deepEqual((await client.request("resources/subscribe", { uri })).result, {});
    writeFileSync(join(work.root, backlog, "tasks/TASK-0003.md"), task("title: Urgent thing\nstatus: done", "Done.\n"));
    const edited = await client.notification("notifications/resources/updated");
    assert.equal(edited.params.uri, uri);
    client.take("notifications/resources/updated");
    git(work, "2026-02-01T12:00:00Z", "commit", "-qam", "Finish it");
    const subjects = async () => JSON.parse((await client.request("resources/read", { uri })).result.contents[0].text).history.map((each) => each.subject);
    const told = await client.notification("notifications/resources/updated");
    assert.equal(told.params.uri, uri);
    assert.deepEqual(await subjects(), ["Finish it", "Begin"]);
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("are hidden of a task that is gone, from who may not read it", async () => {
    const rule = '[[rule]]\neffect = "deny"\nroles = ["*"]\nactions = ["list", "read"]\nuris = ["mcp://backlog/tasks/TASK-0003"]\n';
    const work = makeWorkspace({ ...tree, ".lode/policy.toml": rule });
    git(work, "2026-01-01T12:00:00Z", "init", "-q", "-b", "main");
    git(work, "2026-01-01T12:00:00Z", "add", "-A", "-f");
    git(work, "2026-01-01T12:00:00Z", "commit", "-qm", "Begin");
    rmSync(join(work.root, backlog, "tasks/TASK-0003.md"));
    const client = await serve(work, on);
    const ask = async (uri) => (await client.request("resources/read", { uri: `mcp://backlog/tasks/${uri}` })).error;
    for (const end of ["@main", "/file@main", "/history"]) {
      const hidden = await ask(`TASK-0003${end}`);
      assert.ok(hidden, end);
      assert.equal(hidden.code, (await ask(`TASK-0404${end}`)).code);
    }
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("are absent without a repository, or in one that is broken", async () => {
    const work = makeWorkspace({ ...tree, ".git/HEAD": "nonsense\n" });
    const client = await serve(work, on);
    const ask = (uri) => client.request("resources/read", { uri });
    assert.ok((await ask("mcp://backlog/tasks/TASK-0001@v1")).error);
    assert.ok((await ask("mcp://backlog/tasks/TASK-0001")).result);
    for (const page of ["board", "problems", "tasks", "tasks/TASK-0001/history"]) {
      assert.equal((await ask(`mcp://backlog/${page}@v1`)).error.code, -32002, page);
    }
    rmSync(join(work.root, ".git"), { recursive: true });
    assert.equal((await ask("mcp://backlog/resources/README.md@v1")).error.code, -32002);
    assert.deepEqual(JSON.parse((await ask("mcp://backlog/tasks/TASK-0001/history")).result.contents[0].text).history, []);
    assert.equal(await client.stop(), 0);
    work.remove();
  });
});

describe("a policy", () => {
  it("hides tasks in lists, counts, search, completion and what they block", async () => {
    const work = makeWorkspace(tree);
    writeFileSync(
      join(work.base, "policy.toml"),
      ["allow", "deny"].map((effect) => `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ["*"]\nuris = ${JSON.stringify(effect === "allow" ? ["**"] : [work.uri(`${backlog}/tasks/TASK-0001.md`), "mcp://backlog/resources/docs/adr/0004-mcp-resource-viewer.md"])}\n`).join("\n"),
    );
    const client = await serve(work, [...on, "--policy-file", join(work.base, "policy.toml")]);
    const read = async (uri) => {
      const { result, error } = await client.request("resources/read", { uri });
      return result ? result.contents[0].text : error;
    };
    for (const name of ["tasks/TASK-0001", "tasks/task-0001", "tasks/TASK-0001/file", "tasks/TASK-0001.md", "docs/tasks/TASK-0001.md", `resources/${backlog}/tasks/TASK-0001.md`, "resources/docs/adr/0004-mcp-resource-viewer"]) {
      assert.equal((await read(`mcp://backlog/${name}`)).code, -32002, name);
    }
    assert.match(await read("mcp://backlog/board"), /0 in progress, 3 open \(2 ready\)/);
    const open = JSON.parse(await read("mcp://backlog/tasks?ready=true"));
    assert.deepEqual(open.tasks.map((each) => each.id), ["TASK-0003", "TASK-0002"]);
    const epic = JSON.parse(await read("mcp://backlog/tasks/EPIC-0001"));
    assert.deepEqual(epic.children.map((each) => each.id), ["TASK-0002"]);
    for (const uri of ["lode://search?q=walrus", "mcp://backlog/tasks?q=walrus", "mcp://backlog/tasks?q=TASK-0001"]) {
      assert.doesNotMatch(JSON.stringify(await read(uri)), /First step/, uri);
    }
    const list = await client.request("resources/list");
    assert.doesNotMatch(JSON.stringify(list), /First step/);
    const { completion } = (await client.request("completion/complete", { ref: { type: "ref/resource", uri: "mcp://backlog/tasks/{id}" }, argument: { name: "id", value: "TASK" } })).result;
    assert.deepEqual(completion.values, ["TASK-0002", "TASK-0003", "TASK-0004"]);
    // Of labels and people, those of tasks that are seen.
    for (const name of ["label", "assignee"]) {
      const asked = { ref: { type: "ref/resource", uri: lists }, argument: { name, value: "" } };
      assert.deepEqual((await client.request("completion/complete", asked)).result.completion.values, [], name);
    }
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("hides whether a task is there in what is wrong with others, and in claims", async () => {
    const rule = (effect, uri) => `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ["*"]\nuris = ["${uri}"]\n`;
    const problems = async (hidden) => {
      const work = makeWorkspace({
        [`${backlog}/tasks/TASK-0001.md`]: task("title: One\nparent_id: TASK-0009\ndependencies: [TASK-0009]"),
        ...hidden,
      });
      writeFileSync(join(work.base, "policy.toml"), rule("allow", "**") + rule("deny", "mcp://backlog/tasks/TASK-0009"));
      const client = await serve(work, [...on, "--policy-file", join(work.base, "policy.toml")]);
      const { text } = (await client.request("resources/read", { uri: "mcp://backlog/problems" })).result.contents[0];
      const claim = (await client.request("tools/call", { name: "backlog_manage", arguments: { op: "claim", as: "ana" } })).result.content[0].text;
      assert.equal(await client.stop(), 0);
      work.remove();
      return [text, claim.replace(/version \w+/, "")];
    };
    const absent = await problems({});
    assert.match(absent[0], /the parent TASK-0009 is not there/);
    assert.match(absent[1], /^claimed mcp:\/\/backlog\/tasks\/TASK-0001/);
    assert.deepEqual(await problems({ [`${backlog}/tasks/TASK-0009.md`]: task("title: Hidden\ndependencies: [TASK-0001]\nparent_id: TASK-0001") }), absent);
  });

  it("hides a task's file in the list with the task", async () => {
    const work = makeWorkspace(tree);
    const rule = (effect, uri) => `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ["*"]\nuris = ["${uri}"]\n`;
    writeFileSync(join(work.base, "policy.toml"), rule("allow", "**") + rule("deny", "mcp://backlog/tasks/TASK-0003"));
    const client = await serve(work, [...on, "--policy-file", join(work.base, "policy.toml")]);
    const list = JSON.stringify(await client.request("resources/list"));
    assert.match(list, /TASK-0002\/file/);
    assert.doesNotMatch(list, /TASK-0003/);
    assert.equal(await client.stop(), 0);
    work.remove();
  });
});
