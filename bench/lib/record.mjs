// Asks Lode what the load generator will ask, and keeps the bytes of its answers
// for the bare loop (bare/main.cc says in which form).
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './servers.mjs';

const patience = 10_000;
const recordedId = 1_000_000_000;  // as bare/main.cc looks for it
let nextId = recordedId;
const versions = { modern: '2026-07-28', legacy: '2025-11-25' };

function message(era, method, params = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': versions.modern,
    'io.modelcontextprotocol/clientInfo': { name: 'mcpbench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const all = era === 'modern' ? { ...params, _meta: meta } : params;
  nextId += 1;  // a client never uses one twice
  return JSON.stringify({ jsonrpc: '2.0', id: nextId, method, params: all });
}

// What is recorded: [the text that tells the request from others, method, params].
function questions(site, era) {
  const read = (...parts) => ['resources/read', { uri: site.uri(site.workspace, ...parts) }];
  const hello = era === 'modern'
    ? ['server/discover', 'server/discover']
    : ['"initialize"', 'initialize',
      { protocolVersion: versions.legacy, capabilities: {}, clientInfo: { name: 'mcpbench', version: '1' } }];
  return [
    hello,
    ['doc-300.txt', ...read('doc-300.txt')],
    ['doc-20000.txt', ...read('doc-20000.txt')],
    ['.cold/300/', ...read('.cold/300/000/000.txt')],
    ['.cold/20000/', ...read('.cold/20000/000/000.txt')],
    ['"resources/list"', 'resources/list'],
  ];
}

function keep(file, match, answer) {
  const bytes = Buffer.from(answer.toString('latin1').replace(String(nextId), String(recordedId)), 'latin1');
  appendFileSync(file, `${Buffer.byteLength(match)} ${bytes.length}\n`);
  appendFileSync(file, Buffer.concat([Buffer.from(match), bytes]));
}

// Collects bytes until they satisfy.
function gather(stream) {
  let bytes = Buffer.alloc(0);
  let wake = () => {};
  stream.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    wake();
  });
  return async (whole) => {
    const until = Date.now() + patience;
    while (!whole(bytes)) {
      if (Date.now() > until) throw new Error(`Lode did not answer: ${bytes}`);
      await Promise.race([new Promise((resolve) => { wake = resolve; }), sleep(100)]);
    }
    const taken = bytes;
    bytes = Buffer.alloc(0);
    return taken;
  };
}

async function recordStdio(servers, era, file) {
  const [program, ...args] = servers.lode();
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const take = gather(child.stdout);
  for (const [match, method, params] of questions(servers.site, era)) {
    child.stdin.write(`${message(era, method, params)}\n`);
    keep(file, match, await take((bytes) => bytes.includes('\n')));
    if (method === 'initialize') {
      child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    }
  }
  child.stdin.end();
  await new Promise((resolve) => child.on('exit', resolve));
}

const wholeResponse = (bytes) => {
  const end = bytes.indexOf('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(bytes.subarray(0, end));
  return end >= 0 && length && bytes.length >= end + 4 + Number(length[1]);
};

async function dial(port) {
  const until = Date.now() + patience;
  while (Date.now() < until) {
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise((resolve) => {
      socket.on('connect', () => resolve(true));
      socket.on('error', () => resolve(false));
    });
    if (open) return socket;
    await sleep(20);
  }
  throw new Error('Lode does not listen');
}

function posted(port, era, method, params, body, session) {
  const headers = [`Host: 127.0.0.1:${port}`, 'Content-Type: application/json',
    'Accept: application/json, text/event-stream'];
  if (method !== 'initialize') headers.push(`MCP-Protocol-Version: ${versions[era]}`);
  if (era === 'modern') headers.push(`Mcp-Method: ${method}`);
  if (era === 'modern' && params?.uri) headers.push(`Mcp-Name: ${params.uri}`);
  if (session) headers.push(`Mcp-Session-Id: ${session}`);
  headers.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `POST /mcp HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}

async function recordHttp(servers, era, file) {
  const port = await freePort();
  const [program, ...args] = servers.lode(port);
  const child = spawn(program, args, { stdio: 'ignore' });
  const socket = await dial(port);
  const take = gather(socket);
  let session = '';
  const ask = async (match, method, params, body) => {
    socket.write(posted(port, era, method, params, body, session));
    const bytes = await take(wholeResponse);
    keep(file, match, bytes);
    session ||= /mcp-session-id: (\S+)/i.exec(bytes)?.[1] ?? '';
  };
  for (const [match, method, params] of questions(servers.site, era)) {
    await ask(match, method, params, message(era, method, params));
    if (method !== 'initialize') continue;
    const then = 'notifications/initialized';
    await ask(then, then, {}, JSON.stringify({ jsonrpc: '2.0', method: then }));
  }
  if (era === 'modern') await recordStream(servers.site, port, file);
  socket.destroy();
  child.kill('SIGTERM');
  await new Promise((resolve) => child.on('exit', resolve));
}

async function recordStream(site, port, file) {
  const method = 'subscriptions/listen';
  const body = message('modern', method,
    { notifications: { resourceSubscriptions: [site.uri(site.watched)] } });
  const socket = await dial(port);
  const take = gather(socket);
  socket.write(posted(port, 'modern', method, {}, body));
  keep(file, method, await take((bytes) => bytes.includes('acknowledged') && bytes.includes('\n\n')));
  await sleep(300);  // until the watcher has begun
  appendFileSync(site.watched, 'changed\n');
  keep(file, '!event', await take((bytes) => bytes.includes('updated') && bytes.includes('\n\n')));
  socket.destroy();
}

// Returns the file.
export async function record(servers, transport, era) {
  const file = join(servers.site.root, `answers-${transport}-${era}`);
  writeFileSync(file, '');
  await (transport === 'http' ? recordHttp : recordStdio)(servers, era, file);
  return file;
}
