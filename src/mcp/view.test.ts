import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, callOf, createRawClient, type RawClient } from '../../test/support/raw-client.ts';
import { KNOWN_ID, listedProduct, ran } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';
import { ERROR_KEY } from './protocol.ts';
import { readView, viewOfRequest } from './view.ts';

const NAMES = ['all', 'everyday', 'catalog', 'items'];
const WORKSPACE = '0192f0a1-0000-7000-8000-000000000000';
const OTHER_WORKSPACE = '0192f0a1-0000-7000-8000-000000000001';
const STRANGE_WORKSPACE = '0192f0a1-0000-7000-8000-0000000000ff';
const SEARCH_TOOLS = ['finance_tools_search', 'finance_tools_read', 'finance_tools_act'];

describe('the view that an address asks for', () => {
  it('reads sets in any order, each once, and nothing when nothing is asked for', () => {
    expect(viewOfRequest('/finance/mcp', {}, NAMES)).toEqual({
      toolsets: null,
      isReadOnly: false,
      workspaceId: null,
    });
    expect(
      viewOfRequest('/finance/mcp?toolsets=items,%20catalog,items&readonly=true', {}, NAMES).toolsets,
    ).toEqual(['catalog', 'items']);
  });

  it.each([
    ['toolsets=', 'toolsets'],
    ['toolsets=items,', 'toolsets'],
    ['toolsets=ITEMS', 'toolsets'],
    ['toolsets=__proto__', 'toolsets'],
    [`toolsets=${'items,'.repeat(500)}items`, 'toolsets'],
    ['toolsets=items&toolsets=catalog', 'toolsets'],
    ['readonly=', 'readonly'],
    ['readonly=0', 'readonly'],
    ['readonly=yes', 'readonly'],
    ['workspace=', 'workspace'],
    ['workspace=x', 'workspace'],
    ['toolset=items', 'toolset'],
    ['<script>=1', '(unreadable name)'],
    ['constructor=1', 'constructor'],
  ])('refuses %s, naming what is wrong', (query, name) => {
    const read = () => viewOfRequest(`/finance/mcp?${query}`, {}, NAMES);
    expect(read).toThrow(
      expect.objectContaining({
        code: 'client_view_refused',
        details: { name, expected: expect.any(String) },
      }),
    );
  });

  it('takes a header for the address, and refuses one that contradicts it', () => {
    const headers = { 'kobana-toolsets': ' items ', 'kobana-readonly': '1', 'kobana-workspace': WORKSPACE };
    const expected = { toolsets: ['items'], isReadOnly: true, workspaceId: WORKSPACE };
    expect(viewOfRequest('/finance/mcp', headers, NAMES)).toEqual(expected);
    expect(viewOfRequest('/finance/mcp?toolsets=items', headers, NAMES)).toEqual(expected);
    for (const query of ['toolsets=catalog', `workspace=${OTHER_WORKSPACE}`]) {
      expect(() => viewOfRequest(`/finance/mcp?${query}`, headers, NAMES)).toThrow(
        expect.objectContaining({ code: 'client_view_refused' }),
      );
    }
  });

  it('reads flags of a command the same way', () => {
    expect(readView([['toolsets', 'all']], NAMES).toolsets).toEqual(['all']);
    expect(() => readView([['nope', '1']], NAMES)).toThrow();
  });
});

