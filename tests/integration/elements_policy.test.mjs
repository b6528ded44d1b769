// A policy holds for what the tool reads and writes, for pages, prompts and
// manifests; and prompts' arguments are completed, for clients of both eras.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
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
