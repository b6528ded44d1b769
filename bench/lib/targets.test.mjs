import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeReport } from './report.mjs';
import { judge } from './targets.mjs';

const reads = (server, cost, at = {}) => [0, 1, 2].map((repeat) => ({
  scenario: 'load', transport: 'http', era: 'modern', phase: 'read-20000/1', ...at, server, repeat, cpu_us: cost + repeat,
}));
const step = (server, cost) => [0, 1].map((repeat) => ({ scenario: 'rules', kind: 'endings', server, repeat, cpu_us: cost * (repeat + 1) }));
const verdict = (samples, id) => judge(samples).find((target) => target.id === id);

describe('targets', () => {
  it('are met at the limit', () => {
    assert.equal(verdict([...reads('lode', 13), ...reads('bare', 10)], 'http-bare').verdict, 'met');
    assert.equal(verdict([...reads('lode', 20), ...reads('bare', 10)], 'http-bare').verdict, 'missed');
  });

  it('are decided by the worst cell', () => {
    const legacy = { era: 'legacy' };
    const samples = [...reads('lode', 10), ...reads('bare', 10), ...reads('lode', 30, legacy), ...reads('bare', 10, legacy)];
    const { worst, cells } = verdict(samples, 'http-bare');
    assert.equal(cells.length, 2);
    assert.match(worst.where, /^legacy, 1 connection$/);
  });

  it('are not judged without the peer', () => {
    assert.equal(verdict(reads('lode', 10), 'http-rust').verdict, 'not measured');
  });

  it('compare the steps of a series within each repeat', () => {
    assert.equal(verdict([...step('1', 10), ...step('1000', 10.5)], 'flat-rules').verdict, 'met');
    assert.equal(verdict([...step('1', 10), ...step('1000', 12)], 'flat-rules').verdict, 'missed');
  });

  it('hold the first index against the parser, and the second start against the first', () => {
    const sample = (what, server, seconds) => [0, 1, 2].map((repeat) => ({ scenario: 'code', what, server, repeat, seconds }));
    const samples = [...sample('first', 'bare', 10), ...sample('first', 'lode', 11), ...sample('second', 'lode', 0.3)];
    assert.equal(verdict(samples, 'first-index').verdict, 'met');
    assert.equal(verdict(samples, 'second-start').verdict, 'missed');
  });

  it('hold the backlog against Backlog.md at 5,000 tasks, and against itself at 50,000', () => {
    const sample = (what, server, count, ms) => [0, 1].map((repeat) =>
      ({ scenario: 'backlog', what, server, count, repeat, ms, cpu_ms: ms, rss_kb: 1000 * ms }));
    const samples = [...sample('first', 'peer', 5_000, 100), ...sample('first', 'lode', 5_000, 5), ...sample('first', 'lode', 1_000, 90),
      ...sample('board', 'lode', 5_000, 1), ...sample('board', 'lode', 50_000, 3), ...sample('board', 'peer', 5_000, 10)];
    const { verdict: slow, worst } = verdict(samples, 'backlog-time');
    assert.deepEqual([slow, worst.where], ['missed', 'board']);
    assert.equal(verdict(samples, 'backlog-memory').verdict, 'met');
    assert.equal(verdict(samples, 'backlog-growth').verdict, 'met');
    assert.equal(verdict(samples.concat(sample('search', 'lode', 5_000, 1), sample('search', 'lode', 50_000, 5)), 'backlog-growth').verdict, 'missed');
  });
});

describe('the report', () => {
  const run = { samples: [...reads('lode', 20), ...reads('bare', 10)], failures: [], missing: { go: 'go is not installed' }, facts: ['a machine'] };

  it('keeps losses, with their reason', () => {
    const { text } = makeReport({ ...run, notes: { 'http-bare': 'Because.' } });
    assert.match(text, /\*\*missed\*\*/);
    assert.match(text, /Because\./);
  });

  it('says who is left out', () => {
    assert.match(makeReport({ ...run, notes: {} }).text, /The Go SDK is left out: go is not installed\./);
  });
});
