// Changes of the backlog through the real program, by several processes at once: nothing is
// lost, no id is given twice, no claim is given twice, and a process that is killed leaves
// whole calls behind. LODE_BACKLOG_ROUNDS makes the random part longer.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { connect, eventually, makeWorkspace, program, run, serve } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const rounds = Number(process.env.LODE_BACKLOG_ROUNDS ?? 1);
const folder = (work) => join(work.root, ".lode/backlog/tasks");

async function manage(client, ...operations) {
  const { result, error } = await client.request("tools/call", { name: "backlog_manage", arguments: { operations } });
  if (error) return { failed: true, text: error.message };
  return { failed: result.isError === true, text: result.content[0].text };
}
const idsIn = (text) => [...text.matchAll(/created mcp:\/\/backlog\/tasks\/(\S+)/g)].map((found) => found[1]);
const file = (work, id) => readFileSync(join(folder(work), `${id}.md`), "utf8");

describe("a backlog that two repositories share", () => {
  it("gives no id again, and has one trash", async () => {
    const one = makeWorkspace({ "README.md": "# One\n" });
    const two = makeWorkspace({ "README.md": "# Two\n" });
    const home = join(one.base, ".backlog");
    mkdirSync(home);
    for (const work of [one, two]) {
      execFileSync("git", ["init", "-q", work.root], { env: one.environment });
      work.environment = { ...one.environment, BACKLOG_DATA_DIR: home };
    }
    const [first, second] = await Promise.all([serve(one, on), serve(two, on)]);
    const create = async (client) => idsIn((await manage(client, { op: "create", title: "A" })).text)[0];
    assert.equal(await create(first), "TASK-0001");
    assert.equal(await create(second), "TASK-0002");
    assert.equal((await manage(second, { op: "delete", id: "TASK-0002" })).failed, false);
    assert.equal(await create(first), "TASK-0003", "that of the other's trash is not free");
    // Made by hand, and deleted: only the trash and the counter know it.
    writeFileSync(join(home, "tasks/TASK-0009.md"), "---\nid: TASK-0009\ntitle: By hand\n---\n");
    assert.equal((await manage(first, { op: "delete", id: "TASK-0009" })).failed, false);
    assert.equal(await create(second), "TASK-0010");
    assert.equal((await manage(first, { op: "restore", id: "TASK-0002" })).failed, false);
    for (const client of [first, second]) assert.equal(await client.stop(), 0);
    one.remove();
    two.remove();
  });
});

