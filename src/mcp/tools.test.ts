import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callOf, createRawClient, type RawClient } from '../../test/support/raw-client.ts';
import { KNOWN_ID, MISSING_ID, ran, smallProduct } from '../../test/support/small-product.ts';
import { type SmallServer, startSmallServer } from '../../test/support/small-server.ts';
import { ERROR_KEY } from './protocol.ts';
import { toolOf } from './tools.ts';

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
  readonly annotations: Record<string, unknown>;
}

const TOOLS = smallProduct.catalogue.operations.map((operation) => toolOf(operation) as unknown as Tool);

describe('the definition of a tool', () => {
  it.each(TOOLS)(
    'TO-03 TO-06 TO-07 TO-08 VE-71: $name has closed 2020-12 schemas with an object at the root',
    (tool) => {
      expect(tool.name).toMatch(/^finance_[a-z_]{1,56}$/);
      const ajv = new Ajv2020({ strict: true, validateFormats: false });
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        expect(() => ajv.compile(schema)).not.toThrow();
        expect(schema['type']).toBe('object');
        expect(schema['additionalProperties']).toBe(false);
        for (const key of ['$schema', 'anyOf', 'oneOf', 'allOf']) expect(schema).not.toHaveProperty(key);
        expect(JSON.stringify(schema)).not.toMatch(/"\$ref":"[^#]/);
      }
    },
  );

  it.each(TOOLS)('TO-17 TO-30 TR-61: $name states its title and every hint', (tool) => {
    expect(Object.keys(tool.annotations).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
      'title',
    ]);
    expect(tool.annotations['title']).toBe(tool.title);
    expect(JSON.stringify(tool)).not.toContain('x-mcp-header');
  });

  it('TO-22 TO-23: the hints follow from the effect', () => {
    expect(
      TOOLS.map(({ name, annotations }) => [
        name,
        annotations['readOnlyHint'],
        annotations['destructiveHint'],
      ]),
    ).toEqual([
      ['finance_items_get', true, false],
      ['finance_items_list', true, false],
      ['finance_items_fail', true, false],
      ['finance_items_count', true, false],
      ['finance_catalog_list', true, false],
      ['finance_items_create', false, false],
      ['finance_items_delete', false, true],
    ]);
    expect(TOOLS.at(-1)!.annotations).toMatchObject({ idempotentHint: false, openWorldHint: true });
  });
});

