// Skills, end to end: the official suite's scenarios, and what they leave open.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runSuite } from "../conformance/suite.mjs";
import { request, serveHttp, well } from "./hostile.mjs";
import { eventually, makeWorkspace, run, serve } from "./support.mjs";

// The suite looks into the first skill, and wants a directory there.
const skills = ".lode/elements/skill";
const files = {
  [`${skills}/pdf-forms/SKILL.md`]:
    "---\nname: pdf-forms # as the folder\ndescription: Fills in forms\nlicense: MIT\n" +
    'metadata: { author: "a", version: "1.0" }\n---\n\n# Forms\n\nRun scripts/fill.py.\n',
  [`${skills}/pdf-forms/scripts/fill.py`]: "print('hello')\n",
  [`${skills}/pdf-forms/scripts/lib/util.py`]: "x = 1\n",
  [`${skills}/pdf-forms/.env`]: "TOKEN=1\n",
  [`${skills}/review.md`]: "---\nname: Review Code\ndescription: Looks twice\ntags: [a]\n---\nLook, then look again.\n",
  [`${skills}/ship.yaml`]:
    "name: ship\ndescription: Ships it\nprocedures:\n  - step: 1\n    action: Build\n  - step: 2\n    action: Ship\n",
};

let server;
before(async () => {
  server = await serveHttp([], { files });
  symlinkSync("/etc/hostname", join(server.work.root, skills, "pdf-forms/outside"));
  await eventually(
    () => ask("skills/list"),
    ({ result }) => result?.skills.length === 3,
  );
});
after(async () => assert.deepEqual(await server.stop(), well));

async function ask(method, params = {}) {
  const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(method === "resources/read" ? { "mcp-name": params.uri } : {}),
    },
    body: request(1, method, params),
  });
  return answer.json();
}

const read = async (uri) => (await ask("resources/read", { uri })).result.contents[0];
const bytesOf = (content) => (content.blob ? Buffer.from(content.blob, "base64") : Buffer.from(content.text));

for (const scenario of ["sep-2640-skills-directory", "sep-2640-skills-enumeration", "sep-2640-skills-manifest"]) {
  test(`the suite's ${scenario}`, () => {
    // An extension is on no revision's list: without force it would not run.
    const args = ["--scenario", scenario, "--spec-version", "2026-07-28", "--force"];
    const { found, skipped, checks } = runSuite(`http://127.0.0.1:${server.port}/mcp`, args);
    assert.deepEqual({ found, skipped }, { found: [], skipped: [] });
    assert.ok(checks >= 5, `${checks} checks`);
  });
}

test("what a manifest says is what is read", async () => {
  const { skills: listed } = (await ask("skills/list")).result;
  assert.deepEqual(
    listed.map((skill) => skill.uri),
    ["skill://pdf-forms/SKILL.md", "skill://review-code/SKILL.md", "skill://ship/SKILL.md"],
  );
  for (const skill of listed) {
    for (const { uri, digest, size } of skill.resources) {
      const bytes = bytesOf(await read(uri));
      assert.equal(bytes.length, size, uri);
      assert.equal(`sha256:${createHash("sha256").update(bytes).digest("hex")}`, digest, uri);
    }
  }
  const forms = listed[0];
  assert.deepEqual(forms.frontmatter, {
    name: "pdf-forms",
    description: "Fills in forms",
    license: "MIT",
    metadata: { author: "a", version: "1.0" },
  });
  assert.deepEqual(
    forms.resources.map((file) => file.uri),
    ["SKILL.md", "scripts/fill.py", "scripts/lib/util.py"].map((path) => `skill://pdf-forms/${path}`),
  );
  assert.match((await read("skill://ship/SKILL.md")).text, /1\. Build\n2\. Ship\n/);
});

