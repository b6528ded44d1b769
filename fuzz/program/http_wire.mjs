// HTTP/1.1 responses read from bytes, strictly: what a careful client may expect.
import { isUtf8 } from "node:buffer";
import { Failure } from "./failure.mjs";

const bad = (message, details) => new Failure("malformed", `HTTP: ${message}`, details);
const headEnd = Buffer.from("\r\n\r\n");

function readHead(text) {
  const [first, ...lines] = text.split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3}) [ -~]*$/.exec(first);
  if (status === null) throw bad("no status line", first.slice(0, 300));
  const headers = new Map();
  for (const line of lines) {
    const header = /^([!#$%&'*+.^_`|~\w-]+): ?([\t -~\x80-\xff]*)$/.exec(line);
    if (header === null) throw bad("no header", line.slice(0, 300));
    headers.set(header[1].toLowerCase(), header[2]);
  }
  return { status: Number(status[1]), headers };
}

export class Responses {
  #rest = Buffer.alloc(0);
  #head = null;
  #chunks = [];

  constructor(heads = []) {
    this.heads = heads; // of requests, in order: true for those whose response has no body
    this.whole = []; // {status, headers, body}
  }

  // True in the middle of a response.
  get partial() {
    return this.#head !== null || this.#rest.length > 0;
  }

  // Of the response that is being read, so far.
  get streaming() {
    return this.#head?.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  }

  take(bytes) {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    while (this.#head === null ? this.#takeHead() : this.#takeBody());
  }

  #takeHead() {
    const end = this.#rest.indexOf(headEnd);
    if (end < 0) return false;
    const head = readHead(this.#rest.toString("latin1", 0, end));
    this.#rest = this.#rest.subarray(end + headEnd.length);
    if (head.status !== 100) this.#head = head;
    return true;
  }

  #takeBody() {
    const { status, headers } = this.#head;
    if (this.heads[this.whole.length] || status === 204 || status === 304) return this.#finish(Buffer.alloc(0));
    if (headers.get("transfer-encoding") === "chunked") return this.#takeChunk();
    const length = headers.get("content-length");
    if (length === undefined || !/^\d+$/.test(length)) throw bad("a response without a length", `${status}`);
    if (this.#rest.length < Number(length)) return false;
    const body = this.#rest.subarray(0, Number(length));
    this.#rest = this.#rest.subarray(Number(length));
    return this.#finish(body);
  }

  #takeChunk() {
    const end = this.#rest.indexOf("\r\n");
    if (end < 0) return false;
    const size = this.#rest.toString("latin1", 0, end);
    if (!/^[0-9a-fA-F]+$/.test(size)) throw bad("no chunk size", size.slice(0, 100));
    const until = end + 2 + parseInt(size, 16);
    if (this.#rest.length < until + 2) return false;
    const chunk = this.#rest.subarray(end + 2, until);
    this.#rest = this.#rest.subarray(until + 2);
    if (chunk.length === 0) return this.#finish(Buffer.concat(this.#chunks.splice(0)));
    this.#chunks.push(chunk);
    return true;
  }

  #finish(body) {
    this.whole.push({ ...this.#head, body });
    this.#head = null;
    return true;
  }
}

// The JSON-RPC messages of a response.
export function messagesOf({ headers, body }) {
  const type = headers.get("content-type") ?? "";
  if (headers.get("content-encoding")) return [];
  if (!isUtf8(body)) throw bad("a body is not UTF-8", body.toString("latin1").slice(0, 300));
  const text = body.toString();
  const texts = type.startsWith("text/event-stream")
    ? text.split("\n\n").map((event) => event.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n")).filter(Boolean)
    : type.startsWith("application/json") && text !== "" ? [text] : [];
  return texts.flatMap((one) => {
    try {
      return JSON.parse(one);
    } catch {
      throw bad("a message is not JSON", one.slice(0, 300));
    }
  });
}
