// The TypeScript SDK v1: the client most hosts are built on. It speaks the legacy
// revisions, over a pipe and over HTTP with sessions.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  Inbox,
  capabilities,
  endWell,
  eventually,
  firstText,
  limit,
  patience,
  png,
  recordingFetch,
  resourceUris,
  serverInfo,
  startHttp,
  stdioServer,
  within,
} from './support.mjs';

const revision = '2025-11-25';
const watched = 'test://watched-resource';
const roots = [{ uri: 'file:///srv/project', name: 'project' }];

// A client that can answer every question, and what it was told.
function makeClient(name = 'sdk-v1') {
  const client = new Client(
    { name, version: '1.0.0' },
    { capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } } },
  );
  const inboxes = ['updates', 'tools', 'prompts', 'logs'].map((kind) => [kind, new Inbox()]);
  const heard = Object.fromEntries(inboxes);
  const errors = [];
  const keep = (schema, inbox) =>
    client.setNotificationHandler(schema, (notification) => inbox.put(notification.params));
  keep(ResourceUpdatedNotificationSchema, heard.updates);
  keep(ToolListChangedNotificationSchema, heard.tools);
  keep(PromptListChangedNotificationSchema, heard.prompts);
  keep(LoggingMessageNotificationSchema, heard.logs);
  client.setRequestHandler(ElicitRequestSchema, (request) => elicited(request, name));
  client.setRequestHandler(CreateMessageRequestSchema, (request) => sampled(request, name));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  client.onerror = (error) => errors.push(error);
  return { client, heard, errors };
}

function elicited(request, name) {
  assert.equal(request.params.message, 'Who are you?');
  assert.deepEqual(request.params.requestedSchema.required, ['username', 'email']);
  return { action: 'accept', content: { username: name, email: `${name}@example.org` } };
}

function sampled(request, name) {
  const [message] = request.params.messages;
  const words = `${name} heard: ${message.content.text}`;
  return { model: 'none', role: 'assistant', content: { type: 'text', text: words } };
}

async function connected(transport, name) {
  const made = makeClient(name);
  await within(made.client.connect(transport), 'the client connects');
  return { ...made, transport, call: caller(made.client) };
}

function caller(client) {
  return (name, args = {}, options = {}) =>
    client.callTool({ name, arguments: args }, undefined, { timeout: patience, ...options });
}

async function overPipe() {
  const server = stdioServer();
  const made = await connected(new StdioClientTransport(server));
  return { ...made, output: server.output, stop: server.check };
}

async function overHttp() {
  const server = await startHttp();
  const exchanges = [];
  const transport = new StreamableHTTPClientTransport(server.url, {
    fetch: recordingFetch(exchanges),
  });
  return { ...(await connected(transport)), exchanges, stop: server.stop };
}