test("directories are read in both eras", async () => {
  const { resources } = (await ask("resources/directory/read", { uri: "skill://pdf-forms/scripts" })).result;
  assert.deepEqual(
    resources.map(({ uri, mimeType }) => [uri, mimeType]),
    [
      ["skill://pdf-forms/scripts/fill.py", "text/x-python"],
      ["skill://pdf-forms/scripts/lib", "inode/directory"],
    ],
  );
  for (const uri of ["skill://pdf-forms/SKILL.md", "skill://pdf-forms/none", "skill://none"]) {
    assert.equal((await ask("resources/directory/read", { uri })).error.code, -32602, uri);
  }
  const client = await serve(server.work, ["--resources-enabled", "true"]);
  const legacy = await eventually(
    () => client.request("resources/read", { uri: "skill://pdf-forms" }),
    ({ result }) => result,
  );
  assert.equal(legacy.result.contents[0].mimeType, "inode/directory");
  assert.equal(legacy.result.contents[0].text, "skill://pdf-forms/SKILL.md\nskill://pdf-forms/scripts\n");
  assert.equal((await client.request("skills/list")).error.code, -32601);
  await client.stop();
});

test("nothing leads out", async () => {
  for (const path of ["outside", ".env", "..%2Freview.md", "scripts/%2E%2E/%2E%2E/review.md"]) {
    assert.equal((await ask("resources/read", { uri: `skill://pdf-forms/${path}` })).error.code, -32602, path);
  }
});

test("names are completed", async () => {
  const ref = { type: "ref/resource", uri: "skill://{name}/{+path}" };
  const { completion } = (await ask("completion/complete", { ref, argument: { name: "name", value: "p" } })).result;
  assert.deepEqual(completion.values, ["pdf-forms"]);
});

test("a change is seen by the next request", async () => {
  const file = join(server.work.root, skills, "pdf-forms/scripts/fill.py");
  const uri = "skill://pdf-forms/scripts/fill.py";
  const digest = async () =>
    (await ask("skills/get", { uri: "skill://pdf-forms/SKILL.md" })).result.skill.resources[1].digest;
  const old = await digest();
  assert.equal((await read(uri)).text, "print('hello')\n");
  appendFileSync(file, "print('again')\n");
  assert.equal((await read(uri)).text, "print('hello')\nprint('again')\n");
  assert.notEqual(await digest(), old);
  writeFileSync(join(server.work.root, skills, "late.md"), "---\nname: late\ndescription: New\n---\nHello\n");
  const answer = await eventually(
    () => ask("skills/get", { uri: "skill://late/SKILL.md" }),
    ({ result }) => result,
  );
  assert.equal(answer.result.skill.frontmatter.description, "New");
});

test("without resources there are no skills", async () => {
  const { params } = JSON.parse(request(1, "skills/list"));
  for (const enabled of ["true", "false"]) {
    const client = await serve(server.work, ["--resources-enabled", enabled]);
    const { result, error } = await client.request("skills/list", params);
    assert.equal(Array.isArray(result?.skills), enabled === "true");
    assert.equal(error?.code, enabled === "true" ? undefined : -32601);
    await client.stop();
  }
});

test("who subscribed to a file or a directory of a skill hears of it", async () => {
  const work = makeWorkspace(files);
  const client = await serve(work, ["--resources-enabled", "true"]);
  const get = async (uri) => (await client.request("resources/read", { uri })).result?.contents[0].text;
  const folder = join(work.root, skills, "pdf-forms");
  await eventually(() => get("skill://pdf-forms"), (text) => text);
  const subscribe = (uri) => client.request("resources/subscribe", { uri });
  // Until it has come; others may come before it.
  const heard = async (uri) => {
    for (;;) {
      const { params } = await client.notification("notifications/resources/updated");
      if (params.uri === uri) return;
    }
  };
  for (const path of ["SKILL.md", "scripts/fill.py", "scripts", "scripts/lib/util.py"]) await subscribe(`skill://pdf-forms/${path}`);
  await subscribe("skill://review-code/SKILL.md");
  await subscribe("skill://late/SKILL.md");

  appendFileSync(join(folder, "scripts/fill.py"), "print('more')\n");
  await heard("skill://pdf-forms/scripts/fill.py");
  assert.match(await get("skill://pdf-forms/scripts/fill.py"), /more/);

  writeFileSync(join(folder, "scripts/new.py"), "pass\n");
  await heard("skill://pdf-forms/scripts");
  assert.match(await get("skill://pdf-forms/scripts"), /scripts\/new\.py$/m);

  appendFileSync(join(folder, "SKILL.md"), "More.\n");
  await heard("skill://pdf-forms/SKILL.md");
  appendFileSync(join(work.root, skills, "review.md"), "And again.\n");
  await heard("skill://review-code/SKILL.md");
  assert.match(await get("skill://review-code/SKILL.md"), /And again\./);

  mkdirSync(join(work.root, skills, "late"));
  writeFileSync(join(work.root, skills, "late/SKILL.md"), "---\nname: late\ndescription: New\n---\nHello\n");
  await heard("skill://late/SKILL.md");
  assert.match(await get("skill://late/SKILL.md"), /Hello/);

  client.take("notifications/resources/updated");
  rmSync(join(folder, "scripts/lib"), { recursive: true });
  await heard("skill://pdf-forms/scripts/lib/util.py");
  assert.equal(await get("skill://pdf-forms/scripts/lib/util.py"), undefined);
  rmSync(folder, { recursive: true });
  await heard("skill://pdf-forms/scripts/fill.py");
  assert.equal(await get("skill://pdf-forms/scripts/fill.py"), undefined);
  assert.equal(await client.stop(), 0);
  work.remove();
});

