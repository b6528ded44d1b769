// Source code as resources, through the real program: aspects, freshness, the index
// of symbols, ast_analyze, policy, and input that is odd or wrong.
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { eventually, makeWorkspace, run, serve } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const files = {
  ".gitignore": "dist/\n",
  "src/config.ts":
    "import { readFile } from 'node:fs';\nimport { Log } from './log.js';\n\n" +
    "/** What the user wants. More. */\nexport class Config {\n  private values = new Map<string, string>();\n" +
    "  // Reads a text.\n  parse(text: string): Config {\n    return this;\n  }\n}\n\n" +
    "export function load(path: string): Config {\n  return new Config().parse(path);\n}\n\nfunction hidden() {}\n",
  "src/log.ts": "export interface Log { write(line: string): void }\n",
  "src/use.ts": "import { load as open, Config } from './config';\nimport { load } from './config';\n// load is called\nconst c: Config = load('a');\n",
  "src/other.ts": "function load() {}\nload();\n",
  "src/broken.py": "def ok():\n    pass\n\ndef broken(:\n    pass\n",
  "notes.txt": "one\ntwo\nthree",
  "dist/made.ts": "export function generated() {}\n",
  "data.json": '{"quokka": 1}\n',
};

describe("a file's aspects", () => {
  let work;
  let client;
  const reply = (uri) => client.request("resources/read", { uri });
  const read = async (uri) => {
    const { result, error } = await reply(uri);
    assert.ok(result, `${uri}: ${error?.message}`);
    return result.contents[0].text;
  };
  const aspect = async (path) => JSON.parse(await read(`resource://file/${path}`));
  const refusal = async (uri) => {
    const { error } = await reply(uri);
    assert.ok(error, uri);
    return error;
  };
  before(async () => {
    work = makeWorkspace(files);
    client = await serve(work, on);
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    work.remove();
  });

  it("symbols are few tokens, and say how many", async () => {
    const { tokens, ...symbols } = await aspect("src/config.ts/symbols");
    assert.deepEqual(symbols, {
      language: "typescript",
      lines: 17,
      symbols: {
        "exported class": [
          [
            "5-11 Config // What the user wants",
            { "private field": ["6 values"], method: ["8-10 parse(text: string): Config // Reads a text"] },
          ],
        ],
        "exported function": ["13-15 load(path: string): Config"],
        function: ["17 hidden()"],
      },
    });
    const { result } = await reply("resource://file/src/config.ts/symbols");
    assert.ok(tokens > 50 && tokens < 120, `${tokens} tokens`);
    const whole = await aspect("src/config.ts/symbols?compact=false");
    const [config, load] = whole.symbols;
    assert.equal(config.members[1].signature, "parse(text: string): Config");
    assert.deepEqual([load.name, load.kind, load.exported, load.lines], ["load", "function", true, "13-15"]);
    assert.ok(whole.tokens > tokens);
    assert.equal(result.contents[0].mimeType, "application/json");
  });

  it("imports name the files that they mean", async () => {
    const { imports } = await aspect("src/config.ts/imports");
    assert.deepEqual(imports, [
      { line: 1, from: "node:fs", names: ["readFile"] },
      { line: 2, from: "./log.js", file: "src/log.ts", names: ["Log"] },
    ]);
    const use = await aspect("src/use.ts/imports");
    assert.deepEqual(use.imports[0], { line: 1, from: "./config", file: "src/config.ts", names: ["load as open", "Config"] });
  });

  it("exports, structure, diagnostics", async () => {
    const { exports } = await aspect("src/config.ts/exports");
    assert.deepEqual(exports, { class: ["5 Config"], function: ["13 load"] });
    const structure = await read("resource://file/src/config.ts/structure");
    assert.match(structure, /^# src\/config\.ts\n\nTypeScript, 17 lines, 1 class, 2 functions/);
    assert.match(structure, /\n {2}- method \*\*parse\*\* \(line 8\): Reads a text\.\n/);
    const { problems } = await aspect("src/broken.py/diagnostics");
    assert.equal(problems.length, 1);
    assert.match(problems[0].at, /^4:/);
    assert.equal(problems[0].line, "def broken(:");
    assert.deepEqual((await aspect("src/config.ts/diagnostics")).problems, []);
  });

  it("the tree, cut where it is asked to be", async () => {
    const whole = await aspect("src/log.ts/ast");
    const compact = await aspect("src/log.ts/ast?compact=true&max_depth=2&use_symbol_table=true&include_semantic_hash=true");
    assert.ok(compact.tokens < whole.tokens / 2, `${compact.tokens} of ${whole.tokens}`);
    assert.match(compact.semantic_hash, /^[0-9a-f]{32}$/);
    assert.ok(JSON.stringify(compact.ast).includes('"left_out":'));
    assert.equal(typeof compact.symbol_table, "object");
  });

  it("a query finds, and a wrong one is told where", async () => {
    const expr = encodeURIComponent("(function_declaration name: (identifier) @name)");
    const { matches } = await aspect(`src/config.ts/query?expr=${expr}`);
    assert.deepEqual(matches, [[["name", "13:17-13:21", "load"]], [["name", "17:10-17:16", "hidden"]]]);
    const wrong = await refusal(`resource://file/src/config.ts/query?expr=${encodeURIComponent("(no_such_node) @a")}`);
    assert.equal(wrong.code, -32602);
    assert.match(wrong.message, /offset 1\b/);
    assert.match((await refusal("resource://file/src/config.ts/query")).message, /expr=/);
  });

  it("a symbol or some lines are the text alone", async () => {
    assert.equal(
      await read("resource://file/src/config.ts/source?symbol=Config.parse"),
      "  parse(text: string): Config {\n    return this;\n  }",
    );
    assert.equal(await read("resource://file/notes.txt/source?lines=2-3"), "two\nthree");
    assert.equal(await read("resource://file/notes.txt/source"), "one\ntwo\nthree");
    assert.match((await refusal("resource://file/src/config.ts/source?symbol=nothing")).message, /no symbol nothing/);
    assert.match((await refusal("resource://file/notes.txt/source?lines=9-")).message, /3 lines/);
    assert.equal((await refusal("resource://file/notes.txt/source?lines=x")).code, -32602);
  });

  it("references say how each is known", async () => {
    const found = await aspect("src/config.ts/references?symbol=load");
    assert.deepEqual(found.references, [
      {
        file: "src/use.ts",
        by: "imports it",
        lines: ["1 import { load as open, Config } from './config';", "2 import { load } from './config';", "4 const c: Config = load('a');"],
      },
    ]);
    assert.deepEqual(found.define_their_own, ["src/other.ts"]);
    assert.match(found.known_by, /not types/);
    const method = await aspect("src/config.ts/references?symbol=Config.parse");
    assert.deepEqual(method.references, [
      { file: "src/config.ts", by: "same file", lines: ["14 return new Config().parse(path);"] },
    ]);
    assert.match((await aspect("src/config.ts/references?symbol=hidden")).known_by, /not exported/);
    assert.match((await refusal("resource://file/src/config.ts/references")).message, /symbol=/);
  });

  it("a file without a grammar says what is honest", async () => {
    assert.match(await read("resource://file/notes.txt/structure"), /^# notes\.txt\n\n3 lines, 13 bytes; there is no grammar/);
    const symbols = await aspect("notes.txt/symbols");
    assert.deepEqual(symbols.symbols, {});
    assert.match(symbols.unsupported, /no grammar for files like notes\.txt/);
    assert.match((await aspect("notes.txt/ast")).unsupported, /no grammar/);
  });

  it("odd files get an answer, and never a wrong one", async () => {
    writeFileSync(join(work.root, "binary.ts"), Buffer.from([1, 0, 2]));
    assert.match((await aspect("binary.ts/symbols")).unsupported, /binary\.ts cannot be parsed: .*binary/);
    assert.match((await refusal("resource://file/binary.ts/source?lines=1")).message, /binary/);
    writeFileSync(join(work.root, "latin.py"), Buffer.from("def a(): pass\n# caf\xe9\n", "latin1"));
    assert.match((await aspect("latin.py/symbols")).unsupported, /line 2/);
    writeFileSync(join(work.root, "crlf.py"), "class A:\r\n    def f(self):\r\n        pass");
    assert.deepEqual((await aspect("crlf.py/symbols")).symbols, { "exported class": [["1-3 A", { method: ["2-3 f()"] }]] });
    assert.equal(await read("resource://file/crlf.py/source?symbol=A.f"), "    def f(self):\r\n        pass");
    writeFileSync(join(work.root, "empty.go"), "");
    assert.deepEqual((await aspect("empty.go/symbols")).symbols, {});
    writeFileSync(join(work.root, "long.js"), "var a;\n".repeat(1_500_000));
    assert.match((await aspect("long.js/symbols")).unsupported, /10500000 bytes; files to parse have at most/);
    assert.match(await read("resource://file/long.js/structure"), /1500000 lines, 10500000 bytes/);
    assert.equal(await read("resource://file/long.js/source?lines=1400000"), "var a;\n");
    writeFileSync(join(work.root, "huge.js"), "");
    truncateSync(join(work.root, "huge.js"), 3_000_000_000);
    assert.match((await refusal("resource://file/huge.js/symbols")).message, /bytes/);
    symlinkSync("loop-b", join(work.root, "loop-a"));
    symlinkSync("loop-a", join(work.root, "loop-b"));
    assert.equal((await refusal("resource://file/loop-a/symbols")).code, -32002);
    symlinkSync("src/log.ts", join(work.root, "link.ts"));
    assert.equal((await aspect("link.ts/symbols")).language, "typescript");
    symlinkSync("/etc/passwd", join(work.root, "outside.py"));
    assert.equal((await refusal("resource://file/outside.py/source")).code, -32002);
  });

  it("bad addresses are refused, with a word of help", async () => {
    const word = async (path) => (await refusal(`resource://file/${path}`)).message;
    assert.match(await word("src/config.ts/symbls"), /there is no aspect "symbls" \(did you mean "symbols"\?\)/);
    assert.match(await word("src/config.ts"), /there is no aspect "config\.ts".*symbols/);
    assert.match(await word("symbols"), /say of which file/);
    assert.match(await word("src/symbols"), /src is a directory: read resource:\/\/project\/src\/structure/);
    assert.match(await word("src/config.ts/ast?max_depth=-1"), /"max_depth" is a whole number/);
    assert.match(await word("src/config.ts/ast?max_depth=99999999999999999999"), /"max_depth" is a whole number/);
    assert.match(await word("src/config.ts/ast?compact=maybe"), /"compact" is true or false/);
    assert.match(await word("src/config.ts/ast?maxdepth=3"), /no parameter "maxdepth" \(did you mean "max_depth"\?\)/);
    assert.match(await word("src/config.ts/source?symbol=a&lines=1"), /not both/);
    for (const path of ["../../etc/passwd/source", "..%2F..%2Fetc%2Fpasswd/source", "%2e%2e/x/source", "src%2Fconfig.ts/symbols"]) {
      const { code } = await refusal(`resource://file/${path}`);
      assert.ok(code === -32602 || code === -32002, `${path}: ${code}`);
    }
    for (const path of ["none.ts/symbols", ".git/config/source", ".env/source"]) {
      assert.equal((await refusal(`resource://file/${path}`)).code, -32002, path);
    }
  });

  it("queries and trees have bounds", async () => {
    writeFileSync(join(work.root, "deep.js"), `${"(".repeat(50_000)}1${")".repeat(50_000)};\n${"f(a,".repeat(400)}1${")".repeat(400)};`);
    const expr = encodeURIComponent(`${"(_ ".repeat(30)}(_) @a${")".repeat(30)}`);
    const { result, error } = await reply(`resource://file/deep.js/query?expr=${expr}`);
    assert.ok(result ? JSON.parse(result.contents[0].text) : error.message);
    const many = encodeURIComponent("(_ (_)* @a (_)* @b (_)* @c)");
    const bounded = await reply(`resource://file/deep.js/query?expr=${many}`);
    assert.ok(bounded.result || bounded.error);
    const nested = encodeURIComponent("(".repeat(3000));
    assert.equal((await refusal(`resource://file/src/log.ts/query?expr=${nested}`)).code, -32602);
    assert.ok((await aspect("deep.js/ast?max_depth=3")).tokens > 0);
  });

  it("an edit is seen at once, and told to who listens", async () => {
    const uri = "resource://file/src/log.ts/symbols";
    assert.ok(!("error" in (await client.request("resources/subscribe", { uri }))));
    assert.ok(!(await read(uri)).includes("Added"));
    writeFileSync(join(work.root, "src/log.ts"), "export interface Log {}\nexport class Added {}\n");
    assert.ok((await read(uri)).includes("2 Added"), "no cache is older than the file");
    const told = await client.notification("notifications/resources/updated");
    assert.equal(told.params.uri, uri);
  });

  it("the template's variables are completed", async () => {
    const complete = async (name, value, context) => {
      const ref = { type: "ref/resource", uri: "resource://file/{+path}/{aspect}{?compact,max_depth,use_symbol_table,include_semantic_hash,expr,symbol,lines}" };
      const { result } = await client.request("completion/complete", { ref, argument: { name, value }, context: { arguments: context ?? {} } });
      return result.completion.values;
    };
    assert.deepEqual(await complete("path", "src/con"), ["src/config.ts"]);
    assert.deepEqual(await complete("aspect", "s"), ["source", "structure", "symbols"]);
    assert.deepEqual(await complete("symbol", "Config", { path: "src/config.ts" }), ["Config", "Config.values", "Config.parse"]);
    assert.deepEqual(await complete("symbol", "lo", { path: "src/config.ts" }), ["load"]);
    assert.deepEqual(await complete("path", "../"), []);
  });

  it("symbols are found by their words, and follow the files", async () => {
    const hits = async (query) => {
      const answer = JSON.parse(await read(`lode://search?q=${encodeURIComponent(query)}&kinds=symbol`));
      return answer.hits.map(({ uri }) => uri);
    };
    const config = "resource://file/src/config.ts/source?symbol=Config";
    assert.ok((await eventually(() => hits("config"), (found) => found.includes(config))).includes(config));
    assert.deepEqual(await hits("generated"), [], "what is ignored is not indexed");
    assert.deepEqual(await hits("quokka"), [], "keys of data are no symbols");
    appendFileSync(join(work.root, "src/config.ts"), "export function wombatNest() {}\n");
    const nest = "resource://file/src/config.ts/source?symbol=wombatNest";
    assert.deepEqual(await eventually(() => hits("wombat nest"), (found) => found.length > 0), [nest]);
    assert.equal(await read(nest), "export function wombatNest() {}");
    mkdirSync(join(work.root, "moved"));
    renameSync(join(work.root, "src/config.ts"), join(work.root, "moved/config.ts"));
    const moved = nest.replace("src/", "moved/");
    assert.deepEqual(await eventually(() => hits("wombat"), ([first, ...more]) => first === moved && more.length === 0), [moved]);
    rmSync(join(work.root, "moved"), { recursive: true });
    assert.deepEqual(await eventually(() => hits("wombat"), (found) => found.length === 0), []);
  });
});

describe("symbols of a workspace", () => {
  it("are kept: a second start looks at what changed alone", async () => {
    const work = makeWorkspace({ "a.py": "def alpha(): pass\n", "b.py": "def beta(): pass\n" });
    const search = (query) => run(work, ["search", query, ...on, "--log-level", "info"]);
    const looked = ({ stderr }) => stderr.split("\n").filter((line) => line.includes('"symbols are known"')).map((line) => JSON.parse(line));
    const first = await search("alpha");
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, /resource:\/\/file\/a\.py\/source\?symbol=alpha {2}alpha/);
    assert.equal(looked(first)[0].looked_at, "2");
    const second = await search("beta");
    assert.match(second.stdout, /b\.py/);
    assert.deepEqual(looked(second), [], "no file was looked at");
    writeFileSync(join(work.root, "b.py"), "def gamma(): pass\n");
    rmSync(join(work.root, "a.py"));
    const third = await search("gamma");
    assert.match(third.stdout, /symbol=gamma/);
    assert.equal(looked(third)[0].looked_at, "2");
    assert.equal((await search("alpha")).status, 3);
    // A file of ours that is damaged costs a new look, and nothing else.
    const state = join(work.base, "state/lode");
    const { readdirSync } = await import("node:fs");
    const own = readdirSync(state).find((name) => name.startsWith("work-"));
    writeFileSync(join(state, own, "symbols.index"), "rubbish");
    const fourth = await search("gamma");
    assert.match(fourth.stdout, /symbol=gamma/);
    work.remove();
  });

  it("equal files and reverts are not parsed twice", async () => {
    const text = "def once(): pass\n";
    const work = makeWorkspace({ "a.py": text, "copy/a.py": text });
    const hits = async () => (await run(work, ["search", "once", ...on])).stdout.trim().split("\n").length;
    assert.equal(await hits(), 2);
    writeFileSync(join(work.root, "a.py"), "def other(): pass\n");
    assert.equal(await hits(), 1);
    writeFileSync(join(work.root, "a.py"), text);
    assert.equal(await hits(), 2);
    work.remove();
  });
});

describe("ast_analyze", () => {
  let work;
  before(() => {
    work = makeWorkspace(files);
  });
  after(() => work.remove());
  const call = async (args, more = []) => {
    const { stdout, stderr, status } = await run(work, ["call", "ast_analyze", JSON.stringify(args), ...more]);
    return { text: stdout, stderr, status };
  };

  it("asks many files, with resources or without", async () => {
    for (const more of [on, []]) {
      const { text } = await call({ query: "(function_declaration name: (identifier) @f)", pattern: "*.ts" }, more);
      assert.match(text, /src\/config\.ts\n {2}13:17-13:21 @f load\n {2}17:10-17:16 @f hidden\n/);
      assert.match(text, /src\/other\.ts\n {2}1:10-1:14 @f load\n/);
      assert.match(text, /3 captures in 2 of 4 files/);
      assert.ok(!text.includes("dist/"));
    }
  });

  it("says where it did not fit, and where it ended", async () => {
    const both = await call({ query: "(function_declaration) @f", limit: 1 });
    assert.match(both.text, /limit=1 is reached/);
    const mixed = await call({ query: "(function_declaration) @f" });
    assert.match(mixed.text, /not asked of Python/);
    const wrong = await call({ query: "(no_such) @f", language: "typescript" });
    assert.equal(wrong.status, 1);
    assert.match(wrong.text, /offset 1/);
    assert.match((await call({ query: "(a)", language: "typescrip" })).text, /did you mean "typescript"/);
    assert.match((await call({ query: "(identifier) @a", path: "nowhere" })).text, /no such directory: nowhere/);
    assert.match((await call({})).text, /query/);
  });
});

describe("a policy on files", () => {
  it("holds at every address of a file", async () => {
    const work = makeWorkspace({ ...files, "secret/plan.ts": "import '../src/log';\nexport function plan() { return load; }\n" });
    const rule = (effect, uris) => `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ["*"]\nuris = ${JSON.stringify(uris)}\n`;
    const policy = join(work.base, "policy.toml");
    writeFileSync(policy, rule("allow", ["**"]) + rule("deny", [`file://${work.root}/secret/**`]));
    const client = await serve(work, [...on, "--policy-file", policy]);
    const reply = (uri) => client.request("resources/read", { uri });
    for (const aspect of ["symbols", "source", "structure", "references?symbol=plan"]) {
      const hidden = (await reply(`resource://file/secret/plan.ts/${aspect}`)).error;
      const absent = (await reply(`resource://file/secret/none.ts/${aspect}`)).error;
      assert.deepEqual([hidden.code, hidden.message], [absent.code, absent.message]);
    }
    const { result } = await reply("resource://file/src/config.ts/references?symbol=load");
    assert.ok(!result.contents[0].text.includes("secret"));
    const search = async () => (await reply("lode://search?q=plan&kinds=symbol")).result.contents[0].text;
    const config = async () => (await reply("lode://search?q=config&kinds=symbol")).result.contents[0].text;
    await eventually(config, (text) => JSON.parse(text).hits.length > 0 && !JSON.parse(text).incomplete);
    assert.deepEqual(JSON.parse(await search()).hits, []);
    const called = await client.request("tools/call", { name: "ast_analyze", arguments: { query: "(function_declaration) @f" } });
    assert.ok(!called.result.content[0].text.includes("secret"));
    assert.equal(await client.stop(), 0);
    work.remove();
  });
});
