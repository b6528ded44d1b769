// What Lode promises, and whether the samples keep it.
//
// A target is a quotient of two figures of the same run (or one figure) with a
// limit. It may hold of several cells; the worst of them decides.
import { median, pairedRatios, spread } from './stats.mjs';
import { eras } from './scenarios.mjs';
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
function flatCell(samples, filter, where) {
  const series = samples.filter(every(filter));
  const steps = [...new Set(series.map((sample) => sample.server))];
  const costs = steps.map((step) => {
    const others = steps.map((other) => pairedRatios(
      series.filter(every({ server: step })), series.filter(every({ server: other })), 'cpu_us'));
    return Math.max(...others.map(median));
  });
  const worst = costs.length ? Math.max(...costs) : NaN;
  return { where, median: worst, low: worst, high: worst, count: costs.length };
}

function plain(samples, field) {
  const of = samples.filter(every({ scenario: 'streams', server: 'lode' }));
  return [{ where: '', ...spread(of.map((sample) => sample[field])) }];
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