test("skills of other programs are served beside them, and not written", async () => {
  const sheet = (name, about) => `---\nname: ${name}\ndescription: ${about}\n---\nDo it.\n`;
  const work = makeWorkspace({
    [`${skills}/pdf/SKILL.md`]: sheet("pdf", "An element"),
    ".claude/skills/pdf/SKILL.md": sheet("pdf", "Covered"),
    ".claude/skills/lint/SKILL.md": sheet("lint", "Of the workspace"),
    ".claude/skills/lint/run.sh": "echo\n",
    ".lode/skills/ship/SKILL.md": sheet("ship", "Of Lode's own folder"),
    "../.claude/skills/mail/SKILL.md": sheet("mail", "Of the user"),
    "../.claude/skills/lint/SKILL.md": sheet("lint", "The user's, covered"),
  });
  const client = await serve(work, ["--resources-enabled", "true"]);
  const get = async (uri) => (await client.request("resources/read", { uri })).result?.contents[0].text;
  await eventually(() => get("capability-index://stats"), (text) => !JSON.parse(text).loading);
  const { resources } = (await client.request("resources/list")).result;
  const listed = resources.filter(({ uri }) => uri.startsWith("skill:"));
  assert.deepEqual(
    listed.map(({ name, description }) => [name, description]),
    [["lint", "Of the workspace"], ["mail", "Of the user"], ["pdf", "An element"], ["ship", "Of Lode's own folder"]],
  );
  assert.equal(await get("skill://lint/run.sh"), "echo\n");
  const { problems } = JSON.parse(await get("capability-index://problems"));
  assert.deepEqual(
    problems.map(({ file, text }) => `${file}: ${text}`),
    [`.claude/skills/pdf/SKILL.md: the id "pdf" is also that of skill/pdf/SKILL.md, which counts`],
  );
  const doctor = await run(work, ["doctor", "--resources-enabled", "true"]);
  assert.match(doctor.stdout, /^ok +elements +1 problem: lode read capability-index:\/\/problems$/m);
  const call = async (args) =>
    (await client.request("tools/call", { name: "element_manage", arguments: { type: "skill", id: "lint", ...args } })).result;
  for (const args of [{ operation: "update", description: "x" }, { operation: "delete" }]) {
    const refused = await call(args);
    assert.ok(refused.isError);
    assert.match(refused.content[0].text, /kept in \.claude\/skills\/lint\/SKILL\.md/);
  }
  // An edit by hand is heard of there too.
  await client.request("resources/subscribe", { uri: "skill://lint/run.sh" });
  appendFileSync(join(work.root, ".claude/skills/lint/run.sh"), "exit\n");
  assert.equal((await client.notification("notifications/resources/updated")).params.uri, "skill://lint/run.sh");
  assert.equal(await get("skill://lint/run.sh"), "echo\nexit\n");
  assert.equal(await client.stop(), 0);
  work.remove();
});
