// GET /events: what changes at addresses, over plain HTTP, for whoever asks.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { open, post, request, send, serveHttp, until, well } from "./hostile.mjs";
import { run } from "./support.mjs";

const task = (title, status = "open") => `---\ntitle: ${title}\nstatus: ${status}\n---\n\nBody.\n`;
const files = {
  "a.md": "one\n",
  "docs/x.md": "x\n",
  "app.ts": "export function hello() {}\n",
  "private/plan.txt": "secret",
  ".lode/backlog/tasks/TASK-0001.md": task("First"),
  ".lode/backlog/tasks/TASK-0002.md": task("Second", "done"),
};
const allow = '[[rule]]\neffect = "allow"\nroles = ["*"]\nactions = ["*"]\nuris = ["**"]\n';
const deny = (glob, who = "*") => `[[rule]]\neffect = "deny"\nroles = ["${who}"]\nactions = ["*"]\nuris = ["${glob}"]\n`;

const query = (uris) => uris.map((uri) => `uri=${encodeURIComponent(uri)}`).join("&");
const get = (port, uris, headers = {}, signal = undefined) => fetch(`http://127.0.0.1:${port}/events?${query(uris)}`, { headers, signal });

// An open stream: what was told so far, by address.
async function follow(port, uris, headers = {}) {
  const gone = new AbortController();
  const response = await get(port, uris, headers, gone.signal);
  assert.equal(response.status, 200, response.status === 200 ? "" : await response.text());
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const stream = { response, events: [], ended: false, close: () => gone.abort() };
  const decoder = new TextDecoder();
  let rest = "";
  const read = async () => {
    for await (const bytes of response.body) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
      rest = parts.pop();
      stream.events.push(...parts.filter((part) => part.startsWith("data: ")).map((part) => JSON.parse(part.slice(6))));
    }
  };
  read()
    .catch(() => {})
    .finally(() => (stream.ended = true));
  stream.of = (uri) => stream.events.filter((event) => event.uri === uri).map((event) => event.version);
  stream.last = (uri) => stream.of(uri).at(-1);
  // Until every address was told once.
  stream.begun = () => until(() => new Set(stream.events.map((event) => event.uri)).size === new Set(uris).size, "the first events");
  // Until an address has another version than it had; that.
  stream.change = async (uri, act) => {
    const before = stream.last(uri);
    await act();
    await until(() => stream.last(uri) !== before, `a change of ${uri}`);
    return stream.last(uri);
  };
  return stream;
}

