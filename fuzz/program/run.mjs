// Fuzzes the whole program.
//
//   node fuzz/program/run.mjs stdio|http|workspaces [options]
//
//   --program FILE   the lode to run (build/dev/lode)
//   --seconds N      for how long (20)
//   --seed TEXT      where to begin; a failure tells the seed that repeats it
//   --replay FILE    what a failure kept, and nothing else
//   --keep-going     do not stop at a failure: start again, tell each cause once
//   --memory MIB     that the program may use (1024; 4096 with AddressSanitizer)
//   --found DIR      where inputs that fail are kept (build/fuzz/found)
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Failure } from "./failure.mjs";
import { Found } from "./found.mjs";
import { http } from "./http.mjs";
import { repositoryRoot } from "./seeds.mjs";
import { excuse } from "./server.mjs";
import { stdio } from "./stdio.mjs";
import { workspaces } from "./workspaces.mjs";

const modes = { stdio, http, workspaces };

function usage(problem) {
  console.error(`${problem}\nusage: node fuzz/program/run.mjs ${Object.keys(modes).join("|")} [--program FILE] [--seconds N] [--seed TEXT] [--replay FILE] [--keep-going] [--memory MIB] [--found DIR]`);
  process.exit(2);
}

function commandLine() {
  const text = { type: "string" };
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        program: { ...text, default: join(repositoryRoot, "build/dev/lode") }, seconds: { ...text, default: "20" }, seed: text, replay: text,
        "keep-going": { type: "boolean", default: false }, memory: text, found: { ...text, default: join(repositoryRoot, "build/fuzz/found") },
      },
    });
  } catch (error) {
    return usage(error.message);
  }
}

const { values, positionals } = commandLine();
const mode = modes[positionals[0]] ?? usage("which kind of fuzzing?");
if (!existsSync(values.program)) usage(`there is no ${values.program}; build it first`);
const sanitized = readFileSync(values.program).includes("__asan_init");
const options = { program: resolve(values.program), sanitized, memory: Number(values.memory ?? (sanitized ? 4096 : 1024)), patience: sanitized ? 120_000 : 60_000, requestTime: sanitized ? 60_000 : 20_000 };
const found = new Found(values.found, `node ${relative(process.cwd(), process.argv[1])} --program ${values.program}`);
// Files in memory, where there is such a place: thousands are written and synced.
const scratch = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "lode-fuzz-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

const tally = { count: 0, servers: 0, peak: 0 };

// Runs one server to its end; what failed, or null.
async function episode(name, talk, haste = 1) {
  const times = { patience: options.patience / haste, requestTime: options.requestTime / haste };
  const dialogue = mode.start({ ...options, ...times }, join(scratch, name));
  let failure = null;
  try {
    await talk(dialogue);
  } catch (error) {
    await dialogue.server?.kill();
    // A server that dies in the middle of something else died of it.
    failure = dialogue.server?.failure ?? error;
    if (!(failure instanceof Failure)) throw failure;
    failure.details += `\n${dialogue.server?.log.slice(-20_000)}`;
  }
  return { dialogue, failure };
}

const replay = async (items, haste) => (await episode("replay", (dialogue) => dialogue.repeat(items), haste)).failure;
// Many trials make an input small: in these a hang is one sooner.
const haste = 4;

async function fuzz() {
  const seed = values.seed ?? `${Date.now().toString(36)}`;
  console.log(`${positionals[0]}: seed ${seed}, ${values.program}${sanitized ? " (sanitizers)" : ""}`);
  const began = Date.now();
  const deadline = began + Number(values.seconds) * 1000;
  for (let at = 0; Date.now() < deadline; at += 1) {
    const own = at === 0 ? seed : `${seed}.${at}`;
    const { dialogue, failure } = await episode("fuzz", (one) => one.converse(own, deadline));
    tally.count += mode.count(dialogue);
    tally.servers += 1;
    tally.peak = Math.max(tally.peak, dialogue.server?.peak ?? 0);
    if (failure === null) continue;
    await found.take(failure, { mode: positionals[0], seed: own, items: mode.items(dialogue), replay: (items) => replay(items, haste), write: mode.write, shape: mode.shape });
    if (failure.kind === "threw") excuse(failure.signature);
    if (!values["keep-going"]) break;
  }
  const seconds = (Date.now() - began) / 1000;
  console.log(
    `${positionals[0]}: ${tally.count} ${mode.unit} in ${seconds.toFixed(0)} s (${Math.round(tally.count / seconds)}/s), ` +
      `${tally.servers} servers, at most ${Math.round(tally.peak)} MiB, ${found.distinct} distinct failures`,
  );
  found.summary().forEach((row) => console.log(row));
  return found.distinct > 0 ? 1 : 0;
}

async function again() {
  const failure = await replay(mode.read(readFileSync(values.replay)));
  console.log(failure ? `${failure.signature}\n${failure.details}` : "nothing failed");
  return failure ? 1 : 0;
}

process.exit(values.replay ? await again() : await fuzz());
