// Source code: the symbols of a large tree, the aspects of a file, and what they cost in tokens.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from './client.mjs';
import { draw, makeTree } from './tree.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const large = 'tests/node_modules/zod/src/v4/classic/schemas.ts';  // about 3,000 lines
const search = (words) => `lode://search?q=${words}&kinds=symbol`;
const aspect = (path, rest) => `resource://file/${path}/${rest}`;
export const aspects = { symbols: 'symbols', structure: 'structure', source: 'source?symbol=ZodType' };
const giveWay = ['nice', '-n', '10'];  // as the index's threads do
const settleMs = 500;  // until the index knows an edit too

// Symbols and their members.
const all = (symbols) => symbols.flatMap((symbol) => [symbol, ...all(symbol.members ?? [])]);

// The seconds that commands need side by side.
async function timed(commands) {
  const began = performance.now();
  await Promise.all(commands.map((command) => new Promise((resolve, reject) => {
    const child = spawn(command[0], command.slice(1), { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command[0]} ended with ${code}`))));
  })));
  return (performance.now() - began) / 1000;
}

export class Code {
  constructor(runner, programs, folder) {
    Object.assign(this, { runner, programs, folder, site: runner.site, amounts: runner.amounts.code });
    this.root = join(this.site.root, 'code');
    this.state = 'state';  // of the tree; made anew for each first index
    mkdirSync(this.root);
  }

  take(sample) {
    this.runner.take({ scenario: 'code', ...sample });
  }

  env(state) {
    return { ...process.env, XDG_STATE_HOME: join(this.root, state), XDG_CONFIG_HOME: join(this.root, state) };
  }

  open(workspace, state) {
    return new Client(this.runner.servers.lode(undefined, { workspace, log: 'info' }), this.env(state));
  }

  async run() {
    this.runner.say('code: the tree');
    this.files = makeTree(this.folder);
    if (this.amounts.every > 1) this.thin();
    this.describe();
    this.bare(-1);  // what reads first finds no file in memory
    for (let repeat = 0; repeat < this.amounts.repeats; repeat += 1) {
      rmSync(join(this.root, this.state), { recursive: true, force: true });
      await this.opening(repeat);
    }
    this.weigh();
    await this.edits();
    await this.economy();
    await this.coldSymbols();
    await this.besideFiles();
    rmSync(this.folder, { recursive: true });
  }

  // A quick run has a part of the files.
  thin() {
    const kept = this.files.filter((_, i) => i % this.amounts.every === 0);
    for (const file of this.files) if (!kept.includes(file)) rmSync(join(this.folder, file.path));
    this.files = kept;
  }

  describe() {
    for (const [language, files] of Object.entries(Object.groupBy(this.files, (file) => file.language))) {
      this.take({ what: 'tree', server: language, files: files.length, bytes: files.reduce((sum, file) => sum + file.bytes, 0) });
    }
  }

  // Who is first changes.
  async opening(repeat) {
    this.runner.say(`code: first index, ${repeat + 1} of ${this.amounts.repeats}`);
    const parts = [() => this.bare(repeat), () => this.first(repeat), () => this.ctags(repeat)];
    for (let i = 0; i < parts.length; i += 1) await parts[(i + repeat) % parts.length]();
    for (let again = 0; again < 3; again += 1) await this.second(repeat);
  }

  bare(repeat) {
    const [program, ...args] = [...giveWay, this.programs.code, 'bare', this.folder];
    const line = execFileSync(program, args, { encoding: 'utf8' });
    if (repeat >= 0) this.take({ what: 'first', server: 'bare', repeat, ...JSON.parse(line) });
  }

  // ctags has one thread: two of it, with every other file each.
  async ctags(repeat) {
    const commands = [0, 1].map((part) => {
      const list = join(this.root, `list-${part}`);
      writeFileSync(list, this.files.filter((_, i) => i % 2 === part).map(({ path }) => `${join(this.folder, path)}\n`).join(''));
      return [...giveWay, 'ctags', '--sort=no', '-f', '-', '--map-JavaScript=+.cjs', '--map-TypeScript=+.mts',
        '--map-TypeScript=+.cts', '--map-C++=+.ipp', '-L', list];
    });
    this.take({ what: 'first', server: 'ctags', repeat, seconds: await timed(commands) });
  }

  async first(repeat) {
    const client = this.open(this.folder, this.state);
    const { at, files, symbols } = await client.event('symbols are known');
    const cpu_seconds = client.cpu() / 1000;
    this.take({ what: 'first', server: 'lode', repeat, seconds: (at - client.began) / 1000, cpu_seconds,
      files: Number(files), symbols: Number(symbols) });
    await client.read(search('parse'));
    this.take({ what: 'memory', server: 'first', repeat, rss_kb: client.rss() });
    await client.close();
  }

  async second(repeat) {
    const client = this.open(this.folder, this.state);
    const ms = await client.until(client.began, search('parse'), ({ incomplete }) => !incomplete, 5);
    this.take({ what: 'second', server: 'lode', repeat, seconds: ms / 1000, cpu_ms: client.cpu() });
    this.take({ what: 'memory', server: 'second', repeat, rss_kb: client.rss() });
    await client.close();
  }

  // The index alone, made and then loaded.
  weigh() {
    const state = join(this.root, 'weighed');
    mkdirSync(state);
    for (const server of ['made', 'loaded']) {
      const found = JSON.parse(execFileSync(this.programs.code, ['index', this.folder, state], { encoding: 'utf8' }));
      const disk = ['symbols.index', 'outlines.db'].map((name) => statSync(join(state, name)).size);
      this.take({ what: 'weight', server, ...found, index_each: found.index_bytes / found.symbols,
        heap_each: found.heap_bytes / found.symbols, disk_each: disk[0] / found.symbols,
        outlines_each: disk[1] / found.symbols });
    }
  }

  // From the writing of a file until a search finds what is new in it.
  async edits() {
    this.runner.say('code: edits');
    const client = this.open(this.folder, this.state);
    await client.until(client.began, search('parse'), ({ incomplete }) => !incomplete, 100);
    const file = join(this.folder, this.files.find(({ language, lines }) => language === 'typescript' && lines > 500).path);
    const text = readFileSync(file, 'utf8');
    for (let repeat = 0; repeat < this.amounts.edits; repeat += 1) {
      const name = `novelty${repeat}`;
      const began = performance.now();
      writeFileSync(file, `${text}\nexport function ${name}() {}\n`);
      const seen_ms = await client.until(began, search(name), ({ hits }) => hits.length > 0, 1);
      this.take({ what: 'edit', server: 'lode', repeat, seen_ms });
    }
    await client.close();
    writeFileSync(file, text);
  }

  // Tokens of the file, of what is said of it, and of its tree.
  async economy() {
    this.runner.say('code: tokens');
    const { get_encoding: encoding } = createRequire(join(repository, 'tests/package.json'))('tiktoken');
    const encoder = encoding('o200k_base');
    const tokens = (text) => encoder.encode(text, [], []).length;
    const client = this.open(this.folder, this.state);
    for (const { path, language, lines } of draw(this.files)) {
      const ask = (rest) => client.read(aspect(path, rest));
      const symbols = all(JSON.parse(await ask('symbols?compact=false')).symbols);
      const named = symbols.filter(({ kind }) => kind === 'function' || kind === 'method');
      const some = named.length > 0 ? named : symbols;
      const texts = {
        symbols: await ask('symbols'),
        structure: await ask('structure'),
        source: some.length > 0 ? await ask(`source?lines=${some[some.length >> 1].lines}`) : undefined,
        ast: await ask('ast?compact=false').catch(() => undefined),  // it may be too long
      };
      const counts = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text === undefined ? null : tokens(text)]));
      this.take({ what: 'tokens', server: path, language, lines, file: tokens(readFileSync(join(this.folder, path), 'utf8')), ...counts });
    }
    await client.close();
  }

  // One file of about 3,000 lines in a workspace of its own: read right after each edit, before
  // the watcher has told of it, and then again.
  async coldSymbols() {
    this.runner.say('code: a file of 3,000 lines');
    this.small = join(this.root, 'small');
    mkdirSync(this.small);
    const file = join(this.small, 'schemas.ts');
    copyFileSync(join(repository, large), file);
    const text = readFileSync(file, 'utf8');
    const client = this.open(this.small, 'small-state');
    await client.event('symbols are known');
    const read = async (what, repeat) => {
      const cpu = client.cpu();
      const began = performance.now();
      const answer = await client.read(aspect('schemas.ts', 'symbols'));
      const ms = performance.now() - began;
      this.take({ what, server: 'lode', repeat, ms, cpu_ms: client.cpu() - cpu, lines: text.split('\n').length - 1,
        file_bytes: Buffer.byteLength(text), bytes: Buffer.byteLength(answer), tokens: JSON.parse(answer).tokens });
    };
    for (let repeat = 0; repeat < this.amounts.edits; repeat += 1) {
      writeFileSync(file, `${text}// ${repeat}\n`);
      await read('cold', repeat);
      await sleep(settleMs);
      await read('warm', repeat);
    }
    for (const [name, rest] of Object.entries(aspects)) {
      writeFileSync(join(this.small, `${name}.txt`), await client.read(aspect('schemas.ts', rest)));
    }
    await client.close();
  }

  // A warm aspect beside a file that holds the same text: many short turns, since what else the
  // machine does changes a single one by more than the two differ.
  async besideFiles() {
    this.runner.say('code: warm aspects beside files');
    const { warm, measure, repeats } = this.amounts.beside;
    const phase = (name, uri, connections) => ({ name: `${name}/${connections}`, method: 'resources/read', params: { uri },
      expect: 'ZodType', connections, warm: { seconds: warm }, measure: { seconds: measure } });
    const phases = Object.entries(aspects).flatMap(([name, rest]) => [1, 64].flatMap((connections) => [
      phase(name, aspect('schemas.ts', rest), connections),
      phase(`file-${name}`, this.site.uri(this.small, `${name}.txt`), connections)]));
    for (const transport of ['http', 'stdio']) {
      const spec = transport === 'http'
        ? await this.runner.servers.lodeSpec('lode', { workspace: this.small })
        : { name: 'lode', command: this.runner.servers.lode(undefined, { workspace: this.small }), trigger: '' };
      const plan = { transport, era: 'modern', servers: [spec], phases, repeats };
      await this.runner.measure('load', plan, { scenario: 'code', what: 'beside', transport });
    }
  }
}
