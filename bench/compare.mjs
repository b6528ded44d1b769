// Measures two builds of Lode side by side, in turns, and prints the quotients: what a change
// costs. Writes nothing.
//
//   node bench/compare.mjs --tools build/release --before OTHER/build/release
//
// --only load,start,streams,code   these parts
// --repeats 5                      turns of each
// --over 1.1                       only cells that became so much worse
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Runner, full } from './lib/scenarios.mjs';
import { Servers } from './lib/servers.mjs';
import { Site } from './lib/site.mjs';
import { digits, pairedRatios, spread } from './lib/stats.mjs';
import { range, table } from './lib/report.mjs';

const bench = dirname(fileURLToPath(import.meta.url));
const { values: flags } = parseArgs({
  options: {
    tools: { type: 'string', default: 'build/release' },
    before: { type: 'string' },
    only: { type: 'string', default: 'load,start,streams,code' },
    repeats: { type: 'string', default: '5' },
    over: { type: 'string', default: '0' },
  },
});
if (!flags.before) {
  process.stderr.write('--before is needed: the folder of the build to compare with\n');
  process.exit(2);
}

const repeats = Number(flags.repeats);
const fields = ['cpu_us', 'cpu_ms', 'cpu_seconds', 'first_answer_ms', 'rss_kb', 'kb_each', 'seen_ms'];
const say = (text) => process.stderr.write(`${text}\n`);

// The two builds as the only servers.
class Builds extends Servers {
  get names() {
    return ['lode', 'before'];
  }

  command(name, port, answers) {
    const [program, ...rest] = super.command('lode', port, answers);
    return [name === 'before' ? this.programs.before : program, ...rest];
  }
}

function programsOf(tools) {
  return { lode: join(tools, 'lode'), code: join(tools, 'code_bench'), node: process.execPath };
}

async function run(part, programs, amounts) {
  const site = new Site();
  try {
    const servers = new Builds(programs, site);
    const folder = join(tmpdir(), `lode-compare-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const runner = new Runner({ tool: join(resolve(flags.tools), 'mcpbench'), servers, site, folder: join(folder, 'tree'), amounts, say });
    site.makeWorkspace(runner.coldFiles);
    await runner[part]();
    return runner.samples;
  } finally {
    site.remove();
  }
}

async function measure(part) {
  const now = programsOf(resolve(flags.tools));
  const before = programsOf(resolve(flags.before));
  if (part !== 'code') {
    const amounts = { ...full, repeats, starts: 2 * repeats, streams: { ...full.streams, repeats } };
    return run(part, { ...now, before: before.lode }, amounts);
  }
  // This part has one program at a time, and several servers of each.
  const amounts = { ...full, code: { ...full.code, repeats: 1, edits: 5, beside: { ...full.code.beside, repeats: 3 } } };
  const samples = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const turns = [['lode', now], ['before', before]];
    for (const [build, programs] of repeat % 2 ? turns.reverse() : turns) {
      const taken = await run('code', programs, amounts);
      samples.push(...taken.map((sample) => ({ ...sample, phase: [sample.server, sample.phase].join(' '), server: build, repeat })));
    }
  }
  return samples;
}

const labels = ({ scenario, what, transport, era, phase }) => [scenario, what, transport, era, phase].filter(Boolean).join(' ');

function rowsOf(samples) {
  const rows = [];
  for (const [cell, group] of Map.groupBy(samples, labels)) {
    const of = (build) => group.filter(({ server }) => server === build);
    for (const field of fields) {
      const [now, before] = [of('lode'), of('before')].map((some) => spread(some.map((sample) => sample[field])));
      if (!now.count || !before.count) continue;
      const ratio = spread(pairedRatios(of('lode'), of('before'), field));
      const quotient = now.median / before.median;
      if (quotient >= Number(flags.over)) rows.push([cell, field, digits(before.median), digits(now.median), digits(quotient), range(ratio)]);
    }
  }
  return rows;
}

const rows = [];
for (const part of flags.only.split(',')) rows.push(...rowsOf(await measure(part)));
process.stdout.write(`${table(['cell', 'field', 'before', 'now', 'quotient of medians', 'of turns'], rows)}\n`);
