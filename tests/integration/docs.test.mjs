// The examples of the documentation, run as they stand: every `lode read`, `list`, `search`,
// `call`, `path` and `tokens` in a block of code, and every address in the text that is not
// a pattern. What a block shows below a command is what the command prints: JSON, or in a block
// of `console` text.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { makeWorkspace, run } from "./support.mjs";

const repository = new URL("../../", import.meta.url);
const pages = ["README.md", ...readdirSync(new URL("docs", repository)).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(new URL(name, repository), "utf8") }));

const harmless = /^(\$ )?lode (read|list|search|call|path|tokens)\b/;

// The files that the examples speak of.
const files = {
  "README.md": "# Shop\n\nSells things.\n",
  "package.json": '{"name": "shop", "dependencies": {"lit": "^3.1.0"}}',
  "a.ts": "let x = 1;\n",
  "src/review.ts": "export function codeReview() {}\n",
  "src/a.ts": "export const x = 1;\n",
  "docs/a.ts": "export const x = 1;\n",
  "private/plan.ts": "export const plan = 1;\n",
  "src/config.ts":
    '// Reads what the user wrote.\nimport { readFileSync } from "node:fs";\n\n' +
    "/** What the user wants. */\nexport class Config {\n  private values: string[] = [];\n" +
    "  /** Reads a text. */\n  parse(text: string): Config {\n    return this;\n  }\n}\n\n" +
    "export function load(path: string): Config {\n  return new Config().parse(readFileSync(path, 'utf8'));\n}\n\n" +
    "function hidden() { eval('1'); }\n",
};

// The words of a command as a shell would take them, without what follows a '#'.
function words(line) {
  const script = 'eval "set -- ${1#lode }"; for word; do printf "%s\\0" "$word"; done';
  const command = line.replace(/^\$ /, "");
  return execFileSync("bash", ["-c", script, "bash", command], { encoding: "utf8" }).split("\0").slice(0, -1);
}

// Commands of the blocks of code, each with the lines that a block shows below a `$ `; of a
// dialogue, up to the next command.
function* commands(text) {
  for (const [, language, block] of text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)) {
    const lines = block.split("\n");
    const dialogue = language === "console";
    for (const [at, line] of lines.entries()) {
      if (!harmless.test(line)) continue;
      const next = lines.findIndex((other, i) => i > at && (dialogue ? /^\$ / : /^(\$ |$)/).test(other));
      const below = lines.slice(at + 1, next < 0 ? lines.length : next);
      yield { line, dialogue, shown: line.startsWith("$ ") ? below.join(dialogue ? "\n" : "") : "" };
    }
  }
}

// Addresses that are meant as they stand: no PLACEHOLDER, {variable}, glob or ellipsis.
function* addresses(text) {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  for (const [, uri] of prose.matchAll(/`((?:resource|capability-index|lode):\/\/[^`]*)`/g)) {
    if (!/[A-Z]{3}|[{…]|\*\*?$|\/$|x\*|^lode:\/\/(tools|search)/.test(uri)) yield uri;
  }
}

describe("the documentation", () => {
  let work;
  before(() => {
    work = makeWorkspace(files);
    work.environment.LODE_RESOURCES_ENABLED = "true";
  });
  after(() => work.remove());
  const here = (text) => text.replaceAll("file:///path", `file://${work.root}`);

  let count = 0;
  for (const { name, text } of pages) {
    for (const { line, dialogue, shown } of commands(text)) {
      count += 1;
      it(`${name}: ${line}`, async () => {
        const { stdout, stderr, status } = await run(work, words(here(line)));
        assert.equal(status, 0, stderr);
        assert.notEqual(stdout, "");
        if (shown && dialogue) assert.equal(stdout.trim(), shown.trim());
        else if (shown) assert.deepEqual(JSON.parse(stdout), JSON.parse(shown));
      });
    }
    for (const uri of new Set(addresses(text))) {
      count += 1;
      it(`${name}: ${uri}`, async () => {
        const { stdout, stderr, status } = await run(work, ["read", uri]);
        assert.equal(status, 0, stderr);
        assert.notEqual(stdout, "");
      });
    }
  }
  it("has examples", () => assert.ok(count > 20, `${count}`));
});
