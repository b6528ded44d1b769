// A policy holds for what the tool reads and writes, for pages, prompts and
// manifests; and prompts' arguments are completed, for clients of both eras.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as PipeV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as PipeV2 } from "@modelcontextprotocol/client/stdio";
import { eventually, makeWorkspace, program, run, serve } from "./support.mjs";
import { request } from "./hostile.mjs";

const on = ["--resources-enabled", "true"];
const elements = ".lode/elements";
const persona = (name) => `---\nname: ${name}\ndescription: About ${name}\n---\nThe body of ${name}.\n`;

describe("a policy on elements", () => {
  let work;
  let client;
  const read = async (uri) => {
    const { result, error } = await client.request("resources/read", { uri });
    return result ? result.contents[0].text : error;
  };
  const manage = async (args) => {
    const { result, error } = await client.request("tools/call", { name: "element_manage", arguments: args });
    return error ?? { failed: result.isError === true, text: result.content[0].text };
  };
  before(async () => {
    work = makeWorkspace({
      [`${elements}/persona/open.md`]: persona("Open"),
      [`${elements}/persona/hidden.md`]: persona("Hidden"),
      [`${elements}/persona/fixed.md`]: persona("Fixed"),
      [`${elements}/template/hidden.md`]: persona("Hidden Template"),
      [`${elements}/skill/pdf/SKILL.md`]: "---\nname: pdf\ndescription: Reads PDFs\n---\nRead.\n",
      [`${elements}/skill/pdf/public.txt`]: "public\n",
      [`${elements}/skill/pdf/private/plan.txt`]: "private\n",
    });
    const rule = (effect, actions, uris) =>
      `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ${JSON.stringify(actions)}\nuris = ${JSON.stringify(uris)}\n`;
    const policy = join(work.base, "policy.toml");
    writeFileSync(
      policy,
      rule("allow", ["*"], ["**"]) +
        rule("deny", ["*"], ["capability-index://elements/*/hidden", "skill://pdf/private", "skill://pdf/private/**"]) +
        rule("deny", ["write"], ["capability-index://elements/persona/fixed"]),
    );
    client = await serve(work, [...on, "--policy-file", policy]);
    await eventually(() => read("capability-index://stats"), (text) => JSON.parse(text).loading === false);
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("what is hidden is absent for the tool, in the same words", async () => {
    for (const [operation, more] of [["update", { description: "x" }], ["delete", {}], ["activate", {}], ["restore", {}]]) {
      const hidden = await manage({ operation, type: "persona", id: "hidden", ...more });
      const absent = await manage({ operation, type: "persona", id: "nobody", ...more });
      assert.ok(hidden.failed, operation);
      assert.equal(hidden.text.replace("hidden", "nobody"), absent.text);
    }
    assert.equal(readFileSync(join(work.root, elements, "persona/hidden.md"), "utf8"), persona("Hidden"));
    assert.match((await manage({ operation: "render", id: "hidden" })).text, /no template has the id "hidden"/);
  });

  it("what may be read only is not written", async () => {
    for (const args of [{ operation: "update", description: "x" }, { operation: "delete" }, { operation: "activate" }]) {
      const refused = await manage({ type: "persona", id: "fixed", ...args });
      assert.equal(refused.code, -31403, JSON.stringify(refused));
      assert.match(refused.message, /not permitted: write capability-index:\/\/elements\/persona\/fixed/);
    }
    assert.equal(readFileSync(join(work.root, elements, "persona/fixed.md"), "utf8"), persona("Fixed"));
    const made = await manage({ operation: "create", type: "agent", name: "Hidden", description: "d" });
    assert.equal(made.code, -31403);
    assert.ok(!existsSync(join(work.root, elements, "agent")));
    const fine = await manage({ operation: "update", type: "persona", id: "open", description: "Changed" });
    assert.ok(!fine.failed, fine.text);
  });

  it("no page, search, list or prompt names it", async () => {
    for (const uri of [
      "summary", "full", "elements/persona", "elements/template", "recent?days=7", "search?q=hidden", "problems",
    ]) {
      assert.doesNotMatch(await read(`capability-index://${uri}`), /"Hidden|Hidden Template|elements\/\w+\/hidden|\*\* Hidden/, uri);
    }
    assert.equal((await read("capability-index://elements/persona/hidden")).code, -32002);
    const { prompts } = (await client.request("prompts/list")).result;
    assert.deepEqual(prompts.map((prompt) => prompt.name), ["persona-fixed", "persona-open"]);
    const hidden = (await client.request("prompts/get", { name: "persona-hidden" })).error;
    const absent = (await client.request("prompts/get", { name: "persona-nobody" })).error;
    assert.deepEqual(hidden, { ...absent, message: absent.message.replace("nobody", "hidden") });
  });

  it("a manifest names the files that its reader may read", async () => {
    const { params } = JSON.parse(request(1, "skills/list"));
    const [skill] = (await client.request("skills/list", params)).result.skills;
    const files = ["skill://pdf/SKILL.md", "skill://pdf/public.txt"];
    assert.deepEqual(skill.resources.map((file) => file.uri), files);
    const one = await client.request("skills/get", { ...JSON.parse(request(1, "x")).params, uri: files[0] });
    assert.deepEqual(one.result.skill.resources.map((file) => file.uri), files);
    assert.equal(await read("skill://pdf"), files.map((uri) => `${uri}\n`).join(""));
  });
});

describe("a policy on the files of elements", () => {
  let work;
  let client;
  const manage = async (args) => {
    const { result, error } = await client.request("tools/call", { name: "element_manage", arguments: args });
    return error ?? { failed: result.isError === true, text: result.content[0].text };
  };
  const refused = (id) => ({ code: -31403, message: `not permitted: write capability-index://elements/persona/${id}` });
  const named = (name, more = "") => `---\nname: ${name}\ndescription: d\n${more}---\nBody.\n`;
  before(async () => {
    work = makeWorkspace({
      [`${elements}/persona/open.md`]: named("Open"),
      [`${elements}/persona/namesake.md`]: named("Open", "id: namesake\n"),
      [`${elements}/skill/open.md`]: named("Open"),
      [`${elements}/persona/file-denied.md`]: named("Zed", "id: zed\n"),
      [`${elements}/persona/taken.md`]: named("Quux", "id: quux\n"),
      [`${elements}/persona/shadow.md`]: named("Shadow"),
      "closed/personas/x.md": named("X"),
      "partly/personas/x.md": named("X"),
      "partly/personas/y.md": named("Y"),
      "from/personas/zed.md": named("Zed"),
      "from/personas/taken.md": named("taken"),
      "from/personas/quux.md": named("Quux"),
    });
    const own = join(work.base, ".config/lode/elements/persona");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "shadow.md"), named("Shadow"));
    const rule = (effect, uris) =>
      `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ["*"]\nuris = ${JSON.stringify(uris)}\n`;
    const policy = join(work.base, "policy.toml");
    const denied = [`${elements}/persona/file-denied.md`, `${elements}/persona/shadow.md`, "closed/**", "partly/personas/x.md"];
    writeFileSync(
      policy,
      rule("allow", ["**"]) + rule("deny", [...denied.map(work.uri), "capability-index://elements/persona/quux"]),
    );
    client = await serve(work, [...on, "--policy-file", policy]);
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("what is hidden is not told by who would write there", async () => {
    // Denied by its file, by its address, and one whose file has another's name.
    for (const [name, id] of [["Zed", "zed"], ["Quux", "quux"], ["Taken", "taken"]]) {
      const { code, message } = await manage({ operation: "create", type: "persona", name, description: "d" });
      assert.deepEqual({ code, message }, refused(id));
    }
    const { files } = JSON.parse((await manage({ operation: "import", path: "from", dry_run: true })).text);
    assert.deepEqual(
      files.map(({ from, fate, notes }) => [from, fate, ...notes]),
      ["quux", "taken", "zed"].map((id) => [`personas/${id}.md`, "broken", refused(id).message]),
    );
    assert.ok((await manage({ operation: "create", type: "persona", name: "Free", description: "d" })).text.startsWith("created"));
  });

  it("a directory that is denied is imported like one that is not there", async () => {
    for (const more of [{}, { format: "dollhouse" }, { dry_run: true }]) {
      const closed = await manage({ operation: "import", path: "closed", ...more });
      const absent = await manage({ operation: "import", path: "absent", ...more });
      assert.deepEqual(closed, { failed: true, text: "no such directory: closed" });
      assert.equal(absent.text, "no such directory: absent");
    }
    const { files } = JSON.parse((await manage({ operation: "import", path: "partly", dry_run: true })).text);
    assert.deepEqual(files.map(({ from }) => from), ["personas/y.md"]);
  });

  it("a hidden element does not stand before the user's own", async () => {
    const updated = await manage({ operation: "update", type: "persona", id: "shadow", fields: { description: "mine" } });
    assert.match(updated.text, /^updated capability-index:\/\/elements\/persona\/shadow/);
    assert.match(readFileSync(join(work.base, ".config/lode/elements/persona/shadow.md"), "utf8"), /description: mine/);
    assert.equal(readFileSync(join(work.root, elements, "persona/shadow.md"), "utf8"), named("Shadow"));
    await manage({ operation: "export", path: "out", format: "dollhouse", type: "persona", id: "shadow" });
    assert.match(readFileSync(join(work.root, "out/personas/shadow.md"), "utf8"), /description: mine/);
  });

  it("an export by id is of one element, or refused", async () => {
    const exported = async (more) => manage({ operation: "export", path: "one", format: "dollhouse", dry_run: true, ...more });
    const several = await exported({ id: "open" });
    assert.deepEqual(several, { failed: true, text: '2 elements have the id or name "open": say the type, and the id' });
    const { files } = JSON.parse((await exported({ type: "persona", id: "open" })).text);
    assert.deepEqual(files.map(({ from }) => from), ["persona/open.md"]);
  });
});

describe("the arguments of prompts", () => {
  let work;
  before(() => {
    work = makeWorkspace({
      [`${elements}/persona/ada.md`]: persona("Ada"),
      [`${elements}/persona/alan.md`]: persona("Alan"),
      [`${elements}/template/mail.md`]:
        "---\nname: Mail\ndescription: A mail\nvariables:\n  - name: tone\n    enum: [kind, keen, stern]\n    default: keen\n" +
        "  - name: urgent\n    type: boolean\n  - name: persona\n  - name: to\n    type: array\n    default: [Ada, Bo]\n---\n" +
        "{{tone}} {{urgent}} {{persona}}{{#each to}} {{this}}{{/each}}\n",
    });
  });
  after(() => work.remove());

  const ways = [
    ["SDK v1 (legacy)", (server) => [new ClientV1({ name: "t", version: "1" }), new PipeV1(server)]],
    [
      "SDK v2 (modern)",
      (server) => [
        new ClientV2({ name: "t", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
        new PipeV2(server),
      ],
    ],
  ];
  for (const [name, make] of ways) {
    it(`are completed for ${name}`, async () => {
      const [client, transport] = make({
        command: program,
        args: ["serve", "--workspace", work.root, ...on],
        env: work.environment,
        stderr: "ignore",
      });
      await client.connect(transport);
      const prompts = await eventually(
        async () => (await client.listPrompts()).prompts.map((prompt) => prompt.name),
        (names) => names.length === 3,
      );
      assert.deepEqual(prompts, ["persona-ada", "persona-alan", "template-mail"]);
      const complete = async (argument, value) =>
        (await client.complete({ ref: { type: "ref/prompt", name: "template-mail" }, argument: { name: argument, value } }))
          .completion.values;
      assert.deepEqual(await complete("tone", "k"), ["keen", "kind"]);
      assert.deepEqual(await complete("urgent", ""), ["true", "false"]);
      assert.deepEqual(await complete("persona", "A"), ["Ada", "Alan"]);
      assert.deepEqual(await complete("persona", "Al"), ["Alan"]);
      assert.deepEqual(await complete("to", ""), ['["Ada","Bo"]']);
      assert.deepEqual(await complete("nothing", ""), []);
      const text = async (args) =>
        (await client.getPrompt({ name: "template-mail", arguments: args })).messages[0].content.text.trim();
      assert.equal(await text({ persona: "Ada" }), "keen  Ada Ada Bo");
      await assert.rejects(text({ tone: "loud" }), /"tone" is to be one of kind, keen, stern/);
      await client.close();
    });
  }
});
