// The TypeScript SDK v2: the client that speaks 2026-07-28, alone or after asking
// which era a server is of, and the legacy revisions too.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import {
  Client,
  LOG_LEVEL_META_KEY,
  ResourceNotFoundError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
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

const modern = '2026-07-28';
const legacy = '2025-11-25';
const watched = 'test://watched-resource';
const roots = [{ uri: 'file:///srv/project', name: 'project' }];
const able = { elicitation: { form: {} }, sampling: {}, roots: {} };

const form = {
  name: 'Ada',
  color: 'blue',
  ok: true,
  context: 'a test',
  username: 'ada',
  email: 'ada@example.org',
};

function elicited(request) {
  const asked = Object.keys(request.params.requestedSchema.properties);
  return { action: 'accept', content: Object.fromEntries(asked.map((key) => [key, form[key]])) };
}

function sampled(request) {
  const text = `heard: ${request.params.messages[0].content.text}`;
  return { model: 'none', role: 'assistant', content: { type: 'text', text } };
}

// A client, and what it was told.
function makeClient(mode, options = {}) {
  const client = new Client(
    { name: 'sdk-v2', version: '1.0.0' },
    { capabilities: able, versionNegotiation: { mode }, ...options },
  );
  const inboxes = ['updates', 'tools', 'prompts', 'logs'].map((kind) => [kind, new Inbox()]);
  const heard = Object.fromEntries(inboxes);
  const errors = [];
  const keep = (method, inbox) =>
    client.setNotificationHandler(method, (notification) => inbox.put(notification.params));
  keep('notifications/resources/updated', heard.updates);
  keep('notifications/prompts/list_changed', heard.prompts);
  keep('notifications/message', heard.logs);
  if (!options.listChanged) keep('notifications/tools/list_changed', heard.tools);
  if (!options.capabilities) {
    client.setRequestHandler('elicitation/create', elicited);
    client.setRequestHandler('sampling/createMessage', sampled);
    client.setRequestHandler('roots/list', () => ({ roots }));
  }
  client.onerror = (error) => errors.push(error);
  return { client, heard, errors };
}

async function connected(transport, mode, options = {}, connecting = {}) {
  const made = makeClient(mode, options);
  const settings = { timeout: patience, ...connecting };
  await within(made.client.connect(transport, settings), 'the client connects');
  const call = (name, args = {}, more = {}) =>
    made.client.callTool({ name, arguments: args }, { timeout: patience, ...more });
  return { ...made, transport, call };
}

async function overPipe(mode, options) {
  const server = stdioServer({ probed: mode !== 'legacy' });
  const made = await connected(new StdioClientTransport(server), mode, options);
  return { ...made, output: server.output, stop: server.check };
}

async function overHttp(mode, options) {
  const server = await startHttp();
  const exchanges = [];
  const transport = new StreamableHTTPClientTransport(server.url, {
    fetch: recordingFetch(exchanges),
  });
  const made = await connected(transport, mode, options);
  return { ...made, exchanges, server, stop: server.stop };
}

const ways = [['stdio', overPipe], ['HTTP', overHttp]];

