// What is measured, as plans for the load generator.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Backlog } from './backlog.mjs';
import { Code } from './code.mjs';
import { Elements } from './elements.mjs';
import { record } from './record.mjs';
import { ruleKinds } from './site.mjs';

export const transports = ['http', 'stdio'];
export const eras = ['modern', 'legacy'];
export const methods = {
  list: '`resources/list`, 100 entries',
  'read-300': 'read 300 B, warm',
  'read-20000': 'read 20 KB, warm',
  'cold-300': 'read 300 B, cold',
  'cold-20000': 'read 20 KB, cold',
};

export const full = {
  repeats: 5,
  warm: 0.35,
  measure: 0.4,
  cold: { 1: [200, 800], 64: [300, 1700] },
  starts: 9,
  streams: { count: 10_000, repeats: 3, changes: 3 },
  resources: [10, 100, 1_000, 10_000, 100_000],
  rules: [1, 10, 100, 1_000],
  scaleRepeats: 7,
  elements: { counts: [100, 10_000, 100_000], repeats: 5 },
  code: { repeats: 5, edits: 15, every: 1, beside: { repeats: 15, warm: 0.1, measure: 0.25 } },
  backlog: { counts: [1_000, 5_000, 50_000], repeats: 3, asks: 9, peerMost: 5_000 },
};

export const quick = {
  repeats: 2,
  warm: 0.1,
  measure: 0.1,
  cold: { 1: [50, 200], 64: [50, 400] },
  starts: 3,
  streams: { count: 2_000, repeats: 1, changes: 2 },
  resources: [10, 1_000, 10_000],
  rules: [1, 1_000],
  scaleRepeats: 3,
  elements: { counts: [100, 10_000], repeats: 2 },
  code: { repeats: 1, edits: 3, every: 10, beside: { repeats: 2, warm: 0.1, measure: 0.1 } },
  backlog: { counts: [100, 1_000], repeats: 2, asks: 3, peerMost: 1_000 },
};

export class Runner {
  constructor({ tool, servers, site, folder, amounts, say }) {
    Object.assign(this, { tool, servers, site, folder, amounts, say });
    this.samples = [];
    this.failures = [];
  }

