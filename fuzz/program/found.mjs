// What failed: told once for each cause, made small, and kept.
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const trials = 60;
const most = 60_000; // ms
// Nothing is said of where: several causes may look alike, and are told apart by what
// is left when the input is made small.
const vague = /^(memory|hang|unanswered|unasked|crash: SIG\w+$)/;
const mostVague = 30;

// The shortest list, found in a bounded number of trials, that still fails. First
// the last few, which most often suffice; then parts are left out.
export async function minimise(items, fails) {
  let left = trials;
  const until = Date.now() + most;
  const attempt = async (list) => {
    left = Date.now() < until ? left - 1 : 0;
    return left > 0 && (await fails(list));
  };
  let kept = null;
  for (let size = 1; size < items.length && kept === null && left > 0; size *= 8) {
    const tail = items.slice(-size);
    if (await attempt(tail)) kept = tail;
  }
  if (kept === null && !(await attempt(items))) return null;
  kept ??= items;
  for (let size = kept.length >> 1; size > 0 && left > 0; size >>= 1) {
    for (let at = 0; at < kept.length && kept.length > 1 && left > 0; ) {
      const fewer = kept.toSpliced(at, size);
      if (fewer.length > 0 && (await attempt(fewer))) kept = fewer;
      else at += size;
    }
  }
  return kept;
}

export class Found {
  #seen = new Map(); // signature: how often

  constructor(directory, command) {
    this.directory = directory;
    this.command = command;
  }

  get distinct() {
    return this.#seen.size;
  }

  // dialogue: mode, seed, items; how to try them again (replay), to keep them (write:
  // the bytes of a file), to tell them apart (shape).
  async take(failure, dialogue) {
    const told = this.#tell(failure.signature);
    if (told && !vague.test(failure.signature)) return;
    if (told && this.#seen.get(failure.signature) > mostVague) return;
    const same = async (items) => (await dialogue.replay(items))?.signature === failure.signature;
    const small = await minimise(dialogue.items, same);
    const cause = small && vague.test(failure.signature) ? `${failure.signature} (${dialogue.shape(small)})` : failure.signature;
    if (told && (cause === failure.signature || this.#tell(cause))) return;
    if (!told && cause !== failure.signature) this.#tell(cause);
    this.#keep(cause, failure, dialogue, small);
  }

  // Counts it; true if it was met before.
  #tell(signature) {
    const times = (this.#seen.get(signature) ?? 0) + 1;
    this.#seen.set(signature, times);
    return times > 1;
  }

  #keep(cause, failure, { mode, seed, items, write }, small) {
    const directory = join(this.directory, `${mode}-${failure.kind}-${createHash("sha1").update(cause).digest("hex").slice(0, 8)}`);
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    const input = join(directory, "input");
    writeFileSync(input, write(small ?? items));
    const again = small ? `${this.command} ${mode} --replay ${input}` : `${this.command} ${mode} --seed ${seed}`;
    const report = [
      `${mode}: ${cause}`, small ? `made small: ${small.length} of ${items.length}` : `the last ${items.length}, which alone do not repeat it`,
      `seed: ${seed}`, `again: ${again}`, `kept in: ${directory}`,
    ];
    writeFileSync(join(directory, "report.txt"), [...report, "", failure.details, ""].join("\n"));
    console.log(`FAILED ${report.join("\n  ")}`);
  }

  // How often each cause was met.
  summary() {
    return [...this.#seen].map(([signature, times]) => `${String(times).padStart(6)} × ${signature}`);
  }
}
