import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, callOf, createRawClient, type RawClient } from '../../test/support/raw-client.ts';
import { KNOWN_ID, listedProduct, MISSING_ID, ran } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';
import { ERROR_KEY } from './protocol.ts';

const ASKED = { capabilities: { elicitation: {} } };
const OTHER_ID = '0192f0a1-7b1c-7c3d-8e4f-00000000beef';

describe.each(['lean', 'sdk'] as const)('the tools that reach every tool (%s)', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  let reader: RawClient;
  beforeAll(async () => {
    server = await startSmallServer(wire, listedProduct);
    client = createRawClient(server.url, 'kob_finance_full');
    reader = createRawClient(server.url, 'kob_finance_read');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    ran.length = 0;
    server.log.length = 0;
  });
  const search = async (from: RawClient, args: object): Promise<any[]> =>
    (await from.m('tools/call', callOf('finance_tools_search', args))).body.result.structuredContent.items;
  const via = (tool: 'read' | 'act', name: string, args: object, state?: string) =>
    callOf(`finance_tools_${tool}`, { name, arguments: args }, state);
  const errorOf = (answer: Answer) => answer.body.result._meta[ERROR_KEY].error;

  it('finds tools by words, with everything a call needs', async () => {
    const [first] = await search(client, { query: 'delete item' });
    expect(first).toMatchObject({ name: 'finance_items_delete', effect: 'destructive', toolset: 'items' });
    expect(first.input_schema.properties.id).toBeDefined();
    expect((await search(client, { query: 'item', effect: 'write' })).map(({ name }) => name)).toEqual([
      'finance_items_create',
    ]);
    expect(await search(client, { query: 'zebra' })).toEqual([]);
  });

  it('finds only what the caller may run, and what the view offers', async () => {
    const effects = new Set((await search(reader, { query: 'item' })).map(({ effect }) => effect));
    expect([...effects]).toEqual(['read']);
    const nothing = createRawClient(server.url, 'kob_finance_nothing');
    expect(await search(nothing, { query: 'item' })).toEqual([]);
    const narrow = createRawClient(`${server.url}?toolsets=catalog`, 'kob_finance_full');
    expect((await search(narrow, { query: 'item list names' })).map(({ name }) => name)).toEqual([
      'finance_catalog_list',
    ]);
  });

  it.each([
    ['an empty query', { query: '' }, 'query'],
    ['a long query', { query: 'x'.repeat(201) }, 'query'],
    ['an unknown set', { query: 'x', toolset: 'nope' }, 'toolset'],
    ['another argument', { query: 'x', confirm: true }, 'confirm'],
  ])('refuses %s', async (_what, args, path) => {
    const answer = await client.m('tools/call', callOf('finance_tools_search', args));
    expect(errorOf(answer)).toMatchObject({ code: 'invalid_argument', details: { path } });
  });

  it('runs a read by name, with the answer of the inner tool and its line in the log', async () => {
    for (const era of ['m', 'l'] as const) {
      const inner = await client[era]('tools/call', callOf('finance_items_get', { id: KNOWN_ID }));
      const outer = await client[era]('tools/call', via('read', 'finance_items_get', { id: KNOWN_ID }));
      expect(outer.body.result).toEqual(inner.body.result);
    }
    expect(new Set(server.log)).toEqual(new Set(['mcp finance_items_get done']));
  });

  it('C-22 TO-10: errors are those of the inner tool', async () => {
    const missing = await client.m('tools/call', via('read', 'finance_items_get', { id: MISSING_ID }));
    expect([missing.body.result.isError, errorOf(missing).code]).toEqual([true, 'not_found']);
    const wrong = await client.m('tools/call', via('read', 'finance_items_get', { id: 'x' }));
    expect(errorOf(wrong)).toMatchObject({ code: 'invalid_argument', details: { path: 'id' } });
  });

  it.each([
    ['read', 'finance_items_create', { name: 'x' }],
    ['read', 'finance_items_delete', { id: KNOWN_ID }],
    ['act', 'finance_items_get', { id: KNOWN_ID }],
    ['read', 'nope', {}],
    ['act', 'constructor', {}],
    ['read', 'finance_tools_read', { name: 'finance_items_get', arguments: { id: KNOWN_ID } }],
    ['act', 'finance_tools_act', { name: 'finance_items_create', arguments: { name: 'x' } }],
    ['act', 'finance_tools_read', { name: 'finance_items_get', arguments: { id: KNOWN_ID } }],
  ] as const)(
    '%s does not run %s: reads and actions stay apart, and nothing is nested',
    async (tool, name, args) => {
      const answer = await client.m('tools/call', via(tool, name, args), ASKED);
      expect([answer.status, errorOf(answer).code, errorOf(answer).details.path]).toEqual([
        200,
        'invalid_argument',
        'name',
      ]);
      expect(ran).toEqual([]);
    },
  );

  it('runs a write by name', async () => {
    const answer = await client.m('tools/call', via('act', 'finance_items_create', { name: 'x' }));
    expect(answer.body.result.structuredContent).toMatchObject({ name: 'x' });
    expect(ran).toEqual(['create']);
  });

  it('AU-11 TO-25: a read token is told the scope, as for any tool that changes something', async () => {
    for (const era of ['m', 'l'] as const) {
      const answer = await reader[era]('tools/call', via('act', 'finance_items_create', { name: 'x' }));
      expect([answer.status, answer.body.error.code]).toEqual([403, 'insufficient_scope']);
      expect(answer.headers['www-authenticate']).toContain('scope="finance:write"');
    }
    expect(ran).toEqual([]);
  });

  it('SE-08: a destructive inner tool asks in its own name, runs on the yes, and not twice', async () => {
    const call = via('act', 'finance_items_delete', { id: KNOWN_ID });
    const asked = (await client.m('tools/call', call, ASKED)).body.result;
    expect([asked.resultType, ran]).toEqual(['input_required', []]);
    expect(JSON.stringify(asked.inputRequests)).toContain('Delete an item?');
    const yes = via('act', 'finance_items_delete', { id: KNOWN_ID }, asked.requestState);
    expect((await client.m('tools/call', yes, ASKED)).body.result.structuredContent).toEqual({
      deleted: true,
    });
    expect(errorOf(await client.m('tools/call', yes, ASKED)).code).toBe('confirmation_replayed');
    expect(ran).toEqual(['delete']);
  });

  it('a client that cannot ask does not get past the question this way', async () => {
    for (const era of ['m', 'l'] as const) {
      const answer = await client[era]('tools/call', via('act', 'finance_items_delete', { id: KNOWN_ID }));
      expect(errorOf(answer).code).toBe('confirmation_required');
    }
    expect(ran).toEqual([]);
  });

  it('CF-24: a yes is for this inner tool with these arguments, whichever way it is called', async () => {
    const first = await client.m('tools/call', via('act', 'finance_items_delete', { id: KNOWN_ID }), ASKED);
    const { requestState } = first.body.result;
    const other = await client.m(
      'tools/call',
      via('act', 'finance_items_delete', { id: OTHER_ID }, requestState),
      ASKED,
    );
    expect([other.body.result.resultType, ran]).toEqual(['input_required', []]);
    const direct = callOf('finance_items_delete', { id: OTHER_ID }, requestState);
    expect((await client.m('tools/call', direct, ASKED)).body.result.resultType).toBe('input_required');
    expect(ran).toEqual([]);
    // The very same call by its own name is the same action.
    const same = callOf('finance_items_delete', { id: KNOWN_ID }, requestState);
    expect((await client.m('tools/call', same, ASKED)).body.result.structuredContent).toEqual({
      deleted: true,
    });
    expect(ran).toEqual(['delete']);
  });

  it('inner tools that the view leaves out stay out', async () => {
    const narrow = createRawClient(`${server.url}?toolsets=catalog`, 'kob_finance_full');
    for (const [tool, name] of [
      ['read', 'finance_items_get'],
      ['act', 'finance_items_create'],
    ] as const) {
      const answer = await narrow.m('tools/call', via(tool, name, {}));
      expect(errorOf(answer).code).toBe('tool_not_offered');
    }
  });

  it('TO-17: the hints tell a client which of the three it may let through', async () => {
    const { tools } = (await client.m('tools/list')).body.result;
    const hints = Object.fromEntries(tools.map((tool: any) => [tool.name, tool.annotations]));
    expect(hints['finance_tools_search']).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(hints['finance_tools_read']).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(hints['finance_tools_act']).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: true,
      idempotentHint: false,
    });
  });
});
