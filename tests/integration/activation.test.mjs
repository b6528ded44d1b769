// What an activated element delivers, and where: in the answer, together with the other active
// ones at capability-index://active, and to whom; the operations of element_manage that read.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as PipeV2 } from "@modelcontextprotocol/client/stdio";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { request, serveHttp, well } from "./hostile.mjs";
import { eventually, makeWorkspace, program, run, serve } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const elements = ".lode/elements";
const active = "capability-index://active";
const markdown = (name, body, more = "") => `---\nname: ${name}\ndescription: About ${name}\n${more}---\n${body}\n`;
const rule = (effect, uris, actions = ["*"]) =>
  `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ${JSON.stringify(actions)}\nuris = ${JSON.stringify(uris)}\n`;
const modern = (params) => ({ ...params, _meta: JSON.parse(request(1, "x")).params._meta });

const files = {
  [`${elements}/persona/reviewer.md`]: markdown("Reviewer", "You look for races."),
  [`${elements}/persona/secret.md`]: markdown("Secret", "You whisper."),
  [`${elements}/skill/lint/SKILL.md`]: "---\nname: lint\ndescription: Lints\n---\nRun the linter.\n",
  [`${elements}/agent/checker.md`]: markdown("Checker", "Check every change.", "persona: reviewer\nskills: [lint, missing]\n"),
  [`${elements}/ensemble/team.md`]: markdown("Team", "Work together.", "members:\n  - agent_id: checker\n    role: first\n"),
  [`${elements}/memory/notes.yaml`]:
    "metadata:\n  name: Notes\n  description: What we know\nentries:\n  - id: mem_1\n    timestamp: 2026-01-01T00:00:00Z\n    content: The port is 8080. # still\n",
  [`${elements}/memory/flat.yaml`]: "name: Flat\ndescription: One text\ncontent: old words\n",
  [`${elements}/persona/plain.yaml`]: "name: Plain\ndescription: In YAML\nsystem_prompt: Be plain.\n",
};

// A server, and short words for what is asked of it.
async function start({ more = {}, args = [], policy, resources = true } = {}) {
  const work = makeWorkspace({ ...files, ...more });
  const words = resources ? [...on, ...args] : args;
  if (policy) {
    writeFileSync(join(work.base, "policy.toml"), rule("allow", ["**"]) + policy(work));
    words.push("--policy-file", join(work.base, "policy.toml"));
  }
  const client = await serve(work, words);
  after(async () => {
    await client.stop();
    work.remove();
  });
  const read = async (uri) => {
    const { result, error } = await client.request("resources/read", { uri });
    return result ? result.contents[0].text : error.code;
  };
  const manage = async (args) => {
    const { result, error } = await client.request("tools/call", { name: "element_manage", arguments: args });
    if (error) return [`error ${error.code}: ${error.message}`];
    return result.content.map((each) => each.text);
  };
  if (resources) await eventually(() => read("capability-index://stats"), (text) => JSON.parse(text).loading === false);
  return { work, words, client, read, manage, file: (name) => readFileSync(join(work.root, elements, name), "utf8") };
}