for (const [name, open] of [['stdio', overPipe], ['HTTP', overHttp]]) {
  describe(`SDK v1 over ${name}`, limit, () => {
    let at;

    before(async () => {
      at = await open();
    }, limit);
    beforeEach(() => {
      for (const inbox of Object.values(at.heard)) inbox.clear();
    });

    it('initializes', () => {
      assert.deepEqual(at.client.getServerVersion(), serverInfo);
      assert.deepEqual(at.client.getServerCapabilities(), capabilities);
      if (name === 'HTTP') {
        assert.equal(at.transport.protocolVersion, revision);
        assert.match(at.transport.sessionId, /^[\x21-\x7e]+$/);
      } else {
        assert.equal(at.output()[0].result.protocolVersion, revision);
      }
    });

    it('answers a ping', limit, () => at.client.ping());

    it('lists resources', limit, async () => {
      const { resources, nextCursor } = await at.client.listResources();
      assert.deepEqual(resources.map((resource) => resource.uri), resourceUris);
      assert.equal(resources[1].mimeType, 'image/png');
      assert.equal(nextCursor, undefined);
    });

    it('lists resource templates', limit, async () => {
      const { resourceTemplates } = await at.client.listResourceTemplates();
      assert.deepEqual(resourceTemplates, [
        {
          uriTemplate: 'test://template/{id}/data',
          name: 'Template Resource',
          description: 'A resource for each id',
          mimeType: 'application/json',
        },
      ]);
    });

    it('reads a text', limit, async () => {
      const { contents } = await at.client.readResource({ uri: 'test://static-text' });
      assert.deepEqual(contents, [
        {
          uri: 'test://static-text',
          mimeType: 'text/plain',
          text: 'This is the content of the static text resource.',
        },
      ]);
    });

    it('reads a binary', limit, async () => {
      const { contents } = await at.client.readResource({ uri: 'test://static-binary' });
      assert.deepEqual(contents, [
        { uri: 'test://static-binary', mimeType: 'image/png', blob: png },
      ]);
    });

    it('reads a resource of a template', limit, async () => {
      const { contents } = await at.client.readResource({ uri: 'test://template/7%2F8/data' });
      assert.deepEqual(JSON.parse(contents[0].text).id, '7/8');
    });

    it('refuses an unknown resource', limit, async () => {
      await assert.rejects(at.client.readResource({ uri: 'test://nowhere' }), (error) => {
        assert.equal(error.code, -32002);
        assert.deepEqual(error.data, { uri: 'test://nowhere' });
        return true;
      });
    });

    it('refuses a bad cursor', limit, () =>
      assert.rejects(at.client.listResources({ cursor: 'nonsense' }), { code: -32602 }));

    it('tells a subscriber of changes, until it unsubscribes', limit, async () => {
      await at.client.subscribeResource({ uri: watched });
      await at.call('test_trigger_resource_change');
      assert.deepEqual(await at.heard.updates.first(1, 'an update'), [{ uri: watched }]);

      await at.client.unsubscribeResource({ uri: watched });
      await at.call('test_trigger_resource_change');
      // It takes the same way to the client, later.
      await at.call('test_trigger_tool_change');
      await at.heard.tools.first(1, 'the list of tools changed');
      assert.equal(at.heard.updates.all.length, 1);
    });

    it('tells of changed lists', limit, async () => {
      await at.call('test_trigger_tool_change');
      await at.call('test_trigger_prompt_change');
      await at.heard.tools.first(1, 'the list of tools changed');
      await at.heard.prompts.first(1, 'the list of prompts changed');
    });

    it('completes an argument of a prompt', limit, async () => {
      const { completion } = await at.client.complete({
        ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
        argument: { name: 'arg1', value: 'par' },
      });
      assert.deepEqual(completion.values, ['paris', 'park', 'party']);
    });

    it('completes a variable of a template', limit, async () => {
      const { completion } = await at.client.complete({
        ref: { type: 'ref/resource', uri: 'test://template/{id}/data' },
        argument: { name: 'id', value: '' },
      });
      assert.deepEqual(completion.values, ['paris', 'park', 'party', 'rome', '1', '2']);
    });

    it('lists tools', limit, async () => {
      const { tools } = await at.client.listTools();
      assert.equal(tools[0].name, 'test_simple_text');
      for (const tool of tools) assert.equal(tool.inputSchema.type, 'object', tool.name);
      const structured = tools.find((tool) => tool.name === 'test_structured');
      assert.deepEqual(structured.outputSchema.required, ['double']);
    });

    it('calls a tool that answers with a text', limit, async () => {
      const result = await at.call('test_simple_text');
      assert.equal(firstText(result), 'This is a simple text response for testing.');
      assert.ok(!result.isError);
    });

    it('calls a tool that answers with an image', limit, async () => {
      const { content } = await at.call('test_image_content');
      assert.deepEqual(content, [{ type: 'image', mimeType: 'image/png', data: png }]);
    });

    it('calls a tool that answers with several kinds of content', limit, async () => {
      const { content } = await at.call('test_multiple_content_types');
      assert.deepEqual(content.map((item) => item.type), ['text', 'image', 'resource']);
      assert.equal(content[2].resource.uri, 'test://mixed-content-resource');
    });

    it('calls a tool that fails', limit, async () => {
      const result = await at.call('test_error_handling');
      assert.equal(result.isError, true);
      assert.equal(firstText(result), 'This tool intentionally returns an error for testing');
    });

    it('calls a tool that breaks, and keeps its secrets', limit, async () => {
      const outcome = await at.call('test_throw').catch((error) => error);
      assert.ok(outcome instanceof Error || outcome.isError, 'a failure');
      assert.doesNotMatch(`${outcome.message} ${JSON.stringify(outcome)}`, /secret of the tool/);
    });

    it('refuses an unknown tool', limit, () =>
      assert.rejects(at.call('no_such_tool'), { code: -32602 }));

    it('answers with data that the SDK holds against the schema', limit, async () => {
      await at.client.listTools();
      const result = await at.call('test_structured', { n: 21 });
      assert.deepEqual(result.structuredContent, { double: 42 });
      assert.deepEqual(JSON.parse(firstText(result)), { double: 42 });
    });

    it('fails a call whose arguments the schema forbids', limit, async () => {
      const result = await at.call('test_structured', { n: -1 });
      assert.equal(result.isError, true);
    });

    it('reports progress', limit, async () => {
      const sent = [
        { progress: 0, total: 100, message: 'begun' },
        { progress: 50, total: 100, message: 'half' },
        { progress: 100, total: 100, message: 'done' },
      ];
      const reports = [];
      const onprogress = (report) => reports.push(report);
      await at.call('test_tool_with_progress', {}, { onprogress });
      // The SDK forgets the token before it looks at a report that came together
      // with the answer: it may miss the last one.
      assert.deepEqual(reports, sent.slice(0, Math.max(reports.length, 2)));
      assert.deepEqual(await progressSent(at), sent.map((report) => report.progress));
    });

    it('asks the user in the middle of a call', limit, async () => {
      const result = await at.call('test_elicitation', { message: 'Who are you?' });
      assert.equal(
        firstText(result),
        'User response: action=accept, content={"username":"sdk-v1","email":"sdk-v1@example.org"}',
      );
    });

    it('asks the model in the middle of a call', limit, async () => {
      const result = await at.call('test_sampling', { prompt: 'Sing.' });
      assert.equal(firstText(result), 'LLM response: sdk-v1 heard: Sing.');
    });

    it('asks for the roots in the middle of a call', limit, async () => {
      const result = await at.call('test_input_required_result_list_roots');
      assert.deepEqual(JSON.parse(firstText(result).slice('Roots: '.length)), roots);
    });

    it('lists prompts', limit, async () => {
      const { prompts } = await at.client.listPrompts();
      const prompt = prompts.find(({ name }) => name === 'test_prompt_with_arguments');
      assert.deepEqual(prompt.arguments.map((argument) => argument.name), ['arg1', 'arg2']);
    });

    it('gets prompts', limit, async () => {
      const plain = await at.client.getPrompt({
        name: 'test_prompt_with_arguments',
        arguments: { arg1: 'a', arg2: 'b' },
      });
      assert.equal(plain.messages[0].content.text, "Prompt with arguments: arg1='a', arg2='b'");
      const embedding = await at.client.getPrompt({
        name: 'test_prompt_with_embedded_resource',
        arguments: { resourceUri: 'test://x' },
      });
      assert.equal(embedding.messages[0].content.resource.uri, 'test://x');
    });

    it('refuses an unknown prompt', limit, () =>
      assert.rejects(at.client.getPrompt({ name: 'no_such_prompt' }), { code: -32602 }));

    it('logs from the level that the client sets', limit, async () => {
      await at.client.setLoggingLevel('error');
      await at.call('test_tool_with_logging');
      assert.deepEqual(at.heard.logs.all, []);

      await at.client.setLoggingLevel('info');
      await at.call('test_tool_with_logging');
      const logs = await at.heard.logs.first(3, 'three messages');
      assert.deepEqual(logs.map((log) => log.data), [
        'Tool execution started',
        'Tool processing data',
        'Tool execution completed',
      ]);
      assert.deepEqual(logs[0], { level: 'info', logger: 'fixture', data: logs[0].data });
    });

    it('cancels calls, more of them than there are workers', limit, async () => {
      const abort = new AbortController();
      const calls = Array.from({ length: 8 }, () =>
        at.call('test_slow', {}, { signal: abort.signal }),
      );
      const refused = calls.map((call) => assert.rejects(call));
      // Over HTTP the cancellation is another request and must not overtake: what came
      // after the calls has been answered.
      await at.client.ping();
      abort.abort('enough');
      await Promise.all(refused);
      assert.ok(firstText(await at.call('test_simple_text')));
      assert.ok(await silentAbout(at, 'Ten seconds have passed.'));
    });

    it('has nothing that the client would call an error', limit, async () => {
      await at.client.ping();
      const late = /progress notification for an unknown token/;  // see 'reports progress'
      assert.deepEqual(at.errors.filter((error) => !late.test(error.message)), []);
    });

    it('ends well', limit, () => endWell(at));
  });
}

