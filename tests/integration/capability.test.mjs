// The capability index through the real program: elements of every type and
// shape, the pages, search, prompts, and what happens when files change.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { request } from "./hostile.mjs";
import { eventually, makeWorkspace, run, serve } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const elements = ".lode/elements";

const tree = {
  "README.md": "# Project\n",
  [`${elements}/persona/reviewer.md`]:
    "---\nname: Code Reviewer\ndescription: Reviews changes with care\nversion: 1.2.0\nauthor: ada\ntags: [review, quality]\n---\nYou look for concurrency mistakes.\n",
  [`${elements}/personas/nexs.yaml`]:
    "metadata:\n  id: persona_tutor_20250101-000000\n  type: persona\n  name: Tutor\n  description: Explains\n  version: 1.0.0\n  author: bob\n  tags: [teaching]\n  isactive: true\n  createdat: 2025-01-01T00:00:00Z\n  updatedat: 2025-01-02T00:00:00Z\ndata:\n  system_prompt: You explain patiently.\n  privacy_level: public\n",
  [`${elements}/skill/pdf/SKILL.md`]: "---\nname: pdf\ndescription: Works with PDF files\n---\nUse pdftotext.\n",
  [`${elements}/skill/pdf/scripts/run.sh`]: "#!/bin/sh\n",
  [`${elements}/skill/plain.md`]: "---\nname: Plain Skill\ndescription: A skill in one file\n---\nDo it.\n",
  [`${elements}/template/letter.md`]:
    "---\nname: Letter\ndescription: A letter\nvariables:\n  - name: who\n    description: To whom\n    required: true\n  - name: tone\n    default: kind\n---\nDear {{who}}, in a {{tone}} tone.\n",
  [`${elements}/agent/release.yaml`]:
    "name: Release Agent\ndescription: Cuts releases\npersona: reviewer\nskills: [pdf, no-such-skill]\ngoals: [Ship on Friday]\nactions:\n  - {name: tag, type: tool}\n",
  [`${elements}/ensemble/team.md`]:
    "---\nname: Team\ndescription: Everyone\nmembers:\n  - agent_id: release\n    role: lead\n    priority: 1\n---\n",
  [`${elements}/memory/decision.yaml`]:
    "metadata:\n  name: Decision\n  description: What was decided\n  type: memory\n  version: 1.0.0\nentries:\n  - id: mem_1\n    timestamp: 2025-01-01T00:00:00Z\n    content: We chose SQLite because of durability.\n",
  [`${elements}/memory/broken.md`]: "---\nname: Broken\n  worse: [\n---\ntext\n",
  [`${elements}/memory/nameless.md`]: "---\ndescription: no name\n---\ntext\n",
};

