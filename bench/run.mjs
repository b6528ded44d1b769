// Measures Lode beside its peers and writes RESULTS.md and plots/.
//
//   node bench/run.mjs --tools build/release          everything, a quarter of an hour
//   node bench/run.mjs --tools build/release --quick  the same in small; writes below build/bench
//   node bench/run.mjs --report                       writes the report of the last run again
//
// --only start,load,streams,resources,rules,elements,code,backlog measures only those, and keeps
// the rest of the last run.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeReport } from './lib/report.mjs';
import { Runner, full, quick } from './lib/scenarios.mjs';
import { Servers, buildPeers } from './lib/servers.mjs';
import { Site } from './lib/site.mjs';

const bench = dirname(fileURLToPath(import.meta.url));
const out = join(bench, '../build/bench');
const everything = 'start,load,streams,resources,rules,elements,code,backlog';
const { values: flags } = parseArgs({
  options: {
    tools: { type: 'string', default: 'build/release' },
    quick: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    only: { type: 'string', default: everything },
  },
});

const say = (text) => process.stderr.write(`${text}\n`);

function commit() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: bench, encoding: 'utf8' }).trim();
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '../src') ? ', with changes' : '');
  } catch {
    return 'unknown';
  }
}

function facts(lode, minutes) {
  const machine = cpus();
  return [
    `${new Date().toISOString().slice(0, 10)}, ${machine[0].model.trim()}, ${machine.length} cores, Linux ${release()}; ${minutes.toFixed(0)} minutes, load average ${loadavg()[2].toFixed(1)} (the run itself makes 1 to 2)`,
    `Lode at ${lode}; Node ${process.version}, @modelcontextprotocol/server 2.4.0; Go SDK 1.8.0; Rust SDK (rmcp) 3.8.0; Backlog.md 1.52.0`,
  ];
}

// "## id" and the text below it.
function notes() {
  const sections = readFileSync(join(bench, 'notes.md'), 'utf8').split(/^## /m).slice(1);
  return Object.fromEntries(sections.map((section) => {
    const end = section.indexOf('\n');
    return [section.slice(0, end).trim(), section.slice(end).trim()];
  }));
}

// Whether a part has the SDKs' servers beside Lode.
const needPeers = (parts) => parts.some((part) => ['start', 'load', 'streams'].includes(part));

async function measure() {
  const tools = resolve(flags.tools);
  mkdirSync(out, { recursive: true });
  const wanted = flags.only.split(',');
  const peers = buildPeers(bench, out, { build: !flags.quick && needPeers(wanted) });
  for (const [name, why] of Object.entries(peers.missing)) say(`without ${name}: ${why}`);
  const amounts = flags.quick ? quick : full;
  const site = new Site();
  const began = Date.now();
  const lode = commit();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      site.remove();
      process.exit(1);
    });
  }
  try {
    const programs = {
      lode: join(tools, 'lode'),
      bare: join(tools, 'bare_loop'),
      node: process.execPath,
      search: join(tools, 'search_bench'),
      code: join(tools, 'code_bench'),
      script: join(bench, 'peers/typescript/server.mjs'),
      ...peers,
    };
    const servers = new Servers(programs, site);
    const runner = new Runner({ tool: join(tools, 'mcpbench'), servers, site, folder: join(out, 'tree'), amounts, say });
    site.makeWorkspace(runner.coldFiles);
    if (wanted.includes('resources')) site.makeMany(Math.max(...amounts.resources));
    for (const scenario of wanted) await runner[scenario]();
    return {
      samples: runner.samples,
      failures: runner.failures,
      missing: peers.missing,
      facts: facts(lode, (Date.now() - began) / 60_000),
    };
  } finally {
    site.remove();
  }
}

// A part that was measured alone takes the place of the same part of the last run.
function merged(run, last) {
  const parts = flags.only.split(',');
  const other = ({ scenario }) => !parts.includes(scenario);
  return {
    ...run,
    missing: needPeers(parts) ? run.missing : last.missing,
    samples: [...last.samples.filter(other), ...run.samples],
    failures: [...last.failures.filter(other), ...run.failures],
    facts: [...last.facts, ...run.facts.map((fact) => `${parts.join(', ')}: ${fact}`)],
  };
}

const kept = join(out, flags.quick ? 'quick.json' : 'samples.json');
if (!flags.report) {
  const run = await measure();
  const whole = flags.only === everything || !existsSync(kept);
  writeFileSync(kept, JSON.stringify(whole ? run : merged(run, JSON.parse(readFileSync(kept, 'utf8')))));
}
const { text, plots, targets } = makeReport({ ...JSON.parse(readFileSync(kept, 'utf8')), notes: notes() });
const into = flags.quick ? out : bench;
mkdirSync(join(into, 'plots'), { recursive: true });
writeFileSync(join(into, 'RESULTS.md'), text);
for (const [name, svg] of Object.entries(plots)) writeFileSync(join(into, 'plots', name), svg);
for (const target of targets) say(`${target.verdict.padEnd(12)} ${target.what}`);
say(`written: ${join(into, 'RESULTS.md')}`);
