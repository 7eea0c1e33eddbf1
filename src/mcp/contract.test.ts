import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf, createRawClient, type RawClient, SERVER_INFO_KEY } from '../../test/support/raw-client.ts';
import { KNOWN_ID } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';

const CODES_2026 = new Set([-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022, -31000]);
const CACHED = [
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
];

/** One request of every method that both eras have, and what fails in every way a method can. */
const REQUESTS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['tools/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['prompts/list', {}],
  ['tools/call', callOf('finance_items_get', { id: KNOWN_ID })],
  ['tools/call', callOf('finance_items_get', { id: 'x' })],
  ['tools/call', callOf('finance_items_delete', { id: KNOWN_ID })],
  ['tools/call', callOf('nope', {})],
  ['resources/read', { uri: 'kobana://finance/schemas' }],
  ['resources/read', { uri: 'kobana://finance/nope' }],
  ['resources/read', { uri: 'kobana://finance/failures/crash' }],
  ['resources/read', { uri: 'kobana://finance/failures/unavailable' }],
  ['prompts/get', { name: 'catalog_overview' }],
  ['prompts/get', { name: 'nope' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'item_overview' }, argument: { name: 'month', value: '' } },
  ],
];

describe.each(['lean', 'sdk'] as const)('the contract of every answer (%s)', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  beforeAll(async () => {
    server = await startSmallServer(wire);
    client = createRawClient(server.url, 'kob_finance_full');
  });
  afterAll(() => server.close());

  it.each(REQUESTS)(
    'VE-07 VE-08 VE-09 VE-10 VE-11 UT-01 PR-14 CO-15 RE-26: %s %j on 2026',
    async (method, params) => {
      const { body } = await client.m(method, params);
      if (body.error !== undefined) {
        expect(CODES_2026).toContain(body.error.code);
        expect(body.error.message).toMatch(/^[^\n]{1,150}$/);
        return;
      }
      const { result } = body;
      expect(result.resultType).toBe('complete');
      expect(result._meta[SERVER_INFO_KEY]).toEqual({ name: 'kobana-finance', version: '1.2.3' });
      const ours = Object.keys(result._meta).filter((key) => key !== SERVER_INFO_KEY);
      expect(ours.every((key) => key.startsWith('com.kobana/'))).toBe(true);
      expect('ttlMs' in result && 'cacheScope' in result).toBe(CACHED.includes(method));
      if (CACHED.includes(method)) expect(result.cacheScope).toBe('private');
    },
  );

  it.each([
    ['a result', 200, undefined, 'tools/list', {}, {}],
    ['a tool error', 200, undefined, 'tools/call', callOf('finance_items_get', {}), {}],
    ['an unknown tool', 200, -32602, 'tools/call', callOf('nope', {}), {}],
    ['an internal error', 200, -32603, 'resources/read', { uri: 'kobana://finance/failures/crash' }, {}],
    ['a fractional id', 400, -32600, 'tools/list', {}, { id: 1.5 }],
    ['a missing envelope', 400, -32602, 'tools/list', {}, { meta: null }],
    ['a wrong header', 400, -32020, 'tools/list', {}, { headers: { 'Mcp-Method': 'x' } }],
    ['an unknown method', 404, -32601, 'x/y', {}, {}],
    ['no token', 401, 'unauthenticated', 'tools/list', {}, { headers: { Authorization: null } }],
    ['a foreign page', 403, 'origin_not_allowed', 'tools/list', {}, { headers: { Origin: 'null' } }],
    ['an unknown answer type', 406, 'not_acceptable', 'tools/list', {}, { headers: { Accept: 'image/png' } }],
    [
      'an unknown body type',
      415,
      'unsupported_media_type',
      'tools/list',
      {},
      { headers: { 'Content-Type': 'a/b' } },
    ],
  ] as const)(
    'TR-65 T-23: %s is answered with %i and %s',
    async (_name, status, code, method, params, changes) => {
      const answer = await client.m(method, params, changes);
      expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
    },
  );

  it.each(REQUESTS)(
    'UT-10 UT-19 UT-20: %s %j brings no log message, no sampling, no roots',
    async (method, params) => {
      for (const era of ['m', 'l'] as const) {
        const { text } = await client[era](method, params, {
          capabilities: { elicitation: {}, sampling: {}, roots: {} },
        });
        expect(text).not.toMatch(/notifications\/message|sampling\/createMessage|roots\/list|-32042/);
      }
    },
  );

  it.each(REQUESTS)('VE-66: %s %j on 2025', async (method, params) => {
    const { body } = await client.l(method, params);
    for (const key of ['resultType', 'ttlMs', 'cacheScope', 'requestState', 'inputRequests']) {
      expect(body.result ?? {}).not.toHaveProperty(key);
    }
    expect(body.result?._meta ?? {}).not.toHaveProperty([SERVER_INFO_KEY]);
  });

  it('UT-04: lists are kept for five minutes at most', async () => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      expect((await client.m(method)).body.result.ttlMs).toBe(300_000);
    }
  });
});
