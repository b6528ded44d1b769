// The pages of the index through the real program: who listens to them hears of their changes,
// keywords are words, and what they show of elements is what the elements say.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { eventually, makeWorkspace, program, run, serve } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const elements = ".lode/elements";
const persona = (name, more = "", body = "Text.") => `---\nname: ${name}\ndescription: About ${name}\n${more}---\n${body}\n`;

// A server on a workspace with these files, and what is asked of it.
async function start(files, args = []) {
  const work = makeWorkspace(files);
  const client = await serve(work, [...on, ...args]);
  const read = async (uri) => {
    const answer = await client.request("resources/read", { uri });
    return answer.result ? answer.result.contents[0].text : answer.error;
  };
  const json = async (uri) => JSON.parse(await read(uri));
  await eventually(() => json("capability-index://stats"), (stats) => !stats.loading);
  const manage = async (args) => {
    const { result } = await client.request("tools/call", { name: "element_manage", arguments: args });
    return { failed: result.isError === true, text: result.content[0].text };
  };
  const write = (file, text) => {
    mkdirSync(dirname(join(work.root, file)), { recursive: true });
    writeFileSync(join(work.root, file), text);
  };
  const stop = async () => {
    assert.equal(await client.stop(), 0);
    work.remove();
  };
  return { work, client, read, json, manage, write, stop };
}

describe("who listens to a page of the index", () => {
  let lode;
  const lists = [
    "capability-index://elements/persona",
    "capability-index://elements/personas?tag=review&limit=5",
    "capability-index://recent",
    "capability-index://recent?days=3",
    "capability-index://search?q=mistakes",
    "capability-index://search?q=mistakes&type=persona",
    "lode://search?q=mistakes",
    "lode://search?q=mistakes&kinds=element",
  ];
  // Everything that is told until all of these are.
  const heard = async (wanted) => {
    const missing = new Set(wanted);
    const seen = [];
    while (missing.size > 0) {
      const { uri } = (await lode.client.notification("notifications/resources/updated")).params;
      missing.delete(uri);
      seen.push(uri);
    }
    return seen;
  };
  before(async () => {
    const policy = '[[rule]]\neffect = "deny"\nroles = ["*"]\nactions = ["*"]\nuris = ["capability-index://elements/*/secret"]\n';
    lode = await start({
      [`${elements}/persona/reviewer.md`]: persona("Reviewer", "tags: [review]\n", "You look for mistakes."),
      [`${elements}/persona/secret.md`]: persona("Secret", "", "Hidden mistakes."),
      ".lode/policy.toml": policy,
    });
    for (const uri of [...lists, "capability-index://elements/skill"]) {
      assert.ok((await lode.client.request("resources/subscribe", { uri })).result, uri);
    }
  });
  after(() => lode.stop());

  it("hears of an edit by hand, and reads what it was told of", async () => {
    lode.write(`${elements}/persona/reviewer.md`, persona("Reviewer", "tags: [review]\n", "You look for other mistakes."));
    await heard(lists);
    const { hits } = await lode.json("capability-index://search?q=other%20mistakes");
    assert.match(hits[0].snippet, /other mistakes/);
  });

  it("hears of what another process changes", async () => {
    const args = { operation: "create", type: "persona", name: "Newcomer", description: "Makes mistakes" };
    const done = await run(lode.work, ["call", "element_manage", JSON.stringify(args), ...on]);
    assert.equal(done.status, 0, done.stderr);
    await heard(lists);
    assert.equal((await lode.json("capability-index://elements/persona")).elements.length, 2);
  });

  it("does not hear of what is hidden, nor of what its page has not", async () => {
    lode.client.take("notifications/resources/updated");
    lode.write(`${elements}/persona/secret.md`, persona("Secret", "", "More hidden mistakes."));
    // Told after it, to who may hear it: nothing was told of the other.
    lode.write(`${elements}/skill/later.md`, persona("Later"));
    const seen = await heard(["capability-index://elements/skill"]);
    assert.deepEqual(seen.filter((uri) => uri.includes("persona")), []);
  });

  it("hears of symbols", async () => {
    const uri = "lode://search?q=walkTheTree&kinds=symbol";
    assert.ok((await lode.client.request("resources/subscribe", { uri })).result);
    lode.client.take("notifications/resources/updated");
    lode.write("src/tree.ts", "export function walkTheTree() {}\n");
    await heard([uri]);
    const found = await eventually(() => lode.json(uri), ({ hits }) => hits.length > 0);
    assert.match(found.hits[0].uri, /walkTheTree/);
  });

  it("hears of it at the shell too", async () => {
    const uri = "capability-index://elements/persona";
    const child = spawn(program, ["watch", uri, "--workspace", lode.work.root, ...on], { env: lode.work.environment });
    let out = "";
    child.stdout.on("data", (bytes) => (out += bytes));
    let edits = 0;
    const edit = () => {
      edits += 1;
      lode.write(`${elements}/persona/reviewer.md`, persona("Reviewer", "", `Edit ${edits}.`));
      return out;
    };
    assert.equal((await eventually(edit, (text) => text.includes("\n"))).split("\n")[0], uri);
    child.kill("SIGTERM");
    assert.equal(await new Promise((resolve) => child.on("close", resolve)), 0);
  });

  it("is refused where nothing would ever be told", async () => {
    for (const uri of ["capability-index://elements/persna", "capability-index://search", "capability-index://recent?days=0", "lode://search", "lode://search?q=a&kinds=x", "capability-index://nothing", "capability-index://summary?x=1", "capability-index://elements/persona/reviewer?x=1", "resource://file/a.ts/nothing", "resource://project/nothing"]) {
      assert.ok((await lode.client.request("resources/subscribe", { uri })).error, uri);
    }
  });
});

