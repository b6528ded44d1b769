// Lode over stdio, asked one thing at a time.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const patience = 600_000;
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

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

  send(message) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  // The result; what it says of itself meanwhile is passed over.
  async ask(method, params) {
    this.id += 1;
    this.send({ id: this.id, method, params });
    for (;;) {
      const { value } = await this.lines.next();
      if (value === undefined) throw new Error(`${method}: the server has ended`);
      const answer = JSON.parse(value);
      if (answer.id !== this.id) continue;
      if (answer.error) throw new Error(`${params.uri ?? params.name ?? method}: ${answer.error.message}`);
      return answer.result;
    }
  }

  async read(uri) {
    return (await this.ask('resources/read', { uri, _meta })).contents[0].text;
  }

  async call(name, args) {
    const { content, isError } = await this.ask('tools/call', { name, arguments: args, _meta });
    if (isError) throw new Error(`${name}: ${content[0].text}`);
    return content[0].text;
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

  // Proportional memory of it and of its worker processes, in KB.
  pss(pid = this.child.pid) {
    try {
      const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]);
      const children = readdirSync(`/proc/${pid}/task`).flatMap((id) =>
        readFileSync(`/proc/${pid}/task/${id}/children`, 'utf8').split(' ').filter(Boolean));
      return children.reduce((sum, child) => sum + this.pss(child), own);
    } catch {
      return 0;  // it has ended meanwhile
    }
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
