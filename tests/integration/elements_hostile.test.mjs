// Files of elements that mean harm, or are broken: each costs itself alone. What
// is wrong is said, nothing is lost, and the others are served.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, lstatSync, readFileSync, renameSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { eventually, makeWorkspace, serve } from "./support.mjs";

const elements = ".lode/elements";
const element = (more, body = "Body.\n") => `---\nname: ${more}\ndescription: d\n---\n${body}`;

const aliases = () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 12; i += 1) lines.push(`a${i}: &a${i} [${Array(9).fill(`*a${i - 1}`).join(", ")}]`);
  return `---\nname: Bomb\ndescription: d\n${lines.join("\n")}\n---\n`;
};

const files = {
  [`${elements}/persona/good.md`]: element("Good"),
  [`${elements}/memory/yaml.md`]: "---\nname: Yaml\n  worse: [\n---\ntext\n",
  [`${elements}/memory/unclosed.md`]: "---\nname: Unclosed\n",
  [`${elements}/memory/twice.yaml`]: "name: A\nname: B\ndescription: d\n",
  [`${elements}/memory/deep.yaml`]: `name: Deep\ndescription: d\nx: ${"[".repeat(5000)}${"]".repeat(5000)}\n`,
  [`${elements}/memory/aliases.md`]: aliases(),
  [`${elements}/memory/bytes.md`]: Buffer.from([...Buffer.from("---\nname: Bytes "), 0xff, 0xfe, ...Buffer.from("\ndescription: d\n---\n")]),
  [`${elements}/memory/empty.md`]: "",
  [`${elements}/persona/slash.md`]: "---\nname: a/b/../c\nid: x/y\ndescription: d\n---\n",
  [`${elements}/persona/dots.md`]: "---\nname: Dots\nid: ..\ndescription: d\n---\n",
  [`${elements}/persona/one.md`]: "---\nname: First\nid: same\ndescription: d\n---\n",
  [`${elements}/persona/two.md`]: "---\nname: Second\nid: same\ndescription: d\n---\n",
  [`${elements}/agent/chicken.md`]: "---\nname: Chicken\ndescription: d\nrelated_skills: [skill:egg]\n---\n",
  [`${elements}/skill/egg.md`]: "---\nname: egg\ndescription: d\nrelated_skills: [skill:egg]\ndependencies:\n  - skill_id: agent:chicken\n---\n",
  [`${elements}/ensemble/itself.md`]: "---\nname: Itself\ndescription: d\nmembers:\n  - agent_id: ensemble:itself\n    role: all\n---\n",
  [`${elements}/template/bomb.md`]: element("Bomb", `${"{{#each a}}".repeat(16)}boom${"{{/each}}".repeat(16)}`),
  [`${elements}/template/unclosed.md`]: element("Unclosed", "Dear {{who\n"),
  "outside.md": element("Outside"),
};
const broken = ["yaml.md", "unclosed.md", "twice.yaml", "deep.yaml", "aliases.md", "bytes.md", "empty.md", "big.md"];
const big = 50_000_000;