describe("keywords", () => {
  const top = (summary) => [...summary.matchAll(/^\d+\. \*\*(.*?)\*\*/gm)].map((match) => match[1]);

  it("are words that people wrote, on a fresh collection too", async () => {
    const lode = await start({ "README.md": "# Empty\n" });
    await lode.manage({ operation: "create", type: "persona", name: "Ship Captain", description: "Commands a ship", fields: { id: "persona_captain_20261116-022525" } });
    const words = top(await lode.read("capability-index://summary"));
    assert.ok(words.includes("Captain") || words.includes("captain"), words.join());
    assert.deepEqual(words.filter((word) => /\d/.test(word)), []);
    await lode.stop();
  });

  it("tell elements apart, and leave out what the format says", async () => {
    const topics = ["gardening tomatoes", "sailing harbours", "chess openings", "pottery glazes", "astronomy nebulae", "baking sourdough"];
    const files = Object.fromEntries(topics.map((topic, i) => [
      `${elements}/template/t${i}.md`,
      `---\nname: Template ${i}\ndescription: Use this for ${topic}\nversion: 1.${i}.0\nvariables:\n  - {name: name, type: string, required: true, description: The name to use}\n---\nUse {{name}} when writing about ${topic}; ${topic} matters.\n`,
    ]));
    const lode = await start(files);
    const words = top(await lode.read("capability-index://summary"));
    for (const word of ["gardening", "sailing", "chess"]) assert.ok(words.includes(word), words.join());
    for (const word of ["use", "Use", "string", "type", "name", "template", "Template"]) assert.ok(!words.includes(word), words.join());
    await lode.stop();
  });
});

