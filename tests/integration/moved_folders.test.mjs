// Folders of elements that are moved away while the server runs, and others in their place:
// what counts is what the path names now. The workspace itself is not another by that: it is
// away until it is back.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
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

describe("a workspace that is moved", () => {
  const error = /the workspace's directory was moved or replaced; restart lode/g;
  let work;
  let client;
  const subscribed = ["README.md", "resource://file/work/a.ts/symbols"];
  const uriOf = (name) => (name.includes(":") ? name : work.uri(name));
  const call = async (name, args) => (await client.request("tools/call", { name, arguments: args })).result.content[0].text;
  const heard = async () => (await client.notification("notifications/resources/updated")).params.uri;

  // Until the second change of a file in the other root was told: by then a change that came
  // before is told too.
  async function fence() {
    const seen = [];
    for (let i = 0; i < 2; ++i) {
      writeFileSync(join(work.base, "other/fence.txt"), `${Math.random()}\n`);
      for (let uri = await heard(); uri !== `file://${work.base}/other/fence.txt`; uri = await heard()) seen.push(uri);
    }
    return [...new Set(seen)].sort();
  }

  beforeEach(async () => {
    work = makeWorkspace({ "README.md": "Hello\n", "a.ts": "export function tulip() {}\n" });
    mkdirSync(join(work.base, "other"));
    writeFileSync(join(work.base, "other/fence.txt"), "f\n");
    client = await serve(work, ["--workspace", join(work.base, "other"), ...on]);
    for (const name of [...subscribed, `file://${work.base}/other/fence.txt`]) {
      assert.ok((await client.request("resources/subscribe", { uri: uriOf(name) })).result, name);
    }
    await fence();
  });
  afterEach(async () => {
    assert.equal(await client.stop(), 0, client.stderr());
    work.remove();
  });

  it("and replaced is away: it is told once, nothing is told or read from where it is now, until it is back", async () => {
    const all = subscribed.map(uriOf).sort();
    const moved = join(work.base, "moved");
    mkdirSync(join(work.base, "new"));
    writeFileSync(join(work.base, "new/README.md"), "Another\n");
    renameSync(work.root, moved);
    renameSync(join(work.base, "new"), work.root);
    const told = new Set();
    while (told.size < all.length) told.add(await heard());
    assert.deepEqual([...told].sort(), all);
    await fence();

    writeFileSync(join(moved, "README.md"), "From elsewhere\n");
    writeFileSync(join(moved, "a.ts"), "export function rose() {}\n");
    assert.deepEqual(await fence(), []);
    assert.equal(client.stderr().match(error).length, 1, client.stderr());
    assert.match(await call("find_files", { pattern: "**" }), /no such file or directory/);
    assert.match(await call("ast_analyze", { query: "(function_declaration) @f" }), /no such directory/);
    assert.match(await call("find_files", { pattern: "**", path: "other" }), /fence.txt/);

    renameSync(work.root, join(work.base, "new"));
    renameSync(moved, work.root);
    told.clear();
    while (told.size < all.length) told.add(await heard());
    await fence();
    writeFileSync(join(work.root, "README.md"), "Hello again\n");
    assert.equal(await heard(), work.uri("README.md"));
    assert.match(await call("find_files", { pattern: "**" }), /README.md/);
    assert.match(await call("ast_analyze", { query: "(function_declaration) @f" }), /rose/);
    assert.equal(client.stderr().match(error).length, 1, client.stderr());
  });
});