describe.each(['lean', 'sdk'] as const)('tools (%s)', (wire) => {
  let server: SmallServer;
  let client: RawClient;
  let reader: RawClient;
  beforeAll(async () => {
    server = await startSmallServer(wire);
    client = createRawClient(server.url, 'kob_finance_full');
    reader = createRawClient(server.url, 'kob_finance_read');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    ran.length = 0;
  });
  const namesFor = async (from: RawClient) =>
    (await from.m('tools/list')).body.result.tools.map(({ name }: Tool) => name);

  it('TO-01 TO-02 TO-04 TO-05 TO-29: lists all tools of the caller on one page, in the order of the catalogue', async () => {
    const { text, body } = await client.m('tools/list');
    expect(body.result.tools).toEqual(JSON.parse(JSON.stringify(TOOLS)));
    expect(body.result).not.toHaveProperty('nextCursor');
    expect(body.result.cacheScope).toBe('private');
    await client.m('tools/call', callOf('finance_items_create', { name: 'x' }));
    expect((await client.m('tools/list')).text).toBe(text);
    expect((await client.l('tools/list', {})).body.result).toEqual({ tools: body.result.tools });
  });

  it.each(['bogus', '', 5, null])('TO-04: refuses the cursor %j', async (cursor) => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      expect((await client.m(method, { cursor })).body.error.code).toBe(-32602);
      expect((await client.l(method, { cursor })).body.error.code).toBe(-32602);
    }
  });

  it('TO-18 TO-25: shows each caller what it may run', async () => {
    const reads = [
      'finance_items_get',
      'finance_items_list',
      'finance_items_fail',
      'finance_items_count',
      'finance_catalog_list',
    ];
    expect(await namesFor(reader)).toEqual(reads);
    expect(await namesFor(createRawClient(server.url, 'kob_finance_viewer'))).toEqual(reads);
    expect(await namesFor(createRawClient(server.url, 'kob_finance_nothing'))).toEqual([
      'finance_catalog_list',
    ]);
    expect(await namesFor(client)).toEqual(TOOLS.map(({ name }) => name));
  });

  it('TO-24: lists what a client cannot confirm all the same', async () => {
    const able = await client.m('tools/list', {}, { capabilities: { elicitation: {} } });
    expect((await client.m('tools/list')).text).toBe(able.text);
  });

  it.each([
    ['finance_items_create', { name: 'x' }],
    ['finance_items_delete', { nonsense: 1 }],
  ])(
    'TO-25 AU-11 AU-12 AU-15 AU-18: a read token calling %s is told the scope, before its arguments matter',
    async (name, args) => {
      for (const era of ['m', 'l'] as const) {
        const answer = await reader[era]('tools/call', callOf(name, args), { id: 'q' });
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([
          403,
          `Bearer error="insufficient_scope", scope="finance:write", resource_metadata="${server.origin}/.well-known/oauth-protected-resource/finance/mcp"`,
        ]);
        expect([answer.body.id, answer.body.error.code]).toEqual(['q', 'insufficient_scope']);
      }
      expect(ran).toEqual([]);
    },
  );

  it('AU-14 C-81: a missing role is a result, not a challenge', async () => {
    const viewer = createRawClient(server.url, 'kob_finance_viewer');
    const answer = await viewer.m('tools/call', callOf('finance_items_create', { name: 'x' }));
    expect([answer.status, answer.body.result.isError]).toEqual([200, true]);
    expect(answer.body.result._meta[ERROR_KEY].error.code).toBe('forbidden');
  });

  it('TO-09: gives the same JSON twice, as structure and as text', async () => {
    for (const era of ['m', 'l'] as const) {
      const { result } = (await client[era]('tools/call', callOf('finance_items_get', { id: KNOWN_ID })))
        .body;
      expect(result.structuredContent).toEqual({ id: KNOWN_ID, name: 'Ação “quoted” \u2028 \\' });
      expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
      expect(result).not.toHaveProperty('isError');
    }
  });

  it('TO-10 C-22 CF-85: an error is text for the model, the same in _meta, and no structure', async () => {
    for (const era of ['m', 'l'] as const) {
      const { result } = (await client[era]('tools/call', callOf('finance_items_get', { id: MISSING_ID })))
        .body;
      const envelope = JSON.parse(result.content[0].text);
      expect(envelope).toEqual({
        error: {
          code: 'not_found',
          message: 'There is no such record here. Look it up with the matching list tool.',
          details: { kind: 'item' },
        },
      });
      expect([result.isError, result.content.length]).toEqual([true, 1]);
      expect(result._meta[ERROR_KEY]).toEqual(envelope);
      expect(result).not.toHaveProperty('structuredContent');
    }
  });

  it.each(['nope', 'FINANCE_ITEMS_GET', 'constructor', '__proto__', 'dunning_charges_get'])(
    'TO-03 TO-11: %s is no tool',
    async (name) => {
      for (const era of ['m', 'l'] as const) {
        const answer = await client[era]('tools/call', callOf(name, {}));
        expect([answer.status, answer.body.error.code]).toEqual([200, -32602]);
      }
    },
  );

  it.each([
    ['no name', { arguments: {} }],
    ['a number as name', { name: 5 }],
    ['a list as arguments', { name: 'finance_items_get', arguments: [] }],
    ['text as arguments', { name: 'finance_items_get', arguments: '{}' }],
    ['null as arguments', { name: 'finance_items_get', arguments: null }],
    ['a number as requestState', { name: 'finance_items_get', arguments: {}, requestState: 5 }],
    ['null as requestState', { name: 'finance_items_get', arguments: {}, requestState: null }],
    ['null as inputResponses', { name: 'finance_items_get', arguments: {}, inputResponses: null }],
    ['a list as inputResponses', { name: 'finance_items_get', arguments: {}, inputResponses: [] }],
  ])('TO-12: refuses %s', async (_name, params) => {
    const answer = await client.m('tools/call', params);
    expect([answer.status, answer.body.error.code]).toEqual([200, -32602]);
    expect(ran).toEqual([]);
  });

  it.each([
    ['a wrong form', 'finance_items_get', { id: 'x' }, 'id'],
    ['a missing one', 'finance_items_get', {}, 'id'],
    ['one that is unknown', 'finance_items_create', { name: 'x', confirm: true }, 'confirm'],
    ['__proto__', 'finance_items_create', JSON.parse('{"name":"x","__proto__":{"a":1}}'), '__proto__'],
  ])('TO-07 TO-13 SE-09: an argument with %s is a result that names it', async (_name, tool, args, path) => {
    for (const era of ['m', 'l'] as const) {
      const { result } = (await client[era]('tools/call', callOf(tool, args))).body;
      const { error } = JSON.parse(result.content[0].text);
      expect([result.isError, error.code, error.details.path]).toEqual([true, 'invalid_argument', path]);
    }
    expect(ran).toEqual([]);
  });

  it('TO-14: what nobody foresaw is logged and not told', async () => {
    const before = server.failures.length;
    const answer = await client.m('tools/call', callOf('finance_items_fail', { id: 'crash' }));
    expect(answer.text).not.toMatch(/hunter2|db\.internal/);
    expect(answer.body.result._meta[ERROR_KEY].error).toMatchObject({
      code: 'internal',
      details: { id: `failure-${before + 1}` },
    });
    expect((server.failures.at(-1) as Error).message).toContain('hunter2');
  });

  it('TO-15: no arguments are the same as empty ones', async () => {
    const answer = await client.m('tools/call', { name: 'finance_catalog_list' });
    expect(answer.body.result.structuredContent).toEqual({ names: ['item', 'order'] });
  });

  it('UT-08: a progress token alone is no reason to stream or to fail', async () => {
    for (const progressToken of [0, '', 'p']) {
      const answer = await client.m('tools/call', callOf('finance_catalog_list', {}), {
        meta: { progressToken },
      });
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.body.result.structuredContent).toEqual({ names: ['item', 'order'] });
    }
  });

  it('C-73: without a default workspace the caller is told which there are', async () => {
    const several = createRawClient(server.url, 'kob_finance_several');
    const { error } = (await several.m('tools/call', callOf('finance_items_get', { id: KNOWN_ID }))).body
      .result._meta[ERROR_KEY];
    expect(error.code).toBe('workspace_required');
    expect(error.details.workspaces).toHaveLength(2);
  });
});
