// What Lode promises, and whether the samples keep it.
//
// A target is a quotient of two figures of the same run (or one figure) with a
// limit. It may hold of several cells; the worst of them decides.
import { median, pairedRatios, spread } from './stats.mjs';
import { eras } from './scenarios.mjs';
import { questions } from './backlog.mjs';
import { aspects } from './code.mjs';
import { pages, searchSeries } from './elements.mjs';
import { ruleKinds } from './site.mjs';

const connections = [1, 64];

const every = (filter) => (sample) =>
  Object.entries(filter).every(([key, value]) => sample[key] === value);

// Lode's figure by that of another, repeat by repeat.
function ratio(samples, filter, other, field) {
  const of = (server) => samples.filter(every({ ...filter, server }));
  return spread(pairedRatios(of('lode'), of(other), field));
}

function loadCells(samples, transport, phase, other, field = 'cpu_us') {
  return eras.flatMap((era) =>
    connections.map((count) => ({
      where: `${era}, ${count} connection${count === 1 ? '' : 's'}`,
      ...ratio(samples, { scenario: 'load', transport, era, phase: `${phase}/${count}` }, other, field),
    })));
}

function warmCells(samples, transport, other) {
  return ['read-300', 'read-20000'].flatMap((phase) =>
    loadCells(samples, transport, phase, other)
      .map((cell) => ({ ...cell, where: `${phase.slice(5)} B, ${cell.where}` })));
}

function startCells(samples, field) {
  return ['stdio', 'http'].map((transport) => ({
    where: transport,
    ...ratio(samples, { scenario: 'start', transport }, 'typescript', field),
  }));
}

// How much dearer the dearest step of a series is than the cheapest. Each
// repeat went through all steps, so the steps are compared within a repeat.
function flatCell(samples, filter, where, field = 'cpu_us') {
  const series = samples.filter(every(filter));
  const steps = [...new Set(series.map((sample) => sample.server))];
  const costs = steps.map((step) => {
    const others = steps.map((other) => pairedRatios(
      series.filter(every({ server: step })), series.filter(every({ server: other })), field));
    return Math.max(...others.map(median));
  });
  const worst = costs.length ? Math.max(...costs) : NaN;
  return { where, median: worst, low: worst, high: worst, count: costs.length };
}

function plain(samples, field) {
  const of = samples.filter(every({ scenario: 'streams', server: 'lode' }));
  return [{ where: '', ...spread(of.map((sample) => sample[field])) }];
}

// A page of the capability index by a file of the same size, at each size of the collection.
function generatedCells(samples) {
  const warm = samples.filter(every({ scenario: 'elements', what: 'warm' }));
  const counts = [...new Set(warm.map((sample) => sample.server))];
  return counts.flatMap((server) => pages.map((page) => ({
    where: `${page} of ${Number(server).toLocaleString('en-US')}`,
    ...spread(pairedRatios(warm.filter(every({ server, phase: page })),
      warm.filter(every({ server, phase: `file-${page}` })), 'cpu_us')),
  })));
}

const searchSamples = (samples) => samples.filter(every({ scenario: 'elements', what: 'search' }));

function growthCells(samples) {
  const found = searchSamples(samples);
  return searchSeries.map(({ share, scoring, texts }) => {
    const at = (documents) => found.filter(every({ share, scoring, texts, documents }));
    return {
      where: `${scoring}, ${texts} texts, words in ${share * 100} %`,
      ...spread(pairedRatios(at(100_000), at(10_000), 'us')),
    };
  });
}

function exactCell(samples) {
  const found = searchSamples(samples);
  const wrong = found.filter((sample) => !sample.exact).length;
  return { where: '', median: wrong, low: wrong, high: wrong, count: found.length };
}

const codeSamples = (samples, filter) => samples.filter(every({ scenario: 'code', ...filter }));

function firstIndexCell(samples) {
  const of = (server) => codeSamples(samples, { what: 'first', server });
  return { where: '', ...spread(pairedRatios(of('lode'), of('bare'), 'seconds')) };
}

function secondStartCell(samples) {
  return { where: '', ...spread(pairedRatios(codeSamples(samples, { what: 'second' }),
    codeSamples(samples, { what: 'first', server: 'lode' }), 'seconds')) };
}

// An aspect of a file by a file that holds its text.
function aspectCells(samples) {
  return ['http', 'stdio'].flatMap((transport) => Object.keys(aspects).flatMap((aspect) => connections.map((count) => {
    const of = (phase) => codeSamples(samples, { what: 'beside', transport, phase: `${phase}/${count}` });
    return {
      where: `${aspect}, ${transport}, ${count} connection${count === 1 ? '' : 's'}`,
      ...spread(pairedRatios(of(aspect), of(`file-${aspect}`), 'cpu_us')),
    };
  })));
}

function weightCells(samples) {
  return ['made', 'loaded'].map((server) => ({
    where: server, ...spread(codeSamples(samples, { what: 'weight', server }).map((sample) => sample.heap_each)) }));
}

function tokenCell(samples) {
  return { where: '', ...spread(codeSamples(samples, { what: 'tokens' }).map(({ symbols, file }) => 100 * symbols / file)) };
}

const backlogSamples = (samples, filter) => samples.filter(every({ scenario: 'backlog', ...filter }));

// Lode by Backlog.md, where both have 5,000 tasks.
function backlogCells(samples, field, names) {
  return Object.entries(names).map(([what, where]) => {
    const of = (server) => backlogSamples(samples, { what, server, count: 5_000 });
    return { where, ...spread(pairedRatios(of('lode'), of('peer'), field)) };
  });
}