describe("to activate", () => {
  it("delivers the text, with what it depends on, and says where it is", async () => {
    const { client, read, manage } = await start();
    const [said, text] = await manage({ operation: "activate", type: "ensemble", id: "team" });
    assert.equal(
      said,
      `ensemble "team" is now active: resource capability-index://elements/ensemble/team; all that are active: ${active}`,
    );
    for (const part of ["Work together.", "Check every change.", "You look for races.", "Run the linter."]) {
      assert.equal(text.split(part).length, 2, part);
    }
    assert.match(text, /## persona: Reviewer\n\n`capability-index:\/\/elements\/persona\/reviewer`, prompt `persona-reviewer`; for agent "Checker" \(has persona\)\n/);
    const [agent] = await manage({ operation: "activate", type: "agent", id: "checker" });
    assert.match(agent, /\nnote: uses "missing", which is not there$/);
    const [persona, words] = await manage({ operation: "activate", type: "persona", id: "reviewer" });
    assert.match(persona, /; prompt persona-reviewer; /);
    assert.equal(words.trim().split("\n").at(-1), "You look for races.");
    const page = await read(active);
    assert.equal(page.split("You look for races.").length, 2, "each once");
    const { resources } = (await client.request("resources/list")).result;
    assert.ok(resources.some(({ uri }) => uri === active));
    await manage({ operation: "deactivate", type: "ensemble", id: "team" });
    assert.doesNotMatch(await read(active), /Work together/);
  });

  it("is pointed to by the instructions of the next connection", async () => {
    const { work, words, client, manage } = await start();
    assert.doesNotMatch(client.initialized.instructions, /capability-index:\/\/active/);
    await manage({ operation: "activate", type: "persona", id: "reviewer" });
    const next = await serve(work, words);
    assert.match(next.initialized.instructions, /Active here: capability-index:\/\/elements\/persona\/reviewer\. What they say: capability-index:\/\/active\.$/);
    await next.stop();
  });

  it("is heard of by who listens, whoever does it, and when a file changes", async () => {
    const { work, words, client, read } = await start();
    assert.equal((await client.request("resources/subscribe", { uri: active })).error, undefined);
    const told = async () => assert.equal((await client.notification("notifications/resources/updated")).params.uri, active);
    const call = (args) => run(work, ["call", "element_manage", JSON.stringify(args), ...words]);
    assert.equal((await call({ operation: "activate", type: "persona", id: "reviewer" })).status, 0);
    await told();
    assert.match(await eventually(() => read(active), (text) => /races/.test(text)), /You look for races/);
    client.take("notifications/resources/updated");
    writeFileSync(join(work.root, elements, "persona/reviewer.md"), markdown("Reviewer", "You look for leaks."));
    await told();
    assert.match(await eventually(() => read(active), (text) => /leaks/.test(text)), /You look for leaks/);
    // A client of today's revision, on a stream of its own.
    const modernClient = await serve(work, words);
    const listening = modernClient.request("subscriptions/listen", modern({ notifications: { resourceSubscriptions: [active] } }));
    await modernClient.notification("notifications/subscriptions/acknowledged");
    assert.equal((await call({ operation: "deactivate", type: "persona", id: "reviewer" })).status, 0);
    assert.equal((await modernClient.notification("notifications/resources/updated")).params.uri, active);
    await modernClient.stop();
    await listening.catch(() => {});
  });

  it("names what does not fit, and cuts nothing", async () => {
    const long = "A sentence that is said again and again. ".repeat(5000);
    const { read, manage } = await start({
      more: { [`${elements}/persona/long.md`]: markdown("Long", long), [`${elements}/persona/short.md`]: markdown("Short", "Be brief.") },
    });
    const [, text] = await manage({ operation: "activate", type: "persona", id: "long" });
    assert.match(text, /^## Left out\n/);
    assert.match(text, /- persona `long` \(\d+ tokens\)\n$/);
    await manage({ operation: "activate", type: "persona", id: "short" });
    const page = await read(active);
    assert.match(page, /Be brief\./);
    assert.match(page, /- persona `long`/);
    assert.doesNotMatch(page, /again and again/);
  });

  it("shows nothing of what is denied, as if it were not there", async () => {
    const { work, words, read, manage } = await start({
      more: { [`${elements}/agent/spy.md`]: markdown("Spy", "Spy.", "persona: secret\n") },
      policy: () => rule("deny", ["capability-index://elements/persona/secret"]),
    });
    const open = ["call", "element_manage", '{"operation":"activate","type":"persona","id":"secret"}', ...on];
    assert.equal((await run(work, open)).status, 0);
    const [said, text] = await manage({ operation: "activate", type: "agent", id: "spy" });
    assert.match(said, /note: has persona "secret", which is not there/);
    assert.doesNotMatch(text, /whisper/);
    assert.doesNotMatch(await read(active), /whisper|Secret/);
    const next = await serve(work, words);
    assert.doesNotMatch(next.initialized.instructions, /secret/);
    await next.stop();
  });

  it("shows guests names alone, unless the address is named", async () => {
    const text = async (args) => {
      const server = await serveHttp(args, { files });
      const activate = { name: "element_manage", arguments: { operation: "activate", type: "persona", id: "reviewer" } };
      const ask = async (method, params, headers) => {
        const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
          method: "POST",
          headers: {
            "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28",
            "mcp-method": method, "mcp-name": params.uri ?? params.name, ...headers,
          },
          body: request(1, method, params),
        });
        return (await answer.json()).result;
      };
      await ask("tools/call", activate, { authorization: `Bearer ${server.token()}` });
      const out = [active, "capability-index://elements/memory/flat"].map((uri) => ask("resources/read", { uri }, {}));
      const [page, memory] = (await Promise.all(out)).map((result) => result.contents[0].text);
      const own = await ask("resources/read", { uri: active }, { authorization: `Bearer ${server.token()}` });
      assert.match(own.contents[0].text, /You look for races/);
      assert.deepEqual(await server.stop(), well);
      return { page, memory };
    };
    const guest = await text([]);
    assert.match(guest.page, /\*\*\[persona\]\*\* Reviewer\n/);
    assert.doesNotMatch(guest.page, /races/);
    assert.match(guest.memory, /the text itself is shown where/);
    const named = await text(["--resources-expose", `${active},capability-index://elements/**`]);
    assert.match(named.page, /races/);
    assert.match(named.memory, /old words/);
  });
});