describe("what the index says of elements", () => {
  let lode;
  before(async () => {
    lode = await start({
      [`${elements}/personas/old.md`]: persona("Old One", "created: 2024-01-02\nauthor: Ada\ntags: [Review, quality]\n"),
      [`${elements}/personas/twin-a.md`]: persona("Twin", "author: bob\ntags: [review]\n"),
      [`${elements}/personas/twin-b.md`]: persona("twin", "version: 1.2\n"),
      [`${elements}/personas/tutor.yaml`]: "metadata:\n  id: persona_tutor_20250101-000000\n  name: Tutor\n  description: Explains\n  version: 1.0.0\n  createdat: 2025-01-01T00:00:00Z\n  updatedat: 2025-01-02T00:00:00Z\ndata:\n  system_prompt: You explain patiently.\n",
    });
  });
  after(() => lode.stop());

  it("goes by an element's own dates, and then by its file's", async () => {
    const recent = await lode.json("capability-index://recent?days=2");
    assert.deepEqual(recent.elements.map((element) => element.id).sort(), ["twin-a", "twin-b"]);
    assert.equal(recent.total, 2);
    const first = await lode.json("capability-index://recent?days=36500&limit=3");
    const second = await lode.json(first.next);
    assert.deepEqual([...first.elements, ...second.elements].map((element) => element.id).slice(2), ["persona_tutor_20250101-000000", "old"]);
  });

  it("counts what a filter leaves", async () => {
    const list = await lode.json("capability-index://elements/persona?author=bob");
    assert.deepEqual([list.total, list.elements.length], [1, 1]);
    assert.equal((await lode.json("capability-index://elements/persona")).total, 4);
  });

  it("refuses a name that several have, with those that have it", async () => {
    for (const operation of ["delete", "update"]) {
      const { failed, text } = await lode.manage({ operation, type: "persona", id: "Twin", ...(operation === "update" && { fields: { category: "x" } }) });
      assert.ok(failed, text);
      assert.match(text, /2 elements.*twin-a, twin-b/);
    }
    assert.ok(existsSync(join(lode.work.root, elements, "personas/twin-a.md")));
    assert.match((await lode.read("capability-index://elements/persona/Twin")).message, /twin-a, twin-b/);
    assert.match(await lode.read("capability-index://elements/persona/Old%20One"), /"id":"old"/);
  });

  it("moves a version of two numbers", async () => {
    const { text } = await lode.manage({ operation: "update", type: "persona", id: "twin-b", fields: { category: "x" } });
    assert.match(text, /version 1\.2 → 1\.3/);
    assert.match(readFileSync(join(lode.work.root, elements, "personas/twin-b.md"), "utf8"), /^version: ["']?1\.3["']?$/m);
  });

  it("writes into the folder that is there", async () => {
    const { text } = await lode.manage({ operation: "create", type: "persona", name: "Fresh", description: "New" });
    assert.match(text, /personas\/fresh\.md/);
    assert.deepEqual(readdirSync(join(lode.work.root, elements)), ["personas"]);
  });

  it("completes tags and authors, whatever their case", async () => {
    const complete = async (name, value, type) =>
      (await lode.client.request("completion/complete", {
        ref: { type: "ref/resource", uri: "capability-index://elements/{type}{?tag,author,limit,cursor}" },
        argument: { name, value },
        context: { arguments: type ? { type } : {} },
      })).result.completion.values;
    assert.deepEqual(await complete("tag", "re", "persona"), ["Review", "review"]);
    assert.deepEqual(await complete("tag", "QUA"), ["quality"]);
    assert.deepEqual(await complete("author", "a"), ["Ada"]);
    assert.deepEqual(await complete("author", "a", "skill"), []);
  });

  it("gives prompts short names; the long ones answer too", async () => {
    const { prompts } = (await lode.client.request("prompts/list")).result;
    assert.ok(prompts.some((prompt) => prompt.name === "persona-tutor"), JSON.stringify(prompts));
    for (const name of ["persona-tutor", "persona-persona_tutor_20250101-000000"]) {
      assert.match((await lode.client.request("prompts/get", { name })).result.messages[0].content.text, /patiently/);
    }
    assert.ok((await lode.client.request("prompts/get", { name: "persona-twin" })).error, "which of the two?");
  });

  it("shows of a hit what it is", async () => {
    for (const [uri, name] of [["capability-index://search?q=patiently", "name"], ["lode://search?q=patiently", "title"]]) {
      const [hit] = (await lode.json(uri)).hits;
      assert.equal(hit.type, "persona");
      assert.equal(hit[name], "Tutor");
      assert.equal(hit.description, "Explains");
      assert.match(hit.snippet, /You explain patiently/);
      assert.equal(hit.score, Math.round(hit.score * 100) / 100);
    }
  });
});

describe("settings and data of other programs", () => {
  it("are taken: short names of pages, and the variables of Dollhouse", async () => {
    const work = makeWorkspace({ "README.md": "# Hello\n" });
    const read = (uri, ...args) => run(work, ["read", uri, ...args]);
    for (const list of [[...on, "--resources-expose", "summary,stats"], []]) {
      if (list.length === 0) {
        Object.assign(work.environment, { DOLLHOUSE_RESOURCES_ENABLED: "true", DOLLHOUSE_RESOURCES_EXPOSE: "summary,stats", DOLLHOUSE_RESOURCES_CACHE_TTL: "60000" });
      }
      assert.match((await read("capability-index://summary", ...list)).stdout, /Capability Index/);
      assert.notEqual((await read("capability-index://full", ...list)).status, 0);
    }
    assert.match((await read("capability-index://stats")).stdout, /"ttl_seconds":60\b/);
    work.remove();
  });

  it("are imported over what is there, which goes to the trash", async () => {
    const lode = await start({
      [`${elements}/personas/ada.md`]: persona("Ada", "", "The old text."),
      "portfolio/personas/ada.md": persona("Ada", "", "The new text."),
    });
    const done = await run(lode.work, ["import", join(lode.work.root, "portfolio"), "--replace", "--json", ...on]);
    assert.equal(done.status, 0, done.stderr + done.stdout);
    const note = JSON.parse(done.stdout).files.find((file) => file.to === "personas/ada.md");
    assert.match(JSON.stringify(note), /in the trash as/, done.stdout);
    assert.deepEqual(readdirSync(join(lode.work.root, elements)), ["personas"], "no second folder");
    const file = join(lode.work.root, elements, "personas/ada.md");
    assert.match(readFileSync(file, "utf8"), /The new text/);
    await eventually(() => lode.manage({ operation: "delete", type: "persona", id: "ada" }), ({ failed }) => !failed);
    const entry = JSON.stringify(note).match(/in the trash as ([\w.~-]+)/)[1];
    const back = await lode.manage({ operation: "restore", id: entry });
    assert.ok(!back.failed, back.text);
    assert.match(readFileSync(file, "utf8"), /The old text/);
    await lode.stop();
  });
});
