// What RESULTS.md says of the backlog.
import { digits, pairedRatios, spread } from './stats.mjs';
import { quotients, range, table } from './report.mjs';

const rows = [
  ['first', 'first open: start until all tasks are known'],
  ['second', 'second open'],
  ['board', '`board`'],
  ['list', 'a page of the open tasks'],
  ['ready', '`ready`'],
  ['search', 'a search'],
  ['write', 'a write'],
  ['after', 'a read right after it'],
];

const words = `Lode and Backlog.md 1.52.0 (npm) over stdio, in turns, each on the same tasks in its own form: 300 words of body,
up to two dependencies and three labels, a priority, in three of ten a due date; three of five are done. No git; what
Lode keeps is off for the questions (\`--resources-cache-ttl 0s\`), so that each answer is made. The clock counts what
else the machine does; the CPU (all threads) does not.

| | Lode | Backlog.md, the tools of \`backlog mcp start\` |
| --- | --- | --- |
| open | until a list no longer says that it is incomplete | \`initialize\` and the first \`task_list\`; it keeps nothing, so that the second open is the first |
| \`board\` | \`mcp://backlog/board\` | \`task_list\`, 100 tasks by status; it has no board there |
| a page | \`mcp://backlog/tasks?status=open\` | \`task_list\` of status "To Do", 100 tasks |
| \`ready\` | \`mcp://backlog/tasks?ready=true\` | \`task_list\` with \`ready\`, 100 tasks |
| a search | \`mcp://backlog/tasks?q=\` of a word in 1 % of the tasks, 20 hits with snippets | \`task_search\` of that word, 20 hits without |
| a write | \`backlog_manage\`: a comment | \`task_edit\`: a note is appended |
| a read | \`mcp://backlog/tasks/{id}\` | \`task_view\` |`;

const elsewhere = `backlog-mcp was measured apart from this run, with 5,050 tasks: first open 9.1 s; list 157–285 ms and 12.7 MB;
search 235–291 ms; a read right after a write 0.95–1.8 s; memory 463 MB.`;

class BacklogReport {
  constructor(report) {
    this.report = report;
    this.counts = [...new Set(this.of({ what: 'first' }).map(({ count }) => count))].sort((a, b) => a - b);
    this.peers = this.counts.filter((count) => this.of({ what: 'first', server: 'peer', count }).length > 0);
  }

  of(filter) {
    return this.report.of({ scenario: 'backlog', ...filter });
  }

  cell(filter, field, by = 1) {
    return range(this.report.cell({ scenario: 'backlog', ...filter }, field), (value) => digits(value / by));
  }

  heads() {
    return [...this.counts.map((count) => `Lode, ${count.toLocaleString('en-US')}`),
      ...this.peers.flatMap((count) => [`Backlog.md, ${count.toLocaleString('en-US')}`, 'quotient'])];
  }

  row(label, what, field, by) {
    const at = (server, count) => ({ what, server, count });
    return [label, ...this.counts.map((count) => this.cell(at('lode', count), field, by)),
      ...this.peers.flatMap((count) => [this.cell(at('peer', count), field, by),
        quotients(spread(pairedRatios(this.of(at('lode', count)), this.of(at('peer', count)), field)))])];
  }

  text() {
    if (this.counts.length === 0) return 'Not measured.';
    const sizes = rows.filter(([what]) => !['first', 'second'].includes(what));
    return [words,
      table(['time, ms', ...this.heads()], rows.flatMap(([what, label]) => [this.row(label, what, 'ms'),
        ...(what === 'first' ? [this.row('first open: start until a search is answered', what, 'found_ms')] : [])])),
      table(['CPU, ms', ...this.heads()], rows.map(([what, label]) => this.row(label, what, 'cpu_ms'))),
      table(['memory, MB', ...this.heads()], [['rss_kb', 'RSS of the server'], ['pss_kb', 'PSS with its workers']].flatMap(
        ([field, kind]) => [['first', 'the first open'], ['second', 'the second open'], ['memory', 'all questions']].map(
          ([what, then]) => this.row(`${kind}, after ${then}`, what, field, 1024)))),
      table(['answers, KB', ...this.heads()], sizes.map(([what, label]) => this.row(label, what, 'bytes', 1000))),
      elsewhere].join('\n\n');
  }
}

export const backlogSection = (report) => new BacklogReport(report).text();
