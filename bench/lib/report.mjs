// RESULTS.md and the plots, from the samples of a run.
import { digits, median, spread } from './stats.mjs';
import { eras, methods, transports } from './scenarios.mjs';
import { titles } from './servers.mjs';
import { backlogSection } from './backlog_report.mjs';
import { codeSection } from './code_report.mjs';
import { pages, searchSeries } from './elements.mjs';
import { ruleKinds } from './site.mjs';
import { judge } from './targets.mjs';
import { bars, lines } from './plot.mjs';

const order = ['bare', 'lode', 'rust', 'go', 'typescript'];
const names = { http: 'HTTP', stdio: 'stdio', modern: '2026-07-28', legacy: '2025-11-25' };

export const table = (head, rows) =>
  [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

export const range = (cell, show = digits) =>
  !(cell.low < cell.high) ? show(cell.median) : `${show(cell.median)} [${show(cell.low)}–${show(cell.high)}]`;

// A quotient below one reads better as a fraction.
export const quotient = (value) => (value < 0.5 ? `1/${digits(1 / value)}` : `${digits(value)} ×`);

export function quotients(cell) {
  return cell.low === cell.high
    ? quotient(cell.median)
    : `${quotient(cell.median)} [${quotient(cell.low)} – ${quotient(cell.high)}]`;
}

class Report {
  constructor({ samples, failures, missing, facts, notes }) {
    Object.assign(this, { samples, failures, missing, facts, notes });
    this.targets = judge(samples);
    const present = new Set(samples.map((sample) => sample.server));
    this.servers = order.filter((name) => present.has(name));
  }

  of(filter) {
    return this.samples.filter((s) => Object.entries(filter).every(([key, value]) => s[key] === value));
  }

  cell(filter, field) {
    return spread(this.of(filter).map((sample) => sample[field]));
  }

  targetTable() {
    const rows = this.targets.map((target) => {
      const worst = target.worst;
      const figure = worst ? (target.unit !== undefined ? `${range(worst)} ${target.unit}`.trim() : quotients(worst)) : '–';
      const where = worst?.where && target.cells.length > 1 ? ` (worst of ${target.cells.length}: ${worst.where})` : '';
      return [target.what + where, target.text, figure, target.verdict === 'met' ? 'met' : `**${target.verdict}**`];
    });
    return table(['target', 'limit', 'measured', ''], rows);
  }

  misses() {
    const missed = this.targets.filter((target) => target.verdict === 'missed');
    if (missed.length === 0) return 'None.';
    return missed.map((target) => {
      const over = target.cells.filter((cell) => cell.median > target.limit)
        .map((cell) => `${cell.where || 'it'}: ${target.unit ? digits(cell.median) : quotient(cell.median)}`);
      const note = this.notes[target.id] ?? 'Not yet explained.';
      return `**${target.what}.** Over the limit of ${target.text} in ${over.length} of ${target.cells.length} cells (${over.join('; ')}). ${note}`;
    }).join('\n\n');
  }

  startTable() {
    const rows = transports.flatMap((transport) => [
      ['first_answer_ms', `${names[transport]}: start to first answer, ms`],
      ['rss_kb', `${names[transport]}: idle memory (RSS), MB`],
      ['pss_kb', `${names[transport]}: idle memory (PSS), MB`],
    ].map(([field, label]) => [label, ...this.servers.map((server) => {
      const cell = this.cell({ scenario: 'start', transport, server }, field);
      const by = field === 'first_answer_ms' ? 1 : 1024;
      return range(cell, (value) => digits(value / by));
    })]));
    return table(['', ...this.servers.map((name) => titles[name])], rows);
  }

  loadTable(field, show = digits) {
    const rows = [];
    for (const transport of transports) {
      for (const era of eras) {
        for (const [name, label] of Object.entries(methods)) {
          for (const count of [1, 64]) {
            const at = { scenario: 'load', transport, era, phase: `${name}/${count}` };
            rows.push([`${names[transport]}, ${names[era]}, ${count}: ${label}`,
              ...this.servers.map((server) => range(this.cell({ ...at, server }, field), show))]);
          }
        }
      }
    }
    return table(['transport, revision, connections', ...this.servers.map((name) => titles[name])], rows);
  }

  streamTable() {
    const count = this.of({ scenario: 'streams' })[0]?.streams ?? 0;
    const rows = [
      ['kb_each', 'memory of the server for each, KB'],
      ['first_ms', 'from the change to the first who heard, ms'],
      ['last_ms', 'from the change to the last who heard, ms'],
      ['cpu_ms', 'CPU of the server for one change, ms'],
    ].map(([field, label]) => [label,
      ...this.servers.map((server) => range(this.cell({ scenario: 'streams', server }, field)))]);
    return table([`${count.toLocaleString('en-US')} streams`, ...this.servers.map((name) => titles[name])], rows);
  }

  series(filter) {
    const steps = [...new Set(this.of(filter).map((sample) => sample.server))].sort((a, b) => a - b);
    return steps.map((server) => [Number(server), this.cell({ ...filter, server }, 'cpu_us')]);
  }

  scaleTable() {
    const rows = [
      ['cached resources, reads spread over all', { scenario: 'resources', phase: 'spread' }],
      ['cached resources, reads of ten of them', { scenario: 'resources', phase: 'ten' }],
      ...Object.keys(ruleKinds).map((kind) => [`policy rules: ${kind}`, { scenario: 'rules', kind }]),
    ].flatMap(([label, filter]) => this.series(filter)
      .map(([step, cell]) => [`${step.toLocaleString('en-US')} ${label}`, range(cell)]));
    return table(['', 'CPU µs a read'], rows);
  }

  elementTable() {
    const of = (filter) => this.of({ scenario: 'elements', ...filter });
    const counts = [...new Set(of({ what: 'first' }).map((sample) => sample.server))];
    if (counts.length === 0) return 'Not measured.';
    const row = (label, filter, field, [peers = ['', '']] = [], by = 1) => [label,
      ...counts.map((server) => range(this.cell({ scenario: 'elements', server, ...filter }, field), (v) => digits(v / by))),
      ...peers];
    const made = (phase) => ({ what: 'made', phase });
    const warm = (phase) => ({ what: 'warm', phase });
    const rows = [
      row('start to first answer, ms', { what: 'start' }, 'first_answer_ms', [['1,700', '']]),
      row('start until all is known, the first time, ms', { what: 'first' }, 'loaded_ms'),
      row('start until all is known, again, ms', { what: 'known' }, 'loaded_ms'),
      row('memory (RSS) then, the first time, MB', { what: 'first' }, 'rss_kb', [], 1024),
      row('memory (RSS) then, again, MB', { what: 'known' }, 'rss_kb', [['183', '']], 1024),
      row('`summary`, made: p50, ms', made('summary'), 'p50_us', [['3.4 (60 KB)', '25 cold, under 1 warm']], 1000),
      row('`full`, made: p50, ms', made('full'), 'p50_us', [['171 (2.5 MB)', '120 cold, under 1 warm']], 1000),
      row('`stats`, made: p50, ms', made('stats'), 'p50_us', [['268', '8 cold, under 1 warm']], 1000),
      row('search for words in 1 %: p50, ms', made('search-1'), 'p50_us', [], 1000),
      row('search for words in 10 %: p50, ms', made('search-10'), 'p50_us', [], 1000),
      row('a file written until a search finds it, ms', { what: 'edit' }, 'seen_ms'),
      ...pages.flatMap((page) => [
        row(`\`${page}\`, warm: CPU µs`, warm(page), 'cpu_us'),
        row(`a file of its size, warm: CPU µs`, warm(`file-${page}`), 'cpu_us')]),
    ];
    return table(['elements', ...counts.map((count) => Number(count).toLocaleString('en-US')),
      'DollhouseMCP, 500', 'NEXS, as published'], rows);
  }

  searchTable() {
    const samples = this.of({ scenario: 'elements', what: 'search' });
    const counts = [...new Set(samples.map((sample) => sample.documents))];
    const rows = searchSeries.map((series) => [
      `words in ${series.share * 100} % of the documents, ${series.texts} texts, ${series.scoring === 'bm25' ? 'BM25' : 'TF-IDF'}`,
      ...counts.map((documents) => range(this.cell({ scenario: 'elements', what: 'search', ...series, documents }, 'us')))]);
    return table(['CPU µs of a search', ...counts.map((count) => `${count.toLocaleString('en-US')} documents`)], rows);
  }

  absent() {
    const words = Object.entries(this.missing).map(([name, why]) => `The ${titles[name]} is left out: ${why}.`);
    const failed = this.failures.map((failure) => `Failed in ${failure.scenario}: ${failure.why}`);
    return [...words, ...new Set(failed)].join('\n');
  }

  plots() {
    const bar = (filter, field, unit, by = 1) => this.servers.map((server) => {
      const value = median(this.of({ ...filter, server }).map((sample) => sample[field])) / by;
      return { kind: server, label: titles[server], value, text: `${digits(value)} ${unit}` };
    });
    const reads = transports.flatMap((transport) => ['read-300', 'read-20000'].map((phase) => ({
      label: `${names[transport]}, ${phase === 'read-300' ? '300 B' : '20 KB'}`,
      bars: bar({ scenario: 'load', transport, era: 'modern', phase: `${phase}/64` }, 'cpu_us', 'µs'),
    })));
    const starts = [
      { label: 'first answer over stdio', bars: bar({ scenario: 'start', transport: 'stdio' }, 'first_answer_ms', 'ms') },
      { label: 'idle memory', bars: bar({ scenario: 'start', transport: 'stdio' }, 'rss_kb', 'MB', 1024) },
    ];
    const streams = [
      { label: 'KB a stream', bars: bar({ scenario: 'streams' }, 'kb_each', 'KB') },
      { label: 'all have heard', bars: bar({ scenario: 'streams' }, 'last_ms', 'ms') },
    ];
    const points = (filter) => this.series(filter).map(([step, cell]) => [step, cell.median]);
    const scale = [
      { kind: 'lode', label: 'resources, reads spread', points: points({ scenario: 'resources', phase: 'spread' }) },
      { kind: 'typescript', label: 'resources, ten of them', points: points({ scenario: 'resources', phase: 'ten' }) },
      { kind: 'go', label: 'rules: names anywhere', points: points({ scenario: 'rules', kind: 'names anywhere' }) },
      { kind: 'rust', label: 'rules: alternatives', points: points({ scenario: 'rules', kind: 'alternatives' }) },
    ].filter((line) => line.points.length > 0);
    return {
      'reads.svg': bars('Server CPU of a warm read, 64 connections', reads),
      'start.svg': bars('Start and idle memory', starts),
      'streams.svg': bars('Idle subscription streams', streams),
      'scale.svg': lines('CPU of a read as Lode has more to remember', scale, 'µs'),
    };
  }

  text() {
    return `# Results

Written by \`make bench\`; [README.md](README.md) says how it measures. Each figure is the median of its
repeats, with the lowest and the highest in brackets. A quotient is taken within each repeat, where
both were measured side by side, and its median is given.

${this.facts.map((fact) => `- ${fact}`).join('\n')}
${this.absent() ? `\n${this.absent()}\n` : ''}
## Targets

${this.targetTable()}

## Misses

${this.misses()}

## Start and idle memory

![start and idle memory](plots/start.svg)

${this.startTable()}

## CPU of the server per request, µs

![CPU of a warm read](plots/reads.svg)

${this.loadTable('cpu_us')}

## Subscription streams

![idle streams](plots/streams.svg)

${this.streamTable()}

The bare loop and the SDKs' servers are told of the change by a signal; Lode finds it out by itself,
when the file has changed and then been quiet for 20 ms.

## As there is more to remember

![CPU per read](plots/scale.svg)

${this.scaleTable()}

## The capability index as the collection grows

${this.elementTable()}

DollhouseMCP was measured apart from this run, over stdio with 500 elements; its pages list every
element. NEXS's figures are those that it publishes. "Made" is with caching off. The search alone,
without the protocol:

${this.searchTable()}

## Source code

${codeSection(this)}

## The backlog

${backlogSection(this)}

## Answers per second

One load generator on the same machine: at 64 connections it, not the server, may be the limit.

${this.loadTable('per_second', (value) => Math.round(value).toLocaleString('en-US'))}

## Latency, µs: the median answer

${this.loadTable('p50_us')}

## Latency, µs: the slowest of a hundred

${this.loadTable('p99_us')}
`;
  }
}

// {text, plots: {name: svg}, targets}
export function makeReport(run) {
  const report = new Report(run);
  return { text: report.text(), plots: report.plots(), targets: report.targets };
}
