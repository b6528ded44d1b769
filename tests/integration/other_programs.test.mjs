// Exports, loaded by the real DollhouseMCP and NEXS-MCP.
//
// Neither is needed to build or test Lode, and neither is fetched here. A test runs where a
// command is named, and says that it did not run where none is:
//
//   LODE_DOLLHOUSE='npx -y @dollhousemcp/mcp-server'   (words, separated by blanks)
//   LODE_NEXS=nexs-mcp
//   LODE_PORTFOLIO=DIR    a portfolio to move, instead of the one in tests/fixtures
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { connect, makeWorkspace, run } from "./support.mjs";

const fixtures = join(dirname(fileURLToPath(import.meta.url)), "..", "fixtures");
const words = (name) => process.env[name]?.split(" ").filter(Boolean) ?? [];
const dollhouse = words("LODE_DOLLHOUSE");
const nexs = words("LODE_NEXS");
const portfolio = process.env.LODE_PORTFOLIO ?? join(fixtures, "portfolio");
const without = (name, command) => (command.length > 0 ? false : `DID NOT RUN: ${name} names no command`);
const noDollhouse = without("LODE_DOLLHOUSE", dollhouse);
const noNexs = without("LODE_NEXS", nexs);
for (const missing of [noDollhouse, noNexs]) if (missing) console.error(missing);

const folders = { persona: "personas", skill: "skills", template: "templates", agent: "agents", memory: "memories", ensemble: "ensembles" };

// Made here: what Lode's own form says and the others demand otherwise.
const own = {
  "persona/tutor.md": "---\nname: Tutor\ndescription: Explains\n---\nYou explain with patience.\n",
  "persona/long.md": `---\nname: Long Talker\ndescription: Says much\n---\n${"You say it again. ".repeat(200)}\n`,
  "skill/tutor.md": "---\nname: Tutor\ndescription: The same id as the persona's\n---\nExplain it.\n",
  "memory/decision.md": "---\nname: 'Decision: SQLite'\ndescription: Why\n---\nIt needs no server.\n",
  "memory/backup-plan.yaml": "name: Backup plan\ndescription: Where to\ncontent: To the attic.\n",
  "memory/team/list.yaml": "name: Team list\ndescription: Who\nentries: [Ada, {content: Grace}]\n",
  "agent/release.yaml": "name: Release\ndescription: Ships\ngoals: [Ship it]\ntags: solo\n",
  "template/letter.md": "---\nname: Letter\ndescription: A letter\n---\nDear {{who}},\n",
  "ensemble/crew.yaml": "name: Crew\ndescription: All\nmembers: [{agent_id: release, role: lead, priority: 1}]\n",
};

function filesIn(directory) {
  const out = {};
  const walk = (here) => {
    for (const entry of readdirSync(here, { withFileTypes: true })) {
      const path = join(here, entry.name);
      if (entry.isDirectory()) walk(path);
      else out[relative(directory, path)] = readFileSync(path, "utf8");
    }
  };
  if (existsSync(directory)) walk(directory);
  return out;
}

const made = [];
function workspace(files = {}) {
  const elements = Object.fromEntries(Object.entries(files).map(([name, text]) => [`.lode/elements/${name}`, text]));
  const work = makeWorkspace({ "README.md": "# Project\n", ...elements });
  made.push(work);
  return work;
}
after(() => made.forEach((work) => work.remove()));

async function report(work, ...args) {
  const { stdout, stderr } = await run(work, [...args, "--json"]);
  assert.ok(stdout, stderr);
  return JSON.parse(stdout);
}
async function exported(work, format) {
  const out = join(work.base, `out-${format}`);
  const done = await report(work, "export", out, "--format", format);
  return { out, files: done.files.filter((file) => file.to && !file.from.includes("/scripts/")), notes: done.files };
}

const answer = (reply) => JSON.parse(reply.result.content[0].text);
// They need not end with their input.
const end = async (client) => {
  process.kill(client.pid, "SIGTERM");
  await client.stop();
};
const home = (work) => mkdtempSync(join(work.base, "home-"));

