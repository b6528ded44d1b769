// One connection: what is sent on it, how it is treated, and what must come back.
import net from "node:net";
import { Failure } from "./failure.mjs";
import { Responses, messagesOf } from "./http_wire.mjs";
import { checkTime } from "./ledger.mjs";
import { Messages } from "./messages.mjs";
import { Random, weighted } from "./random.mjs";
import { request, sessionMark, tokenMark } from "./http_requests.mjs";

const quiet = 150; // ms after which a twisted request is given up
const muted = 400; // ms during which a client does not read
const treatments = weighted([[30, "whole"], [12, "pieces"], [4, "abort"], [3, "half"], [1, "mute"]]);

// A plan is JSON: requests, how they are sent, where they are cut.
export function makePlan(seed, at, workspace, lines) {
  const random = new Random(`${seed}#${at}`);
  const messages = new Messages(random, workspace, lines);
  messages.sequence = at * 64;
  const requests = [];
  for (let left = random.between(1, 8); left > 0; left -= 1) {
    const made = request(random, messages);
    requests.push(made);
    if (!made.honest || made.method === "subscriptions/listen") break; // nothing after it is sure to be read
  }
  const cuts = Array.from({ length: 3 }, () => random.below(1000) / 1000).sort();
  return {
    requests: requests.map(({ bytes, ...rest }) => ({ ...rest, bytes: bytes.toString("latin1") })),
    how: random.draw(treatments), cuts,
  };
}

const ends = (response) => response.headers.get("connection") === "close";

function checkAnswer(asked, response) {
  const answers = messagesOf(response);
  answers.forEach(checkTime);
  if (!asked.honest || asked.id === undefined) return;
  const wanted = JSON.stringify(asked.id);
  const own = answers.filter((answer) => !("method" in answer) && JSON.stringify(answer.id) === wanted);
  const strange = answers.find((answer) => !("method" in answer) && answer.id !== null && JSON.stringify(answer.id) !== wanted);
  if (strange) throw new Failure("unasked", "HTTP: an answer has another id", `${wanted}: ${JSON.stringify(strange).slice(0, 300)}`);
  const refused = answers.some((answer) => answer.id === null);
  if (asked.alone && response.status === 200 && own.length !== 1 && !refused) {
    throw new Failure("unanswered", "HTTP: a request has no answer, or several", `${wanted} ${asked.method}: ${own.length}`);
  }
}

export class Connection {
  #socket;
  #failure = null;
  #closed = false;
  #wake = () => {};

  // known: port, token, sessions.
  constructor(plan, known, patience) {
    this.plan = plan;
    this.patience = patience;
    const text = plan.requests.map((one) => one.bytes).join("");
    const filled = text.replaceAll(tokenMark, known.token);
    this.bytes = Buffer.from(known.sessions.reduce((all, id, at) => all.replaceAll(sessionMark(at), id), filled), "latin1");
    // A mark in a body has another length than what it stands for: bodies have none.
    this.responses = new Responses(plan.requests.map((one) => one.headOnly));
    this.#socket = net.connect({ port: known.port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    this.#socket.on("data", (bytes) => this.#take(bytes));
    this.#socket.on("error", () => {});
    this.#socket.on("end", () => this.#socket.end());
    this.#socket.on("close", () => {
      this.#closed = true;
      this.#wake();
    });
  }

  #take(bytes) {
    try {
      this.responses.take(bytes);
    } catch (failure) {
      this.#failure = failure;
    }
    this.#wake();
  }

  // False: nothing came for that long.
  async #news(time) {
    if (this.#closed || this.#failure) return true;
    let timer;
    const came = await new Promise((resolve) => {
      this.#wake = () => resolve(true);
      timer = setTimeout(resolve, time, false);
    });
    clearTimeout(timer);
    return came;
  }

  async run() {
    const { how, cuts } = this.plan;
    try {
      if (how === "whole" || how === "half") this.#socket.write(this.bytes);
      else await this.#sendPieces(how === "abort" ? [cuts[0], cuts[1]] : [...cuts, 1]);
      if (how === "half") this.#socket.end();
      if (how === "mute") await this.#mute();
      if (how === "whole" || how === "pieces") await this.#finish();
      else if (how === "half") await this.#close("a half-closed connection is not closed");
    } finally {
      this.#socket.destroy();
    }
    if (this.#failure) throw this.#failure;
    this.responses.whole.forEach((response, at) => at < this.plan.requests.length && checkAnswer(this.plan.requests[at], response));
  }

  async #sendPieces(cuts) {
    let from = 0;
    for (const cut of cuts) {
      const until = Math.floor(this.bytes.length * cut);
      this.#socket.write(this.bytes.subarray(from, until));
      from = until;
      await new Promise(setImmediate);
    }
  }

  async #mute() {
    this.#socket.pause();
    await this.#news(muted);
  }

  async #close(why) {
    this.#socket.end();
    while (!this.#closed && !this.#failure) {
      if (!(await this.#news(this.patience))) throw new Failure("hang", `HTTP: ${why}`, this.bytes.toString("latin1").slice(0, 2000));
    }
  }

  // Waits for the responses, or for the close that must come without.
  async #finish() {
    const { requests } = this.plan;
    const last = requests.at(-1);
    const sure = last.honest && last.method !== "subscriptions/listen";
    const done = () => this.#closed || this.#failure || this.responses.whole.length >= requests.length;
    while (!done()) {
      if (await this.#news(sure ? this.patience : quiet)) continue;
      if (sure) throw new Failure("hang", "HTTP: no answer", this.bytes.toString("latin1").slice(0, 4000));
      return this.responses.streaming ? undefined : this.#close("a request is neither answered nor its connection closed");
    }
    const { whole } = this.responses;
    if (sure && !this.#failure && whole.length < requests.length && !(whole.length > 0 && ends(whole.at(-1)))) {
      throw new Failure("unanswered", "HTTP: closed without an answer", this.bytes.toString("latin1").slice(0, 4000));
    }
  }
}