describe("the capability index", () => {
  let work;
  let client;
  const read = async (uri) => {
    const answer = await client.request("resources/read", { uri });
    return answer.result ? answer.result.contents[0].text : answer.error;
  };
  const json = async (uri) => JSON.parse(await read(uri));
  before(async () => {
    work = makeWorkspace(tree);
    client = await serve(work, on);
    await eventually(() => json("capability-index://stats"), (stats) => !stats.loading);
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("counts real elements, words and bytes", async () => {
    await read("capability-index://summary");
    await read("capability-index://summary");
    const stats = await eventually(
      () => json("capability-index://stats"),
      ({ cache_statistics: { entries, hits, misses }, tokens_served: tokens }) => entries > 0 && hits > 0 && misses > 0 && tokens > 0,
    );
    for (const key of ["entries", "hits", "misses"]) assert.ok(stats.cache_statistics[key] > 0, key);
    assert.ok(stats.tokens_served > 0);
    assert.deepEqual(stats.element_counts, { persona: 2, skill: 2, template: 1, agent: 1, ensemble: 1, memory: 1 });
    assert.equal(stats.index_statistics.document_count, 8);
    for (const key of ["vocabulary_size", "avg_document_length", "memory_usage_kb"]) assert.ok(stats.index_statistics[key] > 0, key);
    assert.equal(stats.cache_statistics.ttl_seconds, 300);
    assert.equal(stats.resources.full, "capability-index://full");
    assert.equal(stats.problems, 3);
  });

  it("shows a summary with keywords, recent elements and problems", async () => {
    const summary = await read("capability-index://summary");
    for (const heading of ["Element Counts", "Index Statistics", "Top Keywords", "Recent Elements", "Problems", "Available Resources"]) {
      assert.match(summary, new RegExp(`^## ${heading}`, "m"));
    }
    assert.match(summary, /^1\. \*\*\w+/m);
    assert.match(summary, /memory\/broken\.md:\d+: /);
    assert.match(summary, /memory\/nameless\.md:1: an element needs a name/);
    assert.match(summary, /agent\/release\.yaml:4: uses "no-such-skill", which is not there/);
    const full = await read("capability-index://full");
    assert.match(full, /#### Code Reviewer\n\*\*Description:\*\* Reviews changes with care\n- \*\*ID:\*\* reviewer\n- \*\*Version:\*\* 1\.2\.0/);
    assert.match(full, /has member \*\*agent:release\*\*/);
    assert.match(full, /\*\*Goals:\*\* Ship on Friday/);
    assert.doesNotMatch(full, /concurrency mistakes/, "no bodies");
  });

  it("answers at the addresses of NEXS and Dollhouse", async () => {
    for (const alias of ["dollhouse://capability-index", "capability://nexs-mcp/index"]) {
      assert.match(await read(`${alias}/summary`), /^# Capability Index - Summary/);
      assert.ok((await json(`${alias}/stats`)).element_counts);
    }
  });

  it("lists, filters, and names the nearest type", async () => {
    const all = await json("capability-index://elements/personas");
    assert.deepEqual(all.elements.map((element) => element.id), ["persona_tutor_20250101-000000", "reviewer"]);
    assert.deepEqual((await json("capability-index://elements/persona?tag=review")).elements.map((element) => element.id), ["reviewer"]);
    assert.deepEqual((await json("capability-index://elements/persona?author=bob")).elements.map((element) => element.name), ["Tutor"]);
    const first = await json("capability-index://elements/persona?limit=1");
    assert.equal(first.elements.length, 1);
    assert.deepEqual((await json(first.next)).elements.map((element) => element.id), ["reviewer"]);
    assert.match((await read("capability-index://elements/persna")).message, /did you mean "persona"/);
    assert.equal((await read("capability-index://elements/persona/nobody")).code, -32002);
    assert.equal((await read("capability-index://elements/persona?limit=0")).code, -32602);
    assert.equal((await json("capability-index://recent?days=1")).elements.length, 7);
  });

  it("finds by words, with scores, and only what the caller may read", async () => {
    const { hits } = await json("capability-index://search?q=concurrency");
    assert.equal(hits[0].uri, "capability-index://elements/persona/reviewer");
    assert.ok(hits[0].score > 0 && hits[0].score <= 1);
    assert.equal((await json("lode://search?q=durability")).hits[0].title, "Decision");
    const found = await client.request("tools/call", { name: "resource_find", arguments: { query: "pdf" } });
    assert.match(found.result.content[0].text, /elements\/skill\/pdf/);
    const listed = await client.request("tools/call", { name: "resource_find", arguments: { prefix: "capability-index://" } });
    assert.match(listed.result.content[0].text, /capability-index:\/\/stats/);
    assert.equal((await run(work, ["search", "concurrency", ...on])).stdout.split("\n")[0], "capability-index://elements/persona/reviewer  Code Reviewer");

    const policy = join(work.base, "policy.toml");
    writeFileSync(policy, `[[rule]]\neffect = "allow"\nroles = ["local"]\nactions = ["*"]\nuris = ["**"]\n[[rule]]\neffect = "deny"\nroles = ["local"]\nactions = ["*"]\nuris = ["capability-index://elements/persona/*"]\n`);
    const hidden = await run(work, ["search", "concurrency", "--json", "--policy-file", policy, ...on]);
    assert.deepEqual(JSON.parse(hidden.stdout).hits, []);
  });

  it("shows a body only where it is named", async () => {
    const uri = "capability-index://elements/persona/reviewer";
    assert.doesNotMatch(await read(uri), /concurrency mistakes/);
    const named = await run(work, ["read", uri, ...on, "--resources-expose", "capability-index://elements/**"]);
    assert.match(named.stdout, /concurrency mistakes/);
    const everything = await run(work, ["read", uri, ...on, "--resources-expose", "**"]);
    assert.doesNotMatch(everything.stdout, /concurrency mistakes/);
  });

  it("offers personas and templates as prompts", async () => {
    const { prompts } = (await client.request("prompts/list")).result;
    assert.deepEqual(prompts.map((prompt) => prompt.name), ["persona-tutor", "persona-reviewer", "template-letter"]);
    assert.deepEqual(prompts[2].arguments.map((argument) => [argument.name, argument.required]), [["who", true], ["tone", false]]);
    const get = (name, args) => client.request("prompts/get", { name, arguments: args });
    assert.match((await get("persona-reviewer")).result.messages[0].content.text, /concurrency mistakes/);
    assert.match((await get("persona-persona_tutor_20250101-000000")).result.messages[0].content.text, /explain patiently/);
    assert.equal((await get("template-letter", { who: "Ada" })).result.messages[0].content.text.trim(), "Dear Ada, in a kind tone.");
    assert.match((await get("template-letter", {})).error.message, /who/);
    assert.equal((await get("persona-nobody")).error.code, -32602);
  });

  it("completes types and ids", async () => {
    const complete = async (argument, value, context) =>
      (await client.request("completion/complete", {
        ref: { type: "ref/resource", uri: "capability-index://elements/{type}/{id}" },
        argument: { name: argument, value },
        context: { arguments: context },
      })).result.completion.values;
    assert.deepEqual(await complete("type", "pe", {}), ["persona"]);
    assert.deepEqual(await complete("id", "re", { type: "persona" }), ["reviewer"]);
  });

  it("hears of an edit by hand, and the next read is fresh", async () => {
    const uri = "capability-index://summary";
    await read(uri);
    await client.request("resources/subscribe", { uri });
    client.take("notifications/resources/updated");
    writeFileSync(join(work.root, elements, "persona/new.md"), "---\nname: Newcomer\ndescription: Just written by hand\n---\nZanzibar.\n");
    assert.equal((await client.notification("notifications/resources/updated")).params.uri, uri);
    assert.match(await read(uri), /Newcomer/);
    assert.equal((await json("lode://search?q=zanzibar")).hits.length, 1);
    await client.notification("notifications/prompts/list_changed");
    client.take("notifications/resources/updated");
    rmSync(join(work.root, elements, "persona/new.md"));
    await client.notification("notifications/resources/updated");
    assert.equal((await json("lode://search?q=zanzibar")).hits.length, 0);
    assert.doesNotMatch(await read(uri), /Newcomer/);
  });

  it("lets the workspace win over the user's own", async () => {
    const mine = join(work.base, ".config/lode/elements/persona");
    mkdirSync(mine, { recursive: true });
    writeFileSync(join(mine, "reviewer.md"), "---\nname: My Reviewer\ndescription: The user's\n---\n");
    writeFileSync(join(mine, "private.md"), "---\nname: Private\ndescription: Only the user's\n---\n");
    const names = (list) => list.elements.map((element) => element.name);
    const found = await eventually(() => json("capability-index://elements/persona"), (list) => names(list).includes("Private"));
    assert.deepEqual(names(found).sort(), ["Code Reviewer", "Private", "Tutor"]);
  });

  it("manages elements: what is written is there at once, and nothing else changes", async () => {
    const manage = async (args) => {
      const answer = await client.request("tools/call", { name: "element_manage", arguments: args });
      assert.ok(answer.result, JSON.stringify(answer.error));
      return { failed: answer.result.isError === true, text: answer.result.content[0].text };
    };
    const done = async (args) => {
      const answer = await manage(args);
      assert.ok(!answer.failed, answer.text);
      return answer.text;
    };
    await done({ operation: "create", type: "persona", name: "Ship Captain", description: "Commands a ship" });
    const file = join(work.root, elements, "persona/ship-captain.md");
    assert.match(readFileSync(file, "utf8"), /^---\nname: Ship Captain\n/);
    assert.equal((await json("capability-index://search?q=captain")).hits[0].name, "Ship Captain");

    const before = "---\nname: 'Ship Captain' # the boss\ndescription: Commands a ship\nversion: 1.0.0\ncustom:   [keep,  this]\n---\nAhoy.\n";
    writeFileSync(file, before);
    await done({ operation: "update", type: "persona", id: "ship-captain", fields: { description: "Commands two ships" } });
    const after = readFileSync(file, "utf8");
    assert.match(after, /^name: 'Ship Captain' # the boss$/m);
    assert.match(after, /^custom: {3}\[keep, {2}this\]$/m);
    assert.match(after, /^description: Commands two ships$/m);
    assert.match(after, /^version: 1\.0\.1$/m);
    assert.ok(after.endsWith("---\nAhoy.\n"));

    await done({ operation: "activate", type: "persona", id: "ship-captain" });
    assert.match(await read("capability-index://summary"), /## Active Elements\n\n- \*\*\[persona\]\*\* Ship Captain/);
    const other = await serve(work, on);
    assert.match(other.initialized.instructions, /Active here: capability-index:\/\/elements\/persona\/ship-captain\./);
    await done({ operation: "deactivate", type: "persona", id: "ship-captain" });
    // The other process hears of it; this one knows at once.
    const told = async (of) => (await of.request("initialize", { protocolVersion: "2025-06-18", capabilities: {} })).result.instructions;
    assert.doesNotMatch(await eventually(() => told(other), (text) => !text.includes("Active here")), /Active here/);
    const { _meta } = JSON.parse(request(1, "server/discover")).params;
    const here = async () => (await client.request("server/discover", { _meta })).result.instructions;
    assert.doesNotMatch(await here(), /Active here/);
    await done({ operation: "activate", type: "persona", id: "ship-captain" });
    assert.match(await here(), /Active here/);
    assert.match(await eventually(() => told(other), (text) => text.includes("Active here")), /Active here/);
    await done({ operation: "deactivate", type: "persona", id: "ship-captain" });
    assert.equal(await other.stop(), 0);
    assert.doesNotMatch(await read("capability-index://summary"), /Active Elements/);

    assert.equal((await done({ operation: "render", id: "letter", values: { who: "Bo" } })).trim(), "Dear Bo, in a kind tone.");
    await done({ operation: "delete", type: "persona", id: "ship-captain" });
    assert.ok(!existsSync(file));
    assert.equal((await read("capability-index://elements/persona/ship-captain")).code, -32002);
    await done({ operation: "restore", type: "persona", id: "ship-captain" });
    assert.equal(readFileSync(file, "utf8"), after);
    rmSync(file);

    for (const [args, word] of [
      [{ operation: "frobnicate" }, /create/],
      [{ operation: "create", type: "persona", name: "x" }, /description/],
      [{ operation: "create", type: "persna", name: "x", description: "y" }, /persona/],
      [{ operation: "update", type: "persona", id: "nobody", fields: {} }, /nobody/],
      [{ operation: "update", type: "memory", id: "broken", fields: { a: 1 } }, /broken/],
      [{ operation: "render", id: "letter", values: {} }, /who/],
    ]) {
      const answer = await manage(args);
      assert.ok(answer.failed, JSON.stringify(args));
      assert.match(answer.text, word);
    }
    assert.equal(readFileSync(join(work.root, elements, "memory/broken.md"), "utf8"), tree[`${elements}/memory/broken.md`]);
  });

  it("keeps nothing where nothing is to be kept", async () => {
    const fresh = await serve(work, [...on, "--resources-cache-ttl", "0s"]);
    const get = async (uri) => (await fresh.request("resources/read", { uri })).result.contents[0].text;
    await get("capability-index://summary");
    await get("capability-index://summary");
    const { cache_statistics: cache } = JSON.parse(await get("capability-index://stats"));
    assert.deepEqual({ entries: cache.entries, ttl: cache.ttl_seconds, hits: cache.hits }, { entries: 0, ttl: 0, hits: 0 });
    assert.equal(await fresh.stop(), 0);
  });

  it("is not there when it is off or not exposed", async () => {
    const off = await serve(work, []);
    assert.equal((await off.request("prompts/list")).error.code, -32601);
    assert.equal((await off.request("resources/read", { uri: "capability-index://summary" })).error.code, -32601);
    assert.equal(await off.stop(), 0);
    const some = await serve(work, [...on, "--resources-expose", "capability-index://stats"]);
    assert.ok((await some.request("resources/read", { uri: "capability-index://stats" })).result);
    assert.equal((await some.request("resources/read", { uri: "capability-index://summary" })).error.code, -32002);
    assert.deepEqual((await some.request("resources/list")).result.resources.map((entry) => entry.uri), ["capability-index://stats"]);
    assert.equal(await some.stop(), 0);
  });
});

describe("a collection that takes long to read", () => {
  it("is listed whole from the first answer on", async () => {
    const names = Array.from({ length: 300 }, (_, i) => `p${String(i).padStart(4, "0")}`);
    const words = (name) => Array.from({ length: 2000 }, (_, i) => `${name}x${i}`).join(" ");
    const text = (name) => `---\nname: ${name}\ndescription: d\n---\n${words(name)}\n`;
    const work = makeWorkspace(Object.fromEntries(names.map((name) => [`${elements}/persona/${name}.md`, text(name)])));
    const client = await serve(work, on);
    const listed = [];
    for (let cursor, pages = 0; pages === 0 || (cursor && pages < 20); pages += 1) {
      const { result } = await client.request("prompts/list", cursor ? { cursor } : {});
      listed.push(...result.prompts.map((prompt) => prompt.name));
      cursor = result.nextCursor;
    }
    assert.deepEqual(listed, names.map((name) => `persona-${name}`));
    assert.equal(await client.stop(), 0);
    work.remove();
  });
});
