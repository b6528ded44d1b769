// What was sent on a pipe and must be answered: each request exactly once.
//
// Messages are counted in blocks; a block is settled when nothing of it can be
// open. A line falls into one of these:
//
//   exact     a request that any JSON-RPC server must know: one answer with its id
//   either    a request that may be refused before its id is known: one answer,
//             with its id or with null
//   refused   no message at all: one answer with null
//   batch     one array with answers, or one answer with null
//   optional  cancelled, or a subscription: at most one answer, at any time
//   silent    a notification or a response: none, or null where it is malformed
import { isUtf8 } from "node:buffer";
import { Failure } from "./failure.mjs";

const longest = 4 * 1024 * 1024;
const longestId = 1000; // bytes that surely count as one
const remembered = 100_000;
const blank = /^[ \t]*\r?$/;
// Valid JSON that is refused all the same: half a surrogate, deep nesting.
const unloved = /\\u[dD][89a-fA-F]|\[{8}|(\{"a":){8}/;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// A request is small, and so is the workspace: none may need all the time it has.
export function checkTime(answer) {
  if (answer?.error?.message?.includes("took too long")) throw new Failure("slow", "a request took too long and was stopped", JSON.stringify(answer).slice(0, 300));
}

function parse(line) {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return null;
  }
}

// More opening brackets than the server reads levels of, in a text or not.
const mayBeDeep = (line) => (line.match(/[[{]/g) ?? []).length >= 60;
// A line that is written again as it was has no key twice and no odd number.
const isPlain = (line, value) => !unloved.test(line) && !mayBeDeep(line) && JSON.stringify(value) === line;
const isId = (id) => (typeof id === "string" ? Buffer.byteLength(JSON.stringify(id)) <= longestId : Number.isSafeInteger(id));
const isMethod = (method) => typeof method === "string" && method !== "" && Buffer.byteLength(method) <= 256;
const isMessage = (m) => m.jsonrpc === "2.0" && isMethod(m.method) && (m.params === undefined || isObject(m.params));

export class Ledger {
  #optional = new Set();

  constructor() {
    this.answers = 0;
    this.#begin();
  }

  #begin() {
    this.exact = new Map();
    this.either = new Map();
    this.batches = new Map(); // id: its batch
    this.exactOpen = 0;
    this.eitherOpen = 0;
    this.batchesOpen = 0;
    this.nulls = 0;
    this.nullsLeast = 0;
    this.nullsMost = 0;
  }

  // How many answers are awaited.
  get open() {
    const refused = Math.max(0, this.nulls - this.nullsLeast);
    return this.exactOpen + Math.max(0, this.eitherOpen + this.batchesOpen - refused) + Math.max(0, this.nullsLeast - this.nulls);
  }

  // A line that is sent, without its newline.
  sent(bytes) {
    if (bytes.length > longest) return this.#tooLong(bytes);
    if (!isUtf8(bytes)) return this.#refused();
    const line = bytes.toString();
    if (blank.test(line)) return;
    const parsed = parse(line);
    if (parsed === null) return line.startsWith("\ufeff") ? (this.nullsMost += 1) : this.#refused();
    const { value } = parsed;
    if (Array.isArray(value)) return this.#batch(value);
    if (!isObject(value)) return this.#refused();
    this.#message(value, isPlain(line, value));
  }

  // Refused unread, by its id if the beginning tells it.
  #tooLong(bytes) {
    const id = /"id":("\w*"|\d+)/.exec(bytes.toString("latin1", 0, 1000))?.[1];
    if (id) this.#remember(id);
    this.nullsMost += 1;
  }

  #refused() {
    this.nullsLeast += 1;
    this.nullsMost += 1;
  }

  #message(message, plain) {
    if (message.method === "notifications/cancelled") this.#cancel(message.params?.requestId);
    if (!("id" in message) || !("method" in message)) {
      // A malformed one may be refused by its id.
      if ("id" in message) this.#remember(JSON.stringify(message.id));
      this.nullsMost += plain && isMessage(message) ? 0 : 1;
      return;
    }
    const key = JSON.stringify(message.id);
    if (message.method === "subscriptions/listen") {
      this.#remember(key);
      this.nullsMost += 1;
    } else if (plain && isMessage(message) && isId(message.id)) {
      this.exact.set(key, (this.exact.get(key) ?? 0) + 1);
      this.exactOpen += 1;
    } else {
      this.either.set(key, (this.either.get(key) ?? 0) + 1);
      this.eitherOpen += 1;
      this.nullsMost += 1;
    }
  }

  #batch(parts) {
    const batch = { open: 0 };
    for (const part of parts.filter(isObject)) {
      if (!("id" in part)) continue;
      const key = JSON.stringify(part.id);
      this.#remember(key); // a malformed one may be refused by its id
      if (!("method" in part) || !isId(part.id) || this.batches.has(key)) continue;
      this.batches.set(key, batch);
      batch.open += 1;
    }
    this.nullsMost += 1;
    this.batchesOpen += batch.open > 0 ? 1 : 0;
    for (const part of parts.filter(isObject)) {
      if (part.method === "notifications/cancelled") this.#cancel(part.params?.requestId);
    }
  }

  #remember(key) {
    this.#optional.add(key);
    if (this.#optional.size > remembered) this.#optional.delete(this.#optional.values().next().value);
  }

  #cancel(id) {
    const key = JSON.stringify(id);
    if (key === undefined) return;
    this.#remember(key);
    this.exactOpen -= this.exact.get(key) ?? 0;
    this.exact.delete(key);
    this.eitherOpen -= this.either.get(key) ?? 0;
    this.either.delete(key);
    this.#answeredInBatch(key);
  }

  #answeredInBatch(key) {
    const batch = this.batches.get(key);
    if (batch === undefined) return false;
    this.batches.delete(key);
    batch.open -= 1;
    if (batch.open === 0) this.batchesOpen -= 1;
    return true;
  }

  // A line that came, without its newline. Returns what it says.
  received(bytes) {
    this.answers += 1;
    if (!isUtf8(bytes)) throw new Failure("malformed", "an answer is not UTF-8", bytes.toString("latin1").slice(0, 300));
    const line = bytes.toString();
    const parsed = parse(line);
    if (parsed === null) throw new Failure("malformed", "an answer is not JSON", line.slice(0, 300));
    const { value } = parsed;
    if (Array.isArray(value)) value.forEach((part) => this.#inBatch(part, line));
    else this.#answer(value, line);
    return value;
  }

  #inBatch(answer, line) {
    if (answer.id === null) return;
    const key = JSON.stringify(answer.id);
    if (!this.#answeredInBatch(key) && !this.#optional.has(key)) throw new Failure("unasked", "an array answers what no batch asked", line.slice(0, 300));
  }

  #answer(answer, line) {
    if (!isObject(answer) || answer.jsonrpc !== "2.0") throw new Failure("malformed", "an answer is no message", line.slice(0, 300));
    if ("method" in answer) return;
    if (("result" in answer) === ("error" in answer)) throw new Failure("malformed", "an answer has no result or error, or both", line.slice(0, 300));
    if (answer.id === null) return void (this.nulls += 1);
    checkTime(answer);
    const key = JSON.stringify(answer.id);
    if (this.#take(this.exact, key)) this.exactOpen -= 1;
    else if (this.#take(this.either, key)) this.eitherOpen -= 1;
    else if (!this.#optional.has(key)) throw new Failure("unasked", "an answer has an id that is not open", line.slice(0, 300));
  }

  #take(map, key) {
    const count = map.get(key);
    if (count === undefined) return false;
    if (count === 1) map.delete(key);
    else map.set(key, count - 1);
    return true;
  }

  // Ids that have no answer.
  missing() {
    return [...this.exact.keys(), ...this.either.keys(), ...this.batches.keys()].slice(0, 20);
  }

  // REQUIRES: open is 0. The next block begins.
  settle() {
    if (this.nulls > this.nullsMost) {
      throw new Failure("unasked", "more answers without an id than lines without one", `${this.nulls} answers, at most ${this.nullsMost} lines`);
    }
    // One that a null was taken for may be answered yet.
    for (const key of [...this.either.keys(), ...this.batches.keys()]) this.#remember(key);
    this.#begin();
  }
}
