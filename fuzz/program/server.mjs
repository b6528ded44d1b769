// A Lode process in a scratch directory: its pipes, its memory, its end.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Failure, complaint, thrown } from "./failure.mjs";

const keptLog = 64 * 1024;
const poll = 200;
const lastWords = 5000; // ms for a report to be written
const ticks = 100; // of the kernel's clock, in a second
const restTime = 300; // ms, in which a process at rest works
const mostAtRest = 0.1; // s, at most
const alive = new Set();
const excused = new Set(); // signatures of failures that are known and that a server survives
process.on("exit", () => alive.forEach((pid) => kill(pid)));

function kill(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

export const excuse = (signature) => excused.add(signature);

const read = (path) => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};

// Resident memory in KiB, with that of the children.
function resident(pid) {
  const own = Number(/^VmRSS:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  const children = read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + resident(child), own);
}

// Seconds that the processor has worked for it.
function busyTime(pid) {
  const fields = read(`/proc/${pid}/stat`).replace(/^.*\) /s, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

// Processes of the session that a server began.
function members(session) {
  const field = 3; // after the name: state, parent, group, session
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/stat`).replace(/^.*\) /s, "").split(" ")[field] === `${session}`);
}

export class Server {
  // options: program, base (HOME and state), root, args, level (of the log), memory
  // (MiB), patience and requestTime (ms).
  constructor(options) {
    this.options = options;
    this.log = "";
    this.failure = null;
    this.peak = 0;
    const environment = {
      PATH: process.env.PATH, HOME: options.base, XDG_STATE_HOME: join(options.base, "state"), XDG_CONFIG_HOME: join(options.base, "config"),
      XDG_CACHE_HOME: join(options.base, "cache"), ASAN_OPTIONS: "abort_on_error=0:allocator_may_return_null=1", UBSAN_OPTIONS: "print_stacktrace=1",
    };
    const words = ["serve", "--workspace", options.root, "--resources-enabled", "true", "--limits-request-time", `${options.requestTime}ms`, "--log-level", options.level ?? "warning", ...options.args];
    // A session of its own: what it leaves behind can be found.
    this.child = spawn(options.program, words, { env: environment, cwd: options.base, detached: true });
    alive.add(this.child.pid);
    this.child.stdin.on("error", () => {});
    this.child.stderr.on("data", (bytes) => this.#hear(bytes.toString("latin1")));
    this.ended = new Promise((resolve) => this.child.on("close", (code, signal) => resolve((this.end = { code, signal }))));
    this.#timer = setInterval(() => this.#look(), poll);
    this.ended.then(() => this.#gone());
  }

  #timer;
  #said = ""; // by a sanitizer or an assertion

  #hear(text) {
    this.log += text;
    this.#said = complaint(this.log);
    for (const failure of thrown(text)) if (!excused.has(failure.signature)) this.fail(failure);
    // A report is kept from its beginning.
    if (this.log.length > 2 * keptLog && this.#said === "") this.log = this.log.slice(-keptLog);
  }

  #look() {
    const used = resident(this.child.pid) / 1024;
    this.peak = Math.max(this.peak, used);
    if (used > this.options.memory) {
      this.fail(new Failure("memory", "more memory than is allowed", `${Math.round(used)} MiB`));
      kill(this.child.pid);
    }
  }

  #gone() {
    clearInterval(this.#timer);
    alive.delete(this.child.pid);
  }

  // The first failure counts.
  fail(failure) {
    this.failure ??= failure;
  }

  // Throws what went wrong, if anything has.
  check() {
    if (this.#said) this.fail(new Failure("crash", this.#said));
    else if (this.end && this.end.code !== 0) this.fail(new Failure("crash", this.end.signal ?? `exit code ${this.end.code}: ${this.log.trim().split("\n").at(-1).slice(0, 300)}`));
    if (this.failure) throw this.failure;
  }

  // What is being told is told to its end.
  async kill() {
    const telling = this.#said ? lastWords : 0;
    const timer = setTimeout(kill, telling, this.child.pid);
    await this.ended;
    clearTimeout(timer);
  }

  // Throws unless the process has come to rest: nothing is asked, nothing changes, and
  // yet a thread that hangs may run for ever.
  async rest() {
    const until = Date.now() + this.options.patience / 2;
    for (let before = busyTime(this.child.pid), now; ; before = now) {
      await new Promise((resolve) => setTimeout(resolve, restTime));
      now = busyTime(this.child.pid);
      if (now - before < mostAtRest || this.end) return;
      if (Date.now() > until) throw new Failure("busy", "works on though nothing is asked");
    }
  }

  // Closes standard input; throws unless the process ends well and leaves nothing.
  async stop() {
    await this.rest();
    this.child.stdin.end();
    const late = setTimeout(() => {
      this.fail(new Failure("hang", "does not end when standard input closes"));
      this.kill();
    }, this.options.patience);
    await this.ended;
    clearTimeout(late);
    this.check();
    const left = members(this.child.pid);
    left.forEach((pid) => process.kill(Number(pid), "SIGKILL"));
    if (left.length > 0) throw new Failure("left", "processes are left behind", left.join(" "));
  }
}
