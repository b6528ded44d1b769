// A minimal server on the TypeScript SDK v2: the files of a directory as
// resources, each read once and then kept. The low-level Server, because a new
// one is made for every HTTP request and this is its cheapest form.
//
//   node server.mjs DIRECTORY         over standard input and output
//   node server.mjs DIRECTORY PORT    over HTTP on 127.0.0.1
import { readFile } from 'node:fs/promises';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { Server, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [directory, port] = process.argv.slice(2);
const subscriptions = 20_000;

const resources = readdirSync(directory, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.startsWith('readme'))
  .map((entry) => {
    const info = statSync(join(directory, entry.name));
    return {
      uri: `file://${join(directory, entry.name)}`,
      name: entry.name,
      mimeType: 'text/plain',
      size: info.size,
      annotations: { lastModified: info.mtime.toISOString() },
    };
  });

const texts = new Map();

async function textOf(uri) {
  let text = texts.get(uri);
  if (text === undefined) {
    text = await readFile(fileURLToPath(uri), 'utf8');
    texts.set(uri, text);
  }
  return text;
}

const cacheable = { ttlMs: 0, cacheScope: 'private' };

function makeServer() {
  const server = new Server(
    { name: 'typescript-sdk', version: '2.4.0' },
    { capabilities: { resources: { subscribe: true } } },
  );
  server.setRequestHandler('resources/list', async () => ({ resources, ...cacheable }));
  server.setRequestHandler('resources/read', async (request) => {
    const { uri } = request.params;
    return { contents: [{ uri, mimeType: 'text/plain', text: await textOf(uri) }], ...cacheable };
  });
  return server;
}

if (port === undefined) {
  serveStdio(makeServer);
} else {
  const handler = createMcpHandler(makeServer, { maxSubscriptions: subscriptions });
  process.on('SIGUSR2', () => handler.notify.resourceUpdated(`file://${join(directory, 'watched.txt')}`));
  createServer(toNodeHandler(handler)).listen(Number(port), '127.0.0.1');
}
