// Moving elements in and out through the real program: a Dollhouse portfolio, a
// NEXS data directory and Agent Skills, there and back.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { makeWorkspace, run, serve } from "./support.mjs";

const fixtures = join(dirname(fileURLToPath(import.meta.url)), "..", "fixtures");
const on = ["--resources-enabled", "true"];

// Every file below a directory, with its bytes.
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

const fates = (report) => Object.fromEntries(report.files.map((file) => [file.from, file.fate]));
const find = (report, from) => report.files.find((file) => file.from === from);

function workspaces() {
  const made = [];
  return {
    make: (files = { "README.md": "# Project\n" }) => {
      const work = makeWorkspace(files);
      work.elements = join(work.root, ".lode/elements");
      made.push(work);
      return work;
    },
    remove: () => made.forEach((work) => work.remove()),
  };
}

// `lode … --json`: the report, and how it ended.
async function report(work, ...args) {
  const { stdout, stderr, status } = await run(work, [...args, "--json"]);
  assert.ok(stdout, stderr);
  return { ...JSON.parse(stdout), status };
}

describe("import", () => {
  const all = workspaces();
  after(all.remove);

  it("reads a portfolio, and says of every file what became of it", async () => {
    const work = all.make();
    const source = join(fixtures, "portfolio");
    const untouched = filesIn(source);
    const done = await report(work, "import", source);
    assert.equal(done.status, 5, "a broken file");
    assert.equal(done.format, "dollhouse");
    assert.deepEqual(Object.keys(fates(done)).sort(), Object.keys(untouched).sort());
    assert.deepEqual(filesIn(source), untouched);

    const fate = fates(done);
    for (const kept of ["personas/careful-editor.md", "personas/harbour-pilot.md", "skills/table-reading.md", "templates/meeting-note.md", "agents/night-watch.md", "agents/old-hand.md", "ensembles/newsroom.md", "ensembles/old-team.md", "memories/2025-03-01/decisions.yaml", "memories/2025-04-02/letter.yaml", "memories/old-style.md", "memories/system/baseline.yaml", "memories/adapters/bridge.yaml", "skills/chart-maker/SKILL.md", "skills/chart-maker/scripts/draw.sh"]) {
      assert.equal(fate[kept], "kept", kept);
      const to = find(done, kept).to;
      assert.equal(readFileSync(join(work.elements, to), "latin1"), untouched[kept], to);
    }
    for (const mended of ["memories/2025-04-02/field-notes.yaml", "memories/2025-04-02/decisions.yaml", "memories/2025-04-02/nameless.yaml"]) {
      assert.equal(fate[mended], "mended", mended);
    }
    for (const skipped of [".backups/personas/2025-03-01/careful-editor.backup-1740819600000.md", ".config/index-config.json", "README.md", "agents/.state/night-watch.state.yaml", "capability-index.yaml", "memories/_index.json", "memories/backups/user/gone.yaml"]) {
      assert.equal(fate[skipped], "skipped", skipped);
      assert.ok(find(done, skipped).notes[0], skipped);
    }
    assert.equal(fate["personas/torn-page.md"], "broken");
    assert.match(find(done, "personas/torn-page.md").notes[0], /^line \d+: /);
    assert.ok(statSync(join(work.elements, "skill/chart-maker/scripts/draw.sh")).mode & 0o100, "scripts stay programs");

    const stats = JSON.parse((await run(work, ["read", "capability-index://stats", ...on])).stdout);
    assert.deepEqual(stats.element_counts, { persona: 2, skill: 2, template: 1, agent: 2, ensemble: 2, memory: 8 });
  });

  it("brings nothing twice, and never overwrites", async () => {
    const work = all.make();
    const source = join(fixtures, "portfolio");
    await report(work, "import", source);
    const here = filesIn(work.elements);
    const again = await report(work, "import", source);
    assert.equal(again.counts.kept + again.counts.mended, 0);
    assert.equal(again.counts.present, Object.keys(here).length);
    assert.deepEqual(filesIn(work.elements), here);

    const file = join(work.elements, "persona/careful-editor.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("twice", "thrice"));
    const third = await report(work, "import", source);
    assert.equal(fates(third)["personas/careful-editor.md"], "conflict");
    assert.match(readFileSync(file, "utf8"), /thrice/);
    assert.equal(Object.keys(filesIn(work.elements)).length, Object.keys(here).length, "no duplicate");
    const replaced = await report(work, "import", source, "--replace");
    assert.equal(fates(replaced)["personas/careful-editor.md"], "kept");
    assert.deepEqual(filesIn(work.elements), here);
  });

  it("writes nothing in a dry run, and to the user's own elements on request", async () => {
    const work = all.make();
    const source = join(fixtures, "portfolio");
    const dry = await run(work, ["import", source, "--dry-run"]);
    assert.equal(dry.status, 5);
    assert.match(dry.stdout, /^kept +personas\/careful-editor\.md → persona\/careful-editor\.md$/m);
    assert.match(dry.stdout, /^broken +personas\/torn-page\.md: line \d+: /m);
    assert.match(dry.stdout, /^nothing was written; would be: 15 kept, 3 mended, 7 skipped, 1 broken$/m);
    assert.ok(!existsSync(work.elements));
    await report(work, "import", source, "--to", "user");
    assert.ok(existsSync(join(work.base, ".config/lode/elements/persona/careful-editor.md")));
    assert.ok(!existsSync(work.elements));
  });

  it("reads NEXS in both spellings, wherever its elements are", async () => {
    const work = all.make();
    const source = join(fixtures, "nexs");
    const untouched = filesIn(source);
    const done = await report(work, "import", source);
    assert.equal(done.format, "nexs");
    assert.deepEqual(filesIn(source), untouched);
    assert.deepEqual(done.counts, { kept: 7, mended: 3, converted: 0, present: 0, skipped: 4, conflict: 0, broken: 1 });
    const spelled = find(done, "elements/elements/skill/2025-05-06/skill_signal_reading_20250506-070810.yaml");
    assert.deepEqual(spelled.notes.slice(0, 2), ["Metadata is spelled metadata", "Data is spelled data"]);
    assert.match(find(done, "elements/elements/memory/2025-05-06/memory_emptied_20250506-070815.yaml").notes[0], /data is missing/);
    assert.match(find(done, "backup/elements/ada/memory/memory_tide_20250508-070817.json").notes[0], /JSON became YAML/);
    const stats = JSON.parse((await run(work, ["read", "capability-index://stats", ...on])).stdout);
    assert.deepEqual(stats.element_counts, { persona: 1, skill: 2, template: 2, agent: 1, ensemble: 1, memory: 3 });
    const full = (await run(work, ["read", "capability-index://full", ...on])).stdout;
    assert.match(full, /has member \*\*agent:agent_boat_builder_20250506-070812\*\*/, "relations hold");
    assert.equal((await report(work, "import", source)).counts.present, 10);
  });

  it("makes prompts of NEXS's templates and flat personas", async () => {
    const work = all.make();
    const source = join(work.base, "nexs");
    const write = (path, text) => {
      mkdirSync(dirname(join(source, path)), { recursive: true });
      writeFileSync(join(source, path), text);
    };
    write("elements/template/2025-05-06/report.yaml", `metadata:
  id: template_report_1
  type: template
  name: Report
  description: A report
data:
  format: yaml
  content: |
    title: {{upper title}}
    tone: {{default tone "plain"}}
    {{#if (gt rounds 0)}}
    rounds: {{rounds}}
    {{/if}}
    {{#each headers}}
    {{@key}}: {{json this}}
    {{/each}}
    parts: {{join parts ', '}}
    by: {{writer}}
  variables:
    - {name: title, type: string, required: true}
    - {name: tone, type: string}
    - {name: rounds, type: number, default: "0"}
    - {name: headers, type: object}
    - {name: parts, type: array}
`);
    write("elements/template/2025-05-06/letter.yaml", "metadata: {id: template_letter_1, type: template, name: Letter, description: x}\ndata: {content: 'Dear {{who}},\n\n  {{> closing}}', format: text}\n");
    write("personas/ada.yaml", "name: Ada\ntype: persona\ndescription: Designs systems.\ntraits: [calm]\nbehavior: [Asks first]\nmetadata: {category: professional}\n");
    const done = await report(work, "import", source, "--from", "nexs");
    assert.match(find(done, "elements/template/2025-05-06/report.yaml").notes.join(), /\{\{writer\}\} is not declared, and is taken as optional/);
    assert.match(find(done, "elements/template/2025-05-06/letter.yaml").notes.join(), /cannot be filled in: line 2: \{\{> closing\}\} is not understood: a template cannot bring in another/);
    const client = await serve(work, on);
    const { prompts } = (await client.request("prompts/list")).result;
    const named = prompts.find((prompt) => prompt.name === "template-report");
    assert.deepEqual(named.arguments.map((argument) => argument.name), ["title", "tone", "rounds", "headers", "parts", "writer"]);
    const get = async (name, args) => (await client.request("prompts/get", { name, arguments: args })).result.messages[0].content.text;
    const filled = await get(named.name, { title: "tides", rounds: "3", headers: '{"Host":"x"}', parts: "a, b", writer: "Ada" });
    assert.equal(filled, 'title: TIDES\ntone: plain\nrounds: 3\nHost: "x"\nparts: a, b\nby: Ada\n');
    assert.equal(await get("persona-ada", {}), "Designs systems.\n\nTraits:\n- calm\n\nBehavior:\n- Asks first");
    assert.equal(await client.stop(), 0);
  });

  it("follows no link and reads nothing outside", async () => {
    const work = all.make();
    const source = join(work.base, "mine");
    cpSync(join(fixtures, "portfolio"), source, { recursive: true });
    symlinkSync("/etc/passwd", join(source, "personas/link.md"));
    symlinkSync("/etc", join(source, "templates/etc"));
    const done = await report(work, "import", source);
    assert.equal(fates(done)["personas/link.md"], "skipped");
    assert.equal(fates(done)["templates/etc"], "skipped");
    assert.deepEqual(readdirSync(join(work.elements, "template")), ["meeting-note.md"]);
  });

  it("says in a sentence what it cannot do", async () => {
    const work = all.make({ "notes.txt": "x\n" });
    const none = await run(work, ["import", work.root]);
    assert.equal(none.status, 1);
    assert.match(none.stderr, /neither a Dollhouse portfolio .* nor a NEXS data directory .* nor a folder of Agent Skills/);
    assert.equal((await run(work, ["import", join(work.root, "absent")])).status, 3);
    assert.equal((await run(work, ["import", work.root, "--from", "nowhere"])).status, 2);
    assert.equal((await run(work, ["export", work.root])).status, 2, "a format is needed");
  });
});

describe("export", () => {
  const all = workspaces();
  after(all.remove);

  // Imports a fixture, exports it in its own format, and imports that elsewhere.
  async function around(name, format) {
    const first = all.make();
    await report(first, "import", join(fixtures, name));
    const out = join(first.base, "out");
    const exported = await report(first, "export", out, "--format", format);
    const second = all.make();
    const back = await report(second, "import", out);
    return { first, second, out, exported, back };
  }

  it("writes a portfolio back as it was", async () => {
    const { first, second, out, exported, back } = await around("portfolio", "dollhouse");
    // An entry without a time would be dropped there.
    assert.deepEqual(exported.files.filter((file) => file.fate === "converted").map((file) => file.from), ["memory/2025-04-02/field-notes.yaml"]);
    const source = filesIn(join(fixtures, "portfolio"));
    const written = filesIn(out);
    for (const file of ["personas/careful-editor.md", "memories/2025-03-01/decisions.yaml", "memories/system/baseline.yaml", "ensembles/newsroom.md"]) {
      assert.equal(written[file], source[file], file);
    }
    assert.equal(written["memories/old-style.yaml"], source["memories/old-style.md"], "Dollhouse reads no other memories");
    // A skill's folder becomes one file; the script beside it is told of as lost.
    assert.equal(written["skills/chart-maker.md"], source["skills/chart-maker/SKILL.md"]);
    assert.match(find(exported, "skill/chart-maker/scripts/draw.sh").notes[0], /^lost: /);
    assert.equal(exported.status, 5);
    assert.equal(back.status, 0);
    const without = (files) => Object.fromEntries(Object.entries(files).filter(([name]) => !/chart-maker|old-style/.test(name)));
    assert.deepEqual(without(filesIn(second.elements)), without(filesIn(first.elements)));
  });

  it("writes NEXS back as it was", async () => {
    const { first, second, out, exported, back } = await around("nexs", "nexs");
    assert.deepEqual([exported.status, back.status], [0, 0]);
    const name = "elements/persona/2025-05-06/persona_lighthouse_keeper_20250506-070809.yaml";
    assert.equal(filesIn(out)[name], readFileSync(join(fixtures, "nexs/elements", name), "latin1"));
    for (const element of Object.values(filesIn(first.elements))) {
      assert.ok(Object.values(filesIn(second.elements)).includes(element), element);
    }
  });

  it("crosses from each format to the other and back without loss", async () => {
    for (const [name, over] of [["portfolio", "nexs"], ["nexs", "dollhouse"]]) {
      const { first, out, exported } = await around(name, over);
      assert.ok(exported.counts.converted > 0);
      assert.equal(exported.counts.conflict, 0);
      // At home every element is recognised as the one that is there.
      const home = await report(first, "import", out);
      assert.deepEqual([...new Set(home.files.map((file) => file.fate))], ["present"], JSON.stringify(home.files.filter((file) => file.fate !== "present")));
    }
  });

  it("brings the same files back from NEXS's form, comments and all", async () => {
    const { first, second } = await around("portfolio", "nexs");
    const without = (files) => Object.fromEntries(Object.entries(files).filter(([name]) => !name.includes("/scripts/")));
    assert.deepEqual(without(filesIn(second.elements)), without(filesIn(first.elements)));
  });

  it("says what NEXS cannot hold, and gives each element an id of its own", async () => {
    const work = all.make({
      ".lode/elements/persona/talker.md": `---\nname: Talker\ndescription: Says much\n---\n${"Again. ".repeat(400)}\n`,
      ".lode/elements/skill/talker.md": "---\nname: Talking\ndescription: The same id\n---\nTalk.\n",
      ".lode/elements/memory/decision.md": "---\nname: Decision\ndescription: Why\n---\nSo.\n",
    });
    const out = join(work.base, "out");
    const done = await report(work, "export", out, "--format", "nexs");
    assert.match(find(done, "persona/talker.md").notes[0], /^system_prompt: NEXS takes 2000 bytes, so \d+ of \d+ are there/);
    assert.match(find(done, "skill/talker.md").notes[0], /^its id is "talker_[0-9a-f]{8}" there/);
    const texts = Object.values(filesIn(out));
    assert.equal(new Set(texts.map((text) => text.match(/^ {2}id: (.*)$/m)[1])).size, 3);
    assert.ok(texts.every((text) => !text.includes("privacy_level")));
    const house = join(work.base, "house");
    assert.equal(find(await report(work, "export", house, "--format", "dollhouse"), "memory/decision.md").to, "memories/decision.yaml");
  });

  it("writes skills as folders, with the files beside them", async () => {
    const { second, out, exported, back } = await around("portfolio", "skills");
    assert.equal(exported.status, 0);
    assert.deepEqual(Object.keys(filesIn(out)).sort(), ["chart-maker/SKILL.md", "chart-maker/scripts/draw.sh", "table-reading/SKILL.md"]);
    assert.ok(statSync(join(out, "chart-maker/scripts/draw.sh")).mode & 0o100);
    assert.equal(back.format, "skills");
    assert.ok(existsSync(join(second.elements, "skill/chart-maker/scripts/draw.sh")));
  });

  it("exports what is asked for, and overwrites only on request", async () => {
    const work = all.make();
    await report(work, "import", join(fixtures, "portfolio"));
    const out = join(work.base, "out");
    const dry = await report(work, "export", out, "--format", "dollhouse", "--only", "agent:night-watch", "--dry-run");
    assert.deepEqual([dry.counts.kept, dry.dry_run, existsSync(out)], [1, true, false]);
    const some = await report(work, "export", out, "--format", "dollhouse", "--type", "agent", "--only", "night-watch", "--only", "old-hand");
    assert.deepEqual(Object.keys(filesIn(out)).sort(), ["agents/night-watch.md", "agents/old-hand.md"]);
    assert.equal(some.status, 0);
    writeFileSync(join(out, "agents/old-hand.md"), "mine\n");
    const args = ["export", out, "--format", "dollhouse", "--type", "agent"];
    const kept = await report(work, ...args);
    assert.deepEqual(fates(kept), { "agent/night-watch.md": "present", "agent/old-hand.md": "conflict" });
    assert.equal(kept.status, 5);
    assert.equal(readFileSync(join(out, "agents/old-hand.md"), "utf8"), "mine\n");
    assert.equal((await report(work, ...args, "--replace")).status, 0);
    assert.notEqual(readFileSync(join(out, "agents/old-hand.md"), "utf8"), "mine\n");
    const absent = await run(work, ["export", out, "--format", "nexs", "--only", "night-wach"]);
    assert.equal(absent.status, 3);
    assert.match(absent.stderr, /did you mean "night-watch"/);
  });
});

describe("element_manage", () => {
  const all = workspaces();
  let work;
  let client;
  const call = async (argument) => {
    const answer = await client.request("tools/call", { name: "element_manage", arguments: argument });
    if (answer.error) return answer.error.message;
    const text = answer.result.content[0].text;
    return answer.result.isError ? text : JSON.parse(text);
  };
  before(async () => {
    work = all.make();
    cpSync(join(fixtures, "portfolio"), join(work.root, "old"), { recursive: true });
    cpSync(join(fixtures, "portfolio"), join(work.base, "outside"), { recursive: true });
    symlinkSync(join(work.base, "outside"), join(work.root, "way-out"));
    client = await serve(work, on);
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    all.remove();
  });

  it("imports from inside the workspace, and the elements are there at once", async () => {
    const dry = await call({ operation: "import", path: "old", dry_run: true });
    assert.deepEqual([dry.counts.kept, existsSync(work.elements)], [15, false]);
    const done = await call({ operation: "import", path: join(work.root, "old") });
    assert.equal(done.counts.kept, 15);
    const read = await client.request("resources/read", { uri: "capability-index://elements/agent/night-watch" });
    assert.match(read.result.contents[0].text, /Night Watch/);
    assert.equal((await call({ operation: "import", path: "old" })).counts.present, 18);
  });

  it("exports into the workspace", async () => {
    const done = await call({ operation: "export", path: "shared/out", format: "nexs", type: "agent" });
    assert.equal(done.counts.converted, 2);
    assert.equal(Object.keys(filesIn(join(work.root, "shared/out"))).length, 2);
    const one = await call({ operation: "export", path: "one", format: "dollhouse", id: "template:meeting-note" });
    assert.deepEqual(one.files.map((file) => file.to), ["templates/meeting-note.md"]);
  });

  it("reads and writes nothing outside, and teaches the right call", async () => {
    for (const path of ["..", "../outside", join(work.base, "outside"), ".", "old/../.."]) {
      const refused = await call({ operation: "import", path });
      assert.match(refused, /inside the workspace.*Example: \{"operation":"import","path":/, path);
      assert.match(await call({ operation: "export", path, format: "nexs" }), /inside the workspace.*Example: /, path);
    }
    assert.match(await call({ operation: "import", path: "way-out" }), /no such directory/);
    assert.match(await call({ operation: "export", path: "way-out/x", format: "nexs" }), /is a link/);
    assert.ok(!existsSync(join(work.base, "outside/x")));
    assert.match(await call({ operation: "export", path: ".git/hooks", format: "nexs" }), /no such directory/);
    assert.match(await call({ operation: "export", path: ".lode/elements/x", format: "nexs" }), /Lode's own/);
    assert.match(await call({ operation: "export", path: "out" }), /export needs "format".*Example: /);
    assert.match(await call({ operation: "export", path: "out", format: "nex" }), /did you mean "nexs"/);
    assert.match(await call({ operation: "import", path: "old", dry_run: "yes" }), /"dry_run" is to be true or false/);
    assert.match(await call({ operation: "import", paht: "old" }), /did you mean "path"/);
  });

  it("is still listed in less than 220 tokens", async () => {
    const tokens = JSON.parse((await run(work, ["tokens", "--json", ...on])).stdout);
    const item = tokens.items.find((one) => one.name === "element_manage");
    assert.ok(item.tokens < 220, `${item.tokens}`);
    const { tools } = (await client.request("tools/list")).result;
    const { description } = tools.find((tool) => tool.name === "element_manage");
    assert.match(description, /import.*export/s);
  });
});
