// HTTP requests: honest ones around generated messages, and twisted ones.
import { weighted } from "./random.mjs";
import { mutate } from "./mutate.mjs";
import { revisions } from "./messages.mjs";
import { text } from "./values.mjs";

// Stands for what only the running server knows; replaced when it is sent.
export const sessionMark = (at) => `SESSION-MARK-${at}`;
export const tokenMark = "TOKEN-MARK";
export const sessionCount = 4;

const odd = {
  host: ["", "evil.example.com", "localhost", "127.0.0.1:1", "[::1]", "a b", "127.0.0.1, x"],
  origin: ["null", "http://localhost", "http://evil.example.com", "file://", "http://127.0.0.1:99999", ""],
  accept: ["*/*", "text/event-stream", "application/json", "", "text/html;q=0", "application/json;q=2", "a/b,".repeat(200)],
  "content-type": ["text/plain", "application/json; charset=utf-8", "application/JSON", "", "application/json;;"],
  "content-length": ["0", "-1", "1", "999999", "4194305", "18446744073709551616", "0x10", "1, 1", "+5", " 5"],
  "transfer-encoding": ["chunked", "gzip", "chunked, chunked", "identity", "Chunked", "x"],
  authorization: ["Bearer x", "Basic eDp4", "", "Bearer", `bearer ${tokenMark}`, `Bearer ${tokenMark}x`],
  "mcp-protocol-version": [...revisions, "2099-01-01", "", "2026-07-28, 2025-11-25"],
  "mcp-session-id": ["", "x", "0".repeat(32), ...Array.from({ length: sessionCount }, (_, at) => sessionMark(at))],
  "last-event-id": ["0-0", "1-1", "x", "-1--1", "18446744073709551616-0", "0-99999999", ""],
  "mcp-method": ["ping", "tools/call", "", "=?base64?cGluZw==?=", "=?base64?!?="],
  "mcp-name": ["", "x", "=?base64?eA==?=", "=?base64?????=", "é"],
  "mcp-param-uri": ["x", "", "=?base64?/w==?="],
  range: ["bytes=0-1", "bytes=-1", "bytes=5-", "bytes=9-1", "bytes=0-0,1-1", "bytes=99999999999999999999-", "x=1-2", "", "bytes=-0"],
  "if-none-match": ["*", '"x"', 'W/"x", "y"', "", '"'],
  "if-range": ['"x"', 'W/"x"', "Wed, 21 Oct 2015 07:28:00 GMT", ""],
  connection: ["close", "keep-alive", "upgrade", "close, x"],
  expect: ["100-continue", "x"],
  "x-forwarded-for": ["1.2.3.4"],
  "access-control-request-method": ["POST", "TRACE"],
  "sec-fetch-site": ["cross-site", "same-site", "same-origin", "none", "", "x"],
  "sec-fetch-mode": ["navigate", "cors", "no-cors", ""],
  "sec-fetch-dest": ["document", "iframe", "image", "empty"],
  "accept-encoding": ["br", "gzip", "identity;q=0", "br;q=2", "*;q=0"],
};
const names = Object.keys(odd);
const verbs = weighted([[6, "GET"], [2, "DELETE"], [2, "OPTIONS"], [1, "HEAD"], [1, "PUT"], [1, "PATCH"], [1, "TRACE"], [1, "CONNECT"], [1, "post"]]);
const resourceTargets = [
  [2, "/mcp/resource?uri=capability-index://stats"], [2, "/mcp/resource?uri=resource://project/summary&raw=1"], [1, "/mcp/resource"],
  [1, "/mcp/resource?uri=resource://file/README.md/source%3Flines=1&raw=1"], [1, "/mcp/resource?uri=file:///"], [1, "/mcp/resource?uri=file:///..%252f&raw=0"],
  [1, "/mcp/resource?uri=x&uri=y"], [1, "/mcp/resource?uri=lode://search%3Fq=a&x"], [1, "/mcp/resource?uri=%ff&raw=2"], [1, "/mcp/resource?uri=skill://a@v1/SKILL.md@HEAD"],
];
const eventTargets = [
  [1, "/events?uri=x"], [1, "/events?uri=capability-index://stats&uri=mcp://backlog/board&uri=lode://activity"], [1, "/events"],
  [1, `/events?${"uri=file:///README.md&".repeat(101)}`], [1, "/events?uri=%ff&uri="],
];
const targets = weighted([
  [6, "/mcp"], [1, "/mcp/"], [1, "/"], [1, "/metrics"], [1, "/health/live"], [1, "/health/ready"], ...resourceTargets, ...eventTargets, [1, "/index.html"], [1, "/frame/"],
  [1, "/.well-known/oauth-protected-resource"], [1, "/..%2f"], [1, "*"], [1, "http://127.0.0.1/mcp"], [1, "//"], [1, "/mcp?x=%ff"], [1, "/\x7f"],
]);