describe("GET /events", () => {
  let server;
  let owner;
  before(async () => {
    server = await serveHttp([], { files });
    owner = { authorization: `Bearer ${server.token()}` };
  });
  after(async () => assert.deepEqual(await server.stop(), well));

  const file = (path) => server.work.uri(path);
  const place = (path) => join(server.work.root, path);
  const write = (path, text) => writeFileSync(place(path), text);
  const read = async (uri, headers = owner) =>
    (await fetch(`http://127.0.0.1:${server.port}/mcp/resource?uri=${encodeURIComponent(uri)}`, { headers })).json();
  const manage = async (args) => {
    const body = request(1, "tools/call", { name: "backlog_manage", arguments: args });
    const answer = await send(server.port, post(body, { ...owner, "mcp-name": "backlog_manage" }));
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(answer, /"isError":true/);
  };

  it("tells the version that an address has, and each that it gets", async () => {
    const stream = await follow(server.port, [file("a.md"), file("absent.md")]);
    await stream.begun();
    assert.deepEqual(stream.of(file("absent.md")), [null]);
    assert.equal(stream.last(file("a.md")), (await read(file("a.md"))).version);
    assert.match(stream.response.headers.get("cache-control"), /no-cache/);
    assert.equal(stream.response.headers.get("cross-origin-resource-policy"), "same-origin");
    for (const text of ["two\n", "three\n"]) {
      const version = await stream.change(file("a.md"), () => write("a.md", text));
      assert.equal(version, (await read(file("a.md"))).version, "the page that is read next is that one");
    }
    assert.equal(await stream.change(file("a.md"), () => unlinkSync(place("a.md"))), null);
    assert.notEqual(await stream.change(file("a.md"), () => write("a.md", "again\n")), null);
    assert.notEqual(await stream.change(file("absent.md"), () => write("absent.md", "there\n")), null, "what appears later");
    const replaced = await stream.change(file("a.md"), () => {
      write("a.md.new", "moved\n");
      renameSync(place("a.md.new"), place("a.md"));
    });
    assert.equal(replaced, (await read(file("a.md"))).version);
    stream.close();
  });

  it("tells of tasks, lists and the board, however a task is changed", async () => {
    const uris = ["mcp://backlog/tasks/TASK-0001", "mcp://backlog/tasks/TASK-0001/file", "mcp://backlog/tasks?status=open", "mcp://backlog/tasks?status=open&limit=1000", "mcp://backlog/board", "mcp://backlog/tasks?status=cancelled"];
    const [one, text, openTasks, , board, cancelled] = uris;
    const stream = await follow(server.port, uris, owner);
    await stream.begun();
    await stream.change(one, () => manage({ op: "update", id: "TASK-0001", title: "By the tool" }));
    await until(() => [text, openTasks, board].every((uri) => stream.of(uri).length > 1), "the others");
    assert.equal((await read(one)).version, stream.last(one));
    await stream.change(one, () => write(".lode/backlog/tasks/TASK-0001.md", task("By hand")));
    await until(() => stream.of(openTasks).length > 2, "the list");
    await stream.change(openTasks, () => manage({ op: "create", title: "Another" }));
    assert.equal(JSON.parse((await read(openTasks)).content).total, 2);
    assert.equal((await read(openTasks)).version, stream.last(openTasks));
    await stream.change(board, () => manage({ op: "update", id: "TASK-0001", status: "done" }));
    assert.equal(stream.of(cancelled).length, 1, "it has nothing to do with this list");
    stream.close();
  });

  it("tells of directories, code, projects and searches", async () => {
    const uris = [file("docs"), "resource://file/app.ts/symbols", "resource://project/summary", "lode://search?q=walrus"];
    const [docs, symbols, summary, search] = uris;
    const stream = await follow(server.port, uris);
    await stream.begun();
    await stream.change(docs, () => write("docs/y.md", "y\n"));
    await stream.change(symbols, () => write("app.ts", "export function walrus() {}\n"));
    await until(() => stream.of(search).length > 1, "the search");
    mkdirSync(place("more"));
    await stream.change(summary, () => write("more/b.ts", "export const b = 1;\n"));
    stream.close();
  });

  it("names each address as it was sent", async () => {
    const spellings = [file("docs/x.md"), file("docs/%78.md"), file("docs/../docs/x.md")];
    const stream = await follow(server.port, [...spellings, spellings[0]]);
    await stream.begun();
    await stream.change(spellings[0], () => write("docs/x.md", "other\n"));
    await until(() => spellings.every((uri) => stream.last(uri) === stream.last(spellings[0])), "the other spellings");
    assert.equal(stream.of(spellings[0]).length, 2, "one that is named twice is one");
    stream.close();
  });

  it("says of what nobody can listen to why, once", async () => {
    const uris = ["notauri", "nosuch://x", `${file("docs/x.md")}#part`, "mcp://backlog/tasks/TASK-0001@HEAD", "mcp://backlog/tasks?limit=0", file("docs/x.md")];
    const stream = await follow(server.port, uris, owner);
    await stream.begun();
    for (const uri of uris.slice(0, -1)) {
      const [event, ...more] = stream.events.filter((each) => each.uri === uri);
      assert.equal(more.length, 0);
      assert.equal(event.version, null, uri);
      assert.match(event.error, /./, uri);
    }
    assert.deepEqual(Object.keys(stream.events.find((each) => each.uri === file("docs/x.md"))), ["uri", "version"]);
    stream.close();
  });

  it("follows 100 addresses, and no more", async () => {
    const uris = Array.from({ length: 100 }, (_, i) => file(`many/file-number-${i}.md`));
    const stream = await follow(server.port, uris, owner);
    await stream.begun();
    assert.ok(stream.events.every(({ version }) => version === null));
    mkdirSync(place("many"));
    for (const [i] of uris.entries()) write(`many/file-number-${i}.md`, `${i}\n`);
    await until(() => uris.every((uri) => stream.last(uri)), "all of them");
    stream.close();
    const refused = await get(server.port, [...uris, file("a.md")], owner);
    assert.equal(refused.status, 400);
    const body = await refused.json();
    assert.deepEqual([body.error, body.uri], ["Invalid request", uris[0]]);
    assert.match(body.message, /at most 100/);
  });

  it("refuses what is no request for addresses", async () => {
    for (const [words, message] of [
      ["", /uri is missing/],
      ["?uri=", /empty/],
      ["?uri=%ff", /no text/],
      ["?uri=%", /./],
      ["?uri=file:///a&raw=1", /no parameter "raw"/],
      ["?url=file:///a", /no parameter "url"/],
    ]) {
      const refused = await fetch(`http://127.0.0.1:${server.port}/events${words}`);
      assert.equal(refused.status, 400, words);
      assert.equal(refused.headers.get("content-type"), "application/json");
      const body = await refused.json();
      assert.deepEqual(Object.keys(body), ["error", "uri", "message"]);
      assert.match(body.message, message, words);
    }
    const credential = await fetch(`http://127.0.0.1:${server.port}/events?uri=file:///a&token=abcdef`);
    assert.equal(credential.status, 400);
    assert.doesNotMatch(await credential.text(), /abcdef/);
    assert.equal((await get(server.port, [file("a.md")], { authorization: "Bearer x" })).status, 401);
    assert.equal((await get(server.port, [file("a.md")], { via: "x" })).status, 401);
    assert.equal((await fetch(`http://127.0.0.1:${server.port}/events?uri=file:///a`, { method: "POST" })).status, 405);
    // No page of another origin, not even of another port.
    for (const headers of [{ origin: "http://127.0.0.1:1" }, { "sec-fetch-site": "same-site" }, { "sec-fetch-site": "cross-site" }]) {
      const bytes = `GET /events?uri=file:///a HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: close\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
      assert.match(await send(server.port, bytes), /^HTTP\/1\.1 403 /);
    }
  });

  it("is closed for who does not read", async () => {
    const connection = await open(server.port);
    connection.socket.pause();
    connection.socket.write(`GET /events?${query([file("a.md")])} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
    await until(() => connection.socket.bytesWritten > 0, "the request");
    const busy = await follow(server.port, [file("a.md")]);
    await busy.begun();
    for (let i = 0; i < 20; i += 1) await busy.change(file("a.md"), () => write("a.md", `round ${i}\n`));
    assert.ok(await server.serves());
    busy.close();
    connection.socket.destroy();
  });

  it("counts its streams, and forgets those that are closed", async () => {
    const streams = () => server.metric("lode_subscriptions");
    const now = async (wanted) => {
      for (const end = Date.now() + 30_000; (await streams()) !== wanted; ) assert.ok(Date.now() < end, `${await streams()}`);
    };
    await now(0);
    const two = [await follow(server.port, [file("a.md")]), await follow(server.port, [file("a.md")], owner)];
    await now(2);
    two.forEach((stream) => stream.close());
    await now(0);
    assert.ok((await server.metric('lode_requests_total{method="/events",outcome="ok"}')) > 2);
  });

  it("tells of what the server did", async () => {
    const stream = await follow(server.port, ["lode://activity"]);
    await stream.begun();
    await stream.change("lode://activity", () => read(file("docs/x.md")));
    const { minutes, since } = JSON.parse((await read("lode://activity", {})).content);
    assert.match(since, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const now = minutes.at(-1);
    assert.deepEqual(Object.keys(now), ["at", "requests", "errors", "p50_ms", "p95_ms", "cache_hits", "cache_misses", "tokens_served", "tokens_saved"]);
    const sum = (name) => minutes.reduce((all, minute) => all + minute[name], 0);
    assert.ok(sum("requests") > 20);
    assert.ok(sum("errors") > 2);
    assert.ok(sum("cache_misses") > 20);
    stream.close();
  });

  it("ends with the token that it was opened with", async () => {
    const mine = await follow(server.port, [file("a.md")], owner);
    const visitors = await follow(server.port, [file("a.md")]);
    await Promise.all([mine.begun(), visitors.begun()]);
    assert.equal((await run(server.work, ["token", "rotate"])).status, 0);
    await until(() => mine.ended, "the end");
    owner = { authorization: `Bearer ${server.token()}` };
    await visitors.change(file("a.md"), () => write("a.md", "rotated\n"));
    visitors.close();
  });
});

describe("GET /events under a policy", () => {
  it("tells nothing of what is hidden, now or from now on", async () => {
    const rules = join(mkdtempSync(join(tmpdir(), "lode-events-")), "policy.toml");
    writeFileSync(rules, allow + deny("file:///**/private/**") + deny("file:///**/owners.md", "visitor"));
    const server = await serveHttp(["--policy-file", rules], { files: { ...files, "owners.md": "mine\n", "later.md": "seen\n" } });
    const owner = { authorization: `Bearer ${server.token()}` };
    const file = (path) => server.work.uri(path);
    const write = (path, text) => writeFileSync(join(server.work.root, path), text);
    const uris = ["private/plan.txt", "private/none.txt", "owners.md", "later.md", "a.md"].map(file);
    const [plan, none, owners, later, a] = uris;
    const mine = await follow(server.port, uris, owner);
    const visitor = await follow(server.port, uris);
    await Promise.all([mine.begun(), visitor.begun()]);
    for (const stream of [mine, visitor]) {
      assert.deepEqual([stream.of(plan), stream.of(none)], [[null], [null]], "hidden and absent look the same");
      assert.ok(stream.events.every((event) => !("error" in event)));
    }
    assert.deepEqual(visitor.of(owners), [null]);
    assert.notEqual(mine.last(owners), null);
    write("private/plan.txt", "other");
    write("private/none.txt", "new");
    write("owners.md", "still mine\n");
    await mine.change(a, () => write("a.md", "two\n"));
    await until(() => visitor.of(a).length === 2 && mine.of(owners).length === 2, "what may be known");
    for (const stream of [mine, visitor]) assert.deepEqual([stream.of(plan), stream.of(none)], [[null], [null]]);
    assert.deepEqual(visitor.of(owners), [null]);

    // Another policy while they listen: what it hides looks as if it had gone.
    const before = mine.last(later);
    const hidden = Promise.all([mine, visitor].map((stream) => until(() => stream.last(later) === null, "that it is gone")));
    writeFileSync(rules, allow + deny("file:///**/private/**") + deny("file:///**/owners.md", "visitor") + deny("file:///**/later.md"));
    await hidden;
    write("later.md", "changed unseen\n");
    await mine.change(a, () => write("a.md", "three\n"));
    assert.deepEqual(mine.of(later), [before, null]);
    writeFileSync(rules, allow);
    await Promise.all([mine, visitor].map((stream) => until(() => stream.last(later) && stream.last(plan) && stream.last(owners), "that all is shown")));
    assert.notEqual(mine.last(later), before);
    assert.deepEqual(await server.stop(), well);
    await until(() => mine.ended && visitor.ended, "the end of the streams");
    rmSync(dirname(rules), { recursive: true });
  });

  it("answers 404 with resources off, whatever is asked", async () => {
    const off = await serveHttp([], { resources: false });
    for (const words of ["", "?uri=capability-index://stats", "?x=1"]) {
      const answer = await fetch(`http://127.0.0.1:${off.port}/events${words}`);
      assert.equal(answer.status, 404);
      assert.equal((await answer.json()).error, "Resource not found");
    }
    assert.deepEqual(await off.stop(), well);
  });
});
