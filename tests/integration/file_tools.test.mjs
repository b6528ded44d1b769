// The tools find_files and file_ops, over the pipe, with resources on and off.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { eventually, makeWorkspace, run, serve } from "./support.mjs";

const files = {
  "README.md": "# Hello\n\nmain is in src.\n",
  "src/main.cc": "#include <cstdio>\n\nint main() {\n  std::puts(\"hello\");\n  return 0;\n}\n",
  "src/util/text.h": "// text\nint length(const char* text);\n",
  "src/windows.txt": "one\r\n  two\r\nthree\r\n",
  "private/plan.md": "main plan\n",
  ".gitignore": "build/\n",
  "build/main.cc": "int main() {}\n",
  ".env": "main=1\n",
  ".git/HEAD": "main\n",
};

for (const [state, options] of [["off", []], ["on", ["--resources-enabled", "true"]]]) {
  describe(`the file tools while resources are ${state}`, () => {
    let work;
    let client;
    const call = async (name, args) => {
      const { result, error } = await client.request("tools/call", { name, arguments: args });
      if (error) return { code: error.code, text: error.message };
      return { failed: result.isError === true, text: result.content[0].text };
    };
    const find = async (args) => {
      const answer = await call("find_files", args);
      assert.ok(!answer.failed && !answer.code, answer.text);
      return answer.text;
    };
    const replace = (path, old, fresh, more = {}) => call("file_ops", { operation: "replace", path, old, new: fresh, ...more });
    const content = (path) => readFileSync(join(work.root, path), "utf8");

    before(async () => {
      work = makeWorkspace({ "README.md": "" });
      client = await serve(work, options);
    });
    beforeEach(() => {
      for (const name of readdirSync(work.root)) rmSync(join(work.root, name), { recursive: true });
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(work.root, name)), { recursive: true });
        writeFileSync(join(work.root, name), text);
      }
    });
    after(async () => {
      assert.equal(await client.stop(), 0);
      work.remove();
    });

    it("are offered, with their hints, within their budget", async () => {
      const { tools } = (await client.request("tools/list")).result;
      const hints = (name) => tools.find((tool) => tool.name === name).annotations;
      assert.deepEqual(hints("find_files"), { readOnlyHint: true, openWorldHint: false });
      assert.deepEqual(hints("file_ops"), { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false });
      const { items } = JSON.parse((await run(work, ["tokens", "--json", ...options])).stdout);
      for (const name of ["find_files", "file_ops"]) {
        const { tokens } = items.find((item) => item.name === name);
        assert.ok(tokens > 0 && tokens <= 200, `${name}: ${tokens}`);
      }
    });

    it("find files by glob", async () => {
      assert.equal(await find({ pattern: "*.{cc,h}" }), "src/main.cc\nsrc/util/text.h\n\n2 files\n");
      assert.equal(await find({ pattern: "src/*" }), "src/main.cc\nsrc/windows.txt\n\n2 files\n");
      assert.equal(await find({ path: "src", exclude: "*.txt,util" }), "src/main.cc\n\n1 file\n");
      assert.equal(await find({ pattern: "*.cc", ignored: true }), "build/main.cc\nsrc/main.cc\n\n2 files\n");
      assert.equal(await find({ pattern: ".env", ignored: true }), "0 files\n");
      assert.equal(
        await find({ pattern: "*.md", limit: 1 }),
        "README.md\n\n1 file; there are more: narrow the search, or raise limit (at most 1000)\n",
      );
    });

    it("find lines by content", async () => {
      assert.equal(
        await find({ content: "main", exclude: "private" }),
        "README.md\n3: main is in src.\n\nsrc/main.cc\n3: int main() {\n\n2 matches in 2 files of 5 searched\n",
      );
      assert.equal(
        await find({ content: "^\\s*RETURN \\d", regex: true, ignore_case: true, context: 1 }),
        'src/main.cc\n4-   std::puts("hello");\n5:   return 0;\n6- }\n\n1 match in 1 file of 6 searched\n',
      );
      assert.equal(await find({ content: "two$", regex: true, path: "src/windows.txt" }), "src/windows.txt\n2:   two\n\n1 match in 1 file of 1 searched\n");
    });

    it("replace one place, as the dry run said", async () => {
      const dry = await replace("src/main.cc", "return 0;", "return $&\\1;", { dry_run: true });
      assert.match(dry.text, /^dry run, nothing was written\n--- a\/src\/main\.cc\n\+\+\+ b\/src\/main\.cc\n@@ /);
      assert.equal(content("src/main.cc"), files["src/main.cc"]);
      const copy = join(work.base, "copy");
      mkdirSync(join(copy, "src"), { recursive: true });
      writeFileSync(join(copy, "src/main.cc"), files["src/main.cc"]);
      const applied = spawnSync("git", ["apply", "-"], { cwd: copy, input: dry.text, encoding: "utf8" });
      assert.equal(applied.status, 0, applied.stderr);

      chmodSync(join(work.root, "src/main.cc"), 0o750);
      const done = await replace("src/main.cc", "return 0;", "return $&\\1;");
      assert.equal(done.text, dry.text.replace("dry run, nothing was written", "written"));
      assert.equal(content("src/main.cc"), files["src/main.cc"].replace("return 0;", () => "return $&\\1;"));
      assert.equal(content("src/main.cc"), readFileSync(join(copy, "src/main.cc"), "utf8"));
      assert.equal(statSync(join(work.root, "src/main.cc")).mode & 0o777, 0o750);
      assert.deepEqual(readdirSync(join(work.root, "src")).sort(), ["main.cc", "util", "windows.txt"]);
    });

    it("replace with other white space, and keep line ends", async () => {
      const exact = await replace("src/windows.txt", "one\ntwo\n", "1\n2\n");
      assert.ok(exact.failed);
      assert.match(exact.text, /whitespace: "flexible" would match lines 1-2/);
      const done = await replace("src/windows.txt", "one\ntwo\n", "1\n2\n", { whitespace: "flexible" });
      assert.ok(!done.failed, done.text);
      assert.equal(content("src/windows.txt"), "1\r\n2\r\nthree\r\n");
    });

    it("keep the old file on request", async () => {
      assert.match((await replace("README.md", "Hello", "One", { backup: true })).text, /^written, the old text is in README\.md\.bak\n/);
      assert.match((await replace("README.md", "One", "Two", { backup: true })).text, /^written, the old text is in README\.md\.bak2\n/);
      assert.equal(content("README.md.bak"), files["README.md"]);
      assert.match(content("README.md.bak2"), /One/);
    });

    it("write all of several calls at once", async () => {
      writeFileSync(join(work.root, "many.txt"), Array.from({ length: 12 }, (_, i) => `<${i}>\n`).join(""));
      const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => replace("many.txt", `<${i}>`, `(${i})`)));
      for (const answer of answers) assert.match(answer.text, /^written\n/);
      assert.equal(content("many.txt"), Array.from({ length: 12 }, (_, i) => `(${i})\n`).join(""));
    });

    it("refuse what is not one place of a file inside", async () => {
      symlinkSync("/etc/hostname", join(work.root, "outside"));
      const refused = async (wanted, ...args) => {
        const answer = await replace(...args);
        assert.ok(answer.failed, answer.text);
        assert.match(answer.text, wanted);
      };
      await refused(/"old" is there 2 times, in lines 1, 2: add lines around it/, "src/util/text.h", "text", "x");
      await refused(/"old" is not in the file/, "README.md", "nowhere", "x");
      await refused(/"old" is empty/, "README.md", "", "x");
      await refused(/"old" and "new" are the same/, "README.md", "Hello", "Hello");
      await refused(/src is a directory/, "src", "a", "b");
      for (const path of ["missing", ".env", "outside", "../work/README.md", "/etc/hostname", "src/../../x"]) {
        await refused(new RegExp(`^no such file: ${path.replaceAll(".", "\\.")}$`), path, "main", "x");
      }
      for (const args of [{}, { pattern: "[" }, { content: "(", regex: true }, { pattern: "*", limit: 5000 }, { contents: "x" }, { path: "missing" }]) {
        assert.ok((await call("find_files", args)).failed, JSON.stringify(args));
      }
      assert.ok((await call("file_ops", { operation: "move", path: "README.md", old: "a", new: "b" })).failed);
      assert.ok((await call("file_ops", { operation: "replace", path: "README.md", old: "a" })).failed);
      assert.equal(content("README.md"), files["README.md"]);
      assert.equal(content(".env"), files[".env"]);
    });
  });
}