  // Runs the load generator; its lines become samples with these labels.
  async measure(mode, plan, labels) {
    const file = join(this.site.root, 'plan.json');
    writeFileSync(file, JSON.stringify(plan));
    const env = { ...process.env, XDG_STATE_HOME: this.site.state, XDG_CONFIG_HOME: this.site.state };
    const child = spawn(this.tool, [mode, file], { stdio: ['ignore', 'pipe', 'pipe'], env });
    let complaint = '';
    child.stderr.on('data', (chunk) => { complaint += chunk; });
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => this.take({ ...JSON.parse(line), ...labels }));
    const ended = new Promise((resolve) => child.on('close', resolve));
    if ((await ended) !== 0) this.fail({ ...labels, mode, why: complaint.trim().replace(/^mcpbench: /, '') });
  }

  take(sample) {
    this.samples.push(sample);
    if (sample.errors > 0) this.fail({ ...sample, why: `${sample.server}: ${sample.errors} errors: ${sample.first_error}` });
  }

  fail(failure) {
    this.failures.push(failure);
    this.say(`  failed: ${failure.why}`);
  }

  async specs(transport, answers, names = this.servers.names) {
    const specs = [];
    for (const name of names) specs.push(await this.servers.spec(name, transport, answers));
    return specs;
  }

  phase(name, connections) {
    const { warm, measure, cold } = this.amounts;
    const [kind, bytes] = name.split('-');
    const expect = bytes ? `Sample of ${bytes} bytes.` : 'readme-099.txt';
    const at = { name: `${name}/${connections}`, connections, expect };
    const timed = { warm: { seconds: warm }, measure: { seconds: measure } };
    if (kind === 'list') return { ...at, ...timed, method: 'resources/list' };
    const method = 'resources/read';
    if (kind === 'read') {
      return { ...at, ...timed, method, params: { uri: this.site.uri(this.site.workspace, `doc-${bytes}.txt`) } };
    }
    const [first, then] = cold[connections];
    return {
      ...at,
      method,
      params: { uri: `${this.site.uri(this.site.workspace, '.cold', bytes)}/{{n}}.txt` },
      first: connections === 1 ? 0 : cold[1][0] + cold[1][1],
      vary: first + then,
      warm: { requests: first },
      measure: { requests: then },
    };
  }

  get coldFiles() {
    return Object.values(this.amounts.cold).flat().reduce((sum, count) => sum + count, 0);
  }

  // Every repeat has new processes.
  async load() {
    const phases = Object.keys(methods).flatMap((name) => [this.phase(name, 1), this.phase(name, 64)]);
    for (let repeat = 0; repeat < this.amounts.repeats; repeat += 1) {
      for (const transport of transports) {
        for (const era of eras) {
          this.say(`load ${repeat + 1}/${this.amounts.repeats} ${transport} ${era}`);
          const answers = await record(this.servers, transport, era);
          const servers = await this.specs(transport, answers);
          await this.measure('load', { transport, era, servers, phases }, { scenario: 'load', transport, era, repeat });
        }
      }
    }
  }

  async start() {
    for (const transport of transports) {
      this.say(`start ${transport}`);
      const answers = await record(this.servers, transport, 'modern');
      const servers = await this.specs(transport, answers);
      const plan = { transport, era: 'modern', servers, repeats: this.amounts.starts, settle: 0.5 };
      await this.measure('start', plan, { scenario: 'start', transport });
    }
  }

  // One server at a time: a peer that cannot hold so many does not spoil the rest.
  async streams() {
    const { count, repeats, changes } = this.amounts.streams;
    const answers = await record(this.servers, 'http', 'modern');
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      for (const name of this.servers.names) {
        this.say(`streams ${repeat + 1}/${repeats} ${name}`);
        const servers = await this.specs('http', answers, [name]);
        const streams = { count, uri: this.site.uri(this.site.watched), changes };
        const plan = { transport: 'http', era: 'modern', servers, streams, settle: 0.5 };
        await this.measure('streams', plan, { scenario: 'streams', repeat });
      }
    }
  }

  // The same Lode over and over, each with more to remember.
  async resources() {
    const { resources, scaleRepeats: repeats, warm, measure } = this.amounts;
    const cached = { workspace: this.site.many, flags: ['--limits-cache-bytes', '1GiB'] };
    const uri = `${this.site.uri(this.site.many)}/{{n}}.txt`;
    const read = { method: 'resources/read', params: { uri }, expect: 'Sample of', connections: 64, measure: { seconds: measure } };
    this.say('resources');
    const servers = [];
    for (const count of resources) servers.push(await this.servers.lodeSpec(String(count), cached));
    const phases = resources.flatMap((count) => [
      { ...read, name: 'spread', vary: count, warm: { requests: Math.max(count, 500) }, only: [String(count)] },
      { ...read, name: 'ten', vary: 10, warm: { seconds: warm }, only: [String(count)] },
    ]);
    await this.measure('load', { transport: 'http', era: 'modern', servers, phases, repeats }, { scenario: 'resources' });
  }

  elements() {
    return new Elements(this, this.servers.programs).run();
  }

  code() {
    return new Code(this, this.servers.programs, this.folder).run();
  }

  backlog() {
    return new Backlog(this, this.servers.programs).run();
  }

  async rules() {
    const phases = [this.phase('read-300', 64)];
    for (const kind of Object.keys(ruleKinds)) {
      this.say(`rules: ${kind}`);
      const servers = [];
      for (const count of this.amounts.rules) {
        servers.push(await this.servers.lodeSpec(String(count), { flags: ['--policy-file', this.site.policy(count, kind)] }));
      }
      const plan = { transport: 'http', era: 'modern', servers, phases, repeats: this.amounts.scaleRepeats };
      await this.measure('load', plan, { scenario: 'rules', kind });
    }
  }
}
