// The Inspector's command line: one client process a question, in both eras, over
// a pipe and over HTTP. It neither completes nor subscribes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import {
  capabilities,
  firstText,
  limit,
  png,
  resourceUris,
  serverInfo,
  startHttp,
  stdioServer,
  within,
} from './support.mjs';

const inspector = (() => {
  const description = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/inspector/package.json',
  );
  return join(dirname(description), 'clients/launcher/build/index.js');
})();

const status = { ok: 0, refused: 1, toolFailed: 5 };

// A directory with the Inspector's configuration and its home.
function makeHome(server) {
  const home = mkdtempSync(join(tmpdir(), 'lode-inspector-'));
  mkdirSync(join(home, 'home'));
  const config = join(home, 'config.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { fixture: server } }));
  return { home, config };
}

function collect(stream) {
  let text = '';
  stream.setEncoding('utf8').on('data', (more) => (text += more));
  return () => text;
}

// Runs the Inspector once: its exit status, and the JSON on both outputs.
async function inspect({ home, config }, method, ...options) {
  const args = ['--cli', '--config', config, '--server', 'fixture', '--format', 'json', '--quiet'];
  const child = spawn(process.execPath, [inspector, ...args, '--method', method, ...options], {
    env: { ...process.env, HOME: join(home, 'home'), MCP_INSPECTOR_SECRET_STORE: 'memory' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const closed = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  try {
    const code = await within(closed, `the Inspector ends ${method}`, 40_000);
    const read = (text) => (text === '' ? {} : JSON.parse(text));
    return { code, out: out(), err: err(), ...read(out()), ...read(err()) };
  } finally {
    child.kill('SIGKILL');
  }
}

async function overPipe(protocolEra) {
  const server = stdioServer({ probed: protocolEra !== 'legacy' });
  const { command, args } = server;
  return { ...makeHome({ command, args, protocolEra }), stop: server.check };
}

async function overHttp(protocolEra) {
  const server = await startHttp();
  const entry = { type: 'streamable-http', url: server.url.href, protocolEra };
  return { ...makeHome(entry), stop: server.stop };
}

const eras = [['legacy', '2025-11-25'], ['modern', '2026-07-28'], ['auto', '2026-07-28']];
const ways = [['stdio', overPipe], ['HTTP', overHttp]];
const together = { timeout: 240_000 };

// One describe of tests that run side by side, and after them all the last one.
for (const [era, version] of eras) {
  for (const [name, open] of ways) {
    describe(`Inspector, ${era} over ${name}`, together, () => {
      let at;

      before(async () => {
        at = await open(era);
      }, limit);

      describe('asks', { ...together, concurrency: 3 }, () => {
        const ask = asker(() => at);
        testConnection(ask, version);
        // 'auto' ends in one of the other eras: enough that it finds its way there.
        if (era === 'auto') return;
        testReading(ask);
        testFailing(() => at);
        if (era === 'legacy') testLogLevel(ask);
      });

      it('ends well', limit, async () => {
        await at.stop();
        rmSync(at.home, { recursive: true });
      });
    });
  }
}

// Asks a method that should succeed; the promise is of its result.
function asker(current) {
  return async (method, ...options) => {
    const { code, result, err } = await inspect(current(), method, ...options);
    assert.equal(code, status.ok, err);
    assert.equal(err, '');
    return result;
  };
}

function testConnection(ask, version) {
  it('connects', limit, async () => {
    const result = await ask('initialize');
    assert.deepEqual(result, { serverInfo, protocolVersion: version, capabilities });
  });

  it('resources/list', limit, async () => {
    const { resources } = await ask('resources/list');
    assert.deepEqual(resources.map((resource) => resource.uri), resourceUris);
  });

  it('resources/read of a text', limit, async () => {
    const { contents } = await ask('resources/read', '--uri', 'test://static-text');
    assert.equal(contents[0].text, 'This is the content of the static text resource.');
  });
}

function testReading(ask) {
  it('resources/templates/list', limit, async () => {
    const { resourceTemplates } = await ask('resources/templates/list');
    assert.equal(resourceTemplates[0].uriTemplate, 'test://template/{id}/data');
  });

  it('resources/read of a binary', limit, async () => {
    const { contents } = await ask('resources/read', '--uri', 'test://static-binary');
    assert.equal(contents[0].blob, png);
  });

  it('tools/list, with schemas that any client can use', limit, async () => {
    const { tools } = await ask('tools/list', '--strict');
    assert.equal(tools[0].name, 'test_simple_text');
  });

  it('tools/call', limit, async () => {
    const result = await ask('tools/call', '--tool-name', 'test_structured', '--tool-arg', 'n=4');
    assert.deepEqual(result.structuredContent, { double: 8 });
    assert.deepEqual(JSON.parse(firstText(result)), { double: 8 });
  });

  it('prompts/list', limit, async () => {
    const { prompts } = await ask('prompts/list');
    assert.equal(prompts[0].name, 'test_simple_prompt');
  });

  it('prompts/get', limit, async () => {
    const given = ['--prompt-args', 'arg1=a', 'arg2=b'];
    const { messages } = await ask(
      'prompts/get', '--prompt-name', 'test_prompt_with_arguments', ...given);
    assert.equal(messages[0].content.text, "Prompt with arguments: arg1='a', arg2='b'");
  });
}

function testFailing(current) {
  it('resources/read of nothing', limit, async () => {
    const { code, out, error } = await inspect(
      current(), 'resources/read', '--uri', 'test://nowhere');
    assert.equal(code, status.refused);
    assert.equal(out, '');
    assert.equal(error.message, 'no such resource');
  });

  it('tools/call that fails', limit, async () => {
    const { code, result, error } = await inspect(
      current(), 'tools/call', '--tool-name', 'test_error_handling');
    assert.equal(code, status.toolFailed);
    assert.equal(result.isError, true);
    assert.equal(error.code, 'tool_is_error');
  });

  it('tools/call that would ask, where nobody can answer', limit, async () => {
    const { code, error } = await inspect(
      current(), 'tools/call', '--tool-name', 'test_elicitation', '--tool-arg', 'message=Hello');
    assert.equal(code, status.refused);
    assert.match(error.message, /elicitation/);
  });
}

function testLogLevel(ask) {
  it('logging/setLevel', limit, async () => {
    assert.deepEqual(await ask('logging/setLevel', '--log-level', 'warning'), {});
  });
}
