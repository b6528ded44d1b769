// The command line: where flags may stand, what a wrong word costs, and what doctor finds.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { makeWorkspace, program } from "./support.mjs";

let work;
before(() => (work = makeWorkspace({ "README.md": "# Hello\n", "a.ts": "export const a = 1;\n", ".lode/notes": "" })));
after(() => work.remove());

// `lode ARGS`, with nothing added.
function lode(args, environment = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...work.environment, ...environment }, cwd: work.root, stdio: ["ignore", "pipe", "pipe"] });
    const out = { stdout: "", stderr: "" };
    child.stdout.on("data", (bytes) => (out.stdout += bytes));
    child.stderr.on("data", (bytes) => (out.stderr += bytes));
    child.on("error", reject);
    child.on("close", (status) => resolve({ ...out, status }));
  });
}

describe("flags", () => {
  const reads = [
    () => ["read", "--workspace", work.root, "--resources-enabled", "true", work.uri("README.md")],
    () => ["read", "--resources-enabled", "--workspace", work.root, work.uri("README.md")],
    () => ["read", "--workspace", work.root, "--resources-enabled", work.uri("README.md")],
    () => ["--resources-enabled", "--workspace", work.root, "read", work.uri("README.md")],
    () => ["read", work.uri("README.md"), "--workspace", work.root, "--resources-enabled"],
    () => ["read", work.uri("README.md"), "--resources-enabled=yes"],
    () => ["read", "--resources-enabled", "--", work.uri("README.md")],
  ];
  reads.forEach((words, index) => {
    it(`stand before and behind the argument, and a truth value may be unsaid (${index + 1})`, async () => {
      assert.deepEqual(await lode(words()), { stdout: "# Hello\n", stderr: "", status: 0 });
    });
  });

  it("may be repeated where they are lists, and take one word each time", async () => {
    const other = makeWorkspace({ "README.md": "x\n" });
    const { stdout } = await lode(["list", "--workspace", work.root, "--resources-enabled", "--workspace", other.root, "file:"]);
    assert.deepEqual(stdout.trim().split("\n").sort(), [work.uri("README.md"), other.uri("README.md")].sort());
    other.remove();
  });

  it("say no, too", async () => {
    assert.match((await lode(["list", "--resources-enabled", "false"])).stderr, /resources are off/);
  });
});

describe("wrong usage", () => {
  const on = "--resources-enabled";
  const wrong = {
    "a flag's value": ["list", "--limits-workers", "many"],
    "a truth value": ["list", "--resources-enabled=maybe"],
    "a duration": ["list", "--resources-cache-ttl", "5"],
    "a list of addresses": ["list", on, "--resources-expose", "a b"],
    "a flag without its value": ["list", "--workspace"],
    "a flag without effect": ["list", "--store-url", "postgres://x"],
    "a flag that there is not": ["list", "--htp", "x"],
    "a command that there is not": ["lst"],
    "no command": [],
    "a command without the one behind it": ["policy"],
    "no argument": ["read", on],
    "an argument too many": ["read", on, "a:b", "c:d"],
    "a malformed URI": ["read", on, "a b"],
    "a malformed URI to watch": ["watch", on, "a b"],
    "a malformed URI to find": ["path", on, "a b"],
    "a wrong parameter of an address": ["read", on, "resource://file/a.ts/source?lines=x"],
    "an unknown kind": ["read", on, "lode://search?q=a&kinds=file"],
    "bad JSON": ["call", "find_files", "{pattern"],
    "JSON that is no object": ["call", "find_files", "[1]"],
    "an unknown action": ["policy", "test", "visitor", "fly", "a:b"],
    "a malformed URI in a policy test": ["policy", "test", "visitor", "read", "a b"],
    "an unknown format": ["import", "x", "--from", "y"],
    "an address that others reach": ["serve", "--http", "0.0.0.0:0"],
    "an address that is none": ["serve", "--http", "127.0.0.1:99999"],
  };
  for (const [what, words] of Object.entries(wrong)) {
    it(`is ${what}: status 2, as JSON too`, async () => {
      const plain = await lode(words);
      assert.equal(plain.status, 2, plain.stderr);
      assert.equal(plain.stdout, "");
      const message = /^lode: (.*)$/m.exec(plain.stderr)[1];
      const { status, stdout, stderr } = await lode(["--json", ...words]);
      assert.equal(status, 2, stderr);
      // What serves keeps standard output for messages.
      if (words[0] === "serve") return assert.equal(stdout, "");
      assert.deepEqual(JSON.parse(stdout), { error: { code: "invalid", message, status: 2 } });
    });
  }
});

describe("what fails", () => {
  it("has the same status with --json, and is an error as JSON", async () => {
    const failing = [
      [["read", "--resources-enabled", "file:///nowhere"], 3, "not_found"],
      [["read", work.uri("README.md")], 1, "unsupported"],
      [["call", "no_such_tool"], 3, "not_found"],
      [["list", "--workspace", "/nowhere"], 3, "not_found"],
      [["import", "/nowhere"], 3, "not_found"],
    ];
    for (const [words, status, code] of failing) {
      assert.equal((await lode(words)).status, status, words.join(" "));
      const told = await lode([...words, "--json"]);
      assert.equal(told.status, status, words.join(" "));
      const { error } = JSON.parse(told.stdout);
      assert.deepEqual([error.code, error.status], [code, status]);
    }
    const none = ["search", "--resources-enabled", "zyzzyva"];
    assert.equal((await lode(none)).status, 3);
    const found = await lode([...none, "--json"]);
    assert.deepEqual([found.status, JSON.parse(found.stdout).hits], [3, []]);
  });
});

describe("doctor", () => {
  it("goes on after what it finds first", async () => {
    const file = join(work.base, ".config/lode/lode.toml");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "[resources]\nenabld = true\n");
    const words = ["doctor", "--limits-workers", "many", "--http", "0.0.0.0:1", "--policy-file", "/nowhere.toml"];
    const variables = { LODE_LOG_LEVEL: "loud" };
    for (const [where, good] of [[work.root, true], ["/nowhere", false]]) {
      const { status, stdout } = await lode([...words, "--workspace", where, "--json"], variables);
      assert.equal(status, 1);
      const { settings, checks } = JSON.parse(stdout);
      const found = (name) => checks.filter((check) => check.name === name && !check.good).map((check) => check.word);
      assert.equal(found("configuration").length, 3, stdout);
      assert.match(found("configuration").join("\n"), /^--limits-workers: .*\nLODE_LOG_LEVEL: .*\n\S+lode\.toml:2: .*enabld/);
      assert.match(found("http")[0], /no loopback address/);
      assert.match(found("policy")[0], /nowhere\.toml: No such file/);
      assert.equal(found("workspace").length, good ? 0 : 1);
      assert.equal(checks.some((check) => check.name === "elements"), good);
      assert.ok(checks.some((check) => check.name === "file watches"));
      assert.ok(settings.length > 20);
    }
    const { stdout } = await lode([...words, "--workspace", work.root], variables);
    assert.equal(stdout.match(/^BAD /gm).length, 5, stdout);
    assert.match(stdout, /^ok +state directory/m);
  });
});
