// Projects as clients read them: the tree, the page, the files; what makes no
// sense, and what a policy hides.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { get_encoding } from "tiktoken";
import { eventually, makeWorkspace, run, serve } from "./support.mjs";

const encoding = get_encoding("o200k_base");
const on = ["--resources-enabled", "true"];
const base = "resource://project/";

function git(directory, ...args) {
  const who = { NAME: "a", EMAIL: "a@example.com", DATE: "1700000000 +0000" };
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  for (const [key, value] of Object.entries(who)) {
    env[`GIT_AUTHOR_${key}`] = value;
    env[`GIT_COMMITTER_${key}`] = value;
  }
  execFileSync("git", args, { cwd: directory, env, stdio: "ignore" });
}

const reader = (client) => async (rest) => {
  const { result, error } = await client.request("resources/read", { uri: base + rest });
  return result ? result.contents[0].text : error;
};

describe("a project", () => {
  let work;
  let client;
  let read;
  before(async () => {
    work = makeWorkspace({
      "README.md": "# Shop\n\n[![build](https://example.com/b.svg)](https://example.com)\n\nSells things.\n",
      "package.json": JSON.stringify({
        name: "shop",
        main: "./dist/index.js",
        scripts: { build: "tsc", test: "node --test" },
        dependencies: { lit: "^3.1.0" },
        devDependencies: { typescript: "5.9.2" },
      }),
      ".gitignore": "node_modules/\n*.log\n",
      "node_modules/lit/index.js": "x\n",
      "trace.log": "x\n",
      ".env": "SECRET=1\n",
      "src/index.ts": "export const a = 1;\nexport const b = 2;\n",
      "src/deep/down/here/x.ts": "export {};\n",
      "tools/run.py": "print(1)\nprint(2)\nprint(3)\n",
    });
    for (let i = 0; i < 230; ++i) writeFileSync(join(work.root, `src/deep/f${1000 + i}.md`), "text\n");
    git(work.root, "init", "-b", "trunk");
    git(work.root, "add", "-A");
    git(work.root, "commit", "-m", "The first of all");
    client = await serve(work, on);
    read = reader(client);
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("shows its tree, without what git ignores and what is secret", async () => {
    const tree = await read("structure");
    assert.match(tree, /^work: 236 files, 5 directories\nsrc\/\n {2}deep\/\n {4}down\/ \(1 file\)\n/);
    assert.match(tree, /\ntools\/\n {2}run\.py\n/);
    assert.doesNotMatch(tree, /node_modules|trace|\.env|\.git\//);
    assert.match(await read("src/structure?pattern=*.ts&max_depth=9"), /^src: 2 files/);
    assert.doesNotMatch(await read("structure?exclude=deep,tools"), /deep|run\.py/);
    assert.match(await read("structure?max_depth=1"), /\nsrc\/ \(232 files\)\n/);
  });

  it("says what it is, from facts", async () => {
    const page = await read("summary");
    for (const words of [
      "# work (shop)\n\nSells things.\n\n236 files, 5 directories\n",
      "- Python: 1 file, 3 lines",
      "- TypeScript: 2 files, 3 lines",
      "- test: `npm run test` (package.json)",
      "- dist/index.js (package.json)",
      "- package.json: 1 dependency: lit ^3.1.0; 1 for development: typescript 5.9.2",
      "of 2023-11-14: The first of all",
      "Most changed in the last 1 commit: ",
    ]) {
      assert.ok(page.includes(words), `${words}\n${page}`);
    }
    assert.match(page, /Branch trunk, head [0-9a-f]{12} /);
    for (const spelling of ["./summary", "/summary", "summary/"]) assert.equal(await read(spelling), page);
    assert.match(await read("src/summary"), /^# src\n/);
  });

  it("is fresh after a commit and after an edit", async () => {
    git(work.root, "commit", "--allow-empty", "-m", "The second");
    assert.match(await read("summary"), /: The second\n/);
    writeFileSync(join(work.root, "tools/run.py"), "print(1)\n");
    const page = await eventually(() => read("summary"), (text) => text.includes("- Python: 1 file, 1 line "));
    assert.ok(page.includes("- Python: 1 file, 1 line "), page);
  });

  it("lists its files in pages", async () => {
    const paths = [];
    let rest = "files";
    let pages = 0;
    while (rest) {
      const text = await read(rest);
      const page = JSON.parse(text);
      assert.equal(page.total, 236);
      assert.equal(page.tokens, encoding.encode_ordinary(text).length);
      paths.push(...page.files.map((file) => file.path));
      rest = page.next?.slice(base.length);
      pages += 1;
    }
    assert.equal(pages, 2);
    assert.equal(new Set(paths).size, 236);
    assert.deepEqual([...paths].sort(), paths);
    const some = JSON.parse(await read("files?pattern=*.ts"));
    assert.deepEqual(some.files, [
      { path: "src/deep/down/here/x.ts", size: 11, language: "TypeScript" },
      { path: "src/index.ts", size: 40, language: "TypeScript" },
    ]);
    assert.equal(JSON.parse(await read("files?exclude=src,*.md&max_depth=1")).total, 2);
  });

  it("refuses what makes no sense, and says why", async () => {
    for (const [rest, words] of [
      ["sumary", /did you mean "summary"/],
      ["src", /is no aspect/],
      ["src/index.ts/summary", /is a file; read resource:\/\/file\/src\/index\.ts\/structure or file:\/\//],
      ["structure?max_depth=-1", /max_depth is a whole number from 1 to 64/],
      ["structure?max_dept=1", /did you mean "max_depth"/],
      ["files?cursor=bm9wZQ", /the cursor is none/],
      ["files?pattern=%5Ba", /"pattern": /],
      ["../../etc/structure", /'\.\.'/],
    ]) {
      const error = await read(rest);
      assert.equal(error.code, -32602, rest);
      assert.match(error.message, words, rest);
    }
    for (const rest of ["absent/summary", ".git/structure", ".env/summary", "src%2Fdeep/structure"]) {
      assert.equal((await read(rest)).code, -32002, rest);
    }
  });

  it("tells of a manifest that cannot be read", async () => {
    mkdirSync(join(work.root, "broken"));
    writeFileSync(join(work.root, "broken/package.json"), '{"name": ');
    const page = await eventually(() => read("broken/summary"), (text) => typeof text === "string");
    assert.match(page, /- package\.json: cannot be read: /);
    rmSync(join(work.root, "broken"), { recursive: true });
  });

  it("is listed, has a template, and is completed", async () => {
    const { resources } = (await client.request("resources/list")).result;
    assert.ok(resources.some((resource) => resource.uri === `${base}summary`));
    const { resourceTemplates } = (await client.request("resources/templates/list")).result;
    const { uriTemplate } = resourceTemplates.find((template) => template.name === "project");
    const complete = async (name, value) =>
      (await client.request("completion/complete", { ref: { type: "ref/resource", uri: uriTemplate }, argument: { name, value } }))
        .result.completion.values;
    assert.deepEqual(await complete("path", "s"), ["src"]);
    assert.deepEqual(await complete("path", "src/"), ["src/deep"]);
    assert.deepEqual(await complete("aspect", ""), ["structure", "summary", "files"]);
  });

  it("is read by the command line too", async () => {
    const { stdout, status } = await run(work, ["read", `${base}structure?max_depth=1`, ...on]);
    assert.equal(status, 0);
    assert.match(stdout, /^work: 236 files/);
  });
});

describe("a project under a policy", () => {
  it("has nothing of what is denied in any answer or count", async () => {
    const work = makeWorkspace({
      "a.ts": "x\n",
      "secret/b.rs": "x\ny\n",
      "secret/package.json": '{"dependencies":{"hush":"1"}}',
    });
    git(work.root, "init", "-b", "main");
    git(work.root, "add", "-A");
    git(work.root, "commit", "-m", "one");
    const policy = join(work.base, "policy.toml");
    writeFileSync(
      policy,
      '[[rule]]\neffect = "allow"\nroles = ["*"]\nactions = ["*"]\nuris = ["**"]\n' +
        `[[rule]]\neffect = "deny"\nroles = ["*"]\nactions = ["*"]\nuris = ["${work.uri("secret")}", "${work.uri("secret")}/**"]\n`,
    );
    const client = await serve(work, [...on, "--policy-file", policy]);
    const read = reader(client);
    assert.equal(await read("structure"), "work: 1 file, 0 directories\na.ts\n");
    assert.equal(JSON.parse(await read("files")).total, 1);
    const page = await read("summary");
    assert.match(page, /Most changed in the last 1 commit: a\.ts \(1\)\n/);
    assert.doesNotMatch(page, /secret|hush|Rust|b\.rs/);
    for (const rest of ["secret/summary", "secret/files", "secret/b.rs/structure"]) {
      assert.equal((await read(rest)).code, -32002, rest);
    }
    assert.equal(await client.stop(), 0);
    work.remove();
  });
});