describe("a memory", () => {
  it("is what it says at its own address, for its user", async () => {
    const { read, file } = await start();
    assert.equal(await read("capability-index://elements/memories/notes"), file("memory/notes.yaml"));
    assert.doesNotMatch(await read("capability-index://elements/persona/reviewer"), /races/);
  });

  it("takes one more entry, and keeps its other bytes", async () => {
    const { read, manage, file } = await start({ more: { [`${elements}/memory/prose.md`]: markdown("Prose", "It began.") } });
    const before = file("memory/notes.yaml");
    const [said] = await manage({ operation: "append", id: "notes", body: "The host is\nlocalhost." });
    assert.match(said, /^appended to capability-index:\/\/elements\/memory\/notes: entries\.1 \(version 1\.0\.1, /);
    const now = file("memory/notes.yaml");
    assert.ok(now.includes("content: The port is 8080. # still\n"), now);
    assert.match(now, /id: mem_\d+_[0-9a-f]{8}\n/);
    assert.ok(now.length > before.length);
    assert.match(await read("capability-index://elements/memory/notes"), /localhost/);
    await manage({ operation: "append", type: "memory", id: "prose", body: "It went on." });
    assert.match(file("memory/prose.md"), /\nIt began\.\n\n\[\d{4}-[^\]]+Z\] It went on\.\n$/);
    await manage({ operation: "append", id: "flat", body: "new words" });
    assert.match(file("memory/flat.yaml"), /old words\n\n +new words/);
    assert.match((await manage({ operation: "append", type: "persona", id: "reviewer", body: "x" }))[0], /only a memory has/);
    assert.match((await manage({ operation: "append", id: "nobody", body: "x" }))[0], /no memory has the id "nobody"/);
  });

  it("and other YAML take a body as the field that holds their text", async () => {
    const { manage, file } = await start();
    const update = (type, id) => manage({ operation: "update", type, id, body: "Said anew." });
    await update("memory", "flat");
    assert.match(file("memory/flat.yaml"), /^content: Said anew\.$/m);
    await update("persona", "plain");
    assert.match(file("persona/plain.yaml"), /^system_prompt: Said anew\.$/m);
    await update("memory", "notes");
    assert.match(file("memory/notes.yaml"), /^ +content: Said anew\. # still$/m);
    await manage({ operation: "append", id: "notes", body: "Another." });
    assert.match((await update("memory", "notes"))[0], /the memory has 2 entries: append adds one/);
  });
});

describe("element_manage", () => {
  it("reads and lists while resources are off, and names no address", async () => {
    const { manage, file } = await start({ resources: false });
    assert.deepEqual(await manage({ operation: "read", type: "persona", id: "reviewer" }), [file("persona/reviewer.md")]);
    assert.equal((await manage({ operation: "list", type: "persona" }))[0], "persona plain: In YAML\npersona reviewer: About Reviewer\npersona secret: About Secret\n");
    assert.match((await manage({ operation: "list" }))[0], /^persona plain: .*\n[^]*skill lint: Lints\n[^]*memory notes: What we know\n$/);
    const [said, text] = await manage({ operation: "activate", type: "persona", id: "reviewer" });
    assert.equal(said, 'persona "reviewer" is now active');
    assert.match(text, /You look for races/);
    assert.doesNotMatch(text, /capability-index/);
    assert.match((await manage({ operation: "read", type: "persona", id: "revewer" }))[0], /did you mean "reviewer".*"operation":"list","type":"persona"/);
  });

  it("lists many in parts", async () => {
    const more = {};
    for (let i = 0; i < 203; ++i) more[`${elements}/template/t${String(i).padStart(3, "0")}.md`] = markdown(`T${i}`, "x");
    const { manage } = await start({ more, resources: false });
    const [first] = await manage({ operation: "list", type: "template" });
    assert.equal(first.split("\n").length, 202);
    const next = first.match(/… and 3 more: (.*)\n$/)[1];
    assert.equal((await manage(JSON.parse(next)))[0].split("\n").length, 4);
  });

  it("tells nothing of what is denied", async () => {
    const { manage } = await start({ policy: () => rule("deny", ["capability-index://elements/persona/secret"]) });
    assert.doesNotMatch((await manage({ operation: "list" }))[0], /secret/i);
    const [hidden] = await manage({ operation: "read", type: "persona", id: "secret" });
    const [absent] = await manage({ operation: "read", type: "persona", id: "nobody" });
    assert.equal(hidden.replace("secret", "nobody"), absent);
  });

  it("costs fewer than 220 tokens", async () => {
    const work = makeWorkspace(files);
    const { stdout } = await run(work, ["tokens", "--json", ...on]);
    const tool = JSON.parse(stdout).items.find((each) => /element_manage/.test(JSON.stringify(each)));
    assert.ok(tool.tokens < 220, JSON.stringify(tool));
    work.remove();
  });
});

describe("rules and the exposure list", () => {
  it("hold at the address of an element's file, and the other way round", async () => {
    const { work, client, read, manage } = await start({
      policy: (work) =>
        rule("deny", ["capability-index://elements/persona/secret", "skill://lint/**"]) +
        rule("deny", [work.uri(`${elements}/persona/plain.yaml`)]),
    });
    const at = (name) => work.uri(`${elements}/${name}`);
    assert.equal(await read(at("persona/secret.md")), -32002);
    assert.equal(await read(at("skill/lint/SKILL.md")), -32002);
    assert.match(await read(at("persona/reviewer.md")), /races/);
    const listed = await read(at("persona"));
    assert.equal(listed, `${at("persona/reviewer.md")}\n`);
    assert.equal(await read("capability-index://elements/persona/plain"), -32002);
    assert.match((await manage({ operation: "read", type: "persona", id: "plain" }))[0], /no persona has the id/);
    const found = await client.request("tools/call", { name: "find_files", arguments: { pattern: "**/*.md" } });
    assert.doesNotMatch(JSON.stringify(found), /secret|SKILL/);
    const written = await client.request("tools/call", {
      name: "file_ops", arguments: { operation: "read", path: `${elements}/persona/secret.md` },
    });
    assert.doesNotMatch(JSON.stringify(written), /whisper/);
    // One that takes the denied id later is denied from then on.
    const moved = at("persona/other.md");
    assert.equal((await client.request("resources/read", { uri: moved })).error.code, -32002);
    writeFileSync(join(work.root, elements, "persona/other.md"), markdown("Other", "Fine."));
    await eventually(() => read(moved), (text) => /Fine/.test(text));
    writeFileSync(join(work.root, elements, "persona/other.md"), markdown("Other", "Not fine.", "id: secret\n"));
    assert.equal(await eventually(() => read(moved), (text) => text === -32002), -32002);
  });

  it("an alias means the address that it stands for", async () => {
    for (const alias of ["dollhouse://capability-index/", "capability://nexs-mcp/index/"]) {
      const { client, read } = await start({ args: ["--resources-expose", `${alias}stats,${alias}elements/personas/**`] });
      assert.equal(JSON.parse(await read("capability-index://stats")).loading, false);
      assert.match(await read("capability-index://elements/persona/reviewer"), /races/);
      assert.equal(await read("capability-index://summary"), -32002);
      const { resources } = (await client.request("resources/list")).result;
      assert.deepEqual(resources.map(({ uri }) => uri), ["capability-index://stats"]);
    }
  });

  it("no text names an address that is not exposed", async () => {
    const more = { [`${elements}/agent/broken.md`]: "---\nname: [\n---\n" };
    for (let i = 0; i < 12; ++i) more[`${elements}/template/t${i}.md`] = markdown(`T${i}`, "x", "related: [none]\n");
    const shown = ["capability-index://summary", "capability-index://stats", "capability-index://elements/persona/reviewer"];
    const { read, manage } = await start({ more, args: ["--resources-expose", shown.join(",")] });
    for (const page of ["summary", "stats"]) {
      const named = (await read(`capability-index://${page}`)).match(/capability-index:\/\/[\w/{}]+/g) ?? [];
      assert.deepEqual(named.filter((uri) => ![...shown, "capability-index://elements/{type}/{id}"].includes(uri)), [], page);
    }
    const [said] = await manage({ operation: "activate", type: "persona", id: "secret" });
    assert.equal(said, 'persona "secret" is now active');
    assert.match((await manage({ operation: "activate", type: "persona", id: "reviewer" }))[0], /resource capability-index:\/\/elements\/persona\/reviewer; prompt persona-reviewer$/);
    assert.doesNotMatch((await manage({ operation: "read", type: "persona", id: "nobody" }))[0], /capability-index/);
  });
});

describe("what is wrong with one file", () => {
  const sheet = (name, about, more = "") => `---\nname: ${name}\ndescription: ${about}\n${more}---\nDo it.\n`;

  it("costs that skill alone: the official client lists and verifies them all", async () => {
    const work = makeWorkspace({
      [`${elements}/skill/long/SKILL.md`]: sheet("long", "é".repeat(2000)),
      [`${elements}/skill/odd/SKILL.md`]: sheet("odd", "Odd", "compatibility: [a, b]\nmetadata:\n  numbers: [1, 2]\n"),
      [`${elements}/skill/fine/SKILL.md`]: sheet("fine", "Fine"),
    });
    const client = new ClientV2({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new PipeV2({ command: program, args: ["serve", "--workspace", work.root, ...on], env: work.environment, stderr: "ignore" }));
    const skills = new SkillsClient(client);
    const { skills: listed, invalid } = await eventually(() => skills.list(), (found) => found.skills.length === 3);
    assert.deepEqual(invalid, []);
    const long = listed.find((skill) => skill.frontmatter.name === "long");
    assert.equal(long.frontmatter.description, `${"é".repeat(1023)}…`);
    for (const skill of listed) assert.ok((await skills.read(skill)).verified);
    const { contents } = await client.readResource({ uri: "capability-index://problems" });
    assert.match(contents[0].text, /skill\/long\/SKILL\.md","line":3,"text":"description is longer than 1024 characters"/);
    await client.close();
    work.remove();
  });

  it("is named, with what to do", async () => {
    const { read } = await start({
      more: {
        [`${elements}/root.md`]: markdown("Root", "x"),
        [`${elements}/wizard/merlin.md`]: markdown("Merlin", "x"),
        [`${elements}/persona/LOUD.MD`]: markdown("Loud", "x"),
        [`${elements}/agent/data.json`]: '{"name": "Data"}',
        [`${elements}/agent/confused.md`]: markdown("Confused", "x", "type: persona\n"),
        [`${elements}/memory/wide.md`]: Buffer.from(`\ufeff${markdown("Wide", "x")}`, "utf16le"),
        [`${elements}/README.md`]: "# Ours\n",
        [`${elements}/skill/lint/notes.json`]: "{}",
      },
    });
    const { problems } = JSON.parse(await read("capability-index://problems"));
    const said = Object.fromEntries(problems.map(({ file, text }) => [file, text]));
    assert.match(said["root.md"], /^it is in no folder of a type: move it to persona\/, skill\/, .* \(the file is skipped\)$/);
    assert.match(said["wizard/merlin.md"], /^"wizard" is no type of elements: move it to persona\//);
    assert.match(said["persona/LOUD.MD"], /rename it to LOUD\.md/);
    assert.match(said["agent/data.json"], /rename it to data\.yaml/);
    assert.match(said["agent/confused.md"], /^type says persona, but the file is in a folder of type agent, which counts: move it to persona\//);
    assert.match(said["memory/wide.md"], /UTF-16: save it as UTF-8/);
    assert.ok(!("README.md" in said) && !("skill/lint/notes.json" in said), JSON.stringify(said));
    assert.match(await read("capability-index://elements/agent"), /Confused/);
  });

  it("links to skills are followed within the workspace or the home, and others named", async () => {
    const work = makeWorkspace({
      "shared/pdf-v2/SKILL.md": sheet("pdf", "Linked"),
      "shared/pdf-v2/run.sh": "echo\n",
      "../dotfiles/mail/SKILL.md": sheet("mail", "Of the user, linked"),
      "../other/spy/SKILL.md": sheet("spy", "Outside"),
      ".claude/skills/plain/SKILL.md": sheet("plain", "Not linked"),
    });
    const link = (target, name) => {
      mkdirSync(join(name, ".."), { recursive: true });
      symlinkSync(target, name);
    };
    link("../../shared/pdf-v2", join(work.root, ".claude/skills/pdf"));
    link("../../../other/spy", join(work.root, ".claude/skills/spy"));
    link("/nowhere/at/all", join(work.root, ".claude/skills/gone"));
    link(join(work.base, "dotfiles/mail"), join(work.base, ".claude/skills/mail"));
    link("/etc", join(work.base, ".claude/skills/etc"));
    const client = await serve(work, on);
    const get = async (uri) => (await client.request("resources/read", { uri })).result?.contents[0].text;
    await eventually(() => get("capability-index://stats"), (text) => JSON.parse(text).loading === false);
    const { skills } = (await client.request("skills/list", modern({}))).result;
    assert.deepEqual(skills.map((skill) => skill.frontmatter.name), ["mail", "pdf", "plain"]);
    assert.equal(await get("skill://pdf/run.sh"), "echo\n");
    const { problems } = JSON.parse(await get("capability-index://problems"));
    const out = /^a link that leads out of the workspace or the home, or nowhere, is not followed: /;
    assert.deepEqual(problems.map(({ file }) => file), [".claude/skills/gone", ".claude/skills/spy", "~/.claude/skills/etc"]);
    for (const { text } of problems) assert.match(text, out);
    await client.request("resources/subscribe", { uri: "skill://pdf/run.sh" });
    writeFileSync(join(work.root, "shared/pdf-v2/run.sh"), "exit\n");
    assert.equal((await client.notification("notifications/resources/updated")).params.uri, "skill://pdf/run.sh");
    assert.equal(await get("skill://pdf/run.sh"), "exit\n");
    await client.stop();
    // A rule about the link, or about where it leads, holds.
    for (const denied of [".claude/skills/pdf/**", "shared/**"]) {
      const policy = join(work.base, "policy.toml");
      writeFileSync(policy, rule("allow", ["**"]) + rule("deny", [work.uri(denied)]));
      const { stdout, status } = await run(work, ["read", "skill://pdf/run.sh", ...on, "--policy-file", policy]);
      assert.notEqual(status, 0, `${denied}: ${stdout}`);
    }
    work.remove();
  });
});
