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

  // CPU of all its threads so far, in ms.
  cpu() {
    const tasks = `/proc/${this.child.pid}/task`;
    const times = readdirSync(tasks).map((id) => Number(readFileSync(`${tasks}/${id}/schedstat`, 'utf8').split(' ')[0]));
    return times.reduce((sum, time) => sum + time, 0) / 1e6;
  }

  async close() {
    const ended = new Promise((resolve) => this.child.on('exit', resolve));
    this.child.stdin.end();
    await ended;
  }
}