// The answers to the requests that hold the words, as text, once they are complete.
async function answersTo(at, words) {
  const asked = at.exchanges.filter(({ body }) => body?.includes(words));
  await eventually(() => asked.every(({ answer }) => answer !== undefined), 'all answers ended');
  return asked.map(({ answer }) => answer);
}

async function silentAbout(at, words) {
  const said = at.output ? [JSON.stringify(at.output())] : await answersTo(at, 'test_slow');
  return !said.some((text) => text.includes(words));
}

async function progressSent(at) {
  const said = at.output
    ? at.output().map((message) => JSON.stringify(message))
    : (await answersTo(at, 'test_tool_with_progress')).flatMap((text) => text.split('\n'));
  return said
    .filter((line) => line.includes('"notifications/progress"'))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))).params.progress);
}

describe('SDK v1 sessions over HTTP', limit, () => {
  let server;
  const open = [];

  async function join(name, options = {}) {
    const transport = new StreamableHTTPClientTransport(server.url, options);
    const made = await connected(transport, name);
    open.push(made.client);
    return made;
  }

  before(async () => {
    server = await startHttp();
  }, limit);

  it('keeps two clients apart', limit, async () => {
    const [anna, ben] = [await join('anna'), await join('ben')];
    assert.notEqual(anna.transport.sessionId, ben.transport.sessionId);

    const many = Array.from({ length: 40 }, (_, n) => n);
    const doubles = (who, plus) =>
      Promise.all(many.map(async (n) => {
        const result = await who.call('test_structured', { n: n + plus });
        return result.structuredContent.double;
      }));
    const [ofAnna, ofBen] = await Promise.all([doubles(anna, 0), doubles(ben, 1000)]);
    assert.deepEqual(ofAnna, many.map((n) => 2 * n));
    assert.deepEqual(ofBen, many.map((n) => 2 * (n + 1000)));
  });

  it('asks each client its own questions', limit, async () => {
    const [anna, ben] = [await join('anna'), await join('ben')];
    const ask = (who) => who.call('test_sampling', { prompt: 'Name?' });
    const answers = await Promise.all([ask(anna), ask(ben), ask(anna), ask(ben)]);
    assert.deepEqual(answers.map(firstText), [
      'LLM response: anna heard: Name?',
      'LLM response: ben heard: Name?',
      'LLM response: anna heard: Name?',
      'LLM response: ben heard: Name?',
    ]);
  });

  it('tells each client what it subscribed to, and logs to whom it serves', limit, async () => {
    const [anna, ben] = [await join('anna'), await join('ben')];
    await anna.client.subscribeResource({ uri: watched });
    await anna.client.setLoggingLevel('debug');
    await ben.client.setLoggingLevel('debug');
    await ben.call('test_trigger_resource_change');
    await ben.call('test_trigger_tool_change');
    await ben.call('test_tool_with_logging');
    await anna.heard.updates.first(1, 'an update for the subscriber');
    await ben.heard.tools.first(1, 'a changed list for everybody');
    await ben.heard.logs.first(3, 'logs for the caller');
    assert.deepEqual(ben.heard.updates.all, []);
    assert.deepEqual(anna.heard.logs.all, []);
  });

  it('comes back for its answer after the server let it go', limit, async () => {
    const exchanges = [];
    const carl = await join('carl', { fetch: recordingFetch(exchanges) });
    const tokens = [];
    const result = await carl.call('test_reconnection', {}, {
      onresumptiontoken: (token) => tokens.push(token),
    });
    assert.equal(firstText(result), 'Reconnection test completed successfully.');
    const resumed = exchanges.filter(({ headers }) => headers.has('last-event-id'));
    assert.equal(resumed.length, 1);
    assert.equal(resumed[0].method, 'GET');
    assert.equal(resumed[0].headers.get('last-event-id'), tokens[0]);
  });

  it('takes up its session on a new connection', limit, async () => {
    const before = await join('dora');
    const { sessionId } = before.transport;
    await before.client.close();

    const transport = new StreamableHTTPClientTransport(server.url, { sessionId });
    const again = await connected(transport, 'dora');
    open.push(again.client);
    transport.setProtocolVersion(revision);
    assert.ok(firstText(await again.call('test_simple_text')));
    assert.equal(transport.sessionId, sessionId);
  });

  it('ends a session', limit, async () => {
    const emil = await join('emil');
    const { sessionId } = emil.transport;
    await emil.transport.terminateSession();
    assert.equal(emil.transport.sessionId, undefined);

    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': sessionId,
        'mcp-protocol-version': revision,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    assert.equal(response.status, 404);
    await response.text();
  });

  it('ends well', limit, async () => {
    for (const client of open) await client.close();
    await server.stop();
  });
});
