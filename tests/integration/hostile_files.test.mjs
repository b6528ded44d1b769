// Files that crash a grammar's code, take all memory or do not end, through the real
// program: each costs its own answer and nothing else, and is not tried twice.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { eventually, makeWorkspace, serve } from "./support.mjs";

const on = ["--resources-enabled", "true"];
const nested = Array.from({ length: 515 }, (_, i) => `${" ".repeat(i)}if x:\n`).join("");
const killers = {
  "README.md": ">".repeat(255),
  "items.yaml": "- ".repeat(254),
  "nested.py": `${nested}${" ".repeat(515)}"s"\n`,
  "heredoc.rb": `x = <<${"A".repeat(300)}\ntext\n${"A".repeat(300)}\n`,
  "wide.c": "a=>".repeat(2000),
  "types.java": "A<".repeat(20_000),
  "types.cs": "A<".repeat(20_000),
};

// The processes that this one started and that still run.
function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number));
}

const lines = (client, event) =>
  client.stderr().split("\n").filter((line) => line.includes(`"${event}"`)).map((line) => JSON.parse(line));

describe("a workspace of files that kill parsers", () => {
  let work;
  let client;
  const read = (uri) => client.request("resources/read", { uri });
  before(() => {
    work = makeWorkspace({ ...killers, "fine.py": "def survivor():\n    pass\n" });
  });
  after(() => work.remove());

  it("is served: what can be parsed is, what cannot says so", async () => {
    client = await serve(work, on);
    const found = await eventually(
      () => read("lode://search?q=survivor&kinds=symbol"),
      ({ result }) => result.contents[0].text.includes("fine.py") && !result.contents[0].text.includes("incomplete"),
    );
    assert.match(found.result.contents[0].text, /fine\.py/);
    let refused = 0;
    for (const path of Object.keys(killers)) {
      const { result, error } = await read(`resource://file/${path}/symbols`);
      if (result) {
        refused += JSON.parse(result.contents[0].text).unsupported ? 1 : 0;
      } else {
        assert.match(error.message, /not parsed|more than \d+ ms/, path);
        refused += 1;
      }
      assert.equal((await read(`file://${work.root}/${path}`)).error, undefined, "its text is still readable");
    }
    assert.ok(refused > 0, "none of these kills a parser any more: find others");
    assert.ok((await read("resource://file/fine.py/symbols")).result);
    assert.ok(lines(client, "a text is not parsed").length > 0);
    const children = childrenOf(client.pid);
    assert.equal(await client.stop(), 0);
    for (const pid of children) assert.throws(() => process.kill(pid, 0), `worker ${pid} is left`);
  });

  it("is not tried again by the next start", async () => {
    client = await serve(work, on);
    await eventually(() => read("lode://search?q=survivor&kinds=symbol"), ({ result }) => !result.contents[0].text.includes("incomplete"));
    for (const path of Object.keys(killers)) await read(`resource://file/${path}/symbols`);
    assert.deepEqual(lines(client, "a text is not parsed"), []);
    assert.equal(await client.stop(), 0);
  });

  it("does not outlive its client while it parses", async () => {
    const slow = makeWorkspace({ "slow.scala": "`".repeat(2_000_000) });
    const other = await serve(slow, on);
    other.request("resources/read", { uri: "resource://file/slow.scala/symbols" }).catch(() => {});
    const [worker] = await eventually(() => childrenOf(other.pid), (pids) => pids.length > 0);
    assert.ok(worker, "a worker parses");
    process.kill(other.pid, "SIGKILL");
    const gone = () => {
      try {
        return readFileSync(`/proc/${worker}/stat`, "utf8").split(" ")[2] === "Z";
      } catch {
        return true;
      }
    };
    assert.ok(await eventually(gone, Boolean), "it ended with its server");
    slow.remove();
  });
});
