// The programs that are measured, and how each is started.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const buildTime = 15 * 60_000;

export const titles = {
  bare: 'bare loop',
  lode: 'Lode',
  typescript: 'TypeScript SDK',
  go: 'Go SDK',
  rust: 'Rust SDK',
  backlog_md: 'program Backlog.md',
};

export async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function attempt(command, args, cwd) {
  try {
    execFileSync(command, args, { cwd, timeout: buildTime, stdio: ['ignore', 'ignore', 'pipe'] });
    return '';
  } catch (error) {
    if (error.code === 'ENOENT') return `${command} is not installed`;
    const lines = String(error.stderr ?? error.message).trim().split('\n');
    const why = lines.find((line) => /^error|no such host|dial|timed? ?out/i.test(line)) ?? lines.at(-1);
    return `it could not be built here (${why.replace(/https?:\/\/\S+/g, 'the registry').slice(0, 160)})`;
  }
}

// Builds the peers that can be built. {go: path, rust: path, backlog_md: path, missing: {go: why}}
export function buildPeers(bench, out, { build }) {
  const recipes = {
    go: { path: join(out, 'peer-go'), run: (path) => attempt('go', ['build', '-o', path, '.'], join(bench, 'peers/go')) },
    rust: {
      path: join(out, 'rust/release/lode-bench-rust'),
      run: () =>
        attempt('cargo', ['build', '--release', '--quiet', '--target-dir', join(out, 'rust')],
          join(bench, 'peers/rust')),
    },
  };
  const peers = { missing: {} };
  for (const [name, { path, run }] of Object.entries(recipes)) {
    const why = build ? run(path) : existsSync(path) ? '' : 'it was not built (a quick run, and one of other parts, builds no peers)';
    if (why) peers.missing[name] = why;
    else peers[name] = path;
  }
  const installed = join(bench, 'peers/backlog_md/node_modules/backlog.md-linux-x64/backlog');
  if (existsSync(installed)) peers.backlog_md = installed;
  else peers.missing.backlog_md = 'it is not installed (tools/setup bench)';
  return peers;
}

export class Servers {
  // programs: {lode, bare, node, script, go?, rust?}
  constructor(programs, site) {
    this.programs = programs;
    this.site = site;
  }

  get names() {
    return ['lode', 'bare', 'typescript', 'go', 'rust'].filter((name) => name !== 'go' && name !== 'rust' || this.programs[name]);
  }

  lode(port, { workspace = this.site.workspace, flags = [], log = 'warning' } = {}) {
    const http = port === undefined ? [] : ['--http', `127.0.0.1:${port}`];
    return [this.programs.lode, 'serve', '--workspace', workspace, '--resources-enabled', 'true',
      '--log-level', log, ...http, ...flags];
  }

  // answers: the file that the bare loop sends from.
  command(name, port, answers) {
    const directory = this.site.workspace;
    const rest = port === undefined ? [directory] : [directory, String(port)];
    switch (name) {
      case 'lode': return this.lode(port);
      case 'bare': return [this.programs.bare, answers, ...(port === undefined ? [] : [String(port)])];
      case 'typescript': return [this.programs.node, this.programs.script, ...rest];
      default: return [this.programs[name], ...rest];
    }
  }

  // One entry of a plan.
  async spec(name, transport, answers) {
    const port = transport === 'http' ? await freePort() : undefined;
    const trigger = name === 'lode' ? this.site.watched : '';
    return {
      name,
      command: this.command(name, port, answers),
      trigger,
      ...(port === undefined ? {} : { url: `http://127.0.0.1:${port}/mcp` }),
    };
  }

  // Another Lode with a name of its own.
  async lodeSpec(name, options) {
    const port = await freePort();
    return { name, command: this.lode(port, options), url: `http://127.0.0.1:${port}/mcp` };
  }
}
