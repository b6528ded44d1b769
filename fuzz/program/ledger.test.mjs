// The ledger itself: a harness that notices nothing would find nothing.
import assert from "node:assert/strict";
import { it } from "node:test";
import { Ledger } from "./ledger.mjs";

const ping = (id) => `{"jsonrpc":"2.0","id":${id},"method":"ping","params":{}}`;
const result = (id) => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
const refusal = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}";

function after(sent, received) {
  const ledger = new Ledger();
  sent.forEach((line) => ledger.sent(Buffer.from(line, "latin1")));
  received.forEach((line) => ledger.received(Buffer.from(line, "latin1")));
  return ledger;
}
const fails = (kind, action) => assert.throws(action, (failure) => failure.kind === kind);

it("is settled when each request has its answer, in any order", () => {
  const ledger = after([ping(1), ping("\"a\"")], [result("\"a\""), result(1)]);
  assert.equal(ledger.open, 0);
  ledger.settle();
});

it("waits for the answer that is missing", () => {
  assert.equal(after([ping(1), ping(2)], [result(1)]).open, 1);
  assert.equal(after([ping(1)], [refusal]).open, 1, "a plain request is not answered without its id");
  assert.equal(after(["{"], []).open, 1, "what is no JSON is refused");
});

it("knows an id that is used twice at once", () => {
  assert.equal(after([ping(1), ping(1)], [result(1)]).open, 1);
  assert.equal(after([ping(1), ping(1)], [result(1), result(1)]).open, 0);
});

it("fails at an answer that nobody asked for, or the second to one request", () => {
  fails("unasked", () => after([], [result(1)]));
  fails("unasked", () => after([ping(1)], [result("\"1\"")]));
  fails("unasked", () => after([ping(1)], [result(1), result(1)]));
  fails("unasked", () => after(["{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"], [refusal]).settle());
});

it("fails at what is not UTF-8, not JSON, or no message", () => {
  fails("malformed", () => after([ping(1)], ["{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}"]));
  fails("malformed", () => after([ping(1)], ["{\"jsonrpc\":\"2.0\""]));
  fails("malformed", () => after([ping(1)], ["{\"jsonrpc\":\"2.0\",\"id\":1}"]));
});

it("takes either answer where a request may be refused unread", () => {
  const twice = "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1,\"method\":\"ping\"}";
  assert.equal(after([twice], []).open, 1);
  assert.equal(after([twice], [refusal]).open, 0);
  assert.equal(after([twice], [result(1)]).open, 0);
});

it("lets an id of too many bytes be refused", () => {
  const long = JSON.stringify("\u{10ffff}".repeat(300));
  const ledger = new Ledger();
  ledger.sent(Buffer.from(ping(long)));
  ledger.received(Buffer.from(refusal));
  assert.equal(ledger.open, 0);
});

it("lets a cancelled request go without an answer, or with one", () => {
  const cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}";
  assert.equal(after([ping(1), cancel], []).open, 0);
  assert.equal(after([ping(1), cancel], [result(1)]).open, 0);
});

it("takes for a batch an array, or a refusal", () => {
  const batch = `[${ping(1)},${ping(2)}]`;
  assert.equal(after([batch], []).open, 1);
  assert.equal(after([batch], [refusal]).open, 0);
  assert.equal(after([batch], [`[${result(2)},${result(1)}]`]).open, 0);
  assert.equal(after([batch], [`[${result(2)}]`]).open, 1);
});
