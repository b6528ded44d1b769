// Input that means harm, or does harm, through the real program: it is refused
// in words, costs its sender alone, and leaves nothing behind.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { open, post, request, send, serveHttp, until, well } from "./hostile.mjs";
import { makeWorkspace, program } from "./support.mjs";
import { spawn } from "node:child_process";

const status = (text) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
const deep = (levels) => "[".repeat(levels) + "]".repeat(levels);
const filled = (method, params) => request(1, method, params);

describe("messages over HTTP", () => {
  let server;
  before(async () => (server = await serveHttp()));
  afterEach(async () => assert.ok(await server.serves(), "others are served"));
  after(async () => assert.deepEqual(await server.stop(), well));

  const refused = async (bytes, wanted = [400]) => {
    const answer = await send(server.port, bytes);
    assert.ok(wanted.includes(status(answer)), `${status(answer)} for ${bytes.slice(0, 300)}\n${answer.slice(0, 400)}`);
    return answer;
  };

  it("cut short at every byte", async () => {
    const whole = server.read;
    for (let length = 0; length < whole.length; length += 1) {
      await refused(post(whole.slice(0, length), { "mcp-method": "resources/read" }));
    }
  });

  it("too long", async () => {
    await refused(post("x", { "content-length": 5 * 1024 * 1024 }), [413]);
    await refused(post("", { "content-length": "99999999999999999999" }), [400, 413]);
    const chunk = `${(1 << 20).toString(16)}\r\n${"x".repeat(1 << 20)}\r\n`;
    const head = post("", { "content-length": undefined, "transfer-encoding": "chunked" });
    await refused(head + chunk.repeat(6), [413]);
    await refused(post(server.read, { "x-long": "y".repeat(40_000) }), [431]);
    await refused(`GET /${"a".repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, [414, 431]);
  });

  it("of wrong types, everywhere", async () => {
    const wrong = [null, true, 0, -1.5, "", "x", [], {}, [[]], { a: {} }];
    const shapes = [
      (v) => v,
      (v) => ({ jsonrpc: v, id: 1, method: "resources/list" }),
      (v) => ({ jsonrpc: "2.0", id: v, method: "resources/list", params: v }),
      (v) => ({ jsonrpc: "2.0", id: 1, method: v }),
      (v) => ({ jsonrpc: "2.0", id: 1, method: "resources/read", params: v }),
      (v) => ({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: v } }),
      (v) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: v, arguments: v } }),
      (v) => ({ jsonrpc: "2.0", id: 1, method: "completion/complete", params: { ref: v, argument: v } }),
      (v) => ({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params: { notifications: v } }),
      (v) => ({ jsonrpc: "2.0", id: 1, result: v }),
      (v) => ({ jsonrpc: "2.0", id: 1, error: v }),
    ];
    for (const shape of shapes) {
      for (const value of wrong) {
        const body = JSON.stringify(shape(value));
        for (const text of [body, body.replace(/"params":\{/, `"params":{"_meta":${JSON.stringify(value)},`)]) {
          const answer = await send(server.port, post(text));
          assert.ok(status(answer) >= 200 && status(answer) < 500, `${status(answer)} for ${text}`);
        }
      }
    }
  });

  it("that are not what they say: keys twice, nesting, bytes that are no text", async () => {
    await refused(post(server.read.replace('"id":1', '"id":1,"id":2')));
    await refused(post(server.read.replace('"uri":', '"uri":"file:///etc/passwd","uri":')));
    for (const levels of [200, 10_000, 1_000_000]) {
      await refused(post(deep(levels)));
      await refused(post(server.read.replace('"params":{', `"params":{"x":${deep(levels)},`)));
    }
    const spoilt = Buffer.from(post(server.read), "latin1");
    spoilt[spoilt.lastIndexOf("README")] = 0xff;
    assert.match(await refused(spoilt), /UTF-8/i);
    await refused(post(server.read.replace("README", "\\ud800")), [400, 404]);
    await refused(post(server.read.replace("README", "\\u0000")), [400, 404]);
  });

  it("for methods that there are not", async () => {
    for (const method of ["", "x", "resources/readx", "initialize\\u0000", "__proto__", "a".repeat(10_000)]) {
      await refused(post(filled(method).replace("\\\\", "\\"), { "mcp-method": method.slice(0, 100) }), [400, 404]);
    }
  });

  it("with an id that is in use", async () => {
    const connection = await open(server.port);
    connection.socket.write(post(server.read).repeat(50));
    await until(() => connection.text.split("# Hello").length > 50, "50 answers");
    connection.socket.destroy();
  });

  it("garbage behind a good request", async () => {
    for (const garbage of ["\0\0\0\0", "GARBAGE\r\n\r\n", "\r\n\r\nGET", "\x16\x03\x01\x02\x00\x01\x00", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]) {
      const answer = await send(server.port, post(server.read) + garbage, 2);
      assert.equal(status(answer), 200);
      assert.equal(answer.split("HTTP/1.1 200").length - 1, 1, garbage);
    }
  });
});

// Whatever a proxy in front may take for the end of a request: two lengths, a
// length and an encoding, encodings that are nearly "chunked", chunk sizes that
// nearly are numbers. The request behind must never be answered.
describe("smuggled requests", () => {
  let server;
  before(async () => (server = await serveHttp()));
  after(async () => {
    assert.ok(await server.serves());
    assert.deepEqual(await server.stop(), well);
  });

  const smuggled = "GET /health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
  const lengths = [
    "Content-Length: 6\r\nContent-Length: 5", "Content-Length: 6, 6", "Content-Length: 6,5", "Content-Length: +6",
    "Content-Length: -6", "Content-Length: 0x6", "Content-Length: 6 6", "Content-Length: 06\r\nContent-Length: 6",
    "Content-Length: ", "Content-Length: 6.0", "Content-Length : 6", " Content-Length: 6", "Content-Length\t: 6",
    "Content-Length:\x0b6", "Content-Length: 6\x00", "Content-Length: 18446744073709551622", "Content_Length: 6\r\nContent-Length: 5\r\nContent-Length: 6",
  ];
  const encodings = [
    "chunked", "Chunked", " chunked", "chunked ", "\tchunked", "xchunked", "chunkedx", "chunked, identity", "identity, chunked",
    "identity", "gzip, chunked", "chunked, chunked", "chunked;q=1", '"chunked"', "x, chunked", "chunked\x00", "\x0bchunked",
    "chunked\r\nTransfer-Encoding: identity", "identity\r\nTransfer-Encoding: chunked", "cow\r\nTransfer-Encoding: chunked", "\r\n chunked", "",
  ];
  const names = ["Transfer-Encoding:", "Transfer-Encoding :", " Transfer-Encoding:", "Transfer-Encoding\t:", "transfer-encoding:", "Transfer_Encoding:", "Transfer-Encoding\x00:", "X: y\nTransfer-Encoding:"];
  const chunks = [
    "0\r\n\r\n", "0\n\n", "0 \r\n\r\n", "0x0\r\n\r\n", "+0\r\n\r\n", "-1\r\n\r\n", "00000000000000000000\r\n\r\n", "0;\n\r\n\r\n", "0;a=\"\r\n\r\n\"\r\n\r\n",
    "ffffffffffffffffff\r\nx\r\n", "5\r\nabcdefg\r\n0\r\n\r\n", "1\rX\r\n0\r\n\r\n", "1\nX\n0\n\n", "0\r\nX: y\nGET / HTTP/1.1\r\n\r\n", "0\r\n\n", "G\r\n\r\n", "\r\n0\r\n\r\n",
  ];
  const head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";
  const cases = [
    ...lengths.map((line) => `${head}${line}\r\n\r\n012345`),
    ...lengths.map((line) => `${head}${line}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    ...encodings.flatMap((value) => names.flatMap((name) => [
      `${head}Content-Length: 5\r\n${name} ${value}\r\n\r\n0\r\n\r\n`,
      `${head}${name} ${value}\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    ])),
    ...chunks.map((body) => `${head}Transfer-Encoding: chunked\r\n\r\n${body}`),
    "POST /mcp HTTP/1.0\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "GET /health/ready HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    "GET /health/ready HTTP/1.1\r\n\r\n", "GET  /health/ready HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "GET /health/ready HTTP/1.1\nHost: 127.0.0.1\n\n", "GET /health/ready HTTP/1.1\r\nHost: 127.0.0.1\r\n X: folded\r\n\r\n",
    "GET /health/ready HTTP/1.1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "GET /health/ready\r\n", "GET /health/ready HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
  ];

  it(`in ${cases.length} spellings are not answered`, async () => {
    let closed = 0;
    for (let at = 0; at < cases.length; at += 25) {
      await Promise.all(cases.slice(at, at + 25).map(async (bytes) => {
        const connection = await open(server.port);
        connection.socket.write(Buffer.from(bytes + smuggled, "latin1"));
        // Whole requests are answered at once: either by a refusal that closes,
        // or (for a spelling that means one thing only) by answers in order.
        await until(() => connection.ended || connection.text.includes("live\n"), bytes);
        const first = status(connection.text);
        const said = JSON.stringify(bytes.slice(0, 200));
        if (connection.ended) {
          closed += 1;
          assert.ok(!connection.text.includes("live\n"), `answered: ${said}`);
          assert.ok(first >= 400 && first <= 505, `${first}: ${said}`);
        } else {
          assert.ok(unambiguous(bytes), `went on after ${said}: ${connection.text.slice(0, 200)}`);
        }
        connection.socket.destroy();
      }));
    }
    assert.ok(closed > cases.length * 0.8, `${closed} of ${cases.length} closed`);
  });

  // One length and nothing else that could be one, or plain "chunked" alone.
  function unambiguous(bytes) {
    const text = bytes.slice(0, bytes.indexOf("\r\n\r\n"));
    const length = text.match(/^content-length: *\d+$/gim) ?? [];
    const encoding = text.match(/^transfer-encoding:[ \t]*chunked[ \t]*$/gim) ?? [];
    const odd = text.match(/[\x00\x0b\n](?<!\r\n)|\n[ \t]|[ \t]:/) ?? [];
    return odd.length === 0 && length.length + encoding.length === 1 && !/transfer.encoding/i.test(text.replace(/^transfer-encoding:[ \t]*chunked[ \t]*$/gim, "").replace(/^transfer_encoding/gim, ""));
  }
});

describe("clients that behave badly", () => {
  it("half-close their socket, and still get their answer", async () => {
    const server = await serveHttp();
    for (let i = 0; i < 20; i += 1) {
      const connection = await open(server.port, { halfOpen: true });
      connection.socket.end(i % 2 ? post(server.read) : post(server.read).slice(0, -20));
      await connection.closed;
      if (i % 2) assert.match(connection.text, /# Hello/);
      else assert.doesNotMatch(connection.text, /HTTP\/1\.1 200/);
    }
    assert.ok(await server.serves());
    assert.deepEqual(await server.stop(), well);
  });

  it("never read what they asked for", async () => {
    const server = await serveHttp(["--limits-write-time", "1s"]);
    const wanted = post(request(1, "resources/read", { uri: server.work.uri("big.txt") }));
    const lazy = [];
    for (let i = 0; i < 20; i += 1) {
      const connection = await open(server.port);
      connection.socket.pause();
      connection.socket.write(wanted.repeat(50));
      lazy.push(connection);
    }
    assert.ok(await server.serves(), "beside them");
    const shed = async () => Number(/^lode_http_readers_shed_total (\d+)/m.exec(await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text())?.[1]);
    for (let i = 0; i < 300 && (await shed()) < lazy.length; i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await shed(), lazy.length);
    for (const connection of lazy) connection.socket.destroy();
    assert.ok(await server.serves(), "after them");
    assert.deepEqual(await server.stop(), well);
  });

  it("send a byte at a time, too slowly", async () => {
    const server = await serveHttp(["--limits-read-time", "2s"]);
    const connection = await open(server.port);
    const bytes = post(server.read);
    let at = 0;
    const drip = setInterval(() => connection.socket.write(bytes[at++]), 200);
    await until(() => connection.ended, "the end of the slow client");
    clearInterval(drip);
    assert.ok(at < 40, `${at} bytes were taken`);
    assert.match(connection.text, /^HTTP\/1\.1 408|^$/);
    assert.ok(await server.serves());
    assert.deepEqual(await server.stop(), well);
  });

  it("come by the thousands and say nothing", async () => {
    const server = await serveHttp(["--limits-idle-time", "20s"]);
    const silent = [];
    for (let i = 0; i < 5000; i += 1) silent.push(await open(server.port));
    assert.ok(await server.serves(), "beside 5,000 silent connections");
    for (const connection of silent) connection.socket.destroy();
    await Promise.all(silent.map((connection) => connection.closed));
    assert.ok(await server.serves());
    assert.deepEqual(await server.stop(), well);
  });

  it("take every descriptor there is", async () => {
    const server = await serveHttp(["--limits-idle-time", "3s"], { descriptors: 100 });
    // UBSan needs a descriptor when it first meets a type: what the start does is done before.
    await until(() => /looked through[^]*symbols are known|symbols are known[^]*looked through/.test(server.stderr()), "the end of the start");
    const greedy = [];
    for (let i = 0; i < 200; i += 1) greedy.push(await open(server.port).catch(() => undefined));
    const kept = greedy.filter((connection) => connection && !connection.ended);
    for (const connection of kept) connection.socket.destroy();
    await until(() => kept.every((connection) => connection.ended), "the end of all");
    assert.ok(await server.serves(), "when some are free again");
    assert.deepEqual(await server.stop(), well);
  });

  it("are many when the server is told to end", async () => {
    const server = await serveHttp();
    let running = true;
    const answers = Array(16).fill(0);
    const clients = answers.map(async (_, client) => {
      while (running) {
        const text = await send(server.port, post(server.read)).catch(() => (running = false, ""));
        if (!text) break;
        assert.ok([200, 503].includes(status(text)), text.slice(0, 200));
        assert.ok(status(text) === 503 || text.includes("# Hello"), "a whole answer");
        answers[client] += 1;
      }
    });
    const listening = await open(server.port);
    listening.socket.write(post(request(7, "subscriptions/listen", { notifications: { resourcesListChanged: true } })));
    await until(() => listening.text.includes("acknowledged"), "a subscription");
    await until(() => answers.every((count) => count > 1), "answers to all");
    const stopped = await server.stop();
    running = false;
    await Promise.all(clients);
    assert.deepEqual(stopped, well);
    await listening.closed;
    assert.match(listening.text, /"id":7,"result"/);
  });
});

describe("messages on the pipe", () => {
  // Sends lines, then a good one; answers what came back.
  function talk(lines) {
    const work = makeWorkspace({ "README.md": "# Hello\n" });
    const child = spawn(program, ["serve", "--workspace", work.root, "--resources-enabled", "true"], { env: work.environment });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (bytes) => (stdout += bytes));
    child.stderr.on("data", (bytes) => (stderr += bytes));
    for (const line of lines) child.stdin.write(line);
    child.stdin.end(`\n${request("last", "resources/read", { uri: work.uri("README.md") })}\n`);
    return new Promise((resolve) => child.on("close", (code, signal) => {
      work.remove();
      const answers = stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
      resolve({ answers, how: { code, signal, complaints: stderr.match(/.*(Sanitizer|runtime error).*/g) ?? [] } });
    }));
  }

  const bad = {
    "no JSON": ["nonsense\n", "{\n", '{"jsonrpc":"2.0",\n', "\0\0\0\n", '"text"\n', "17\n"],
    "bytes that are no text": [Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xc3\x28"}\n', "latin1")],
    "keys twice": ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}\n'],
    "deep nesting": [`${deep(1_000_000)}\n`, `{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep(5000)}}\n`],
    "a line that is too long": [`{"jsonrpc":"2.0","id":1,"method":"ping","x":"${"y".repeat(5 << 20)}"}\n`],
    "wrong types": ['{"jsonrpc":2,"id":1,"method":"ping"}\n', '{"jsonrpc":"2.0","id":{},"method":"ping"}\n', '{"jsonrpc":"2.0","id":1,"method":[]}\n'],
    "an unknown method": [`${request(1, "no/such")}\n`],
  };
  for (const [what, lines] of Object.entries(bad)) {
    it(`with ${what}`, async () => {
      const { answers, how } = await talk(lines);
      assert.deepEqual(how, well);
      const last = answers.find((answer) => answer.id === "last");
      assert.equal(last?.result?.contents[0].text, "# Hello\n");
      const errors = answers.filter((answer) => answer.error);
      assert.equal(errors.length, lines.length, JSON.stringify(answers).slice(0, 500));
      for (const { error } of errors) assert.ok(error.code <= -32000 && error.message.length > 5);
    });
  }

  it("with an id that is in use", async () => {
    const one = `${request(1, "tools/list")}\n`;
    const { answers, how } = await talk(Array.from({ length: 20 }, () => one));
    assert.deepEqual(how, well);
    assert.equal(answers.filter((answer) => answer.id === 1).length, 20);
  });
});
