// The capability index as the collection grows.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from './client.mjs';
import { numbers, wordsOf } from './words.mjs';

export const pages = ['summary', 'full', 'stats'];
// Words that stand in such a share of the elements.
export const searches = { 'search-1': ['quartz garnet', 0.01], 'search-10': ['basalt gneiss', 0.1] };
// What search_bench measures: texts of lengths as people write them, and all of one length.
export const searchSeries = [0.01, 0.1].flatMap((share) => ['real', 'even'].flatMap((texts) =>
  ['tfidf', 'bm25'].map((scoring) => ({ share, texts, scoring }))));
const types = ['persona', 'skill', 'template', 'agent', 'ensemble', 'memory'];

function elementOf(type, n, random) {
  const marks = Object.values(searches).flatMap(([query, share]) =>
    query.split(' ').filter(() => random.next().value < share));
  const relations = type === 'agent' && n > 6 ? `skills: [skill-${n - 2}]\n` : '';
  return `---\nname: ${type} ${n}\ndescription: ${wordsOf(random, 12)}\ntags: [${wordsOf(random, 3).replaceAll(' ', ', ')}]\n`
    + `author: bench\nversion: 1.${n % 10}.0\n${relations}---\n# ${type} ${n}\n\n${wordsOf(random, 70)} ${marks.join(' ')}\n`;
}

export function makeElements(workspace, count) {
  const random = numbers(count);
  const folder = join(workspace, '.lode/elements');
  for (const type of types) mkdirSync(join(folder, type), { recursive: true });
  for (let n = 0; n < count; n += 1) {
    const type = types[n % types.length];
    writeFileSync(join(folder, type, `${type}-${n}.md`), elementOf(type, n, random));
  }
}

const loaded = (client) =>
  client.until(client.began, 'capability-index://stats', (stats) => !stats.loading, 20);

export class Elements {
  constructor(runner, programs) {
    const { counts, repeats } = runner.amounts.elements;
    Object.assign(this, { runner, programs, counts, repeats, site: runner.site });
    this.env = { ...process.env, XDG_STATE_HOME: this.site.state, XDG_CONFIG_HOME: this.site.state };
  }

  workspace(count) {
    return join(this.site.root, 'elements', String(count));
  }

  command(count, flags = []) {
    return this.runner.servers.lode(undefined, { workspace: this.workspace(count), flags });
  }

  take(sample) {
    this.runner.take({ scenario: 'elements', ...sample });
  }

  async run() {
    for (const count of this.counts) {
      this.runner.say(`elements: ${count}`);
      makeElements(this.workspace(count), count);
      await this.opening(count, 'first', 0);
    }
    for (let repeat = 0; repeat < this.repeats; repeat += 1) {
      for (const count of this.counts) await this.opening(count, 'known', repeat);
    }
    await this.firstAnswers();
    await this.pagesBesideFiles();
    await this.uncached();
    for (const count of this.counts) await this.edits(count);
    this.searching();
    rmSync(join(this.site.root, 'elements'), { recursive: true });
  }

  // From the start of the process until every file has been looked at.
  async opening(count, what, repeat) {
    const client = new Client(this.command(count), this.env);
    const loaded_ms = await loaded(client);
    if (what === 'first') {
      for (const page of pages) {
        writeFileSync(join(this.workspace(count), `${page}.txt`), await client.read(`capability-index://${page}`));
      }
    }
    this.take({ what, server: String(count), repeat, loaded_ms, rss_kb: client.rss() });
    await client.close();
  }

  async firstAnswers() {
    const servers = this.counts.map((count) => ({ name: String(count), command: this.command(count), trigger: '' }));
    const plan = { transport: 'stdio', era: 'modern', servers, repeats: this.runner.amounts.starts, settle: 0.5 };
    await this.runner.measure('start', plan, { scenario: 'elements', what: 'start' });
  }

  phase(name, uri, expect, rest) {
    return { name, method: 'resources/read', params: { uri }, expect, connections: 64, ...rest };
  }

  // What is made of elements beside a file of the same size, both warm.
  async pagesBesideFiles() {
    const { warm, measure } = this.runner.amounts;
    const timed = { warm: { seconds: warm }, measure: { seconds: measure } };
    const settle = { warm: { seconds: 3 }, measure: { requests: 10 } };
    const servers = [];
    for (const count of this.counts) {
      servers.push(await this.runner.servers.lodeSpec(String(count), { workspace: this.workspace(count) }));
    }
    const phases = [this.phase('settle', 'capability-index://stats', 'element_counts', settle)];
    for (const page of pages) {
      const expect = page === 'stats' ? 'element_counts' : 'Capability Index';
      phases.push(this.phase(page, `capability-index://${page}`, expect, timed));
      for (const count of this.counts) {
        const uri = this.site.uri(this.workspace(count), `${page}.txt`);
        phases.push({ ...this.phase(`file-${page}`, uri, expect, timed), only: [String(count)] });
      }
    }
    const plan = { transport: 'http', era: 'modern', servers, phases, repeats: this.repeats };
    await this.runner.measure('load', plan, { scenario: 'elements', what: 'warm' });
  }

  // Everything made anew at each reading.
  async uncached() {
    const servers = [];
    for (const count of this.counts) {
      servers.push(await this.runner.servers.lodeSpec(String(count),
        { workspace: this.workspace(count), flags: ['--resources-cache-ttl', '0s'] }));
    }
    const of = (name, uri, expect, requests) =>
      ({ ...this.phase(name, uri, expect, { warm: { requests: 2 }, measure: { requests } }), connections: 1 });
    const phases = [
      { ...of('settle', 'capability-index://stats', 'element_counts', 2), warm: { seconds: 3 } },
      of('summary', 'capability-index://summary', 'Capability Index', 10),
      of('full', 'capability-index://full', 'Capability Index', 5),
      of('stats', 'capability-index://stats', 'element_counts', 20),
      ...Object.entries(searches).map(([name, [query]]) =>
        of(name, `capability-index://search?q=${encodeURIComponent(query)}`, 'score', 100)),
    ];
    const plan = { transport: 'http', era: 'modern', servers, phases, repeats: this.repeats };
    await this.runner.measure('load', plan, { scenario: 'elements', what: 'made' });
  }

  // From the writing of a file until a search finds it.
  async edits(count) {
    const client = new Client(this.command(count), this.env);
    await loaded(client);
    for (let repeat = 0; repeat < this.repeats; repeat += 1) {
      const word = `novelty${count}x${repeat}`;
      const file = join(this.workspace(count), '.lode/elements/skill', `${word}.md`);
      const began = performance.now();
      writeFileSync(file, `---\nname: ${word}\ndescription: new\n---\nA body.\n`);
      const seen_ms = await client.until(began, `capability-index://search?q=${word}`, ({ hits }) => hits.length > 0, 1);
      this.take({ what: 'edit', server: String(count), repeat, seen_ms });
    }
    await client.close();
  }

  // The search alone, and whether its ten best are the ten best.
  searching() {
    const counts = this.counts.filter((count) => count >= 1_000).map(String);
    const lines = execFileSync(this.programs.search, [String(this.repeats), ...counts], { encoding: 'utf8' });
    for (const line of lines.trim().split('\n')) this.take({ what: 'search', ...JSON.parse(line) });
  }
}