// What DollhouseMCP shows of a portfolio: by type, the names, and how many it calls invalid.
async function seenByDollhouse(work, portfolioDirectory) {
  const environment = { PATH: process.env.PATH, HOME: home(work), DOLLHOUSE_PORTFOLIO_DIR: portfolioDirectory, DOLLHOUSE_TELEMETRY: "false", DOLLHOUSE_TELEMETRY_NO_REMOTE: "true", DOLLHOUSE_WEB_CONSOLE: "" };
  const client = await connect(dollhouse[0], dollhouse.slice(1), environment);
  const call = async (operation, params) => answer(await client.request("tools/call", { name: "mcp_aql_read", arguments: { operation, params } }));
  const seen = {};
  for (const type of Object.keys(folders)) {
    const { data } = await call("list_elements", { element_type: type, pageSize: 100 });
    // It puts one memory of its own into every portfolio.
    const names = data.items.map((item) => item.element_name).filter((name) => name !== "dollhousemcp-baseline-knowledge");
    seen[type] = { names, invalid: data.warnings?.invalid_elements_count ?? 0 };
  }
  const details = (type, name) => call("get_element_details", { element_type: type, element_name: name });
  return { seen, details, stop: () => end(client) };
}

async function startNexs(work, data) {
  const at = home(work);
  const environment = { PATH: process.env.PATH, HOME: at, NEXS_DATA_DIR: data, NEXS_BASE_DIR: at, NEXS_AUTO_SAVE_MEMORIES: "false" };
  const client = await connect(nexs[0], nexs.slice(1), environment);
  const call = (name, args) => client.request("tools/call", { name, arguments: args });
  return { call, stop: () => end(client) };
}

describe("DollhouseMCP", { skip: noDollhouse }, () => {
  it("shows every element that was made here", async () => {
    const work = workspace(own);
    const { out, files } = await exported(work, "dollhouse");
    assert.equal(files.length, Object.keys(own).length);
    const { seen, details, stop } = await seenByDollhouse(work, out);
    for (const [type, folder] of Object.entries(folders)) {
      const sent = files.filter((file) => file.to.startsWith(`${folder}/`)).length;
      assert.deepEqual([seen[type].names.length, seen[type].invalid], [sent, 0], `${type}: ${seen[type].names}`);
    }
    const decision = JSON.stringify(await details("memory", "Decision SQLite"));
    assert.match(decision, /It needs no server/);
    assert.match(JSON.stringify(await details("memory", "Team list")), /Grace/);
    await stop();
  });

  it("shows every element that came from NEXS", async () => {
    const work = workspace();
    await report(work, "import", join(fixtures, "nexs"));
    const { out, files } = await exported(work, "dollhouse");
    const { seen, stop } = await seenByDollhouse(work, out);
    await stop();
    for (const [type, folder] of Object.entries(folders)) {
      const sent = files.filter((file) => file.to.startsWith(`${folder}/`)).length;
      assert.deepEqual([seen[type].names.length, seen[type].invalid], [sent, 0], `${type}: ${seen[type].names}`);
    }
  });

  it("shows as much of a portfolio that came through Lode as of the portfolio itself", async (test) => {
    const work = workspace();
    const copy = join(work.base, "copy");
    cpSync(portfolio, copy, { recursive: true });
    await report(work, "import", portfolio);
    const { out } = await exported(work, "dollhouse");
    const before = await seenByDollhouse(work, copy);
    await before.stop();
    const now = await seenByDollhouse(work, out);
    await now.stop();
    for (const type of Object.keys(folders)) {
      const [was, is] = [before.seen[type], now.seen[type]];
      test.diagnostic(`${type}: ${was.names.length} before, ${is.names.length} after`);
      // One without a name has that of its file here.
      for (const name of was.names.filter((one) => one !== "Unnamed Memory")) assert.ok(is.names.includes(name), `${type} ${name}`);
      assert.ok(is.names.length >= was.names.length, type);
    }
  });
});