for (const [name, open] of ways) {
  describe(`SDK v2 in the modern era over ${name}`, limit, () => {
    let at;

    before(async () => {
      at = await open({ pin: modern });
    }, limit);
    beforeEach(() => {
      for (const inbox of Object.values(at.heard)) inbox.clear();
    });

    it('discovers', limit, async () => {
      assert.equal(at.client.getProtocolEra(), 'modern');
      assert.equal(at.client.getNegotiatedProtocolVersion(), modern);
      assert.deepEqual(at.client.getServerVersion(), serverInfo);
      const found = await at.client.discover();
      assert.ok(found.supportedVersions.includes(modern));
      assert.deepEqual(found.capabilities, capabilities);
    });

    it('lists resources', limit, async () => {
      const { resources } = await at.client.listResources();
      assert.deepEqual(resources.map((resource) => resource.uri), resourceUris);
    });

    it('lists resource templates', limit, async () => {
      const { resourceTemplates } = await at.client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map((template) => template.uriTemplate),
        ['test://template/{id}/data'],
      );
    });

    it('reads a text, with its hints for caches', limit, async () => {
      const result = await at.client.readResource({ uri: 'test://static-text' });
      assert.deepEqual(result.contents, [
        {
          uri: 'test://static-text',
          mimeType: 'text/plain',
          text: 'This is the content of the static text resource.',
        },
      ]);
      assert.ok(result.ttlMs > 0 && result.ttlMs <= 5000, `ttlMs is ${result.ttlMs}`);
      assert.equal(result.cacheScope, 'public');
    });

    it('reads a binary', limit, async () => {
      const { contents } = await at.client.readResource({ uri: 'test://static-binary' });
      assert.deepEqual(contents, [
        { uri: 'test://static-binary', mimeType: 'image/png', blob: png },
      ]);
    });

    it('reads a resource whose address needs escapes', limit, async () => {
      const uri = 'test://template/%E2%82%AC%20%2F/data';
      const { contents } = await at.client.readResource({ uri });
      assert.equal(JSON.parse(contents[0].text).id, '€ /');
      assert.equal(contents[0].uri, uri);
    });

    it('refuses an unknown resource', limit, () =>
      assert.rejects(at.client.readResource({ uri: 'test://nowhere' }), (error) => {
        assert.equal(error.code, -32602);
        assert.deepEqual(error.data, { uri: 'test://nowhere' });
        return true;
      }));

    it('refuses a bad cursor', limit, () =>
      assert.rejects(at.client.listResources({ cursor: 'nonsense' }), { code: -32602 }));

    it('refuses an unknown method', limit, () => {
      const validate = (value) => ({ value });
      const anything = { '~standard': { version: 1, vendor: 'lode', validate } };
      const asked = at.client.request({ method: 'no/such', params: {} }, anything);
      return assert.rejects(asked, (error) => {
        // Over HTTP the status is 404, and the SDK hands out the body as text.
        const said = error.data?.status === 404 ? JSON.parse(error.data.text).error : error;
        assert.equal(said.code, -32601);
        return true;
      });
    });

    it('listens to what it asked for, until it stops', limit, async () => {
      const filter = { resourceSubscriptions: [watched], promptsListChanged: true };
      const subscription = await at.client.listen(filter);
      assert.deepEqual(subscription.honoredFilter, filter);
      await at.call('test_trigger_tool_change');
      await at.call('test_trigger_resource_change');
      await at.call('test_trigger_prompt_change');
      const [update] = await at.heard.updates.first(1, 'an update');
      assert.equal(update.uri, watched);
      await at.heard.prompts.first(1, 'the list of prompts changed');
      assert.deepEqual(at.heard.tools.all, []);

      await subscription.close();
      assert.equal(await subscription.closed, 'local');
      const other = await at.client.listen({ toolsListChanged: true });
      await at.call('test_trigger_resource_change');
      await at.call('test_trigger_tool_change');
      await at.heard.tools.first(1, 'the list of tools changed');
      assert.equal(at.heard.updates.all.length, 1);
      await other.close();
    });

    it('listens twice at once', limit, async () => {
      const first = await at.client.listen({ toolsListChanged: true });
      const second = await at.client.listen({ resourceSubscriptions: [watched] });
      await at.call('test_trigger_tool_change');
      await at.call('test_trigger_resource_change');
      await at.heard.tools.first(1, 'the list of tools changed');
      await at.heard.updates.first(1, 'an update');
      await first.close();
      await at.call('test_trigger_resource_change');
      await at.heard.updates.first(2, 'another update');
      await second.close();
      assert.equal(at.heard.tools.all.length, 1);
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
        argument: { name: 'id', value: 'ro' },
      });
      assert.deepEqual(completion.values, ['rome']);
    });

    it('lists and calls tools', limit, async () => {
      const { tools } = await at.client.listTools();
      assert.equal(tools[0].name, 'test_simple_text');
      const result = await at.call('test_simple_text');
      assert.equal(firstText(result), 'This is a simple text response for testing.');
      const { content } = await at.call('test_image_content');
      assert.deepEqual(content, [{ type: 'image', mimeType: 'image/png', data: png }]);
    });

    it('calls a tool whose argument a header repeats', limit, async () => {
      await at.client.listTools();
      for (const region of ['eu-west', 'Zürich €', ' spaced ', '=?base64?eA==?=']) {
        const result = await at.call('test_x_mcp_header', { region, level: 3 });
        assert.equal(firstText(result), `region=${region}`);
      }
    });

    it('answers with data that the SDK holds against the schema', limit, async () => {
      await at.client.listTools();
      const result = await at.call('test_structured', { n: 21 });
      assert.deepEqual(result.structuredContent, { double: 42 });
    });

    it('fails', limit, async () => {
      assert.equal((await at.call('test_error_handling')).isError, true);
      assert.equal((await at.call('test_structured', { n: -1 })).isError, true);
      await assert.rejects(at.call('no_such_tool'), { code: -32602 });
      await assert.rejects(at.client.getPrompt({ name: 'no_such_prompt' }), { code: -32602 });
    });

    it('asks the user', limit, async () => {
      const greeting = await at.call('test_input_required_result_elicitation');
      assert.equal(firstText(greeting), 'Hello, Ada!');
      assert.equal(
        firstText(await at.call('test_elicitation', { message: 'Who are you?' })),
        'User response: action=accept, content={"username":"ada","email":"ada@example.org"}',
      );
    });

    it('asks the model', limit, async () => {
      const result = await at.call('test_input_required_result_sampling');
      assert.equal(firstText(result), 'heard: What is the capital of France?');
    });

    it('asks for the roots', limit, async () => {
      const result = await at.call('test_input_required_result_list_roots');
      assert.deepEqual(JSON.parse(firstText(result).slice('Roots: '.length)), roots);
    });

    it('asks several things, in several rounds, with a state', limit, async () => {
      const ask = async (name) => firstText(await at.call(`test_input_required_result_${name}`));
      assert.equal(await ask('request_state'), 'state-ok');
      assert.equal(await ask('multiple_inputs'), 'heard: Greet somebody., Ada!');
      assert.equal(await ask('multi_round'), 'Ada likes blue.');
      assert.equal(await ask('capabilities'), 'Thank you.');
    });

    it('lists prompts, gets them, and is asked for one', limit, async () => {
      const { prompts } = await at.client.listPrompts();
      assert.ok(prompts.some((prompt) => prompt.name === 'test_prompt_with_image'));
      const given = { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } };
      const plain = await at.client.getPrompt(given);
      assert.equal(plain.messages[0].content.text, "Prompt with arguments: arg1='a', arg2='b'");
      const asked = await at.client.getPrompt({ name: 'test_input_required_result_prompt' });
      assert.equal(asked.messages[0].content.text, 'The context is: a test');
    });

    it('reports progress', limit, async () => {
      const sent = [0, 50, 100];
      const reports = [];
      await at.call('test_tool_with_progress', {}, {
        onprogress: (report) => reports.push(report.progress),
      });
      // A report that came together with the answer is seen too late.
      assert.deepEqual(reports, sent.slice(0, Math.max(reports.length, 2)));
    });

    it('logs when the request wants it', limit, async () => {
      await at.call('test_logging_tool');
      assert.deepEqual(at.heard.logs.all, []);
      await at.client.callTool({
        name: 'test_logging_tool',
        arguments: {},
        _meta: { [LOG_LEVEL_META_KEY]: 'info' },
      });
      const logs = await at.heard.logs.first(3, 'three messages');
      assert.equal(logs[2].data, 'Tool execution completed');
    });

    it('cancels calls, more of them than there are workers', limit, async () => {
      const abort = new AbortController();
      const calls = Array.from({ length: 8 }, () =>
        at.call('test_slow', {}, { signal: abort.signal }),
      );
      const refused = calls.map((call) => assert.rejects(call));
      await at.client.discover();  // came after the calls, and has been answered
      abort.abort('enough');
      await Promise.all(refused);
      assert.ok(firstText(await at.call('test_simple_text')));
      if (at.output) assert.ok(!JSON.stringify(at.output()).includes('Ten seconds'));
    });

    it('has nothing that the client would call an error', limit, async () => {
      await at.client.discover();
      const expected = /progress notification for an unknown token|no\/such/;  // see above
      assert.deepEqual(at.errors.filter((error) => !expected.test(error.message)), []);
    });

    it('ends well', limit, () => endWell(at));
  });

  describe(`SDK v2 that answers by itself over ${name}`, limit, () => {
    let at;
    const ask = { allowInputRequired: true };

    before(async () => {
      at = await open({ pin: modern }, { inputRequired: { autoFulfill: false } });
    }, limit);

    const tool = 'test_input_required_result_tampered_state';
    const confirm = { confirm: { action: 'accept', content: { ok: true } } };
    const answer = (requestState) =>
      at.client.callTool({ name: tool, arguments: {}, inputResponses: confirm, requestState }, ask);

    it('brings back the state it was given', limit, async () => {
      const asked = await at.call(tool, {}, ask);
      assert.equal(asked.resultType, 'input_required');
      assert.equal(asked.inputRequests.confirm.method, 'elicitation/create');
      assert.equal(firstText(await answer(asked.requestState)), 'state-ok');
    });

    it('may not alter the state', limit, async () => {
      const { requestState } = await at.call(tool, {}, ask);
      const altered = (requestState[0] === 'A' ? 'B' : 'A') + requestState.slice(1);
      await assert.rejects(answer(altered), { code: -32602 });
    });

    it('ends well', limit, () => endWell(at));
  });

  describe(`SDK v2 that can answer nothing over ${name}`, limit, () => {
    let at;

    before(async () => {
      at = await open({ pin: modern }, { capabilities: {} });
    }, limit);

    it('learns which capability it lacks', limit, () =>
      assert.rejects(at.call('test_missing_capability'), (error) => {
        assert.equal(error.code, -32021);
        assert.deepEqual(error.data.requiredCapabilities, { sampling: {} });
        return true;
      }));

    it('ends well', limit, () => endWell(at));
  });

  describe(`SDK v2 that keeps its lists fresh over ${name}`, limit, () => {
    let at;
    const lists = new Inbox();
    const onChanged = (error, tools) => lists.put(error ?? tools);

    before(async () => {
      at = await open({ pin: modern }, { listChanged: { tools: { onChanged } } });
    }, limit);

    it('fetches the list of tools when it changed', limit, async () => {
      assert.deepEqual(at.client.autoOpenedSubscription?.honoredFilter, { toolsListChanged: true });
      await at.call('test_trigger_tool_change');
      const [tools] = await lists.first(1, 'a fresh list');
      assert.equal(tools[0]?.name, 'test_simple_text', String(tools));
    });

    it('ends well', limit, () => endWell(at));
  });

  for (const [mode, era, version] of [['auto', 'modern', modern], ['legacy', 'legacy', legacy]]) {
    describe(`SDK v2 in mode ${mode} over ${name}`, limit, () => {
      let at;

      before(async () => {
        at = await open(mode);
      }, limit);

      it('connects', () => {
        assert.equal(at.client.getProtocolEra(), era);
        assert.equal(at.client.getNegotiatedProtocolVersion(), version);
        assert.deepEqual(at.client.getServerVersion(), serverInfo);
        assert.deepEqual(at.client.getServerCapabilities(), capabilities);
      });

      it('lists', limit, async () => {
        const { resources } = await at.client.listResources();
        assert.deepEqual(resources.map((resource) => resource.uri), resourceUris);
        assert.equal((await at.client.listResourceTemplates()).resourceTemplates.length, 1);
        assert.ok((await at.client.listPrompts()).prompts.length > 0);
      });

      it('reads', limit, async () => {
        const { contents } = await at.client.readResource({ uri: 'test://static-binary' });
        assert.equal(contents[0].blob, png);
        // Whichever code an era has for it, the SDK makes this of it.
        await assert.rejects(
          at.client.readResource({ uri: 'test://nowhere' }),
          ResourceNotFoundError,
        );
      });

      it('calls', limit, async () => {
        await at.client.listTools();
        const result = await at.call('test_structured', { n: 4 });
        assert.deepEqual(result.structuredContent, { double: 8 });
        const asked = await at.call('test_elicitation', { message: 'Who are you?' });
        assert.match(firstText(asked), /action=accept/);
      });

      it('has nothing that the client would call an error', () => assert.deepEqual(at.errors, []));

      it('ends well', limit, () => endWell(at));
    });
  }
}

