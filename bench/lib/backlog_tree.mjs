// Trees of tasks for the benchmark: the same tasks as Lode's files and as Backlog.md's.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { numbers, wordsOf } from './words.mjs';

// A word that stands in one of a hundred tasks.
export const query = 'quartz';
const share = 0.01;
const bodyWords = 300;
const labels = ['api', 'backend', 'bug', 'build', 'cache', 'cli', 'docs', 'frontend', 'http', 'index', 'infra', 'logs', 'parser',
  'policy', 'search', 'security', 'storage', 'tests', 'ui', 'watcher'];
const priorities = ['high', 'medium', 'low'];
const statuses = { open: 'To Do', in_progress: 'In Progress', done: 'Done' };

const date = (day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);

// Three of five are done, as in a backlog that has been in use; what depends on others depends on
// some of the fifty before it.
function taskOf(n, random) {
  const chance = () => random.next().value;
  const pick = (list) => list[Math.floor(chance() * list.length)];
  const some = (most, make) => [...new Set(Array.from({ length: Math.floor(chance() * (most + 1)) }, make))];
  const at = chance();
  const status = at < 0.6 ? 'done' : at < 0.65 ? 'in_progress' : 'open';
  const dependencies = n > 50 ? some(2, () => n - 1 - Math.floor(chance() * 50)) : [];
  const marks = chance() < share ? [query] : [];
  return {
    n, status, dependencies, labels: some(3, () => pick(labels)), priority: pick(priorities),
    due: chance() < 0.3 ? date(Math.floor(chance() * 700)) : '', created: date(n % 320),
    title: `Task ${n} ${wordsOf(random, 6)}`, body: [wordsOf(random, bodyWords), ...marks].join(' '),
  };
}

// The same tasks for the same count, one after another.
export function* tasksOf(count) {
  const random = numbers(count);
  for (let n = 1; n <= count; n += 1) yield taskOf(n, random);
}

export const lodeId = (n) => `TASK-${String(n).padStart(4, '0')}`;
export const peerId = (n) => `TASK-${n}`;

const list = (values) => `[${values.join(', ')}]`;

export function lodeFile({ n, status, dependencies, labels: marks, priority, due, created, title, body }) {
  return `---\nid: ${lodeId(n)}\ntitle: ${title}\nstatus: ${status}\ndependencies: ${list(dependencies.map(lodeId))}\n`
    + `labels: ${list(marks)}\npriority: ${priority}\n${due && `due_date: ${due}\n`}created_at: ${created}T09:00:00Z\n`
    + `updated_at: ${created}T09:00:00Z\n---\n\n## Description\n\n${body}\n\n## Acceptance criteria\n\n- [ ] It works\n`;
}

export function peerFile({ n, status, dependencies, labels: marks, priority, due, created, title, body }) {
  return `---\nid: ${peerId(n)}\ntitle: ${title}\nstatus: ${statuses[status]}\nassignee: []\ncreated_date: '${created} 09:00'\n`
    + `updated_date: '${created} 09:00'\nlabels: ${list(marks)}\ndependencies: ${list(dependencies.map(peerId))}\n`
    + `priority: ${priority}\nordinal: ${n * 1000}\n${due && `due_date: '${due}'\n`}---\n\n## Description\n\n`
    + `<!-- SECTION:DESCRIPTION:BEGIN -->\n${body}\n<!-- SECTION:DESCRIPTION:END -->\n\n## Acceptance Criteria\n`
    + '<!-- AC:BEGIN -->\n- [ ] #1 It works\n<!-- AC:END -->\n';
}

// As `backlog init --defaults --no-git` writes it: it looks at files only, at no branches.
const peerConfig = `project_name: "bench"
default_status: "To Do"
statuses: ["To Do", "In Progress", "Done"]
labels: []
date_format: yyyy-mm-dd
max_column_width: 20
auto_open_browser: false
remote_operations: false
auto_commit: false
filesystem_only: true
bypass_git_hooks: false
check_active_branches: false
active_branch_days: 30
task_prefix: "task"
`;

function folderOf(workspace, ...parts) {
  const folder = join(workspace, ...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
}

// Makes both trees, or that of Lode alone: workspaces of their own, without git.
export function makeTasks({ lode, peer }, count) {
  const here = folderOf(lode, '.lode/backlog/tasks');
  const there = peer && folderOf(peer, 'backlog/tasks');
  if (peer) writeFileSync(join(peer, 'backlog/config.yml'), peerConfig);
  for (const task of tasksOf(count)) {
    writeFileSync(join(here, `${lodeId(task.n)}.md`), lodeFile(task));
    if (peer) writeFileSync(join(there, `task-${task.n} - ${task.title.replaceAll(' ', '-')}.md`), peerFile(task));
  }
}
