// Folders of elements that are moved away while the server runs, and others in their place:
// what counts is what the path names now.
import assert from "node:assert/strict";
import { cpSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { eventually, makeWorkspace, serve } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const persona = (name, body) => `---\nname: ${name}\ndescription: About ${name}\n---\n${body}\n`;
const skill = (body) => `---\nname: pdf\ndescription: Reads PDFs\n---\n${body}\n`;

describe("a folder of elements that is moved", () => {
  let work;
  let client;
  const at = (...path) => join(work.root, ...path);
  const read = async (uri) => {
    const { result, error } = await client.request("resources/read", { uri });
    return result ? result.contents[0].text : error.message;
  };
  const prompts = async () => (await client.request("prompts/list")).result.prompts.map((prompt) => prompt.name);
  const prompt = async (name) => {
    const { result, error } = await client.request("prompts/get", { name });
    return result ? result.messages[0].content.text : error.message;
  };

  beforeEach(async () => {
    work = makeWorkspace({
      ".lode/elements/persona/ada.md": persona("Ada", "The old Ada."),
      ".lode/elements/persona/bob.md": persona("Bob", "The old Bob."),
      ".lode/elements/skill/pdf/SKILL.md": skill("Old."),
      ".lode/elements/skill/pdf/part.txt": "old part",
      "README.md": "Hello\n",
    });
    client = await serve(work, on);
    await eventually(prompts, (names) => names.length === 2);
    assert.match(await prompt("persona-ada"), /The old Ada/);
    assert.equal(await read("skill://pdf/part.txt"), "old part");
    for (const uri of ["capability-index://elements/persona/ada", "skill://pdf/part.txt"]) {
      assert.ok((await client.request("resources/subscribe", { uri })).result);
    }
  });
  afterEach(async () => {
    assert.equal(await client.stop(), 0, client.stderr());
    work.remove();
  });

  // A copy with other contents.
  function makeOther(from, to, below) {
    cpSync(at(from), at(to), { recursive: true });
    const inside = (path) => at(to, below, path);
    writeFileSync(inside("persona/ada.md"), persona("Ada", "The new Ada."));
    renameSync(inside("persona/bob.md"), inside("persona/eve.md"));
    writeFileSync(inside("persona/eve.md"), persona("Eve", "The new Eve."));
    writeFileSync(inside("skill/pdf/SKILL.md"), skill("New."));
    writeFileSync(inside("skill/pdf/part.txt"), "new part");
  }

  async function expectNew(old) {
    const told = new Set();
    while (told.size < 2) told.add((await client.notification("notifications/resources/updated")).params.uri);
    assert.deepEqual([...told].sort(), ["capability-index://elements/persona/ada", "skill://pdf/part.txt"]);
    assert.deepEqual(await eventually(prompts, (names) => names.includes("persona-eve")), ["persona-ada", "persona-eve"]);
    assert.match(await prompt("persona-ada"), /The new Ada/);
    assert.equal(await read("skill://pdf/part.txt"), "new part");
    assert.match(await read("capability-index://full"), /Eve/);
    assert.doesNotMatch(await read("capability-index://full"), /Bob/);
    // What happens where the old one is now concerns nobody; here it does.
    writeFileSync(join(old, "persona/mallory.md"), persona("Mallory", "From elsewhere."));
    writeFileSync(join(old, "persona/ada.md"), persona("Ada", "From elsewhere."));
    writeFileSync(at(".lode/elements/persona/ada.md"), persona("Ada", "The newest Ada."));
    await client.notification("notifications/resources/updated");
    assert.match(await eventually(() => prompt("persona-ada"), (text) => /newest/.test(text)), /The newest Ada/);
    assert.deepEqual(await prompts(), ["persona-ada", "persona-eve"]);
  }

  it("and replaced", async () => {
    const old = join(work.base, "elsewhere");
    makeOther(".lode/elements", "new", "");
    renameSync(at(".lode/elements"), old);
    renameSync(at("new"), at(".lode/elements"));
    await expectNew(old);
  });

  it("with the folder above it, and replaced", async () => {
    const old = join(work.base, "elsewhere");
    makeOther(".lode", "new", "elements");
    renameSync(at(".lode"), old);
    renameSync(at("new"), at(".lode"));
    // At once, before anybody has looked; what was read before may be in the cache until then.
    for (const text of [await prompt("persona-ada"), await read("skill://pdf/SKILL.md")]) assert.doesNotMatch(text, /old/i);
    await expectNew(join(old, "elements"));
  });

  it("and not replaced: nothing is read from where it is now", async () => {
    renameSync(at(".lode/elements"), join(work.base, "elsewhere"));
    assert.deepEqual(await eventually(prompts, (names) => names.length === 0), []);
    assert.equal(await prompt("persona-ada"), 'no prompt has the name "persona-ada"');
    assert.equal(await read("skill://pdf/part.txt"), "no such resource");
    renameSync(join(work.base, "elsewhere"), at(".lode/elements"));
    await eventually(prompts, (names) => names.length === 2);
    assert.match(await prompt("persona-ada"), /The old Ada/);
  });

  it("with the whole workspace: the server goes on, and finds it when it is back", async () => {
    renameSync(work.root, join(work.base, "moved"));
    assert.deepEqual(await eventually(prompts, (names) => names.length === 0), []);
    assert.equal(await read(work.uri("README.md")), "no such resource");
    renameSync(join(work.base, "moved"), work.root);
    await eventually(prompts, (names) => names.length === 2);
    assert.match(await prompt("persona-ada"), /The old Ada/);
    assert.equal(await read(work.uri("README.md")), "Hello\n");
  });
});