describe.each(['lean', 'sdk'] as const)('a connection with a view (%s)', (wire) => {
  let server: SmallServer;
  beforeAll(async () => {
    server = await startSmallServer(wire, listedProduct);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    ran.length = 0;
  });
  const at = (query: string, token = 'kob_finance_full'): RawClient =>
    createRawClient(`${server.url}${query}`, token);
  const namesOf = (answer: Answer): string[] =>
    answer.body.result.tools.map(({ name }: { name: string }) => name);
  const errorOf = (answer: Answer) => answer.body.result._meta[ERROR_KEY].error;

  it('lists the everyday tools and those by which the others are reached', async () => {
    for (const era of ['m', 'l'] as const) {
      const answer = await at('')[era]('tools/list', {});
      expect(namesOf(answer)).toEqual(['finance_items_get', 'finance_items_create', ...SEARCH_TOOLS]);
      expect(answer.body.result.tools[0]).not.toHaveProperty('outputSchema');
    }
    const everyday = await at('?toolsets=everyday').m('tools/list');
    expect(everyday.body.result.tools).toEqual((await at('').m('tools/list')).body.result.tools);
  });

  it('runs by name what the everyday list leaves out, and not what the sets asked for leave out', async () => {
    const call = callOf('finance_catalog_list', {});
    for (const query of ['', '?toolsets=all', '?toolsets=catalog']) {
      expect((await at(query).m('tools/call', call)).body.result.structuredContent).toBeDefined();
    }
    for (const era of ['m', 'l'] as const) {
      for (const query of ['?toolsets=items', '?toolsets=everyday']) {
        const answer = await at(query)[era]('tools/call', call);
        expect([answer.status, answer.body.result.isError]).toEqual([200, true]);
        expect(errorOf(answer)).toMatchObject({
          code: 'tool_not_offered',
          details: { tool: 'finance_catalog_list', because: 'toolsets', toolset: 'catalog' },
        });
      }
    }
  });

  it('lists all with the schemas of answers, or one family, or two', async () => {
    const all = await at('?toolsets=all').m('tools/list');
    expect(namesOf(all)).toHaveLength(7 + 3);
    expect(all.body.result.tools[0]).toHaveProperty('outputSchema');
    expect(namesOf(await at('?toolsets=catalog').m('tools/list'))).toEqual([
      'finance_catalog_list',
      ...SEARCH_TOOLS,
    ]);
    expect(namesOf(await at('?toolsets=catalog,items').m('tools/list'))).toEqual(namesOf(all));
  });

  it('to read only: what changes something is neither listed nor run, and no wider token is asked for', async () => {
    for (const token of ['kob_finance_full', 'kob_finance_read']) {
      const client = at('?readonly=1&toolsets=all', token);
      const names = namesOf(await client.m('tools/list'));
      expect(names).not.toContain('finance_items_create');
      expect(names).not.toContain('finance_tools_act');
      for (const [name, args] of [
        ['finance_items_create', { name: 'x' }],
        ['finance_items_delete', { id: KNOWN_ID }],
        ['finance_tools_act', { name: 'finance_items_create', arguments: { name: 'x' } }],
      ] as const) {
        const answer = await client.m('tools/call', callOf(name, args));
        expect([answer.status, errorOf(answer).code]).toEqual([200, 'tool_not_offered']);
        expect(errorOf(answer).details.because).toBe('readonly');
      }
    }
    expect(ran).toEqual([]);
  });

  it('in one workspace: the call needs no other word, and another workspace is out of reach', async () => {
    const several = 'kob_finance_several';
    const get = callOf('finance_items_get', { id: KNOWN_ID });
    expect(errorOf(await at('', several).m('tools/call', get)).code).toBe('workspace_required');
    const narrowed = at(`?workspace=${OTHER_WORKSPACE}`, several);
    expect((await narrowed.m('tools/call', get)).body.result.isError).toBeUndefined();
    const elsewhere = callOf('finance_items_get', { id: KNOWN_ID, workspace_id: WORKSPACE });
    expect(errorOf(await narrowed.m('tools/call', elsewhere)).code).toBe('not_found');
    // A write is looked up again, and stays where it is.
    const create = callOf('finance_items_create', { name: 'x', workspace_id: WORKSPACE });
    expect(errorOf(await narrowed.m('tools/call', create)).code).toBe('not_found');
    expect((await at('', several).m('tools/call', create)).body.result.isError).toBeUndefined();
  });

  it('refuses before the body is read, in plain HTTP; a workspace out of reach looks like none', async () => {
    const answers = await Promise.all([
      at(`?workspace=${STRANGE_WORKSPACE}`).post('not json'),
      at(`?workspace=${OTHER_WORKSPACE}`).post('not json'),
    ]);
    for (const { status, body } of answers) {
      expect([status, body.error.code]).toEqual([400, 'client_view_refused']);
      expect(body).not.toHaveProperty('jsonrpc');
    }
    expect(answers[0]!.text).toBe(answers[1]!.text);
    const unknown = await at('?toolsets=nope').m('tools/list');
    expect([unknown.status, unknown.body.error.details.name]).toEqual([400, 'toolsets']);
    expect(unknown.body.error.details.expected).toContain('everyday');
    const header = await at('').m('tools/list', {}, { headers: { 'Kobana-Toolsets': 'nope' } });
    expect([header.status, header.body.error.code]).toEqual([400, 'client_view_refused']);
  });

  it('tells nothing of its sets to whoever has no token', async () => {
    const nobody = await createRawClient(`${server.url}?toolsets=nope`, null).m('tools/list');
    expect(nobody.status).toBe(401);
    expect(nobody.text).not.toContain('everyday');
  });

  it('TO-01: keeps the lists of different views apart', async () => {
    const before = (await at('').m('tools/list')).text;
    for (const query of ['?toolsets=all', '?readonly=1', '?toolsets=items']) await at(query).m('tools/list');
    expect((await at('').m('tools/list')).text).toBe(before);
    const read = await at('', 'kob_finance_read').m('tools/list');
    expect(namesOf(read)).toEqual(['finance_items_get', 'finance_tools_search', 'finance_tools_read']);
  });
});
