// What failed: told once for each cause, made small, and kept.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const trials = 60;

// The shortest list, found in a bounded number of trials, that still fails. First
// the last few, which most often suffice; then parts are left out.
export async function minimise(items, fails) {
  let left = trials;
  const attempt = async (list) => left-- > 0 && (await fails(list));
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

  // dialogue: mode, seed, items, and how to try them again (replay) and to keep
  // them (write: the bytes of a file).
  async take(failure, dialogue) {
    const times = (this.#seen.get(failure.signature) ?? 0) + 1;
    this.#seen.set(failure.signature, times);
    if (times > 1) return;
    const same = async (items) => (await dialogue.replay(items))?.signature === failure.signature;
    const small = dialogue.replay ? await minimise(dialogue.items, same) : null;
    this.#keep(failure, dialogue, small);
  }

  #keep(failure, { mode, seed, items, write }, small) {
    const directory = join(this.directory, `${mode}-${failure.name}`);
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    const input = join(directory, "input");
    writeFileSync(input, write(small ?? items));
    const again = small ? `${this.command} ${mode} --replay ${input}` : `${this.command} ${mode} --seed ${seed}`;
    const report = [
      `${mode}: ${failure.signature}`, small ? `made small: ${small.length} of ${items.length}` : `the last ${items.length}, which alone do not repeat it`,
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