// From 5,000 to 50,000 tasks.
function backlogGrowthCells(samples) {
  return Object.keys(questions).filter((what) => what !== 'list').map((what) => {
    const at = (count) => backlogSamples(samples, { what, server: 'lode', count });
    return { where: what, ...spread(pairedRatios(at(50_000), at(5_000), 'cpu_ms')) };
  });
}

const times = (value) => `≤ ${value} ×`;
const part = (value) => `≤ 1/${value}`;

// {id, what, limit, text, cells}
function all(samples) {
  return [
    { id: 'http-bare', what: 'warm HTTP read of 20 KB: CPU, by the bare loop', limit: 1.4, text: times(1.4),
      cells: loadCells(samples, 'http', 'read-20000', 'bare') },
    { id: 'http-typescript', what: 'warm HTTP read: CPU, by the TypeScript SDK', limit: 1 / 50, text: part(50),
      cells: warmCells(samples, 'http', 'typescript') },
    { id: 'stdio-typescript', what: 'warm stdio read: CPU, by the TypeScript SDK', limit: 1 / 10, text: part(10),
      cells: warmCells(samples, 'stdio', 'typescript') },
    { id: 'http-rust', what: 'warm HTTP read: CPU, by the Rust SDK', limit: 1, text: times(1),
      cells: warmCells(samples, 'http', 'rust') },
    { id: 'stdio-rust', what: 'warm stdio read: CPU, by the Rust SDK', limit: 1, text: times(1),
      cells: warmCells(samples, 'stdio', 'rust') },
    { id: 'start', what: 'start to first answer, by the TypeScript SDK', limit: 1 / 20, text: part(20),
      cells: startCells(samples, 'first_answer_ms') },
    { id: 'memory', what: 'idle memory (RSS), by the TypeScript SDK', limit: 1 / 6, text: part(6),
      cells: startCells(samples, 'rss_kb') },
    { id: 'stream-memory', what: "Lode's memory for an idle stream, KB", limit: 3, text: '≤ 3 KB', unit: 'KB',
      cells: plain(samples, 'kb_each') },
    { id: 'fan-out', what: 'one change heard by all streams, by the bare loop', limit: 2, text: times(2),
      cells: [{ where: '', ...ratio(samples, { scenario: 'streams' }, 'bare', 'last_ms') }] },
    { id: 'flat-resources', what: 'CPU per read from 10 to 100,000 cached resources', limit: 1.1, text: times(1.1),
      cells: [flatCell(samples, { scenario: 'resources', phase: 'spread' }, 'reads spread over all'),
        flatCell(samples, { scenario: 'resources', phase: 'ten' }, 'reads of ten among them')] },
    { id: 'flat-rules', what: 'CPU per read from 1 to 1,000 policy rules', limit: 1.1, text: times(1.1),
      cells: Object.keys(ruleKinds).map((kind) => flatCell(samples, { scenario: 'rules', kind }, kind)) },
    { id: 'generated', what: 'warm page of the capability index: CPU, by a file of equal size', limit: 1.1, text: times(1.1),
      cells: generatedCells(samples) },
    { id: 'flat-start', what: 'start to first answer from 100 to 100,000 elements', limit: 1.1, text: times(1.1),
      cells: [flatCell(samples, { scenario: 'elements', what: 'start' }, '', 'first_answer_ms')] },
    { id: 'search-growth', what: 'CPU of a search from 10,000 to 100,000 documents', limit: 4, text: times(4),
      cells: growthCells(samples) },
    { id: 'search-exact', what: 'searches whose ten best are not those of a full scan', limit: 0, text: 'none', unit: '',
      cells: [exactCell(samples)] },
    { id: 'first-index', what: 'first index of a large tree: time, by the parser and its query alone', limit: 1 / 0.85,
      text: `${times(1.18)} (85 % of its speed)`, cells: [firstIndexCell(samples)] },
    { id: 'second-start', what: 'second start until all symbols are known, by the first', limit: 1 / 50, text: part(50),
      cells: [secondStartCell(samples)] },
    { id: 'aspect', what: 'warm aspect of a file: CPU, by a file of equal size', limit: 1.1, text: times(1.1),
      cells: aspectCells(samples) },
    { id: 'symbol-bytes', what: 'memory of the index of symbols for each', limit: 400, text: '≤ 400 B', unit: 'B',
      cells: weightCells(samples) },
    { id: 'symbol-tokens', what: 'tokens of `symbols`, by the file (the median of 20)', limit: 15, text: '≤ 15 %', unit: '%',
      cells: [tokenCell(samples)] },
    { id: 'backlog-time', what: '5,000 tasks: time, by Backlog.md', limit: 1 / 20, text: part(20),
      cells: [...backlogCells(samples, 'ms', { first: 'first open', second: 'second open', board: 'board', list: 'a page of a list',
        ready: 'ready', search: 'search', after: 'a read right after a write' }),
        ...backlogCells(samples, 'found_ms', { first: 'first open and a search' })] },
    { id: 'backlog-memory', what: '5,000 tasks: memory (RSS), by Backlog.md', limit: 1 / 10, text: part(10),
      cells: backlogCells(samples, 'rss_kb', { first: 'after the first open', second: 'after the second open',
        memory: 'after all questions' }) },
    { id: 'backlog-growth', what: 'CPU of a question from 5,000 to 50,000 tasks', limit: 4, text: times(4),
      cells: backlogGrowthCells(samples) },
  ];
}

// verdict: met, missed or not measured.
export function judge(samples) {
  return all(samples).map((target) => {
    const cells = target.cells.filter((cell) => cell.count > 0 && Number.isFinite(cell.median));
    if (cells.length === 0) return { ...target, cells, verdict: 'not measured' };
    const worst = cells.reduce((a, b) => (b.median > a.median ? b : a));
    return { ...target, cells, worst, verdict: worst.median <= target.limit ? 'met' : 'missed' };
  });
}
