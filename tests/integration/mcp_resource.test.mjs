// GET /mcp/resource: any address over plain HTTP, for whoever asks.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { send, serveHttp, well } from "./hostile.mjs";

const task = "---\ntitle: First\nlabels: [a, b]\n---\n\n# Body\n";
const broken = "---\ntitle: [unclosed\n---\nbody\n";
const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 255]);
const files = {
  "docs/task.md": task,
  "docs/plain.md": "# Plain\n",
  "docs/broken.md": broken,
  "docs/open.md": "---\nno end\n",
  "docs/empty.md": "",
  "docs/Ünï cödé@2 #1.md": "unusual\n",
  "pic.png": bytes,
  "page.html": "<script>alert(1)</script>",
  "pic.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "data.xml": "<a/>",
  "app.ts": "export function hello() {}\n",
  "private/plan.txt": "secret",
  "long.txt": "y".repeat(12 << 20),
  ".lode/backlog/tasks/TASK-0001.md": "---\ntitle: First\nstatus: open\nlabels: [a]\n---\n\nBody.\n",
  ".lode/backlog/artifacts/TASK-0001/notes.txt": "notes\n",
};
// Who may do all but see what is private; "sealed.txt" may be known of, but not read.
const policy = `
[[rule]]
effect = "allow"
roles = ["*"]
actions = ["*"]
uris = ["**"]
[[rule]]
effect = "deny"
roles = ["*"]
actions = ["*"]
uris = ["file:///**/private/**"]
[[rule]]
effect = "deny"
roles = ["*"]
actions = ["read"]
uris = ["file:///**/sealed.txt"]
`;

const address = (port, uri, rest = "") => `http://127.0.0.1:${port}/mcp/resource?uri=${encodeURIComponent(uri)}${rest}`;

