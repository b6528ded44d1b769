// What failed: told once for each cause, made small, and kept.
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const trials = 60;
const most = 60_000; // ms
// Nothing is said of where: several causes may look alike, and are told apart by what
// is left when the input is made small.
const vague = /^(memory|hang|slow|busy|unanswered|unasked|crash: SIG\w+$)/;
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
  #met = new Map(); // signature: how often
  #causes = new Map(); // the same, told apart

  constructor(directory, command) {
    this.directory = directory;
    this.command = command;
  }

  get distinct() {
    return this.#causes.size;
  }

  // dialogue: mode, seed, items; how to try them again (replay), to keep them (write:
  // the bytes of a file), to tell them apart (shape).
  async take(failure, dialogue) {
    const { signature } = failure;
    const several = vague.test(signature);
    if (this.#count(this.#met, signature) > (several ? mostVague : 1)) return void (several || this.#count(this.#causes, signature));
    const same = async (items) => (await dialogue.replay(items))?.signature === signature;
    const small = await minimise(dialogue.items, same);
    const cause = small && several ? `${signature} (${dialogue.shape(small)})` : signature;
    if (this.#count(this.#causes, cause) === 1) this.#keep(cause, failure, dialogue, small);
  }

  #count(map, key) {
    const times = (map.get(key) ?? 0) + 1;
    map.set(key, times);
    return times;
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
    return [...this.#causes].map(([signature, times]) => `${String(times).padStart(6)} × ${signature}`);
  }
}
