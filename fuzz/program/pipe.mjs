// A server's standard input and output, and what was said on them.
import { Failure } from "./failure.mjs";
import { Ledger } from "./ledger.mjs";
import { Server } from "./server.mjs";

const keptLines = 4096;
const newline = Buffer.from("\n");

export class Pipe {
  #wake = () => {};
  #rest = Buffer.alloc(0);
  #asked = new Map(); // id: who waits for the answer
  #sequence = 0;

  constructor(options) {
    this.patience = options.patience;
    this.ledger = new Ledger();
    this.recent = [];
    this.server = new Server(options);
    this.server.child.stdout.on("data", (bytes) => this.#take(bytes));
    this.server.child.stdin.on("drain", () => this.#wake());
    this.server.ended.then(() => this.#wake());
  }

  #take(bytes) {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    let from = 0;
    try {
      for (let end = this.#rest.indexOf(10); end >= 0; end = this.#rest.indexOf(10, from)) {
        this.#answer(this.ledger.received(this.#rest.subarray(from, end)));
        from = end + 1;
      }
    } catch (failure) {
      this.server.fail(failure);
    }
    this.#rest = this.#rest.subarray(from);
    this.#wake();
  }

  #answer(message) {
    const resolve = this.#asked.get(message.id);
    if (resolve === undefined) return;
    this.#asked.delete(message.id);
    resolve(message);
  }

  // Until something comes; throws if nothing does for too long, or all is over.
  async #news() {
    this.server.check();
    if (this.server.end) throw new Failure("crash", "ended before its standard input did");
    let timer;
    const heard = await new Promise((resolve) => {
      this.#wake = () => resolve(true);
      timer = setTimeout(resolve, this.patience, false);
    });
    clearTimeout(timer);
    this.server.check();
    if (!heard) throw new Failure("hang", "no answer", `open: ${this.ledger.missing().join(" ")}`);
  }

  // Sends lines; a cut is where a write ends early. Returns when no more than
  // `window` answers are awaited.
  async send(lines, { window = 500, cuts = [] } = {}) {
    for (const line of lines) {
      this.ledger.sent(line);
      this.recent.push(line);
    }
    if (this.recent.length > 2 * keptLines) this.recent.splice(0, this.recent.length - keptLines);
    const bytes = Buffer.concat(lines.flatMap((line) => [line, newline]));
    let from = 0;
    for (const cut of [...cuts, 1]) {
      const until = Math.floor(bytes.length * cut);
      const taken = this.server.child.stdin.write(bytes.subarray(from, until));
      from = until;
      if (!taken) await this.#drained();
      else if (cut < 1) await new Promise(setImmediate);
    }
    while (this.ledger.open > window) await this.#news();
  }

  async #drained() {
    this.server.child.stdout.resume();
    while (this.server.child.stdin.writableNeedDrain) await this.#news();
  }

  // Returns when everything is answered.
  async settle() {
    await this.send([Buffer.from("{\"jsonrpc\":\"2.0\",\"id\":\"settle\",\"method\":\"ping\"}")], { window: 0 });
    this.server.check();
    this.ledger.settle();
  }

  // Sends requests, [method, params], and returns their answers when all have come.
  async ask(requests) {
    const answers = [];
    const lines = requests.map(([method, params], at) => {
      const id = `ask-${(this.#sequence += 1)}`;
      this.#asked.set(id, (message) => (answers[at] = message));
      return Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
    await this.send(lines, { window: 0 });
    return answers;
  }

  // The last lines that were sent, the newest at the end.
  lastLines() {
    return this.recent.slice(-keptLines);
  }
}
