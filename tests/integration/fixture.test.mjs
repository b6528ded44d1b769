// What providers can do to the program, shown on the fixture's: records that
// several processes share, and a provider that breaks its promises.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { connect } from "./support.mjs";

const fixture = process.env.LODE_FIXTURE;
const environment = { PATH: process.env.PATH };

describe("processes on one state directory", () => {
  let state;
  before(() => {
    state = mkdtempSync(join(tmpdir(), "lode-state-"));
  });
  after(() => rmSync(state, { recursive: true }));

  it("hear of each other's writes, and read them", async () => {
    const start = () => connect(fixture, ["--state", state], environment);
    const [one, two] = await Promise.all([start(), start()]);
    const uri = "note://plan";
    const write = (client, text) =>
      client.request("tools/call", { name: "test_note", arguments: { name: "plan", text } });
    const read = async (client) => (await client.request("resources/read", { uri })).result.contents[0].text;

    await write(one, "first");
    assert.equal(await read(one), "first");
    assert.equal(await read(two), "first");
    for (const client of [one, two]) await client.request("resources/subscribe", { uri });
    for (let round = 0; round < 10; round += 1) {
      const [writer, other] = round % 2 === 0 ? [one, two] : [two, one];
      await write(writer, `round ${round}`);
      assert.equal(await read(writer), `round ${round}`); // its own write, at once
      for (const client of [writer, other]) {
        assert.equal((await client.notification("notifications/resources/updated")).params.uri, uri);
        assert.equal(await read(client), `round ${round}`);
      }
    }
    for (const client of [one, two]) assert.equal(await client.stop(), 0);
  });

  it("open the states that each other sealed, also after the keys were rotated", async () => {
    const start = () => connect(fixture, ["--state", state], environment);
    const [one, two] = await Promise.all([start(), start()]);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
    };
    const name = "test_input_required_result_multi_round";
    const call = (client, more = {}) => client.request("tools/call", { name, _meta, ...more });
    const answer = { step1: { action: "accept", content: { name: "Ada" } } };
    const keys = join(state, "keys");
    const begun = (await call(one)).result;
    assert.equal(begun.resultType, "input_required");
    assert.equal(statSync(keys).mode & 0o777, 0o600);
    const goOn = async (client) => (await call(client, { requestState: begun.requestState, inputResponses: answer })).result;
    assert.ok((await goOn(two)).inputRequests.step2, "the other process goes on");

    // As a rotation leaves the file: a new key before the old one.
    const old = readFileSync(keys, "utf8");
    const rotate = (text) => {
      writeFileSync(`${keys}.new`, text, { mode: 0o600 });
      renameSync(`${keys}.new`, keys);
    };
    const fresh = `0123abcd ${Math.floor(Date.now() / 1000)} ${"5a".repeat(32)}\n`;
    rotate(fresh + old);
    assert.ok((await goOn(two)).inputRequests.step2, "by a key that is old now");
    const later = (await call(two)).result.requestState;
    assert.ok(Buffer.from(later, "base64url").toString("latin1").startsWith("0123abcd"), "sealed with the new key");
    rotate(fresh);
    assert.match((await call(one, { requestState: begun.requestState, inputResponses: answer })).error.message, /requestState/);
    for (const client of [one, two]) assert.equal(await client.stop(), 0);
  });
});

describe("a provider that breaks its promises", () => {
  const start = (...args) => connect(fixture, ["--trouble", ...args], environment);
  const trouble = (client, kind) =>
    client.request("tools/call", { name: "test_trouble", arguments: { kind } });

  it("costs one error answer when it throws or gives rubbish", async () => {
    const client = await start();
    for (const kind of ["throw", "throw-anything", "rubbish"]) {
      const read = await client.request("resources/read", { uri: `trouble://${kind}` });
      assert.equal(read.error.code, -32603, kind);
      assert.equal(read.error.message, "the provider trouble failed");
      assert.equal((await trouble(client, kind)).error.code, -32603, kind);
    }
    const listed = (await client.request("resources/list")).result.resources;
    assert.ok(listed.length > 0, "the other providers' resources are listed");
    assert.equal((await trouble(client, "fine")).result.content[0].text, "fine");
    assert.equal(await client.stop(), 0);
  });

  it("costs one error answer each when it hangs, and the others go on", async () => {
    const client = await start("--request-time", "6000");
    const hanging = Array.from({ length: 30 }, (_, i) =>
      i % 2 === 0 ? trouble(client, "hang") : client.request("resources/read", { uri: "trouble://hang" }));
    const other = () => client.request("resources/read", { uri: "test://static-text" });
    assert.ok((await other()).result, "beside calls that hang");
    const errors = await Promise.all(hanging);
    const said = errors.map((answer) => answer.error?.message ?? answer.result.content[0].text);
    for (const message of said) assert.match(message, /took too long|in time|busy/);
    assert.ok(said.some((message) => message.includes("took too long")));
    assert.ok((await other()).result, "after them");
    assert.equal(await client.stop(), 0);
  });

  it("is told to stop when the time is over", async () => {
    const client = await start("--request-time", "500");
    for (let i = 0; i < 3; i += 1) {
      assert.match((await trouble(client, "slow")).error.message, /took too long/);
    }
    assert.equal((await trouble(client, "fine")).result.content[0].text, "fine");
    assert.equal(await client.stop(), 0);
  });
});