const headerSafe = (value) => (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?") ? value : `=?base64?${Buffer.from(value.toWellFormed()).toString("base64")}?=`);

function honestHeaders(random, message) {
  const modern = message?.params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
  const headers = [["host", "127.0.0.1"], ["content-type", "application/json"], ["accept", "application/json, text/event-stream"]];
  // Sessions are the owner's.
  const session = !modern && random.chance(0.6);
  if (random.chance(session ? 0.95 : 0.7)) headers.push(["authorization", `Bearer ${tokenMark}`]);
  if (modern) {
    headers.push(["mcp-protocol-version", "2026-07-28"], ["mcp-method", headerSafe(String(message.method))]);
    const name = message.params.uri ?? message.params.name;
    if (["resources/read", "tools/call", "prompts/get"].includes(message.method) && typeof name === "string" && name !== "") headers.push(["mcp-name", headerSafe(name)]);
  } else if (session) {
    headers.push(["mcp-session-id", sessionMark(random.below(sessionCount))]);
  }
  return headers;
}

function spoil(random, headers) {
  for (let times = random.between(1, 2); times > 0; times -= 1) {
    const name = random.pick(names);
    const value = random.chance(0.85) ? random.pick(odd[name]) : text(random).replace(/[^\x20-\x7e\x80-\xff]/g, "?");
    const at = headers.findIndex(([known]) => known === name);
    if (at >= 0 && random.chance(0.7)) headers[at] = [name, value];
    else headers.push([name, value]);
    if (random.chance(0.1)) headers.splice(random.below(headers.length), 1);
  }
}

function chunked(random, body) {
  const parts = [];
  for (let from = 0; from < body.length; ) {
    const until = Math.min(body.length, from + random.between(1, 200));
    parts.push(Buffer.from(`${(until - from).toString(16)}\r\n`), body.subarray(from, until), Buffer.from("\r\n"));
    from = until;
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

function assemble(first, headers, body) {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${first} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"), body]);
}

const parse = (bytes) => {
  try {
    return JSON.parse(bytes);
  } catch {
    return null;
  }
};

// {bytes, honest, id, method, alone, headOnly}. honest: there must be a response;
// alone: and the answer in it has this id, for nobody else can cancel it.
export function request(random, messages) {
  if (random.chance(0.08)) return other(random);
  let body = Buffer.from(messages.next());
  if (random.chance(0.12)) body = mutate(random, body);
  const message = parse(body);
  const headers = honestHeaders(random, message);
  const honest = random.chance(0.85);
  if (!honest) spoil(random, headers);
  const inChunks = random.chance(0.1);
  if (inChunks) headers.push(["transfer-encoding", "chunked"]);
  else if (honest || random.chance(0.8)) headers.push(["content-length", body.length]);
  let bytes = assemble("POST /mcp", headers, inChunks ? chunked(random, body) : body);
  const mutated = !honest && random.chance(0.3);
  if (mutated) bytes = mutate(random, bytes);
  const alone = headers.some(([name, value]) => name === "mcp-method" && value !== "subscriptions/listen");
  return { bytes, honest: honest && !mutated, id: message?.id, method: message?.method, alone: honest && !mutated && alone, headOnly: false };
}

function other(random) {
  const verb = random.draw(verbs);
  const headers = [["host", "127.0.0.1"]];
  if (random.chance(0.8)) headers.push(["accept", "text/event-stream"]);
  // Only the last session is ended: the others are for those who talk.
  const session = verb === "DELETE" ? sessionCount - 1 : random.below(sessionCount);
  if (random.chance(0.6)) headers.push(["mcp-session-id", sessionMark(session)], ["authorization", `Bearer ${tokenMark}`]);
  if (random.chance(0.5)) spoil(random, headers);
  let bytes = assemble(`${verb} ${random.draw(targets)}`, headers, Buffer.alloc(0));
  if (random.chance(0.2)) bytes = mutate(random, bytes);
  return { bytes, honest: false, method: verb, headOnly: bytes.toString("latin1", 0, 5) === "HEAD " };
}
