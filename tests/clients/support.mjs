// Starts the server under test, listens to it, and holds it to its manners: it
// ends with status 0, writes nothing but messages to standard output, and no
// sanitizer complains. LODE_SERVER names the binary.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const patience = 20_000;  // for what should take milliseconds
export const limit = { timeout: 60_000 };  // for a whole test

export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const serverInfo = {
  name: 'lode-fixture',
  title: 'Lode conformance fixture',
  version: '1.0.0',
};
export const capabilities = {
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
};
export const resourceUris = [
  'test://static-text',
  'test://static-binary',
  'test://watched-resource',
];

const tap = fileURLToPath(new URL('tap.mjs', import.meta.url));
const sanitizerReport = /ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error:/;

function binary() {
  const path = process.env.LODE_SERVER;
  assert.ok(path, 'LODE_SERVER must name the server binary');
  accessSync(path, constants.X_OK);
  return path;
}

// The promise's value, or an error that says what did not happen in time.
export async function within(promise, what, milliseconds = patience) {
  const late = new AbortController();
  const alarm = sleep(milliseconds, undefined, { signal: late.signal }).then(() => {
    throw new Error(`in ${milliseconds} ms, not: ${what}`);
  });
  try {
    return await Promise.race([promise, alarm]);
  } finally {
    late.abort();
    alarm.catch(() => {});
  }
}

// Asks again and again until the answer is true.
export async function eventually(question, what) {
  const until = Date.now() + patience;
  while (!(await question())) {
    if (Date.now() > until) throw new Error(`in ${patience} ms, not: ${what}`);
    await sleep(20);
  }
}

// Things that arrive at some time, kept until somebody wants them.
export class Inbox {
  all = [];
  #wanting = new Set();

  put(item) {
    this.all.push(item);
    for (const wake of this.#wanting) wake();
  }

  clear() {
    this.all = [];
  }

  // The first `count` items, once there are so many.
  async first(count, what) {
    await this.#until(() => this.all.length >= count, what);
    return this.all.slice(0, count);
  }

  async #until(ready, what) {
    let wake;
    const arrived = new Promise((resolve) => {
      wake = () => ready() && resolve();
    });
    this.#wanting.add(wake);
    wake();
    try {
      await within(arrived, what);
    } catch (error) {
      throw new Error(`${error.message}; arrived: ${JSON.stringify(this.all)}`);
    } finally {
      this.#wanting.delete(wake);
    }
  }
}

function checkLog(log) {
  assert.doesNotMatch(log, sanitizerReport, log);
}

function isMessage(value) {
  if (value?.jsonrpc !== '2.0') return false;
  return 'method' in value || 'result' in value || 'error' in value;
}

// The messages of what was written so far, all but an unfinished line.
function messagesOf(output) {
  return output.split('\n').slice(0, -1).map((line) => {
    const message = JSON.parse(line);
    assert.ok(isMessage(message), `no message: ${line}`);
    return message;
  });
}

export const firstText = (result) => result.content[0].text;

// The last test of a group, and no hook: the runner reports a hook that fails after
// the tests, but does not count it.
export async function endWell(at) {
  await at.client.close();
  await at.stop();
}

// ---- over HTTP ----

// Keeps the requests, and the text of each answer once it is complete.
export function recordingFetch(exchanges) {
  return async (url, init) => {
    const exchange = { method: init.method, headers: new Headers(init.headers), body: init.body };
    exchanges.push(exchange);
    const response = await fetch(url, init);
    if (init.method === 'POST') {
      response.clone().text().then((text) => (exchange.answer = text), () => {});
    }
    return response;
  };
}

// Answers with the port that the server's log names.
async function portOf(child, log) {
  const lines = createInterface({ input: child.stderr });
  const found = new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      log.push(line);
      if (line.includes('"event":"listening"')) resolve(Number(JSON.parse(line).port));
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`ended with ${code}: ${log.join('\n')}`)));
  });
  const port = await within(found, 'the server listens');
  assert.ok(port > 0, `a port, not ${port}`);
  return port;
}

export async function startHttp() {
  const child = spawn(binary(), ['--http', '127.0.0.1:0', '--no-stdio'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (bytes) => (output += bytes));
  const log = [];
  try {
    const port = await portOf(child, log);
    const base = `http://127.0.0.1:${port}`;
    const stop = async () => {
      child.kill('SIGTERM');
      try {
        assert.deepEqual(await within(ended, 'the server ends'), { code: 0, signal: null });
      } finally {
        child.kill('SIGKILL');
      }
      assert.equal(output, '', 'standard output without a pipe client');
      checkLog(log.join('\n'));
    };
    return { url: new URL(`${base}/mcp`), base, stop };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

// ---- over a pipe ----

// What a client needs to start the server on a pipe. With `probed`, the client
// starts a second server to find out which protocol it speaks, and kills that one
// without waiting: it may end by the signal, or without anybody to tell its status.
export function stdioServer({ probed = false } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'lode-clients-'));
  const read = (name) => readFileSync(join(directory, name), 'utf8');
  const has = (name) => readdirSync(directory).includes(name);
  const runs = () =>
    readdirSync(directory)
      .filter((name) => name.endsWith('.out'))
      .map((name) => name.slice(0, -'.out'.length));
  const settled = (run) => has(`${run}.ended`) || (probed && has(`${run}.told`));

  const output = () => runs().flatMap((run) => messagesOf(read(`${run}.out`)));
  const check = async () => {
    await eventually(() => runs().every(settled), 'every server ended');
    const statuses = runs()
      .filter((run) => !(probed && has(`${run}.told`)))
      .map((run) => JSON.parse(read(`${run}.ended`)));
    assert.ok(statuses.length > 0, 'a server was started and ended');
    for (const status of statuses) assert.deepEqual(status, { code: 0, signal: null });
    for (const run of runs()) checkLog(read(`${run}.err`));
    for (const run of runs()) assert.match(read(`${run}.out`), /^$|\n$/, 'half a line');
    output();
    rmSync(directory, { recursive: true, maxRetries: 5 });
  };
  return {
    command: process.execPath,
    args: [tap, directory, binary()],
    env: { ...process.env },
    stderr: 'ignore',
    output,
    check,
  };
}
