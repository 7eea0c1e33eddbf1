import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRawClient, type RawClient } from '../../test/support/raw-client.ts';
import { KNOWN_ID, suggested } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';

const ITEM = { type: 'ref/resource', uri: 'kobana://finance/items/{id}' };
const PROMPT = { type: 'ref/prompt', name: 'item_overview' };
const NONE = { values: [], hasMore: false };

describe.each(['lean', 'sdk'] as const)('completions (%s)', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  beforeAll(async () => {
    server = await startSmallServer(wire);
    client = createRawClient(server.url, 'kob_finance_full');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    suggested.length = 0;
  });
  const complete = async (ref: unknown, name: unknown, value: unknown, from = client, era: 'm' | 'l' = 'm') =>
    (await from[era]('completion/complete', { ref, argument: { name, value } })).body;

  it('CO-02 CO-09 CO-16: suggests records of the default workspace, without Mcp-Name', async () => {
    for (const era of ['m', 'l'] as const) {
      const { result } = await complete(ITEM, 'id', `first-${era}`, client, era);
      expect(result.completion).toEqual({ values: [KNOWN_ID], hasMore: false });
    }
    expect(suggested).toEqual(['m', 'l'].map((era) => `0192f0a1-0000-7000-8000-000000000000 first-${era}`));
  });

  it('CO-03 CO-04: sends a hundred of 250 and says that there are more', async () => {
    const { completion } = (await complete(ITEM, 'id', 'many')).result;
    expect([completion.values.length, completion.values[0], completion.hasMore]).toEqual([
      100,
      'many-0',
      true,
    ]);
    expect(completion).not.toHaveProperty('total');
  });

  it.each([
    ['', ['2026-06', '2025-12', '2024-12']],
    ['202', ['2026-06', '2025-12', '2024-12']],
    ['2025', ['2025-12']],
    ['x', []],
  ])('CO-11 C-50 C-55: months that begin with `%s`', async (typed, values) => {
    expect((await complete(PROMPT, 'month', typed)).result.completion).toEqual({ values, hasMore: false });
  });

  it('CO-13: what is suggested is accepted', async () => {
    const { values: ids } = (await complete(ITEM, 'id', 'usable')).result.completion;
    const { values: months } = (await complete(PROMPT, 'month', '')).result.completion;
    for (const id of ids) {
      const uri = ITEM.uri.replace('{id}', id);
      expect((await client.m('resources/read', { uri })).body.result.contents).toHaveLength(1);
      for (const month of months) {
        const params = { name: 'item_overview', arguments: { item_id: id, month } };
        expect((await client.m('prompts/get', params)).body.result.messages).toHaveLength(1);
      }
    }
    expect([ids.length, months.length]).toEqual([1, 3]);
  });

  it('CO-05: ignores the other arguments', async () => {
    const params = {
      ref: PROMPT,
      argument: { name: 'month', value: '2025' },
      context: { arguments: { item_id: 'x' } },
    };
    expect((await client.m('completion/complete', params)).body.result.completion.values).toEqual([
      '2025-12',
    ]);
  });

  it.each([
    ['no ref', { argument: { name: 'id', value: '' } }],
    ['an unknown type', { ref: { type: 'ref/tool', name: 'x' }, argument: { name: 'id', value: '' } }],
    [
      'a ref without its name',
      { ref: { type: 'ref/prompt', uri: 'x' }, argument: { name: 'id', value: '' } },
    ],
    ['no argument', { ref: ITEM }],
    ['no argument name', { ref: ITEM, argument: { value: '' } }],
    ['a number as value', { ref: ITEM, argument: { name: 'id', value: 5 } }],
    [
      'a number in the context',
      { ref: ITEM, argument: { name: 'id', value: '' }, context: { arguments: { a: 5 } } },
    ],
    ['an unknown prompt', { ref: { type: 'ref/prompt', name: 'nope' }, argument: { name: 'id', value: '' } }],
    [
      'an unknown template',
      { ref: { type: 'ref/resource', uri: 'kobana://finance/x/{id}' }, argument: { name: 'id', value: '' } },
    ],
    [
      'a URI as a prompt',
      { ref: { type: 'ref/prompt', name: 'kobana://finance/schemas' }, argument: { name: 'id', value: '' } },
    ],
  ])('CO-06 CO-07: refuses %s', async (_name, params) => {
    for (const era of ['m', 'l'] as const) {
      expect((await client[era]('completion/complete', params)).body.error.code).toBe(-32602);
    }
  });

  it.each([
    ['an argument without a source', PROMPT, 'item_id'],
    ['an argument that does not exist', PROMPT, 'nope'],
    ['a prompt without arguments', { type: 'ref/prompt', name: 'catalog_overview' }, 'x'],
    ['a template without a source', { type: 'ref/resource', uri: 'kobana://finance/failures/{id}' }, 'id'],
    ['a fixed URI', { type: 'ref/resource', uri: 'kobana://finance/schemas' }, 'id'],
    ['a concrete URI', { type: 'ref/resource', uri: `kobana://finance/items/${KNOWN_ID}` }, 'id'],
    ['the prototype', PROMPT, 'constructor'],
  ])('CO-07 C-57: %s has no suggestions', async (_name, ref, argument) => {
    expect((await complete(ref, argument, '')).result.completion).toEqual(NONE);
  });

  it('CO-08 SE-19: without permission or workspace there is nothing, in the same shape', async () => {
    server.log.length = 0;
    for (const token of ['kob_finance_nothing', 'kob_finance_several']) {
      const from = createRawClient(server.url, token);
      expect((await complete(ITEM, 'id', 'abc', from)).result.completion).toEqual(NONE);
    }
    expect(suggested).toEqual([]);
    expect(server.log).toEqual(['completion finance_items_list workspace_required']);
  });

  it('C-59: a source that fails gives nothing, and is asked again', async () => {
    for (let time = 1; time <= 2; time += 1) {
      expect((await complete(ITEM, 'id', 'crash')).result.completion).toEqual(NONE);
      expect(suggested).toHaveLength(time);
    }
  });

  it('CO-14 C-60: the same keystroke of the same person is asked once, another person again', async () => {
    await Promise.all([complete(ITEM, 'id', 'once'), complete(ITEM, 'id', 'once')]);
    await complete(ITEM, 'id', 'once', client, 'l');
    expect(suggested).toHaveLength(1);
    await complete(ITEM, 'id', 'once', createRawClient(server.url, 'kob_finance_read'));
    expect(suggested).toHaveLength(2);
    expect((await complete(ITEM, 'id', 'x'.repeat(201))).result.completion).toEqual(NONE);
    expect(suggested).toHaveLength(2);
  });
});
