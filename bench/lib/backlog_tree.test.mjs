import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lodeFile, peerFile, query, tasksOf } from './backlog_tree.mjs';

describe('the tasks of the benchmark', () => {
  const tasks = [...tasksOf(1_000)];

  it('are the same in every run', () => {
    assert.deepEqual(tasks, [...tasksOf(1_000)]);
  });

  it('depend on earlier ones only', () => {
    assert.ok(tasks.some(({ dependencies }) => dependencies.length > 0));
    assert.ok(tasks.every(({ n, dependencies }) => dependencies.every((other) => other >= 1 && other < n)));
  });

  it('have bodies of about 300 words, of which one in a hundred has the word that is searched for', () => {
    assert.ok(tasks.every(({ body }) => Math.abs(body.split(' ').length - 300) <= 1));
    const marked = tasks.filter(({ body }) => body.includes(query)).length;
    assert.ok(marked >= 3 && marked <= 30, String(marked));
  });

  it('say the same to both', () => {
    const task = { ...tasks[0], status: 'open', dependencies: [], labels: ['api'], due: '2026-05-01' };
    assert.match(lodeFile(task), /^---\nid: TASK-0001\n[^]*status: open\n[^]*labels: \[api\]\n[^]*due_date: 2026-05-01\n/);
    assert.match(peerFile(task), /^---\nid: TASK-1\n[^]*status: To Do\n[^]*labels: \[api\]\n[^]*due_date: '2026-05-01'\n/);
  });
});
