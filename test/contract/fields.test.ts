/** `fields` of the list tools: an answer with only what was asked for, and a schema that stays true of it. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dunning } from '../../src/dunning/index.ts';
import { finance } from '../../src/finance/index.ts';
import { toolOf } from '../../src/mcp/tools.ts';
import { createBill, createPayer } from '../support/banking.ts';
import { openWorld, type World } from '../support/world.ts';

const lists = [...finance.catalogue.operations, ...dunning.catalogue.operations].filter(
  ({ name, output }) => name.endsWith('_list') && 'items' in output.shape,
);

describe('the arguments', () => {
  it.each(lists)(
    '$name takes the names of its items fields, and its answer needs only the id',
    (operation) => {
      const { inputSchema, outputSchema } = toolOf(operation) as any;
      const { items } = outputSchema.properties;
      const item =
        items.items.$ref === undefined ? items.items : outputSchema.$defs[items.items.$ref.slice(8)];
      expect(inputSchema.properties.fields.items.enum).toEqual(Object.keys(item.properties));
      expect(inputSchema.required ?? []).not.toContain('fields');
      expect(item.required ?? []).toEqual('id' in item.properties ? ['id'] : []);
    },
  );
});

describe('the answers', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    const payer = await createPayer(world);
    await createBill(world, payer);
    await createBill(world, payer);
  });
  afterAll(() => world.close());
  const list = (args: object) => world.call('finance_payables_list', args);

  it('holds only the fields asked for, and the id', async () => {
    const { items } = await list({ fields: ['status', 'amount_due'] });
    expect(items).toHaveLength(2);
    for (const item of items) expect(Object.keys(item).sort()).toEqual(['amount_due', 'id', 'status']);
    const [whole] = (await list({}))['items'];
    expect(items).toContainEqual({ id: whole.id, status: whole.status, amount_due: whole.amount_due });
  });

  it('keeps the pages: the cursor is the same with fields and without', async () => {
    const first = await list({ fields: ['id'], limit: 1 });
    expect(first['next_cursor']).toBe((await list({ limit: 1 }))['next_cursor']);
    const second = await list({ limit: 1, cursor: first['next_cursor'], fields: ['id'] });
    expect(second['items'][0].id).not.toBe(first['items'][0].id);
  });

  it('conforms to the schema that the tool shows, cut or whole', async () => {
    const operation = finance.catalogue.byName.get('finance_payables_list')!;
    const ajv = new Ajv2020({ strict: true, validateFormats: false });
    const isValid = ajv.compile(toolOf(operation)['outputSchema'] as object);
    for (const args of [{}, { fields: ['status'] }, { fields: ['id'] }]) {
      expect(isValid(await list(args)), JSON.stringify(isValid.errors)).toBe(true);
    }
  });

  it.each([
    ['an unknown field', ['nope'], 'fields.0'],
    ['__proto__', ['__proto__'], 'fields.0'],
    ['none at all', [], 'fields'],
    ['text', 'status', 'fields'],
    ['more than there are', Array.from({ length: 200 }, () => 'id'), 'fields'],
  ])('refuses %s', async (_what, fields, path) => {
    await expect(list({ fields })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path },
    });
  });
});