describe("hostile elements", () => {
  let work;
  let client;
  const path = (file) => join(work.root, elements, file);
  const read = async (uri) => {
    const { result, error } = await client.request("resources/read", { uri: `capability-index://${uri}` });
    return result ? result.contents[0].text : error;
  };
  const json = async (uri) => JSON.parse(await read(uri));
  const problems = async () => (await json("problems")).problems.map(({ file, line, text }) => `${file}:${line}: ${text}`);
  const manage = async (args) => {
    const { result, error } = await client.request("tools/call", { name: "element_manage", arguments: args });
    assert.ok(result, JSON.stringify(error));
    return { failed: result.isError === true, text: result.content[0].text };
  };
  before(async () => {
    work = makeWorkspace(files);
    writeFileSync(path("memory/big.md"), element("Big"));
    truncateSync(path("memory/big.md"), big);
    execFileSync("mkfifo", [path("persona/pipe.md")]);
    symlinkSync("/etc/passwd", path("persona/passwd.md"));
    symlinkSync("../../../outside.md", path("persona/outside.md"));
    symlinkSync("/etc", path("agent/etc"));
    client = await serve(work, ["--resources-enabled", "true"]);
    await eventually(() => json("stats"), (stats) => !stats.loading);
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    assert.doesNotMatch(client.stderr(), /Sanitizer|runtime error/);
    work.remove();
  });

  it("cost themselves alone", async () => {
    const { element_counts: counts } = await json("stats");
    assert.deepEqual(counts, { persona: 4, skill: 1, template: 2, agent: 1, ensemble: 1, memory: 0 });
    assert.match(await read("full"), /#### Good\n/);
    const { elements: personas } = await json("elements/persona");
    assert.deepEqual(personas.map(({ id }) => id), ["dots", "good", "same", "x/y"]);
  });

  it("are named, each with what is wrong", async () => {
    const all = (await problems()).join("\n");
    for (const file of broken) assert.match(all, new RegExp(`^memory/${file}:\\d+: .+ \\(the file is skipped\\)$`, "m"), file);
    assert.match(all, /^memory\/big\.md:1: an element's file is at most \d+ bytes/m);
    assert.match(all, /^memory\/twice\.yaml:2: .*name/m);
    assert.match(all, /^persona\/two\.md:1: the id "same" is also that of persona\/one\.md, which counts$/m);
    assert.match(all, /^persona\/dots\.md:\d+: the id cannot stand in an address/m);
    assert.equal((await json("stats")).problems, (await problems()).length);
    for (const file of broken) assert.match(client.stderr(), new RegExp(`element skipped.*memory/${file}`), file);
  });

  it("keep every byte, whatever the tool is asked", async () => {
    for (const file of broken) {
      const id = file.slice(0, file.indexOf("."));
      const answer = await manage({ operation: "update", type: "memory", id, fields: { a: 1 } });
      assert.ok(answer.failed, file);
      assert.match(answer.text, new RegExp(`memory/${file}:\\d+: `), file);
      if (file !== "big.md") assert.deepEqual(readFileSync(path(`memory/${file}`)), Buffer.from(files[`${elements}/memory/${file}`]), file);
    }
    assert.equal(statSync(path("memory/big.md")).size, big);
    const taken = await manage({ operation: "create", type: "memory", name: "Yaml", description: "d" });
    assert.ok(taken.failed, taken.text);
    assert.equal(readFileSync(path("memory/yaml.md"), "utf8"), files[`${elements}/memory/yaml.md`]);
  });

  it("two with one id both stay", async () => {
    assert.equal((await json("elements/persona/same")).name, "First");
    const done = await manage({ operation: "update", type: "persona", id: "same", description: "New" });
    assert.ok(!done.failed, done.text);
    assert.equal(readFileSync(path("persona/two.md"), "utf8"), files[`${elements}/persona/two.md`]);
  });

  it("a name with slashes leads nowhere else", async () => {
    assert.equal((await json("elements/persona/x%2Fy")).name, "a/b/../c");
    const made = await manage({ operation: "create", type: "persona", name: "../../../escape", description: "d" });
    assert.ok(!made.failed, made.text);
    assert.match(made.text, /persona\/escape\.md of the workspace/);
    for (const id of ["../../outside", "/etc/passwd", "..", "a\u0000b"]) {
      assert.ok((await manage({ operation: "delete", type: "persona", id })).failed, id);
    }
    assert.equal(readFileSync(join(work.root, "outside.md"), "utf8"), files["outside.md"]);
  });

  it("links and pipes are no elements", async () => {
    const all = await read("full");
    assert.doesNotMatch(all, /root:|Outside/);
    for (const id of ["passwd", "outside", "pipe"]) {
      assert.equal((await read(`elements/persona/${id}`)).code, -32002, id);
      assert.ok((await manage({ operation: "update", type: "persona", id, description: "x" })).failed, id);
    }
    // Nor when they come while somebody watches.
    symlinkSync("good.md", path("persona/again.md"));
    writeFileSync(path("persona/marker.md"), element("Marker"));
    await eventually(() => read("elements/persona/marker"), (text) => typeof text === "string");
    assert.equal((await read("elements/persona/again")).code, -32002);
    assert.ok(lstatSync(path("persona/pipe.md")).isFIFO());
  });

  it("a cycle of relations ends", async () => {
    const full = await read("full");
    assert.match(full, /### egg \(skill\)\n(- .*\n)*- .*\*\*agent:chicken\*\*/);
    assert.match(full, /### Itself \(ensemble\)\n(- .*\n)*- .*\*\*ensemble:itself\*\*/);
    assert.match(full, /### Chicken \(agent\)\n(- .*\n)*- .*\*\*skill:egg\*\*/);
  });

  it("a template bomb is refused, as a tool and as a prompt", async () => {
    const values = { a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 0] };
    const rendered = await manage({ operation: "render", id: "bomb", values });
    assert.ok(rendered.failed);
    assert.match(rendered.text, /the result would be longer than \d+ bytes/);
    const prompt = await client.request("prompts/get", { name: "template-bomb", arguments: { a: JSON.stringify(values.a) } });
    assert.ok(prompt.error, "refused");
    assert.match((await manage({ operation: "render", id: "unclosed", values: {} })).text, /line 1: /);
  });

  it("a file that is replaced while it is read is the old or the new one", async () => {
    const name = (at) => `Version ${at} ${"x".repeat(50)}`;
    for (let at = 0; at < 200; at += 1) {
      writeFileSync(path("persona/.next"), element(name(at)));
      renameSync(path("persona/.next"), path("persona/swapped.md"));
      if (at % 20 === 0) {
        const text = await read("elements/persona/swapped");
        if (typeof text === "string") assert.match(JSON.parse(text).name, /^Version \d+ x{50}$/);
      }
    }
    const last = await eventually(() => read("elements/persona/swapped"), (text) => typeof text === "string" && JSON.parse(text).name === name(199));
    assert.equal(JSON.parse(last).name, name(199));
  });

  it("a broken file that is mended is an element at once", async () => {
    writeFileSync(path("memory/yaml.md"), element("Mended"));
    const text = await eventually(() => read("elements/memory/yaml"), (answer) => typeof answer === "string");
    assert.match(text, /^name: Mended$/m);
    appendFileSync(path("memory/yaml.md"), "More.\n");
    assert.doesNotMatch((await problems()).join("\n"), /memory\/yaml\.md/);
  });
});
