// Providers that come, change and go while clients of both eras work with them.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { connect } from "./support.mjs";

const fixture = process.env.LODE_FIXTURE;
const environment = { PATH: process.env.PATH };
const start = () => connect(fixture, ["--guests"], environment);
const rounds = Number(process.env.LODE_GUEST_ROUNDS ?? 1000);
const modern = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

describe("providers that come and go", () => {
  it("cost nobody more than a thing that is not there, and are told of once", async () => {
    const client = await start();
    const asked = {
      legacy: (method, params) => client.request(method, params),
      modern: (method, params) => client.request(method, { ...params, ...modern }),
    };
    // A modern client that listens. Its answer comes when it stops.
    const lists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const listening = client.request("subscriptions/listen", { notifications: lists, ...modern });
    const questions = [
      ["resources/read", { uri: "guest://1" }],
      ["tools/call", { name: "guest_call", arguments: {} }],
      ["prompts/get", { name: "guest_prompt" }],
      ["tools/list", {}],
      ["prompts/list", {}],
      ["resources/list", {}],
      ["resources/templates/list", {}],
    ];
    const absent = /no such resource|no tool has the name|no prompt has the name/;
    const seen = { there: 0, absent: 0 };
    let working = true;
    const worker = async (era) => {
      for (let turn = 0; working; turn += 1) {
        const [method, params] = questions[turn % questions.length];
        const answer = await asked[era](method, params);
        if (answer.error) assert.match(answer.error.message, absent, `${era} ${method}`);
        seen[answer.error ? "absent" : "there"] += 1;
      }
    };
    const workers = ["legacy", "modern", "legacy", "modern"].map(worker);
    const done = await client.request("tools/call", { name: "test_guests", arguments: { rounds } });
    working = false;
    await Promise.all(workers);
    assert.equal(done.result.content[0].text, "done");
    assert.ok(seen.there > 0 && seen.absent > 0, JSON.stringify(seen));

    // What was told before the answer to a later request has come. Each round adds, changes and removes.
    await client.request("ping");
    const told = (kind) => {
      const all = client.take(`notifications/${kind}/list_changed`);
      const modern = all.filter(({ params }) => params?._meta?.["io.modelcontextprotocol/subscriptionId"] !== undefined);
      return [all.length - modern.length, modern.length];
    };
    assert.deepEqual(told("tools"), [3 * rounds, 3 * rounds]);
    assert.deepEqual(told("prompts"), [2 * rounds, 2 * rounds]);
    assert.deepEqual(told("resources"), [2 * rounds, 2 * rounds]);
    for (const era of ["legacy", "modern"]) {
      const gone = await asked[era]("resources/read", { uri: "guest://1" });
      assert.match(gone.error?.message ?? "still there", absent, era);
    }
    assert.equal(await client.stop(), 0);
    await listening.catch(() => undefined);
  });
});

describe("addresses that are nobody's affair", () => {
  it("come back as they were, byte for byte", async () => {
    const client = await start();
    const read = async (uri) => {
      const answer = await client.request("resources/read", { uri });
      return answer.error ? answer.error.message : answer.result.contents[0];
    };
    for (const rest of ["", "A/../b", "a//b/./c", "%2e%2E/%zz%", "user:pw@host/#frag?q=1#2", "?a=b&a=c", "[]^`{|}\"<>\\"]) {
      const uri = `raw://box/${rest}`;
      assert.deepEqual(await read(uri), { uri, mimeType: "text/plain", text: uri }, uri);
    }
    // Bytes that are allowed in a URI, in any order.
    const allowed = [...Array(94).keys()].map((at) => String.fromCharCode(33 + at)).join("");
    const seed = Number(process.env.LODE_OPAQUE_SEED ?? 1);
    let state = seed;
    const random = (below) => {
      state = (state * 48271) % 2147483647;
      return state % below;
    };
    for (let round = 0; round < 2000; round += 1) {
      const rest = Array.from({ length: random(40) }, () => allowed[random(allowed.length)]).join("");
      const uri = `raw://box/${rest}`;
      assert.deepEqual(await read(uri), { uri, mimeType: "text/plain", text: uri }, `${uri} (LODE_OPAQUE_SEED=${seed})`);
    }
    for (const uri of ["ui://panel/Main#top", "ui://panel/7"]) assert.equal((await read(uri)).text, uri);
    for (const uri of ["RAW://box/a", "raw://BOX/a", "ui://panel/main", "ui://other/7"]) {
      const answer = await read(uri);
      if (uri === "ui://panel/main") assert.equal(answer.text, uri);
      else assert.equal(answer, "no such resource", uri);
    }
    assert.match(await read("ui://panel/Main#other"), /fragment/);
    assert.match(await read("raw://box/a b"), /no URI can/);
    assert.equal(await client.stop(), 0);
  });
});
