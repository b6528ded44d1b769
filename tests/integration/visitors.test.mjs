// Who is a visitor: a caller without a credential whose user is the server's own.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { open, post, request, send, serveHttp, until, well } from "./hostile.mjs";
import { eventually, makeWorkspace, program, run } from "./support.mjs";

const status = (text) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
const other = 65534;

// Sends the bytes as another user, and answers what came back.
function sendAs(uid, port, bytes) {
  const script = 'exec 3<>"/dev/tcp/127.0.0.1/$0" && printf %s "$1" >&3 && cat <&3';
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/bash", ["-c", script, `${port}`, bytes], { uid, cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (part) => (text += part));
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}

describe("a caller without a credential", () => {
  let server;
  before(async () => (server = await serveHttp()));
  after(async () => assert.deepEqual(await server.stop(), well));
  const read = (headers = {}) => post(server.read, { connection: "close", ...headers });
  const call = (name, args, headers = {}) =>
    post(request(1, "tools/call", { name, arguments: args }), { "mcp-name": name, ...headers });

  it("of the server's user reads, and calls the tools that only read", async () => {
    assert.equal(status(await send(server.port, read())), 200);
    assert.match(await send(server.port, call("find_files", { pattern: "*.md" })), /README\.md/);
    const query = { query: "(program) @p", pattern: "*.ts" };
    assert.doesNotMatch(await send(server.port, call("ast_analyze", query)), /-31403/);
    const edit = { operation: "replace", path: "README.md", old: "Hello", new: "Bye" };
    assert.match(await send(server.port, call("file_ops", edit)), /-31403/);
    assert.match(await send(server.port, call("backlog_manage", { op: "create", title: "A" })), /-31403/);
  });

  it("of another user is told to show the token", async (t) => {
    if (process.geteuid() !== 0) return t.skip("only root can become another user");
    const answer = await sendAs(other, server.port, read());
    assert.equal(status(answer), 401);
    assert.match(answer, /www-authenticate: Bearer\r/i);
    assert.match(answer, /Authorization: Bearer TOKEN/);
    assert.doesNotMatch(answer, /# Hello/);
    const mine = { authorization: `bearer ${server.token()}` };
    assert.match(await sendAs(other, server.port, read(mine)), /# Hello/);
    assert.match(await sendAs(0, server.port, read()), /# Hello/, "the server's own user, the same way");
  });

  it("is told so through a proxy", async () => {
    for (const header of ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"]) {
      assert.equal(status(await send(server.port, read({ [header]: "x" }))), 401, header);
      const mine = { authorization: `Bearer ${server.token()}`, [header]: "x" };
      assert.equal(status(await send(server.port, read(mine))), 200, header);
    }
  });

  it("has the workspace's token, whichever of its servers it asks", async () => {
    const token = server.token();
    const start = (address) =>
      spawn(program, ["serve", "--workspace", server.work.root, "--resources-enabled", "true", "--http", address],
        { env: server.work.environment, stdio: ["ignore", "ignore", "pipe"] });
    const failed = start(`127.0.0.1:${server.port}`);
    let said = "";
    failed.stderr.on("data", (bytes) => (said += bytes));
    assert.notEqual(await new Promise((resolve) => failed.on("close", resolve)), 0, "the port is taken");
    assert.match(said, /^lode: .*in use/m);
    assert.doesNotMatch(said, /listening|enabled/, "nothing is announced that is not so");
    const second = start("127.0.0.1:0");
    let stderr = "";
    second.stderr.on("data", (bytes) => (stderr += bytes));
    const port = () => Number(/"port":"(\d+)"/.exec(stderr)?.[1]);
    await until(() => port() > 0, "a second server");
    assert.equal(server.token(), token);
    for (const one of [server.port, port()]) {
      assert.equal(status(await send(one, read({ authorization: `Bearer ${token}`, via: "x" }))), 200);
    }
    second.kill("SIGTERM");
    assert.equal(await new Promise((resolve) => second.on("close", resolve)), 0);
  });

  it("is asked who it is at every path but those of its health", async (t) => {
    const get = (path, headers = {}) =>
      `GET ${path} HTTP/1.1\r\n${Object.entries({ host: "127.0.0.1", connection: "close", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
    const proxied = { via: "x" };
    const mine = { ...proxied, authorization: `Bearer ${server.token()}` };
    assert.match(await send(server.port, get("/metrics")), /lode_requests_total/);
    assert.match(await send(server.port, get("/metrics", mine)), /lode_requests_total/);
    const refused = await send(server.port, get("/metrics", proxied));
    assert.equal(status(refused), 401);
    assert.match(refused, /www-authenticate: Bearer\r/i);
    assert.doesNotMatch(refused, /lode_/);
    assert.equal(status(await send(server.port, get("/metrics", { authorization: "Bearer x" }))), 401);
    assert.match(await send(server.port, get("/health/live", proxied)), /^HTTP\/1\.1 200 [^]*\r\n\r\nlive\n$/);
    assert.match(await send(server.port, get("/health/ready", { authorization: "Bearer x" })), /^HTTP\/1\.1 200 [^]*\r\n\r\nready\n$/);
    if (process.geteuid() !== 0) return t.skip("only root can become another user");
    assert.equal(status(await sendAs(other, server.port, get("/metrics"))), 401);
    assert.equal(status(await sendAs(other, server.port, get("/health/live"))), 200);
    assert.match(await sendAs(other, server.port, get("/metrics", mine)), /lode_requests_total/);
  });

  it("needs the new token once it was rotated, and no server is restarted", async () => {
    const old = server.token();
    const shows = (token) => read({ authorization: `Bearer ${token}`, via: "x" });
    assert.equal(status(await send(server.port, shows(old))), 200);
    const rotated = await run(server.work, ["token", "rotate", "--json"]);
    assert.equal(rotated.status, 0, rotated.stderr);
    assert.match(JSON.parse(rotated.stdout).token_file, /\/token$/);
    assert.notEqual(server.token(), old);
    assert.equal(status(await send(server.port, shows(server.token()))), 200, "at once");
    assert.equal(status(await send(server.port, shows(old))), 401, "and the old one is nobody's");
    // A server that nobody shows the new one to ends the old one too.
    const second = server.token();
    assert.match((await run(server.work, ["token", "rotate"])).stdout, /\/token\n$/);
    const ended = await eventually(() => send(server.port, shows(second)), (text) => status(text) === 401);
    assert.equal(status(ended), 401);
    assert.equal(status(await send(server.port, shows(server.token()))), 200);
    assert.ok(!server.stderr().includes(server.token()), "tokens are not logged");
  });

  it("hears no more, and has no session, once the token that it showed was rotated", async () => {
    const get = (headers) =>
      `GET /mcp HTTP/1.1\r\n${Object.entries({ host: "127.0.0.1", accept: "text/event-stream", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
    const uri = server.work.uri("README.md");
    const legacy = (body, headers) => post(JSON.stringify({ jsonrpc: "2.0", ...body }), { "mcp-protocol-version": "2025-11-25", "mcp-method": undefined, "mcp-name": undefined, ...headers });
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    // Streams of both eras and the session of one, as who shows these headers.
    async function listen(headers) {
      const initialized = await send(server.port, legacy({ id: 1, method: "initialize", params: hello }, headers));
      const named = { ...headers, "mcp-session-id": /mcp-session-id: (\w+)/i.exec(initialized)[1] };
      await send(server.port, legacy({ method: "notifications/initialized" }, named));
      assert.match(await send(server.port, legacy({ id: 2, method: "resources/subscribe", params: { uri } }, named)), /"result":\{/);
      const standing = await open(server.port);
      standing.socket.write(get(named));
      const modern = await open(server.port);
      modern.socket.write(post(request(7, "subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }), headers));
      await until(() => /200 OK/.test(standing.text) && /acknowledged/.test(modern.text), "the streams");
      return { standing, modern, status: async (shown = headers) => status(await send(server.port, legacy({ id: 3, method: "ping" }, { ...named, ...shown }))) };
    }
    const bearer = () => ({ authorization: `Bearer ${server.token()}` });
    const visitor = await listen({});
    const owner = await listen(bearer());
    assert.equal(await owner.status(), 200);
    assert.equal((await run(server.work, ["token", "rotate"])).status, 0);
    const next = await listen(bearer());
    await until(() => /\r\n0\r\n\r\n$/.test(owner.standing.text) && /\r\n0\r\n\r\n$/.test(owner.modern.text), "the end of both streams");
    assert.match(owner.modern.text, /"id":7,"result":\{/, "with its result");
    assert.equal(await owner.status(bearer()), 404, "the session goes with the token");
    writeFileSync(join(server.work.root, "README.md"), "# Hello\n\nAgain.\n");
    const heard = (one) => [one.standing, one.modern].every(({ text }) => /resources\/updated/.test(text));
    await until(() => heard(visitor) && heard(next), "those who may hear");
    assert.equal(await visitor.status(), 200);
    assert.equal(await next.status(), 200);
    assert.doesNotMatch(owner.standing.text + owner.modern.text, /resources\/updated/);
    for (const { standing, modern } of [visitor, owner, next]) [standing, modern].forEach(({ socket }) => socket.destroy());
  });

  it("with a wrong one is nobody", async () => {
    for (const authorization of ["Bearer x", "Basic eDp5", "Bearer"]) {
      const answer = await send(server.port, read({ authorization }));
      assert.equal(status(answer), 401, authorization);
      assert.match(answer, /error="invalid_token"/);
    }
  });

  it("is nobody where other names than loopback's are served", async () => {
    const named = await serveHttp(["--http-hosts", "lode.example"]);
    assert.equal(status(await send(named.port, post(named.read))), 401);
    assert.equal(status(await send(named.port, post(named.read, { authorization: `Bearer ${named.token()}` }))), 200);
    assert.deepEqual(await named.stop(), well);
  });
});

describe("what is printed on a terminal", () => {
  // `lode serve` on a terminal of its own, until it has said this or ended.
  async function onTerminal(work, address, words) {
    const command = `exec "$LODE" serve --workspace "$ROOT" --http ${address}`;
    const child = spawn("script", ["-qfec", command, "/dev/null"], { env: { ...work.environment, LODE: program, ROOT: work.root, SHELL: "/bin/sh" }, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    let ended = false;
    child.stdout.on("data", (bytes) => (text += bytes));
    child.on("close", () => (ended = true));
    await until(() => ended || words.test(text), "a word or the end");
    child.kill("SIGTERM");
    await until(() => ended, "the end");
    return text;
  }

  it("says how to connect once the port is bound, and nothing if it is not", async () => {
    const work = makeWorkspace({ "README.md": "# Hello\n" });
    const invites = /Lode serves http:\/\/127\.0\.0\.1:[1-9]\d*\/mcp [^]*Authorization: Bearer [0-9a-f]{48}\r?\n/;
    const said = await onTerminal(work, "127.0.0.1:0", invites);
    assert.match(said, invites);
    if (existsSync(new URL("../../web/package.json", import.meta.url))) {
      const [, port, token] = /^  http:\/\/127\.0\.0\.1:(\d+)\/#token=([0-9a-f]{48})\r?$/m.exec(said);
      assert.ok(said.includes(`http://127.0.0.1:${port}/mcp `) && said.includes(`Bearer ${token}`));
    }
    const server = await serveHttp();
    const refused = await onTerminal(work, `127.0.0.1:${server.port}`, /in use/);
    assert.match(refused, /in use/);
    assert.doesNotMatch(refused, /Lode serves|Bearer|#token/);
    assert.deepEqual(await server.stop(), well);
    work.remove();
  });
});

describe("the token's file", () => {
  // A server that ends as soon as it listens.
  const start = (work) =>
    run(work, ["serve", "--http", "127.0.0.1:0", "--resources-enabled", "true"], (child, stderr) => {
      if (/"port":"\d+"/.test(stderr)) child.stdin.end();
    });

  it("is replaced, with a warning, where it cannot be relied on, but not where somebody wrote another", async () => {
    const work = makeWorkspace({ "README.md": "# Hello\n" });
    const file = (await run(work, ["token", "rotate"])).stdout.trim();
    const token = readFileSync(file, "utf8");
    chmodSync(file, 0o644);
    const warned = await start(work);
    assert.equal(warned.status, 0, warned.stderr);
    assert.match(warned.stderr, /"warning".*token did not count, since others may open it \(its mode is 0644\)/);
    assert.notEqual(readFileSync(file, "utf8"), token);
    writeFileSync(file, "my own secret\n");
    const refused = await start(work);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /^lode: \S*\/token is no token: that is 48 hexadecimal digits .*`lode token rotate`/m);
    assert.equal(readFileSync(file, "utf8"), "my own secret\n");
    assert.equal((await run(work, ["token", "rotate"])).status, 0);
    const well = await start(work);
    assert.equal(well.status, 0);
    assert.doesNotMatch(well.stderr, /"warning"/);
    work.remove();
  });

  it("is waited for while another process holds the lock, and that is said", async (t) => {
    const work = makeWorkspace({ "README.md": "# Hello\n" });
    const lock = join(dirname((await run(work, ["token", "rotate"])).stdout.trim()), "secrets.lock");
    const holder = spawn("flock", ["-o", lock, "sh", "-c", "echo held; read released"], { stdio: ["pipe", "pipe", "inherit"] });
    t.after(() => holder.stdin.end());
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    const rotated = await run(work, ["token", "rotate"], (child, stderr) => {
      if (stderr.includes("waiting for another process to release")) holder.stdin.end("\n");
    });
    assert.equal(rotated.status, 0, rotated.stderr);
    assert.ok(rotated.stderr.includes(lock), rotated.stderr);
    work.remove();
  });
});
