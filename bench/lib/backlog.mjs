// The backlog as it grows, beside Backlog.md (the npm package backlog.md), both over stdio.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.mjs';
import { lodeId, makeTasks, peerId, query } from './backlog_tree.mjs';

// What both are asked: Lode by an address, Backlog.md by a tool of its MCP server. It has no
// board there; its list without a filter is grouped by status too.
export const questions = {
  board: { uri: 'mcp://backlog/board', call: ['task_list', { limit: 100 }] },
  list: { uri: 'mcp://backlog/tasks?status=open', call: ['task_list', { status: 'To Do', limit: 100 }] },
  ready: { uri: 'mcp://backlog/tasks?ready=true', call: ['task_list', { ready: true, limit: 100 }] },
  search: { uri: `mcp://backlog/tasks?q=${query}`, call: ['task_search', { query, limit: 20 }] },
};

const rest = 500;  // ms

const legacy = '2025-06-18';  // the newest that Backlog.md speaks

// Lode, asked in turn with another server.
class Lode {
  constructor(command, env) {
    this.client = new Client(command, env);
  }

  // Until every task is known.
  async opened() {
    const { client } = this;
    const first_ms = await client.until(client.began, 'mcp://backlog/tasks', () => true, 0);
    return { first_ms, ms: await client.until(client.began, 'mcp://backlog/tasks', (page) => !page.incomplete, 2) };
  }

  ask({ uri }) {
    return this.client.read(uri);
  }

  write(n, text) {
    return this.client.call('backlog_manage', { operations: [{ op: 'comment', id: lodeId(n), text }] });
  }

  view(n) {
    return this.client.read(`mcp://backlog/tasks/${lodeId(n)}`);
  }
}

// Backlog.md, by the tools of its MCP server.
class Peer {
  constructor(command, env) {
    this.client = new Client(command, env);
  }

  // It knows all tasks when it has answered for the first time.
  async opened() {
    await this.client.ask('initialize', { protocolVersion: legacy, capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
    this.client.send({ method: 'notifications/initialized' });
    await this.ask(questions.list);
    const ms = performance.now() - this.client.began;
    return { first_ms: ms, ms };
  }

  ask({ call: [name, args] }) {
    return this.client.call(name, args);
  }

  write(n, text) {
    return this.client.call('task_edit', { id: peerId(n), notesAppend: [text] });
  }

  view(n) {
    return this.client.call('task_view', { id: peerId(n) });
  }
}

export class Backlog {
  constructor(runner, programs) {
    Object.assign(this, { runner, programs, site: runner.site, ...runner.amounts.backlog });
    this.root = join(this.site.root, 'backlog');
    this.env = { ...process.env, XDG_STATE_HOME: this.site.state, XDG_CONFIG_HOME: this.site.state };
    this.parties = this.counts.flatMap((count) => [
      { server: 'lode', count }, ...(programs.backlog_md && count <= this.peerMost ? [{ server: 'peer', count }] : [])]);
  }

  folder(count, server) {
    return join(this.root, String(count), server);
  }

  // state: the name of Lode's state directory.
  open({ server, count }, { state, flags = [] }) {
    const folder = this.folder(count, server);
    if (server === 'peer') return new Peer([this.programs.backlog_md, 'mcp', 'start', '--cwd', folder], this.env);
    return new Lode(this.runner.servers.lode(undefined, { workspace: folder, flags }),
      { ...this.env, XDG_STATE_HOME: join(this.root, String(count), state) });
  }

  take(sample) {
    this.runner.take({ scenario: 'backlog', ...sample });
  }

  // Who is first changes.
  turns(repeat) {
    return repeat % 2 ? [...this.parties].reverse() : this.parties;
  }

  async run() {
    this.makeTrees();
    for (let repeat = 0; repeat < this.repeats; repeat += 1) {
      this.runner.say(`backlog: opening ${repeat + 1}/${this.repeats}`);
      for (const party of this.turns(repeat)) await this.openings(party, repeat);
    }
    await this.asking();
    rmSync(this.root, { recursive: true });
  }

  makeTrees() {
    for (const count of this.counts) {
      this.runner.say(`backlog: ${count} tasks`);
      const wanted = this.parties.filter((party) => party.count === count).map(({ server }) => [server, this.folder(count, server)]);
      makeTasks(Object.fromEntries(wanted), count);
    }
  }

  // The first time with nothing known, and again, each with a search. Backlog.md keeps nothing: it
  // is opened once, and stands beside both. Memory is what it has a moment later, when what the
  // opening needed has been given back.
  async openings(party, repeat) {
    const state = `state-${repeat}`;
    for (const what of party.server === 'lode' ? ['first', 'second'] : ['first']) {
      const server = this.open(party, { state });
      const opened = await server.opened();
      const cpu_ms = server.client.cpu();
      await server.ask(questions.search);
      opened.found_ms = performance.now() - server.client.began;
      await sleep(rest);
      const sample = { ...party, repeat, ...opened, cpu_ms, rss_kb: server.client.rss(), pss_kb: server.client.pss() };
      this.take({ what, ...sample });
      if (party.server === 'peer') this.take({ what: 'second', ...sample });
      await server.client.close();
    }
  }

  // All at once, in turns, with what the first openings left, but nothing from Lode's cache.
  async asking() {
    const servers = new Map();
    for (const party of this.parties) {
      const server = this.open(party, { state: 'state-0', flags: ['--resources-cache-ttl', '0s'] });
      await server.opened();
      servers.set(party, server);
    }
    for (let repeat = 0; repeat < this.repeats; repeat += 1) {
      this.runner.say(`backlog: asking ${repeat + 1}/${this.repeats}`);
      for (const [what, question] of Object.entries(questions)) {
        for (const party of this.turns(repeat)) await this.question(party, servers.get(party), what, question, repeat);
      }
      for (const party of this.turns(repeat)) await this.changing(party, servers.get(party), repeat);
    }
    for (const [party, server] of servers) {
      this.take({ what: 'memory', ...party, repeat: 0, rss_kb: server.client.rss(), pss_kb: server.client.pss() });
      await server.client.close();
    }
  }

  // Runs it and takes how long it took; the answer.
  async timed(server, labels, ask) {
    const cpu = server.client.cpu();
    const began = performance.now();
    const answer = await ask();
    const ms = performance.now() - began;
    this.take({ ...labels, ms, cpu_ms: server.client.cpu() - cpu, bytes: Buffer.byteLength(answer) });
    return answer;
  }

  async question(party, server, what, question, repeat) {
    for (let i = 0; i < (party.server === 'lode' ? this.asks : 1); i += 1) {
      const answer = await this.timed(server, { what, ...party, repeat }, () => server.ask(question));
      if (!/TASK-\d/.test(answer)) throw new Error(`${party.server}: no task in the answer to ${what}`);
    }
  }

  // A write by the server's own tool, and a read of the same task right after it.
  async changing(party, server, repeat) {
    const n = 1 + (repeat * 37) % party.count;
    const word = `novelty${repeat}`;
    await this.timed(server, { what: 'write', ...party, repeat }, () => server.write(n, word));
    const answer = await this.timed(server, { what: 'after', ...party, repeat }, () => server.view(n));
    if (!answer.includes(word)) throw new Error(`${party.server}: what was written is not in what is read`);
  }
}