describe('SDK v2 in the modern era over HTTP, in particular', limit, () => {
  let server;
  const open = [];

  async function join(exchanges = [], connecting = {}) {
    const transport = new StreamableHTTPClientTransport(server.url, {
      fetch: recordingFetch(exchanges),
    });
    const made = await connected(transport, { pin: modern }, {}, connecting);
    open.push(made.client);
    return made;
  }

  async function subscriptions() {
    const metrics = await (await fetch(`${server.base}/metrics`)).text();
    return Number(/^lode_subscriptions (\d+)$/m.exec(metrics)[1]);
  }

  before(async () => {
    server = await startHttp();
  }, limit);

  it('connects without a word to a server that it knows', limit, async () => {
    const discover = (await join()).client.getDiscoverResult();
    const exchanges = [];
    const again = await join(exchanges, { prior: { kind: 'modern', discover } });
    assert.deepEqual(exchanges, []);
    assert.equal((await again.client.listResources()).resources.length, resourceUris.length);
  });

  it('does not read again what is fresh', limit, async () => {
    const exchanges = [];
    const { client } = await join(exchanges);
    const read = () => client.readResource({ uri: 'test://static-text' });
    assert.deepEqual(await read(), await read());
    assert.equal(exchanges.filter(({ body }) => body?.includes('resources/read')).length, 1);
  });

  it('has no session and repeats the request in headers', limit, async () => {
    const exchanges = [];
    const { client, transport } = await join(exchanges);
    await client.readResource({ uri: 'test://static-text' });
    assert.equal(transport.sessionId, undefined);
    const { headers } = exchanges.at(-1);
    assert.equal(headers.get('mcp-protocol-version'), modern);
    assert.equal(headers.get('mcp-method'), 'resources/read');
    assert.equal(headers.get('mcp-name'), 'test://static-text');
  });

  it('keeps two clients apart', limit, async () => {
    const [anna, ben] = [await join(), await join()];
    const hearing = await anna.client.listen({ resourceSubscriptions: [watched] });
    const many = Array.from({ length: 40 }, (_, n) => n);
    const double = async (who, n) => {
      const { structuredContent } = await who.call('test_structured', { n });
      return structuredContent.double;
    };
    const answers = await Promise.all(many.map((n) => double(n % 2 ? anna : ben, n)));
    assert.deepEqual(answers, many.map((n) => 2 * n));
    await ben.call('test_trigger_resource_change');
    await anna.heard.updates.first(1, 'an update for the listener');
    assert.deepEqual(ben.heard.updates.all, []);
    await hearing.close();
  });

  it('leaves no subscription behind', limit, async () => {
    const { client } = await join();
    const before = await subscriptions();
    const subscription = await client.listen({ toolsListChanged: true });
    assert.equal(await subscriptions(), before + 1);
    await subscription.close();
    await eventually(async () => (await subscriptions()) === before, 'the subscription is gone');
  });

  it('hears that its subscription ends with the server, which ends well', limit, async () => {
    const { client } = await join();
    const subscription = await client.listen({ toolsListChanged: true });
    await server.stop();
    assert.equal(await within(subscription.closed, 'the subscription ends'), 'graceful');
    for (const each of open) await each.close();
  });
});