describe("the file tools under a policy", () => {
  let work;
  let client;
  before(async () => {
    work = makeWorkspace(files);
    const rule = (effect, actions, uris) =>
      `[[rule]]\neffect = "${effect}"\nroles = ["*"]\nactions = ${JSON.stringify(actions)}\nuris = ${JSON.stringify(uris)}\n`;
    const policy = join(work.base, "policy.toml");
    writeFileSync(
      policy,
      rule("allow", ["*"], ["**"]) +
        rule("deny", ["*"], [work.uri("private/**"), work.uri("private")]) +
        rule("deny", ["write"], [work.uri("README.md")]),
    );
    client = await serve(work, ["--resources-enabled", "true", "--policy-file", policy]);
  });
  after(async () => {
    assert.equal(await client.stop(), 0);
    work.remove();
  });
  const call = (name, args) => client.request("tools/call", { name, arguments: args });

  it("what is hidden is in no answer and no count", async () => {
    const text = async (args) => (await call("find_files", args)).result.content[0].text;
    assert.equal(await text({ pattern: "*.md" }), "README.md\n\n1 file\n");
    assert.equal(await text({ content: "plan" }), "0 matches in 0 files of 5 searched\n");
    assert.equal(await text({ path: "private" }), "no such file or directory: private");
    assert.equal(await text({ path: "private/plan.md" }), "no such file or directory: private/plan.md");
    const { result } = await call("file_ops", { operation: "replace", path: "private/plan.md", old: "plan", new: "x" });
    assert.equal(result.content[0].text, "no such file: private/plan.md");
    assert.equal(readFileSync(join(work.root, "private/plan.md"), "utf8"), files["private/plan.md"]);
  });

  it("what may be read only is not written", async () => {
    const { error } = await call("file_ops", { operation: "replace", path: "README.md", old: "Hello", new: "x" });
    assert.equal(error.code, -31403);
    assert.match(error.message, /not permitted: write README\.md/);
    assert.equal(readFileSync(join(work.root, "README.md"), "utf8"), files["README.md"]);
  });

  it("a reader sees what was written", async () => {
    const uri = work.uri("src/util/text.h");
    const read = async () => (await client.request("resources/read", { uri })).result.contents[0].text;
    assert.match(await read(), /int length/);
    await client.request("resources/subscribe", { uri });
    const { result } = await call("file_ops", { operation: "replace", path: uri, old: "int length", new: "long length" });
    assert.match(result.content[0].text, /^written\n/);
    assert.match(await read(), /long length/);
    const told = await eventually(() => client.take("notifications/resources/updated"), (all) => all.length > 0);
    assert.equal(told[0].params.uri, uri);
    assert.ok(!existsSync(join(work.root, "src/util/text.h.bak")));
  });
});