describe("backlog_manage", () => {
  let work;
  let clients;
  before(async () => {
    work = makeWorkspace({ "README.md": "# Project\n", "docs/plan.md": "plan\n" });
    clients = await Promise.all([1, 2, 3].map(() => serve(work, on)));
  });
  after(async () => {
    for (const client of clients) assert.equal(await client.stop(), 0);
    work.remove();
  });
  const read = async (client, uri) => (await client.request("resources/read", { uri })).result?.contents[0].text;

  it("is one tool under 200 tokens", async () => {
    const { result } = await clients[0].request("tools/list");
    const tool = result.tools.find((each) => each.name === "backlog_manage");
    assert.equal(tool.annotations.readOnlyHint, false);
    const { stdout } = await run(work, ["tokens", "--json", ...on]);
    const counted = JSON.stringify(JSON.parse(stdout)).match(/"backlog_manage"[^}]*?(\d+)/);
    assert.ok(counted, stdout);
    assert.ok(Number(counted[1]) < 200, counted[0]);
  });

  it("does many things in one call, or none", async () => {
    const [one, two] = clients;
    const made = await manage(
      one,
      { op: "create", type: "epic", title: "Ship it" },
      { op: "create", title: "First", parent: "#1", references: [`file://${work.root}/docs/plan.md`] },
      { op: "create", title: "Second", parent: "#1", dependencies: ["#2"], body: "- [ ] done\n" },
    );
    assert.equal(made.failed, false, made.text);
    assert.deepEqual(idsIn(made.text), ["EPIC-0001", "TASK-0001", "TASK-0002"]);
    // Another process knows at once.
    const task = JSON.parse(await read(two, "mcp://backlog/tasks/TASK-0002"));
    assert.equal(task.parent, "EPIC-0001");
    const first = JSON.parse(await read(two, "mcp://backlog/tasks/TASK-0001"));
    assert.equal(first.references[0].url, "mcp://backlog/resources/docs/plan.md");
    const refused = await manage(two, { op: "create", title: "Third" }, { op: "move", id: "TASK-0001", parent: "TASK-0002" }, { op: "move", id: "TASK-0002", parent: "TASK-0001" });
    assert.equal(refused.failed, true);
    assert.match(refused.text, /nothing was written: the parents of TASK-0001 would lead round in a circle: TASK-0001 → TASK-0002 → TASK-0001/);
    assert.deepEqual(readdirSync(folder(work)).sort(), ["TASK-0001.md", "TASK-0002.md"]);
  });

  it("refuses a task that could not be read, and shows a long circle in short", async () => {
    const hidden = makeWorkspace({ ".lode/backlog/.gitignore": "tasks/\n" });
    const client = await serve(hidden, on);
    const refused = await manage(client, { op: "create", title: "Unseen" });
    assert.equal(refused.failed, true);
    assert.match(refused.text, /hidden by a \.gitignore/);
    rmSync(join(hidden.root, ".lode/backlog/.gitignore"));
    const chain = Array.from({ length: 40 }, (_, i) => ({ op: "create", title: `Link ${i}`, ...(i > 0 ? { dependencies: [`#${i}`] } : {}) }));
    const circle = await eventually(() => manage(client, ...chain, { op: "update", id: "#1", dependencies: ["#40"] }), ({ text }) => !/gitignore/.test(text));
    assert.match(circle.text, /round in a circle: .*\(\d+ more\) → /);
    assert.ok(circle.text.length < 600, circle.text);
    assert.equal(await client.stop(), 0);
    hidden.remove();
  });

  it("tells the version that was read, and refuses what collides with an edit by hand", async () => {
    const task = JSON.parse(await read(clients[0], "mcp://backlog/tasks/TASK-0002"));
    assert.ok(task.version);
    const path = join(folder(work), "TASK-0002.md");
    writeFileSync(path, readFileSync(path, "utf8").replace("status: open", "status: blocked"));
    const refused = await manage(clients[1], { op: "update", id: "TASK-0002", title: "Renamed", if_version: task.version });
    assert.match(refused.text, /status changed since/);
    assert.match(file(work, "TASK-0002"), /status: blocked/);
    const done = await manage(clients[1], { op: "update", id: "TASK-0002", status: "open", old: "- [ ] done", new: "- [x] $& done" });
    assert.equal(done.failed, false, done.text);
    assert.match(file(work, "TASK-0002"), /- \[x\] \$& done/);
  });

  it("is heard by subscribers of every process", async () => {
    const uri = "mcp://backlog/tasks/TASK-0001";
    assert.ok((await clients[2].request("resources/subscribe", { uri })).result);
    await manage(clients[0], { op: "comment", id: "TASK-0001", text: "hello", as: "ana" });
    const heard = await clients[2].notification("notifications/resources/updated");
    assert.equal(heard.params.uri, uri);
    assert.match(await read(clients[2], uri), /\*\*ana\*\*/);
  });

  it("leaves others who are assigned where they are", async () => {
    const file = join(work.root, ".lode/backlog/tasks/TASK-0777.md");
    writeFileSync(file, "---\nid: TASK-0777\ntitle: Together\nstatus: open\nassignee: [ana, bo]\n---\n");
    const claimed = await eventually(() => manage(clients[0], { op: "claim", id: "TASK-0777", as: "ana" }), (done) => !done.failed);
    assert.equal(claimed.failed, false, claimed.text);
    assert.match(readFileSync(file, "utf8"), /status: in_progress\n(.*\n)*assignee: \[ana, bo\]/);
    rmSync(file);
  });

  it("has one winner of a claim among processes", async () => {
    const answers = await Promise.all(clients.map((client) => manage(client, { op: "claim", id: "TASK-0001", as: "same" })));
    assert.equal(answers.filter((each) => !each.failed).length, 1, JSON.stringify(answers));
    for (const each of answers.filter((answer) => answer.failed)) assert.match(each.text, /same has TASK-0001 already/);
  });

  it("says what was looked for, and what to do about another version", async () => {
    assert.match((await manage(clients[0], { op: "claim", label: "no-such" })).text, /no task with the label "no-such" is ready/);
    const stale = await manage(clients[0], { op: "update", id: "TASK-0001", priority: "low", if_version: "0123456789abcdef" });
    assert.match(stale.text, /Read mcp:\/\/backlog\/tasks\/TASK-0001 again, then repeat the call with "if_version":"\w/);
  });

  it("puts what is deleted into the trash", async () => {
    const before_ = file(work, "TASK-0001");
    const gone = await manage(clients[0], { op: "delete", id: "TASK-0001" });
    assert.match(gone.text, /Undo: /);
    assert.doesNotMatch(gone.text, /warning: TASK-0001/);
    assert.equal(existsSync(join(folder(work), "TASK-0001.md")), false);
    const absent = await eventually(() => read(clients[1], "mcp://backlog/tasks/TASK-0001"), (text) => text === undefined);
    assert.equal(absent, undefined);
    assert.equal((await manage(clients[1], { op: "restore", id: "TASK-0001" })).failed, false);
    assert.equal(file(work, "TASK-0001"), before_);
  });

  it("works without resources", async () => {
    const off = await serve(work, []);
    assert.equal((await manage(off, { op: "update", id: "TASK-0001", priority: "high" })).failed, false);
    assert.equal(await off.stop(), 0);
  });

  it("writes nothing that the policy refuses, and names nothing that it hides", async () => {
    const deny = (actions, uri) =>
      `[[rule]]\neffect = "deny"\nroles = ["*"]\nactions = ${JSON.stringify(actions)}\nuris = ["${uri}"]\n`;
    const guarded = makeWorkspace({
      ".lode/policy.toml": deny(["write"], "mcp://backlog/tasks/TASK-0002") + deny(["list", "read"], "mcp://backlog/tasks/EPIC-0001"),
      ".lode/backlog/tasks/TASK-0002.md": "---\ntitle: Two\n---\n",
      ".lode/backlog/epics/EPIC-0001.md": "---\ntitle: One\n---\n",
    });
    const limited = await serve(guarded, on);
    const refused = await manage(limited, { op: "update", id: "TASK-0002", priority: "low" });
    assert.match(refused.text, /not permitted: write mcp:\/\/backlog\/tasks\/TASK-0002/);
    const hidden = await manage(limited, { op: "update", id: "EPIC-0001", priority: "low" });
    const none = await manage(limited, { op: "update", id: "EPIC-0404", priority: "low" });
    assert.equal(hidden.text.replaceAll("0001", "0404"), none.text);
    const parent = await manage(limited, { op: "create", title: "Child", parent: "EPIC-0001" });
    assert.match(parent.text, /no task has the id "EPIC-0001"/);
    assert.equal(await limited.stop(), 0);
    guarded.remove();
  });

  it("loses nothing when processes and people write at random", async () => {
    // A generator of its own, so that a failure can be repeated.
    let seed = Number(process.env.LODE_BACKLOG_SEED ?? Date.now() % 100_000);
    console.log(`seed ${seed}`);
    const random = (below) => ((seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) >> 8) % below;
    const base = (await manage(clients[0], ...Array.from({ length: 8 }, (_, i) => ({ op: "create", title: `Base ${i}`, body: "start\n" })))).text;
    const shared = idsIn(base);
    const byHand = shared.splice(0, 2);
    const coming = shared.splice(0, 2); // that go to the trash and come back
    const made = [...shared, ...byHand, ...coming];
    const kept = []; // [id, text that its file must have]
    const never = []; // text that no file may have
    const claims = new Map();
    const trashed = new Map(); // what each one that is away was when it went, by id
    const away = new Set(); // that somebody is deleting or restoring
    const add = (id, text) => kept.push([id, text]);
    const update = async (client, name, mark) => {
      const id = shared[random(shared.length)];
      // The whole body, as it was read: another edit meanwhile is a conflict, and nothing is lost.
      const task = JSON.parse(await read(client, `mcp://backlog/tasks/${id}`));
      const done = await manage(client, { op: "update", id, body: `${task.body}update ${mark}.\n`, if_version: task.version });
      if (!done.failed) add(id, `update ${mark}.\n`);
      else {
        assert.match(done.text, /is not the version/);
        never.push(`update ${mark}.\n`);
      }
    };
    const refused = async (client, name, mark) => {
      const ids = shared.filter(() => random(2) === 0);
      const operations = [{ op: "create", title: `never ${mark}` }, ...ids.map((id) => ({ op: "comment", id, text: `never ${mark}`, as: name }))];
      operations.splice(random(operations.length + 1), 0, { op: "move", id: "TASK-4040404", status: "done" });
      const done = await manage(client, ...operations);
      assert.equal(done.failed, true);
      assert.match(done.text, /nothing was written/);
      never.push(`never ${mark}`);
    };
    const move = async (client, name, mark) => {
      const id = coming.find((each) => !away.has(each));
      if (!id) return;
      away.add(id);
      if (trashed.has(id)) {
        const done = await manage(client, { op: "restore", id: random(2) ? id : trashed.get(id).entry }, { op: "comment", id: shared[0], text: `back ${mark}`, as: name });
        assert.equal(done.failed, false, done.text);
        assert.equal(file(work, id), trashed.get(id).text);
        add(shared[0], `: back ${mark}\n`);
        trashed.delete(id);
      } else {
        const commented = await manage(client, { op: "comment", id, text: `before ${mark}`, as: name });
        assert.equal(commented.failed, false, commented.text);
        const text = file(work, id);
        const done = await manage(client, { op: "delete", id });
        assert.equal(done.failed, false, done.text);
        assert.equal(existsSync(join(folder(work), `${id}.md`)), false);
        trashed.set(id, { text, entry: /"id":"([^"]*~[^"]*)"/.exec(done.text)[1] });
        add(id, `: before ${mark}\n`);
      }
      away.delete(id);
    };
    async function work_(client, name) {
      for (let i = 0; i < 16 * rounds; i += 1) {
        const id = shared[random(shared.length)];
        const mark = `${name}-${i}`;
        const kind = random(7);
        if (kind === 0) {
          const done = await manage(client, { op: "create", title: mark }, { op: "create", title: `${mark} too`, dependencies: ["#1"] });
          assert.equal(done.failed, false, done.text);
          made.push(...idsIn(done.text));
        } else if (kind === 1) {
          const done = await manage(client, { op: "claim", id, as: name });
          if (!done.failed) {
            assert.equal(claims.get(id), undefined, `${id} was claimed by ${claims.get(id)} and ${name}`);
            claims.set(id, name);
          }
        } else if (kind === 2) {
          const done = await manage(client, { op: "comment", id, text: mark, as: name });
          assert.equal(done.failed, false, done.text);
          add(id, `: ${mark}\n`);
        } else if (kind === 3) {
          await update(client, name, mark);
        } else if (kind === 4) {
          await refused(client, name, mark);
        } else if (kind === 5) {
          await move(client, name, mark);
        } else {
          const all = shared.map((each) => ({ op: "comment", id: each, text: `all ${mark}`, as: name }));
          const done = await manage(client, ...all, { op: "comment", id: byHand[random(2)], text: `hand ${mark}`, as: name });
          // An editor that saves meanwhile wins: then none of them was written.
          if (done.failed) never.push(`: all ${mark}\n`, `: hand ${mark}\n`);
          else shared.forEach((each) => add(each, `: all ${mark}\n`));
        }
      }
    }
    // An editor: it writes a new file and renames it over the old one.
    let writing = true;
    async function edit() {
      for (let i = 0; writing; i += 1) {
        const id = byHand[i % 2];
        const path = join(folder(work), `${id}.md`);
        const mark = `edited ${i}.\n`;
        writeFileSync(`${path}.new`, `${readFileSync(path, "utf8")}${mark}`);
        renameSync(`${path}.new`, path);
        add(id, mark);
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
    }
    const editor = edit();
    await Promise.all(clients.map((client, i) => work_(client, `p${i}`)));
    writing = false;
    await editor;
    for (const [id, { text }] of trashed) {
      assert.equal((await manage(clients[0], { op: "restore", id })).failed, false, id);
      assert.equal(file(work, id), text);
    }
    assert.equal(new Set(made).size, made.length, "an id was given twice");
    for (const id of made) assert.ok(existsSync(join(folder(work), `${id}.md`)), id);
    for (const [id, text] of kept) assert.ok(file(work, id).includes(text), `${id} lost ${text}`);
    const everything = readdirSync(folder(work)).filter((name) => name.endsWith(".md")).map((name) => readFileSync(join(folder(work), name), "utf8")).join("");
    for (const text of never) assert.ok(!everything.includes(text), `of a call that failed there is ${text}`);
    for (const [id, name] of claims) assert.match(file(work, id), new RegExp(`assignee: ${name}\\n`));
    const problems = JSON.parse(await read(clients[0], "mcp://backlog/problems"));
    assert.deepEqual(problems.problems ?? [], []);
  });
});

describe("a process that is killed while it writes", () => {
  it("leaves what it acknowledged, and of the last call all or nothing", async () => {
    const work = makeWorkspace({ "README.md": "# Project\n" });
    const acknowledged = [];
    let titles = 0;
    for (let round = 0; round < 5 * rounds; round += 1) {
      const client = await serve(work, []);
      const begun = titles;
      const calls = Array.from({ length: 20 }, () => {
        titles += 1;
        const title = `t${titles}`;
        return manage(client, ...[1, 2, 3].map((part) => ({ op: "create", title: `${title}-${part}` }))).then((done) => {
          if (!done.failed) acknowledged.push([title, idsIn(done.text)]);
        });
      });
      // As soon as one is done, in the middle of another.
      await Promise.race([...calls.slice(round, round + 1)]);
      process.kill(client.pid, "SIGKILL");
      calls.forEach((call) => call.catch(() => {}));
      assert.ok(acknowledged.length > 0, `none of ${titles - begun}`);
    }
    const client = await serve(work, on);
    assert.equal((await manage(client, { op: "create", title: "last" })).failed, false);
    const byTitle = new Map();
    for (const name of readdirSync(folder(work)).filter((each) => each.endsWith(".md"))) {
      const title = readFileSync(join(folder(work), name), "utf8").match(/^title: "?([^"\n]*)/m)[1];
      byTitle.set(title, name);
    }
    for (const [title, ids] of acknowledged) {
      ids.forEach((id, part) => assert.equal(byTitle.get(`${title}-${part + 1}`), `${id}.md`));
    }
    for (let i = 1; i <= titles; i += 1) {
      const there = [1, 2, 3].filter((part) => byTitle.has(`t${i}-${part}`)).length;
      assert.ok(there === 0 || there === 3, `of t${i} there are ${there}`);
    }
    assert.equal(await client.stop(), 0);
    work.remove();
  });
});

describe("work trees of one repository", () => {
  it("give no id twice", async () => {
    const work = makeWorkspace({ "README.md": "# Project\n" });
    const git = (...args) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: work.root, env: work.environment, stdio: "pipe" });
    git("init");
    git("add", ".");
    git("commit", "-m", "first");
    const other = join(work.base, "other");
    git("worktree", "add", other);
    mkdirSync(other, { recursive: true });
    const clients = await Promise.all(
      [work.root, work.root, other, other].map((root) => connect(program, ["serve", "--workspace", root], work.environment)),
    );
    const made = await Promise.all(
      clients.map(async (client) => {
        const ids = [];
        for (let i = 0; i < 5 * rounds; i += 1) {
          const { failed, text } = await manage(client, { op: "create", title: "A" });
          assert.equal(failed, false, text);
          ids.push(...idsIn(text));
        }
        return ids;
      }),
    );
    const all = made.flat();
    assert.equal(all.length, 4 * 5 * rounds);
    assert.equal(new Set(all).size, all.length, all.join(" "));
    assert.ok(existsSync(join(work.root, ".git/lode/backlog-ids")));
    for (const client of clients) assert.equal(await client.stop(), 0);
    work.remove();
  });
});
