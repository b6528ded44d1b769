// What RESULTS.md says of source code.
import { aspects } from './code.mjs';
import { digits, median, pairedRatios, spread } from './stats.mjs';
import { quotient, quotients, range, table } from './report.mjs';

const whole = (value) => Math.round(value).toLocaleString('en-US');
const share = (value) => (Number.isFinite(value) ? `${digits(value * 100)} %` : '–');

class CodeReport {
  constructor(report) {
    this.report = report;
    this.tree = this.of({ what: 'tree' });
    this.megabytes = this.tree.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
    this.files = this.tree.reduce((sum, { files }) => sum + files, 0);
  }

  of(filter) {
    return this.report.of({ scenario: 'code', ...filter });
  }

  cell(filter, field) {
    return this.report.cell({ scenario: 'code', ...filter }, field);
  }

  description() {
    const parts = this.tree.map(({ server, files, bytes }) => `${server} ${digits(bytes / 1e6)} MB in ${whole(files)}`);
    const symbols = this.of({ what: 'first', server: 'lode' })[0]?.symbols;
    return `The tree has ${digits(this.megabytes)} MB in ${whole(this.files)} files of Debian's and npm's packages
(${parts.join(', ')}), and ${whole(symbols)} symbols.
"Parser and query" is tree-sitter with one parser a thread and the query of the outline, on both processors;
its queries were compiled before. Reading the files is in all figures, from memory. ctags has one thread:
two ran side by side, with half of the files each. All give way to other programs (\`nice\` 10), as the
index's threads do; on a busy machine look at the CPU.`;
  }

  firstRow(server, label) {
    const seconds = this.cell({ what: 'first', server }, 'seconds');
    const speed = spread(this.of({ what: 'first', server }).map((sample) => this.megabytes / sample.seconds));
    const by = (field) => quotients(spread(pairedRatios(
      this.of({ what: 'first', server: 'lode' }), this.of({ what: 'first', server }), field)));
    return [label, range(seconds), range(speed), range(this.cell({ what: 'first', server }, 'cpu_seconds')),
      server === 'lode' ? '' : by('seconds'), server === 'bare' ? by('cpu_seconds') : ''];
  }

  firstTable() {
    return table(['first index', 'seconds', 'MB/s', 'CPU seconds', "Lode's time by it", "Lode's CPU by it"], [
      this.firstRow('bare', 'parser and query'),
      this.firstRow('lode', 'Lode, from the start of the process'),
      this.firstRow('ctags', 'ctags, two processes')]);
  }

  largeFile() {
    const { lines = NaN, file_bytes = NaN, bytes, tokens } = this.of({ what: 'warm' })[0] ?? {};
    return [`\`symbols\` of ${whole(lines)} lines of TypeScript (zod's \`schemas.ts\`, ${digits(file_bytes / 1000)} KB)`,
      `${digits(bytes / 1000)} KB, ${whole(tokens)} tokens`];
  }

  restTable() {
    const [name, size] = this.largeFile();
    const ms = (value) => digits(value * 1000);
    const memory = (server) => range(this.cell({ what: 'memory', server }, 'rss_kb'), (value) => digits(value / 1024));
    const weight = (field) => `${range(this.cell({ what: 'weight', server: 'made' }, field))}, ${range(this.cell({ what: 'weight', server: 'loaded' }, field))}`;
    return table(['', ''], [
      ['second start until all symbols are known, ms', range(this.cell({ what: 'second' }, 'seconds'), ms)],
      ['CPU of the second start, ms', range(this.cell({ what: 'second' }, 'cpu_ms'))],
      ['memory (RSS) after the first index, MB', memory('first')],
      ['memory (RSS) after the second start, MB', memory('second')],
      ['memory of the search index for a symbol, made and loaded, B', weight('index_each')],
      ['all memory that the symbols take, for each, made and loaded, B', weight('heap_each')],
      ['files of the index for a symbol, B', range(this.cell({ what: 'weight', server: 'loaded' }, 'disk_each'))],
      ['kept outlines (SQLite) for a symbol, B', range(this.cell({ what: 'weight', server: 'loaded' }, 'outlines_each'))],
      ['an edit until a search finds the new symbol, ms', range(this.cell({ what: 'edit' }, 'seen_ms'))],
      [name, size],
      ['… right after an edit, ms', range(this.cell({ what: 'cold' }, 'ms'))],
      ['… CPU of that, ms', range(this.cell({ what: 'cold' }, 'cpu_ms'))],
      ['… again, ms', range(this.cell({ what: 'warm' }, 'ms'))],
      ['… by ZMCPTools, as measured apart from this run', '1,500 ms and 130 KB, each time'],
    ]);
  }

  besideTable() {
    const rows = ['http', 'stdio'].flatMap((transport) => [1, 64].flatMap((count) => Object.keys(aspects).map((aspect) => {
      const at = (phase) => ({ what: 'beside', transport, phase: `${phase}/${count}` });
      const bytes = median(this.of(at(`file-${aspect}`)).map((sample) => sample.bytes));
      return [`${transport === 'http' ? 'HTTP' : 'stdio'}, ${count}: \`${aspect}\`, ${digits(bytes / 1000)} KB answers`,
        range(this.cell(at(aspect), 'cpu_us')), range(this.cell(at(`file-${aspect}`), 'cpu_us')),
        quotients(spread(pairedRatios(this.of(at(aspect)), this.of(at(`file-${aspect}`)), 'cpu_us')))];
    })));
    return table(['warm, CPU µs: transport, connections, aspect', 'the aspect', 'a file of its text', 'quotient'], rows);
  }

  tokenTable() {
    const samples = this.of({ what: 'tokens' });
    const row = ({ server, lines, file, symbols, structure, source, ast }) => [
      `\`${server.replace(/^\w+\/(?:include|tests|build\/sources\/usr\/(?:lib|share))\//, '')}\``, whole(lines), whole(file),
      ...[symbols, structure, source].map((tokens) => (tokens ? `${whole(tokens)} (${share(tokens / file)})` : '–')),
      ast ? `${whole(ast)} (${quotient(ast / file)})` : 'too long'];
    const of = (field) => median(samples.filter((sample) => sample[field]).map((sample) => sample[field] / sample.file));
    return table(['tokens (o200k_base)', 'lines', 'file', '`symbols`', '`structure`', '`source` of one function', '`ast`, whole'], [
      ...samples.map(row),
      ['**median**', '', '', share(of('symbols')), share(of('structure')), share(of('source')), quotient(of('ast'))]]);
  }

  text() {
    if (this.tree.length === 0) return 'Not measured.';
    return [this.description(), this.firstTable(), this.restTable(), this.besideTable(),
      `Twenty files of 200 to 2,000 lines, drawn by the hash of their paths, with what is said of each instead of its text:`,
      this.tokenTable()].join('\n\n');
  }
}

export const codeSection = (report) => new CodeReport(report).text();
