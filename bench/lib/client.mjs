// Lode over stdio, asked one thing at a time.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const patience = 120_000;

export class Client {
  constructor(command, env) {
    this.began = performance.now();
    this.child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'pipe'], env });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.heard = [];  // what it logged: {at, event, …}
    createInterface({ input: this.child.stderr }).on('line', (line) => {
      if (line.startsWith('{')) this.heard.push({ at: performance.now(), ...JSON.parse(line) });
    });
    this.id = 0;
  }

  async read(uri) {
    this.id += 1;
    const params = { uri, _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    } };
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: this.id, method: 'resources/read', params })}\n`);
    const answer = JSON.parse((await this.lines.next()).value);
    if (answer.error) throw new Error(`${uri}: ${answer.error.message}`);
    return answer.result.contents[0].text;
  }

  // Asks until it is so; the milliseconds since a time.
  async until(since, uri, holds, pause) {
    const deadline = performance.now() + patience;
    while (!holds(JSON.parse(await this.read(uri)))) {
      if (performance.now() > deadline) throw new Error(`${uri}: not within ${patience} ms`);
      await sleep(pause);
    }
    return performance.now() - since;
  }

  // Waits until it logs the event.
  async event(name) {
    const deadline = performance.now() + patience;
    for (;;) {
      const found = this.heard.find(({ event }) => event === name);
      if (found) return found;
      if (performance.now() > deadline) throw new Error(`"${name}" was not logged within ${patience} ms`);
      await sleep(5);
    }
  }

  rss() {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))[1]);
  }

  // CPU of all threads of it and of its worker processes so far, in ms.
  cpu(pid = this.child.pid) {
    const tasks = `/proc/${pid}/task`;
    const file = (id, name) => {
      try {
        return readFileSync(`${tasks}/${id}/${name}`, 'utf8').trim();
      } catch {
        return '';  // it has ended meanwhile
      }
    };
    return readdirSync(tasks).reduce((sum, id) => {
      const children = file(id, 'children').split(' ').filter(Boolean);
      return sum + Number(file(id, 'schedstat').split(' ')[0]) / 1e6 + children.reduce((all, child) => all + this.cpu(child), 0);
    }, 0);
  }

  async close() {
    const ended = new Promise((resolve) => this.child.on('exit', resolve));
    this.child.stdin.end();
    await ended;
  }
}