describe("GET /mcp/resource", () => {
  let server;
  let owner;
  before(async () => {
    server = await serveHttp([], { files });
    owner = { authorization: `Bearer ${server.token()}` };
    writeFileSync(join(server.work.root, "huge.bin"), "");
    truncateSync(join(server.work.root, "huge.bin"), 40 << 20);
  });
  after(async () => assert.deepEqual(await server.stop(), well));

  const ask = (uri, { rest = "", headers = {}, method = "GET" } = {}) => fetch(address(server.port, uri, rest), { headers, method });
  const file = (path) => server.work.uri(path);
  const json = async (uri, options) => {
    const answer = await ask(uri, options);
    assert.equal(answer.status, 200, await answer.clone().text());
    assert.equal(answer.headers.get("content-type"), "application/json");
    return answer.json();
  };

  it("gives markdown without its frontmatter, and that as data", async () => {
    const found = await json(file("docs/task.md"), { headers: owner });
    assert.deepEqual(Object.keys(found).slice(0, 7), ["content", "encoding", "frontmatter", "type", "path", "uri", "ext"]);
    assert.equal(found.content, "\n# Body\n");
    assert.deepEqual(found.frontmatter, { title: "First", labels: ["a", "b"] });
    assert.equal(found.type, "text/markdown");
    assert.equal(found.path, join(server.work.root, "docs/task.md"));
    assert.equal(found.uri, file("docs/task.md"));
    assert.equal(found.ext, "md");
    assert.equal(found.size, Buffer.byteLength(task));
    assert.match(found.version, /^[0-9a-f]{32}$/);
    assert.match(found.modified, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.equal(found.origin, "workspace");
    for (const [name, content] of [["plain", "# Plain\n"], ["empty", ""]]) {
      const plain = await json(file(`docs/${name}.md`));
      assert.deepEqual([plain.content, plain.frontmatter, plain.problem], [content, {}, undefined]);
    }
  });

  it("gives frontmatter that is none as content, with what is wrong", async () => {
    const found = await json(file("docs/broken.md"));
    assert.equal(found.content, broken);
    assert.deepEqual(found.frontmatter, {});
    assert.match(found.problem, /^the frontmatter cannot be read: line \d+/);
    const open = await json(file("docs/open.md"));
    assert.equal(open.content, files["docs/open.md"]);
    // The bytes are as they are.
    assert.equal(await (await ask(file("docs/broken.md"), { rest: "&raw=1" })).text(), broken);
  });

  it("takes a + for a blank, as curl sends one", async () => {
    const response = await fetch(`http://127.0.0.1:${server.port}/mcp/resource?uri=lode://search%3Fq=two+words`, { headers: owner });
    assert.equal(response.status, 200);
    assert.equal(JSON.parse((await response.json()).content).query, "two words");
  });

  it("gives bytes in base64 and says so", async () => {
    const found = await json(file("pic.png"));
    assert.equal(found.encoding, "base64");
    assert.deepEqual(Buffer.from(found.content, "base64"), bytes);
    assert.equal(found.type, "image/png");
    assert.equal(found.ext, "png");
  });

  it("gives every kind of address", async () => {
    const directory = await json(file("docs"));
    assert.equal(directory.type, "inode/directory");
    assert.match(directory.content, /docs\/task\.md\n/);
    assert.equal(directory.path, "docs");
    assert.equal((await json(`file://${server.work.root}`)).path, ".");
    const stats = await json("capability-index://stats");
    assert.equal(stats.type, "application/json");
    assert.equal(stats.path, null);
    assert.equal(stats.ext, "json");
    assert.equal(typeof JSON.parse(stats.content), "object");
    const symbols = await json("resource://file/app.ts/symbols");
    assert.match(symbols.content, /hello/);
    assert.equal(symbols.path, "app.ts");
    assert.match((await json("resource://project/summary")).content, /TypeScript/);
    const unusual = await json(`file://${server.work.root}/docs/${encodeURIComponent("Ünï cödé@2 #1.md")}`);
    assert.equal(unusual.content, "unusual\n");
    assert.equal(unusual.path, "docs/Ünï cödé@2 #1.md");
  });

  it("gives every address of the backlog, with an ending that suits the type", async () => {
    const base = ".lode/backlog";
    const at = (path) => join(server.work.root, path);
    const task = await json("mcp://backlog/tasks/TASK-0001");
    assert.deepEqual([task.type, task.ext, task.path, task.frontmatter], ["application/json", "json", `${base}/tasks/TASK-0001.md`, {}]);
    const said = JSON.parse(task.content);
    assert.equal(said.title, "First");
    assert.deepEqual(Object.keys(said.resource).sort(), ["description", "file", "modified", "size", "tags", "version"]);
    assert.equal((await json("mcp://backlog/tasks/TASK-0001", { headers: owner })).path, at(`${base}/tasks/TASK-0001.md`));
    for (const uri of ["mcp://backlog/tasks/TASK-0001/file", "mcp://backlog/tasks/TASK-0001.md"]) {
      const found = await json(uri);
      assert.deepEqual([found.type, found.ext, found.path], ["text/markdown", "md", `${base}/tasks/TASK-0001.md`], uri);
      assert.equal(found.content, "\nBody.\n");
      assert.equal(found.frontmatter.title, "First");
      assert.equal(found.uri, uri);
      assert.equal(await (await ask(uri, { rest: "&raw=1" })).text(), files[`${base}/tasks/TASK-0001.md`]);
    }
    for (const [uri, type, ext, words] of [
      ["mcp://backlog/tasks", "application/json", "json", /TASK-0001/],
      ["mcp://backlog/tasks?status=open&sort=id", "application/json", "json", /TASK-0001/],
      ["mcp://backlog/tasks?q=body", "application/json", "json", /"snippet":"Body\."/],
      ["mcp://backlog/board", "text/markdown", "md", /1 open \(1 ready\)/],
      ["mcp://backlog/problems", "application/json", "json", /"count":0/],
    ]) {
      const found = await json(uri);
      assert.deepEqual([found.type, found.ext, found.path], [type, ext, null], uri);
      assert.match(found.content, words, uri);
    }
    const artifact = await json("mcp://backlog/artifacts/TASK-0001/notes.txt");
    assert.deepEqual([artifact.content, artifact.type, artifact.ext, artifact.path], ["notes\n", "text/plain", "txt", `${base}/artifacts/TASK-0001/notes.txt`]);
    const resource = await json("mcp://backlog/resources/docs/task");
    assert.deepEqual([resource.ext, resource.path, resource.frontmatter.title], ["md", "docs/task.md", "First"]);
    assert.equal((await json("mcp://backlog/resources/docs")).type, "inode/directory");
    for (const [uri, status] of [
      ["mcp://backlog/tasks?colour=red", 400],
      ["mcp://backlog/tasks?status=maybe", 400],
      ["mcp://backlog/tasks?cursor=abc", 400],
      ["mcp://backlog/problems?after=x", 400],
      ["mcp://backlog/tasks/TASK-0001/history?after=x", 400],
      ["mcp://backlog/tasks/TASK-0404", 404],
      ["mcp://backlog/tasks/TASK-0404/file", 404],
      ["mcp://backlog/tasks/TASK-0001/other", 404],
      ["mcp://backlog/artifacts/none", 404],
      ["mcp://backlog/artifacts/tasks/TASK-0001.md", 404],
      ["mcp://backlog/resources/.env", 404],
      ["mcp://backlog/resources/docs%2ftask.md", 404],
      ["mcp://backlog/nothing", 404],
    ]) {
      const answer = await ask(uri);
      assert.equal(answer.status, status, uri);
      const body = await answer.json();
      assert.deepEqual([body.error, body.uri, Object.keys(body)], [status === 400 ? "Invalid request" : "Resource not found", uri, ["error", "uri", "message"]]);
    }
  });

  it("gives versions from git, and the file where a repository is broken", async () => {
    const git = (...args) => execFileSync("git", ["-C", server.work.root, "-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { env: server.work.environment, stdio: "pipe" });
    git("init", "-q", "-b", "main");
    git("add", "-f", ".lode/backlog", "docs/plain.md");
    git("commit", "-qm", "First");
    git("tag", "v1");
    for (const [uri, type, ext, words] of [
      ["mcp://backlog/tasks/TASK-0001@v1", "application/json", "json", /"title":"First"/],
      ["mcp://backlog/tasks/TASK-0001/file@v1", "text/markdown", "md", /^\nBody\.\n$/],
      ["mcp://backlog/tasks/TASK-0001/history", "application/json", "json", /"subject":"First"/],
      ["mcp://backlog/artifacts/TASK-0001/notes.txt@v1", "text/plain", "txt", /^notes\n$/],
    ]) {
      const found = await json(uri);
      assert.deepEqual([found.type, found.ext], [type, ext], uri);
      assert.match(found.content, words, uri);
      if (uri.includes("@")) assert.equal(found.path, null, "no file of the work tree is it");
    }
    assert.equal((await ask("mcp://backlog/tasks/TASK-0001@no-such")).status, 404);
    writeFileSync(join(server.work.root, ".git/HEAD"), "nonsense\n");
    const broken = await ask("mcp://backlog/tasks/TASK-0001@v1");
    assert.equal(broken.status, 500);
    const body = await broken.json();
    assert.deepEqual([body.error, body.uri], ["Resource failed", "mcp://backlog/tasks/TASK-0001@v1"]);
    // The file behind a history is served, with a word about it.
    const history = await json("mcp://backlog/tasks/TASK-0001/history");
    assert.deepEqual([history.type, history.ext, history.content], ["text/markdown", "md", "\nBody.\n"]);
    assert.match(history.notice, /this is the file itself/);
    rmSync(join(server.work.root, ".git"), { recursive: true });
  });

  it("tells where a file is to the owner alone", async () => {
    assert.equal((await json(file("app.ts"))).path, "app.ts");
    assert.equal((await json(file("app.ts"), { headers: owner })).path, join(server.work.root, "app.ts"));
  });

  it("answers 304 to who has it, until it changes", async () => {
    for (const rest of ["", "&raw=1"]) {
      const first = await ask(file("docs/plain.md"), { rest });
      const etag = first.headers.get("etag");
      assert.match(etag, /^"[0-9a-f]{32}(-raw)?"$/);
      assert.equal(first.headers.get("cache-control"), "private, no-cache");
      const again = await ask(file("docs/plain.md"), { rest, headers: { "if-none-match": `"x", W/${etag}` } });
      assert.equal(again.status, 304);
      assert.equal(again.headers.get("etag"), etag);
      assert.equal(await again.text(), "");
      assert.equal((await ask(file("docs/plain.md"), { rest, headers: { "if-none-match": '"x"' } })).status, 200);
      writeFileSync(join(server.work.root, "docs/plain.md"), `# Other ${rest}\n`);
      const changed = await ask(file("docs/plain.md"), { rest, headers: { "if-none-match": etag } });
      assert.equal(changed.status, 200);
      assert.match(await changed.text(), /# Other/);
    }
    // The owner's answer has another path in it, so it is another.
    const mine = (await ask(file("app.ts"), { headers: owner })).headers.get("etag");
    assert.notEqual((await ask(file("app.ts"))).headers.get("etag"), mine);
  });

  it("answers HEAD with the same head", async () => {
    for (const rest of ["", "&raw=1"]) {
      const whole = await ask(file("app.ts"), { rest });
      const head = await ask(file("app.ts"), { rest, method: "HEAD" });
      assert.equal(head.status, 200);
      for (const name of ["etag", "content-type", "content-length"]) assert.equal(head.headers.get(name), whole.headers.get(name));
      assert.equal(await head.text(), "");
    }
    assert.equal((await ask(file("absent"), { method: "HEAD" })).status, 404);
    assert.equal((await ask(file("app.ts"), { method: "POST" })).status, 405);
  });

  it("gives the bytes themselves, in a sandbox", async () => {
    const raw = await ask(file("docs/task.md"), { rest: "&raw=1" });
    assert.equal(await raw.text(), task);
    assert.equal(raw.headers.get("content-type"), "text/markdown; charset=utf-8");
    assert.equal(raw.headers.get("x-content-type-options"), "nosniff");
    assert.equal(raw.headers.get("content-security-policy"), "sandbox");
    assert.equal(raw.headers.get("content-disposition"), null);
    assert.deepEqual(Buffer.from(await (await ask(file("pic.png"), { rest: "&raw=1" })).arrayBuffer()), bytes);
    for (const name of ["page.html", "pic.svg", "data.xml"]) {
      const active = await ask(file(name), { rest: "&raw=1" });
      assert.equal(active.headers.get("content-disposition"), `attachment; filename*=UTF-8''${name}`);
      assert.equal(active.headers.get("content-security-policy"), "sandbox");
      assert.equal(await active.text(), files[name]);
    }
    assert.match((await json(file("docs/task.md"), { rest: "&raw=0" })).content, /Body/);
  });

  it("gives a part of the bytes", async () => {
    const part = (range, headers = {}) => ask(file("docs/task.md"), { rest: "&raw=1", headers: { range, ...headers } });
    for (const [range, from, until] of [["bytes=0-2", 0, 3], ["bytes=4-", 4, task.length], ["bytes=-5", task.length - 5, task.length]]) {
      const answer = await part(range);
      assert.equal(answer.status, 206, range);
      assert.equal(answer.headers.get("content-range"), `bytes ${from}-${until - 1}/${task.length}`);
      assert.equal(await answer.text(), task.slice(from, until));
    }
    const beyond = await part("bytes=1000-");
    assert.equal(beyond.status, 416);
    assert.equal(beyond.headers.get("content-range"), `bytes */${task.length}`);
    const refused = await beyond.json();
    assert.deepEqual([refused.error, refused.uri], ["Range not satisfiable", file("docs/task.md")]);
    assert.equal((await part(`bytes=${"9".repeat(30)}-`)).status, 416, "more than 64 bits hold");
    assert.equal((await part(`bytes=0-${"9".repeat(30)}`)).status, 206);
    for (const range of ["bytes=0-1,3-4", "bytes=5-1", "lines=1-2", "rubbish"]) assert.equal((await part(range)).status, 200, range);
    const etag = (await part("bytes=0-0")).headers.get("etag");
    assert.equal((await part("bytes=0-0", { "if-range": etag })).status, 206);
    assert.equal((await part("bytes=0-0", { "if-range": '"other"' })).status, 200);
    // Ranges are of the bytes alone.
    assert.equal((await ask(file("docs/task.md"), { headers: { range: "bytes=0-2" } })).status, 200);
  });

  it("gives what is long, and says of what is too long that it is", async () => {
    const long = await json(file("long.txt"), { headers: owner });
    assert.equal(long.content.length, 12 << 20);
    const last = await ask(file("long.txt"), { rest: "&raw=1", headers: { ...owner, range: "bytes=-3" } });
    assert.equal(await last.text(), "yyy");
    const huge = await ask(file("huge.bin"), { headers: owner });
    assert.equal(huge.status, 422);
    assert.match((await huge.json()).message, /over \d+ bytes/);
  });

  it("refuses what is no request for an address, and names what was asked for", async () => {
    const plain = async (query) => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/mcp/resource${query}`);
      return [answer.status, await answer.json()];
    };
    for (const [query, uri, message] of [
      ["", "", /uri is missing/],
      ["?uri=", "", /uri is missing/],
      ["?uri=notauri", "notauri", /scheme/],
      ["?uri=file:///..%252f..%252fetc/passwd", "file:///..%2f..%2fetc/passwd", /./],
      ["?uri=file:///%2500", "file:///%00", /%00/],
      ["?uri=file:///a&uri=file:///b", "file:///a", /twice/],
      ["?uri=file:///a&x=1", "file:///a", /no parameter "x"/],
      ["?uri=file:///a&raw=yes", "file:///a", /raw is 1 or 0/],
      ["?uri=file:///a%23b", "file:///a#b", /fragment/],
      ["?uri=%ff", "\\xff", /./],
      [`?uri=x:${"a".repeat(9000)}`, undefined, /long/],
    ]) {
      const [status, body] = await plain(query);
      assert.equal(status, 400, query);
      assert.equal(body.error, "Invalid request");
      if (uri !== undefined) assert.equal(body.uri, uri);
      assert.match(body.message, message, query);
    }
    // Credentials do not belong there, neither in this query nor in that of the address.
    const outer = await send(server.port, "GET /mcp/resource?uri=file:///a&token=abcdef HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n");
    assert.match(outer, /^HTTP\/1\.1 400 /);
    assert.doesNotMatch(outer, /abcdef/);
    assert.match(outer, /content-type: application\/json/i);
    assert.match(outer, /"uri":"file:\/\/\/a"/);
    const deleted = await fetch(`http://127.0.0.1:${server.port}/mcp/resource?uri=file:///a`, { method: "DELETE" });
    assert.equal(deleted.status, 405);
    assert.match(deleted.headers.get("allow"), /GET, HEAD/);
    assert.deepEqual(await deleted.json(), { error: "Method not allowed", uri: "file:///a", message: "this path does not answer that method" });
    const [status, inner] = await plain(`?uri=${encodeURIComponent("lode://search?q=a&api_key=abcdef")}`);
    assert.equal(status, 400);
    assert.equal(inner.uri, "lode://search?q=a&api_key=***");
  });

  it("says of all that is not there the same", async () => {
    symlinkSync("/etc/passwd", join(server.work.root, "out"));
    for (const uri of [file("absent"), file(".env"), file("out"), "file:///etc/passwd", "nosuch://x", "capability-index://nosuch", file(".git/config")]) {
      const answer = await ask(uri, { headers: owner });
      assert.equal(answer.status, 404, uri);
      assert.deepEqual(await answer.json(), { error: "Resource not found", uri, message: "no such resource" });
    }
    unlinkSync(join(server.work.root, "out"));
  });

  it("is asked by nobody who is not known", async () => {
    const refused = await ask(file("app.ts"), { headers: { "x-forwarded-for": "1.2.3.4" } });
    assert.equal(refused.status, 401);
    const body = await refused.json();
    assert.equal(body.error, "Unauthorized");
    assert.equal(body.uri, file("app.ts"));
    assert.equal((await ask(file("app.ts"), { headers: { authorization: "Bearer x" } })).status, 401);
    assert.equal((await ask(file("app.ts"), { headers: { origin: "http://evil.example.com" } })).status, 403);
  });

  it("is counted, and recorded as a reading", async () => {
    const reads = () => server.metric('lode_accesses_total{action="read",verdict="allowed"}');
    const before = await reads();
    await ask(file("app.ts"));
    assert.equal(await reads(), before + 1);
    assert.ok((await server.metric('lode_requests_total{method="/mcp/resource",outcome="ok"}')) > 0);
  });

  it("sees a change at once", async () => {
    for (const text of ["one\n", "two\n", "three\n"]) {
      writeFileSync(join(server.work.root, "now.txt"), text);
      assert.equal((await json(file("now.txt"))).content, text);
    }
  });
});

describe("GET /mcp/resource under a policy", () => {
  it("cannot be told from a workspace without the file", async () => {
    const place = join(mkdtempSync(join(tmpdir(), "lode-policy-")), "policy.toml");
    writeFileSync(place, policy);
    const guarded = await serveHttp(["--policy-file", place], { files: { "private/plan.txt": "secret", "sealed.txt": "sealed" } });
    const head = (uri) =>
      send(guarded.port, `GET /mcp/resource?uri=${encodeURIComponent(uri)} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    const normal = (text, uri) => text.replace(/^date: .*\r\n/im, "").replace(uri, "URI");
    const denied = guarded.work.uri("private/plan.txt");
    const absent = guarded.work.uri("private/none.txt");
    assert.equal(normal(await head(denied), denied), normal(await head(absent), absent));
    assert.match(await head(denied), /^HTTP\/1\.1 404 /);
    // A raw reading, one with a tag, and another address of the same file alike.
    for (const rest of ["&raw=1", ""]) {
      const one = await fetch(address(guarded.port, denied, rest), { headers: { "if-none-match": "*", range: "bytes=0-1" } });
      assert.equal(one.status, 404);
      assert.deepEqual(await one.json(), { error: "Resource not found", uri: denied, message: "no such resource" });
    }
    const symbols = await fetch(address(guarded.port, "resource://file/private/plan.txt/source?lines=1"));
    assert.equal(symbols.status, 404);
    const sealed = await fetch(address(guarded.port, guarded.work.uri("sealed.txt")));
    assert.equal(sealed.status, 403);
    assert.equal((await sealed.json()).error, "Not permitted");
    assert.deepEqual(await guarded.stop(), well);
    rmSync(dirname(place), { recursive: true });
  });

  it("obeys the exposure list", async () => {
    const narrow = await serveHttp(["--resources-expose", "capability-index://**"]);
    assert.equal((await fetch(address(narrow.port, "capability-index://stats"))).status, 200);
    assert.equal((await fetch(address(narrow.port, narrow.work.uri("README.md")))).status, 404);
    assert.deepEqual(await narrow.stop(), well);
  });

  it("answers 404 with resources off, whatever is asked", async () => {
    const off = await serveHttp([], { resources: false });
    for (const query of ["?uri=capability-index://stats", "", "?uri=x&y=1", "?uri=capability-index://stats&raw=1"]) {
      const answer = await fetch(`http://127.0.0.1:${off.port}/mcp/resource${query}`);
      assert.equal(answer.status, 404);
      assert.equal((await answer.json()).error, "Resource not found");
    }
    assert.deepEqual(await off.stop(), well);
  });
});