describe("NEXS-MCP", { skip: noNexs }, () => {
  // Exports, lets NEXS load and rewrite the tree, and says what it had.
  async function through(work) {
    const { out, files, notes } = await exported(work, "nexs");
    const program = await startNexs(work, out);
    const { elements } = answer(await program.call("list_elements", {}));
    const refused = [];
    for (const element of elements) {
      const got = await program.call("get_element", { id: element.id });
      if (got.error || got.result.isError) refused.push(`${element.id}: ${JSON.stringify(got)}`);
    }
    const lengths = JSON.stringify(elements).length;
    await program.stop();
    return { out, files, notes, elements, refused, lengths };
  }

  it("loads every element that was made here, and its default user reads each", async () => {
    const work = workspace(own);
    const { files, notes, elements, refused } = await through(work);
    assert.equal(elements.length, Object.keys(own).length);
    assert.equal(files.length, elements.length);
    assert.deepEqual(refused, []);
    const long = notes.find((file) => file.from === "persona/long.md");
    assert.match(long.notes.join(), /NEXS takes 2000 bytes/);
    assert.ok(notes.some((file) => /its id is "tutor_/.test((file.notes ?? []).join())), "the shared id is told");
  });

  it("gives back the files that Lode had, byte by byte", async () => {
    const work = workspace(own);
    const { out } = await through(work);
    const other = workspace();
    await report(other, "import", out, "--from", "nexs");
    assert.deepEqual(filesIn(join(other.root, ".lode/elements")), own);
  });

  it("keeps every field of a portfolio that goes there and back", async (test) => {
    const work = workspace();
    await report(work, "import", portfolio);
    const before = (await exported(work, "dollhouse")).out;
    const { out, files, elements, refused } = await through(work);
    test.diagnostic(`${files.length} exported, ${elements.length} loaded by NEXS`);
    assert.equal(elements.length, files.length);
    assert.deepEqual(refused, []);
    const other = workspace();
    await report(other, "import", out, "--from", "nexs");
    const after_ = filesIn((await exported(other, "dollhouse")).out);
    const sent = filesIn(before);
    const equal = Object.keys(sent).filter((name) => after_[name] === sent[name]);
    test.diagnostic(`${equal.length} of ${Object.keys(sent).length} files are the same as before`);
    assert.deepEqual(after_, sent);
  });

  it("fills in a template as Lode does", async () => {
    const text = "{{upper name}} {{default tone \"kind\"}}{{#each items}} {{@key}}={{this}}{{/each}}{{#if (eq count \"3\")}} {{count}}{{/if}}{{#each steps}} {{id}}{{#if note}}({{note}}){{/if}}{{/each}} {{join tags ', '}}\n";
    const work = workspace({ "template/t.md": `---\nname: Tee\ndescription: All of it\n---\n${text}` });
    const values = { name: "ada", items: { a: "1", b: "2" }, count: "3", steps: [{ id: "x" }, { id: "y", note: "z" }], tags: ["p", "q"] };
    const program = await startNexs(work, mkdtempSync(join(work.base, "empty-")));
    const theirs = answer(await program.call("render_template", { template_content: text, data: values }));
    await program.stop();
    const client = await connect(process.env.LODE, ["serve", "--workspace", work.root, "--resources-enabled", "true"], work.environment);
    const args = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]));
    const ours = await client.request("prompts/get", { name: "template-t", arguments: args });
    await client.stop();
    assert.ok(ours.result, JSON.stringify(ours));
    assert.equal(ours.result.messages[0].content.text.trim(), theirs.rendered_output.trim());
  });
});

describe("both", { skip: noDollhouse || noNexs }, () => {
  it("DollhouseMCP shows after a trip through NEXS what it showed before", async (test) => {
    const work = workspace(own);
    await report(work, "import", portfolio);
    const direct = (await exported(work, "dollhouse")).out;
    const before = await seenByDollhouse(work, direct);
    await before.stop();
    const { out } = await exported(work, "nexs");
    const program = await startNexs(work, out);
    await program.call("list_elements", {});
    await program.stop();
    const other = workspace();
    await report(other, "import", out, "--from", "nexs");
    const back = (await exported(other, "dollhouse")).out;
    mkdirSync(back, { recursive: true });
    const now = await seenByDollhouse(other, back);
    await now.stop();
    for (const type of Object.keys(folders)) {
      test.diagnostic(`${type}: ${before.seen[type].names.length} before, ${now.seen[type].names.length} after`);
    }
    assert.deepEqual(now.seen, before.seen);
  });
});
