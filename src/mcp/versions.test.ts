import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  CAPABILITIES_KEY,
  callOf,
  createRawClient,
  type RawClient,
  SERVER_INFO_KEY,
  VERSION_KEY,
} from '../../test/support/raw-client.ts';
import { KNOWN_ID, ran } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';
import { missingCapability } from './protocol.ts';

const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} };
const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18'];
const INFO = { name: 'c', version: '1' };
describe.each(['lean', 'sdk'] as const)('eras and versions (%s)', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  beforeAll(async () => {
    server = await startSmallServer(wire);
    client = createRawClient(server.url, 'kob_finance_full');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    ran.length = 0;
  });
  const error = ({ status, body }: Answer) => [status, body.error.code];

  describe('the envelope of 2026', () => {
    it.each([
      ['without params', { headers: {} }, '_meta'],
      ['without _meta', { meta: null }, '_meta'],
      ['without the version', { meta: { [VERSION_KEY]: undefined } }, VERSION_KEY],
      ['without the capabilities', { meta: { [CAPABILITIES_KEY]: undefined } }, CAPABILITIES_KEY],
      ['with null as capabilities', { meta: { [CAPABILITIES_KEY]: null } }, CAPABILITIES_KEY],
      ['with a list as capabilities', { meta: { [CAPABILITIES_KEY]: [] } }, CAPABILITIES_KEY],
      ['with text as capabilities', { meta: { [CAPABILITIES_KEY]: 'x' } }, CAPABILITIES_KEY],
      ['with elicitation: true', { meta: { [CAPABILITIES_KEY]: { elicitation: true } } }, 'elicitation'],
      ['with an unknown log level', { meta: { 'io.modelcontextprotocol/logLevel': 'verbose' } }, 'logLevel'],
    ])('VE-01 VE-05 VE-25 CF-05 UT-11: %s => 400/-32602 that names the key', async (name, changes, key) => {
      const answer =
        name === 'without params'
          ? await client.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover' }), {
              'MCP-Protocol-Version': '2026-07-28',
              'Mcp-Method': 'server/discover',
            })
          : await client.m('server/discover', {}, changes);
      expect(error(answer)).toEqual([400, -32602]);
      expect(answer.body.error.message).toContain(key);
    });

    it.each([
      ['VE-02: no client info', {}],
      ['VE-03: any client info', { 'io.modelcontextprotocol/clientInfo': { name: 'admin', version: '1' } }],
      [
        'VE-06: unknown keys',
        { 'com.example/x': 1, [CAPABILITIES_KEY]: { holograms: {}, extensions: { 'a/b': {} } } },
      ],
      ['UT-11: a known log level', { 'io.modelcontextprotocol/logLevel': 'debug' }],
      ['UT-13: a malformed traceparent', { traceparent: 'x' }],
      [
        'UT-15: the tasks extension',
        { [CAPABILITIES_KEY]: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      ],
    ])('%s changes nothing', async (_name, meta) => {
      const answer = await client.m('tools/call', callOf('finance_items_get', { id: KNOWN_ID }), { meta });
      const plain = await client.m('tools/call', callOf('finance_items_get', { id: KNOWN_ID }));
      expect([answer.status, answer.body]).toEqual([200, plain.body]);
    });

    it.each([
      ['C-77: a malformed client info', { 'io.modelcontextprotocol/clientInfo': 7 }],
      ['VE-06: a malformed capability we do not use', { [CAPABILITIES_KEY]: { sampling: true } }],
      ['UT-08: a fractional progress token', { progressToken: 1.5 }],
    ])('%s is ignored by our own path and refused by the SDK', async (_name, meta) => {
      expect((await client.m('tools/list', {}, { meta })).status).toBe(wire === 'lean' ? 200 : 400);
    });

    it('VE-04: judges capabilities by the request they came with', async () => {
      const call = callOf('finance_items_delete', { id: KNOWN_ID });
      expect(
        (await client.m('tools/call', call, { capabilities: { elicitation: {} } })).body.result.resultType,
      ).toBe('input_required');
      expect((await client.m('tools/call', call)).body.result.isError).toBe(true);
    });
  });

  describe('versions', () => {
    const unknown = { meta: { [VERSION_KEY]: 'v999.0.0' }, headers: { 'MCP-Protocol-Version': 'v999.0.0' } };

    it('VE-20 VE-21: an unknown version is told the known ones', async () => {
      const answer = await client.m('tools/list', {}, unknown);
      expect(error(answer)).toEqual([400, -32022]);
      expect(answer.body.error.data).toEqual({ supported: VERSIONS, requested: 'v999.0.0' });
      expect((await client.m('server/discover')).body.result.supportedVersions).toEqual(VERSIONS);
    });

    it('VE-22: the version is judged before the method', async () => {
      expect(error(await client.m('foo/bar', {}, unknown))).toEqual([400, -32022]);
    });

    it('VE-23: a 2025 version in a 2026 envelope runs nothing', async () => {
      const answer = await client.m('tools/call', callOf('finance_items_get', { id: KNOWN_ID }), {
        meta: { [VERSION_KEY]: '2025-11-25' },
        headers: { 'MCP-Protocol-Version': '2025-11-25' },
      });
      expect(error(answer)).toEqual([400, -32022]);
      expect(ran).toEqual([]);
    });

    it('VE-24: an unknown header version without an envelope is refused', async () => {
      const answer = await client.l('tools/list', {}, { headers: { 'MCP-Protocol-Version': '1999-01-01' } });
      expect(error(answer)).toEqual([400, -32022]);
      expect(answer.body.error.data).toEqual({ supported: VERSIONS, requested: '1999-01-01' });
    });

    it('VE-26: both eras are served in any order', async () => {
      for (const [era, resultType] of [
        ['m', 'complete'],
        ['l', undefined],
        ['m', 'complete'],
      ] as const) {
        expect((await client[era]('tools/list', {})).body.result.resultType).toBe(resultType);
      }
    });

    it('VE-27: initialize under a 2026 header is a contradiction', async () => {
      const answer = await client.l(
        'initialize',
        { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO },
        { headers: { 'MCP-Protocol-Version': '2026-07-28' } },
      );
      expect(error(answer)).toEqual([400, -32020]);
    });
  });

  describe('discovery', () => {
    it('VE-40 VE-41 VE-44 CO-01 PR-15: says exactly what is served', async () => {
      const answer = await client.m('server/discover', {}, { capabilities: {} });
      expect([answer.status, answer.body.result]).toEqual([
        200,
        {
          supportedVersions: VERSIONS,
          capabilities: CAPABILITIES,
          instructions: 'Static instructions.',
          resultType: 'complete',
          ttlMs: 3_600_000,
          cacheScope: 'public',
          _meta: { [SERVER_INFO_KEY]: { name: 'kobana-finance', version: '1.2.3' } },
        },
      ]);
    });

    it('VE-43: is the same for everybody', async () => {
      const other = createRawClient(server.url, 'kob_finance_nothing');
      expect((await other.m('server/discover')).text).toBe((await client.m('server/discover')).text);
    });

    it.each([
      ['tools/list', 'tools'],
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
      ['prompts/list', 'prompts'],
    ])('VE-42: %s answers also when there is nothing to see', async (method, key) => {
      const nobody = createRawClient(server.url, 'kob_finance_nothing');
      const { status, body } = await nobody.m(method);
      // The catalog and what rests on it need no permission.
      const names = (body.result[key] as { name: string }[]).map(({ name }) => name);
      const open: Record<string, string[]> = {
        tools: ['finance_catalog_list'],
        resources: ['schemas'],
        prompts: ['catalog_overview'],
      };
      expect([status, names]).toEqual([200, open[key] ?? []]);
    });
  });

  describe('what a 2025 client sees', () => {
    const initialize = (protocolVersion: unknown, capabilities = {}) =>
      client.l('initialize', { protocolVersion, capabilities, clientInfo: INFO });

    it.each([
      ['2025-11-25', '2025-11-25'],
      ['2025-06-18', '2025-06-18'],
      ['2026-07-28', '2025-11-25'],
      ['2025-03-26', '2025-11-25'],
      ['1.0', '2025-11-25'],
    ])('VE-60: asking for %s gets %s', async (asked, given) => {
      expect((await initialize(asked)).body.result.protocolVersion).toBe(given);
    });

    it('VE-61 VE-41: the handshake says who and what', async () => {
      expect((await initialize('2025-11-25')).body.result).toEqual({
        protocolVersion: '2025-11-25',
        capabilities: CAPABILITIES,
        serverInfo: { name: 'kobana-finance', title: 'Small finance', version: '1.2.3' },
        instructions: 'Static instructions.',
      });
      expect((await initialize(7)).body.error.code).toBe(-32602);
    });

    it.each([null, '2025-06-18', '2025-03-26'])(
      'VE-62 VE-63: is served cold, with the version header %s',
      async (version) => {
        const headers = { 'MCP-Protocol-Version': version };
        const list = await client.l('tools/list', {}, { headers });
        expect([list.status, Object.keys(list.body.result)]).toEqual([200, ['tools']]);
        const call = await client.l('tools/call', callOf('finance_items_delete', { id: KNOWN_ID }), {
          headers,
        });
        expect(call.body.result.content[0].text).toContain('confirmation_required');
      },
    );

    it('VE-64: ping is answered', async () => {
      const answer = await client.l('ping');
      expect([answer.status, answer.body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    });

    it('VE-68: ignores a task parameter', async () => {
      const plain = await client.l('tools/call', callOf('finance_items_get', { id: KNOWN_ID }));
      const task = await client.l('tools/call', {
        ...callOf('finance_items_get', { id: KNOWN_ID }),
        task: { ttl: 60_000 },
      });
      expect(task.body).toEqual(plain.body);
    });

    it('VE-69: is never asked, whatever it declares', async () => {
      await initialize('2025-11-25', { elicitation: {} });
      const answer = await client.l('tools/call', callOf('finance_items_delete', { id: KNOWN_ID }));
      expect(answer.body.result.isError).toBe(true);
      expect(answer.text).toContain('confirmation_required');
      expect(answer.text).not.toContain('elicitation/create');
    });

    it('VE-70: a state and a yes from 2026 mean nothing, and stay unspent', async () => {
      const capabilities = { elicitation: {} };
      const asked = await client.m('tools/call', callOf('finance_items_delete', { id: KNOWN_ID }), {
        capabilities,
      });
      const resend = callOf('finance_items_delete', { id: KNOWN_ID }, asked.body.result.requestState);
      expect((await client.l('tools/call', resend)).body.result.content[0].text).toContain(
        'confirmation_required',
      );
      expect(ran).toEqual([]);
      expect((await client.m('tools/call', resend, { capabilities })).body.result.structuredContent).toEqual({
        deleted: true,
      });
      const odd = { ...callOf('finance_items_get', { id: KNOWN_ID }), requestState: 5, inputResponses: null };
      expect((await client.l('tools/call', odd)).body.result.structuredContent.id).toBe(KNOWN_ID);
    });
  });

  it('CF-84: a missing capability would be named as an object', () => {
    const { code, httpStatus, data } = missingCapability({ elicitation: { form: {} } });
    expect([code, httpStatus, data]).toEqual([
      -32021,
      400,
      { requiredCapabilities: { elicitation: { form: {} } } },
    ]);
  });
});
