import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCompany, createPayableRow } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import type { Context } from '../../core/operation.ts';
import { sql } from '../../db/sql.ts';
import { requireLeafCategory } from './index.ts';
import { requirePlaceUnder } from './rules.ts';

let world: World;
let costs: string;
let office: string;
let rent: string;
let sales: string;

const create = async (args: object) => (await world.call('finance_categories_create', args))['id'] as string;
const update = (id: string, fields: object) => world.call('finance_categories_update', { id, ...fields });
const tenant = () => ({ organizationId: world.organizationId, workspaceId: world.workspaceId });
const list = async (args: object = {}) => (await world.call('finance_categories_list', args))['items'];

beforeAll(async () => {
  world = await openWorld();
  costs = await create({ name: 'Costs', kind: 'expense', code: '4', statement_group: 'Operating' });
  office = await create({ name: 'Escritório', parent_id: costs });
  rent = await create({ name: 'Rent', parent_id: office });
  sales = await create({ name: 'Sales', kind: 'income' });
});
afterAll(() => world.close());

describe('the chart of accounts', () => {
  test('shows kind, level and which categories classify', async () => {
    const shape = (await list()).map((item: Record<string, unknown>) => [
      item['name'],
      item['kind'],
      item['level'],
      item['is_leaf'],
      item['parent_id'],
    ]);
    expect(shape).toEqual([
      ['Costs', 'expense', 1, false, null],
      ['Escritório', 'expense', 2, false, costs],
      ['Rent', 'expense', 3, true, office],
      ['Sales', 'income', 1, true, null],
    ]);
  });

  test('is filtered by kind, parent and name, accents aside', async () => {
    const names = async (args: object) => (await list(args)).map((item: { name: string }) => item.name);
    expect(await names({ kind: 'income' })).toEqual(['Sales']);
    expect(await names({ parent_id: costs })).toEqual(['Escritório']);
    expect(await names({ search: 'ESCRITORIO' })).toEqual(['Escritório']);
    expect(await names({ search: 'escritório' })).toEqual(['Escritório']);
    expect(await names({ active: false })).toEqual([]);
  });

  test.each(['name', '-name', 'created_at', '-created_at'])(
    'pages by %s without losing one',
    async (sort) => {
      const whole = await list({ sort });
      const seen: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await world.call('finance_categories_list', {
          sort,
          limit: 1,
          ...(cursor && { cursor }),
        });
        seen.push(...page['items']);
        cursor = page['next_cursor'] ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(whole);
      expect(seen).toHaveLength(4);
    },
  );
});

describe('creating', () => {
  test('takes the kind of the parent and refuses another one', async () => {
    await expect(create({ name: 'Wrong', parent_id: office, kind: 'income' })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'kind' },
    });
    await expect(create({ name: 'Nothing' })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'kind', expected: 'one of: income, expense' },
    });
  });

  test('refuses a fourth level', async () => {
    await expect(create({ name: 'Deep', parent_id: rent })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'parent_id', expected: 'a category higher up: there are at most 3 levels' },
    });
  });

  test('refuses the same name under the same parent, whatever the case', async () => {
    await expect(create({ name: 'RENT', parent_id: office })).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: rent },
    });
    await expect(create({ name: 'Costs', kind: 'expense' })).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: costs },
    });
  });

  test('makes one of two that are created at the same moment', async () => {
    const args = { name: 'Twin', kind: 'income' };
    const results = await Promise.allSettled([create(args), create(args), create(args)]);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map((result) => result.reason.code)).toEqual(['duplicate', 'duplicate']);
  });

  test('refuses to put one under a category that classifies entries', async () => {
    const used = await create({ name: 'Used', kind: 'expense' });
    const company_id = await createCompany(world);
    const person = await world.call('finance_people_create', {
      name: 'Supplier',
      kind: 'legal',
      roles: ['supplier'],
    });
    const payable = await createPayableRow(world, { company_id, person_id: person['id'], category_id: used });
    const inUse = { code: 'in_use', details: { by: [{ kind: 'payable', id: payable }] } };
    await expect(create({ name: 'Below', parent_id: used })).rejects.toMatchObject(inUse);
    const movable = await create({ name: 'Movable', kind: 'expense' });
    await expect(update(movable, { parent_id: used })).rejects.toMatchObject(inUse);
    expect((await list({ parent_id: used })).length).toBe(0);
  });

  test('is safe to repeat under one idempotency key', async () => {
    const args = { name: 'Once', kind: 'income', idempotency_key: 'category-1' };
    expect(await create(args)).toBe(await create(args));
  });

  test('is for those who may change categories; the accountant may', async () => {
    const args = { name: 'By accountant', kind: 'income' };
    await expect(world.call('finance_categories_create', args, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(world.call('finance_categories_create', args, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    expect(await world.call('finance_categories_create', args, 'accountant')).toMatchObject({
      name: 'By accountant',
      code: null,
      level: 1,
    });
  });
});

describe('moving and changing', () => {
  test('never puts a category below itself', async () => {
    for (const parent_id of [costs, office]) {
      await expect(update(costs, { parent_id })).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path: 'parent_id', expected: 'a category that is not this one and not below it' },
      });
    }
    expect((await list({ search: 'Costs' }))[0]).toMatchObject({ parent_id: null, version: 1 });
  });

  test('counts the levels that move along', async () => {
    const group = await create({ name: 'Group', kind: 'expense' });
    const sub = await create({ name: 'Sub', parent_id: group });
    await expect(update(costs, { parent_id: group })).rejects.toMatchObject({
      details: { path: 'parent_id', expected: 'a category higher up: there are at most 3 levels' },
    });
    expect(await update(office, { parent_id: group })).toMatchObject({ level: 2, is_leaf: false });
    await expect(update(office, { parent_id: sub })).rejects.toMatchObject({
      details: { path: 'parent_id' },
    });
    expect(await update(office, { parent_id: costs, code: '4.1' })).toMatchObject({ level: 2, code: '4.1' });
    await expect(update(office, { parent_id: sales })).rejects.toMatchObject({
      details: { path: 'parent_id', expected: 'a category of the kind "expense"' },
    });
  });

  test('moves two categories under each other only once', async () => {
    const left = await create({ name: 'Left', kind: 'expense' });
    const right = await create({ name: 'Right', kind: 'expense' });
    // Both rows are held until both moves are on their way.
    let moving: Promise<PromiseSettledResult<unknown>[]> = Promise.resolve([]);
    await world.runtime.database.write(tenant(), async (db) => {
      await db.rows(sql`
        select 1 from categories
         where workspace_id = ${world.workspaceId} and id in (${left}, ${right}) for update`);
      moving = Promise.allSettled([
        update(left, { parent_id: right }),
        world.call('finance_categories_update', { id: right, parent_id: left }, 'accountant'),
      ]);
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    const results = await moving;
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.map((result) => result.reason)).toMatchObject([
      { code: 'invalid_argument', details: { path: 'parent_id' } },
    ]);
  });

  test('refuses a name that the new place has already', async () => {
    const other = await create({ name: 'Rent', kind: 'expense' });
    await expect(update(other, { parent_id: office })).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: rent },
    });
    expect(await update(other, { name: 'rent' })).toMatchObject({ name: 'rent', version: 2 });
  });

  test('deactivates from the bottom up and activates from the top down', async () => {
    await expect(update(office, { active: false })).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'category', id: rent }] },
    });
    await update(rent, { active: false });
    await update(office, { active: false });
    await expect(update(rent, { active: true })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'inactive', allowed: ['active'] },
    });
    await expect(create({ name: 'New', parent_id: office })).rejects.toMatchObject({ code: 'invalid_state' });
    await update(office, { active: true });
    expect(await update(rent, { active: true })).toMatchObject({ active: true });
  });

  test('records before and after', async () => {
    await update(sales, { statement_group: 'Revenue' });
    const [event] = await world.look<{ body: string }>(
      "select body from events where operation = 'finance_categories_update' order by position desc limit 1",
    );
    expect(JSON.parse(event!.body).changes).toMatchObject([
      {
        kind: 'category',
        id: sales,
        before: { statement_group: null },
        after: { statement_group: 'Revenue' },
      },
    ]);
  });

  test('names a wrong field and a role that may not', async () => {
    await expect(update(sales, { name: '' })).rejects.toMatchObject({
      details: { path: 'name', expected: 'text of 1 to 120 characters' },
    });
    await expect(update(sales, { kind: 'expense' })).rejects.toMatchObject({ details: { path: 'kind' } });
    await expect(
      world.call('finance_categories_update', { id: sales, name: 'X' }, 'viewer'),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('hides categories of another workspace, also as a parent', async () => {
    const missing = { code: 'not_found', details: { kind: 'category', id: sales } };
    await expect(
      world.call('finance_categories_update', { id: sales, name: 'X' }, 'stranger'),
    ).rejects.toMatchObject(missing);
    await expect(
      world.call('finance_categories_create', { name: 'X', parent_id: sales }, 'stranger'),
    ).rejects.toMatchObject(missing);
    expect((await world.call('finance_categories_list', {}, 'stranger'))['items']).toEqual([]);
  });
});

describe('classifying', () => {
  const classify = (id: string, kind: 'income' | 'expense', workspaceId = world.workspaceId) =>
    world.runtime.database.write({ ...tenant(), workspaceId }, (db) =>
      requireLeafCategory({ ...tenant(), workspaceId, db, isWriting: true } as unknown as Context, id, kind),
    );

  test('is for active leaves of the right kind only', async () => {
    expect((await classify(rent, 'expense')).name).toBe('Rent');
    const refused = (kind: string) => ({
      code: 'invalid_argument',
      details: {
        path: 'category_id',
        expected: `an active ${kind} category without categories below it`,
      },
    });
    await expect(classify(rent, 'income')).rejects.toMatchObject(refused('income'));
    await expect(classify(office, 'expense')).rejects.toMatchObject(refused('expense'));
    const idle = await create({ name: 'Idle', kind: 'expense' });
    await update(idle, { active: false });
    await expect(classify(idle, 'expense')).rejects.toMatchObject(refused('expense'));
  });

  test('does not know a category that is missing or of another workspace', async () => {
    const nobody = newId();
    const missing = (id: string) => ({ code: 'not_found', details: { kind: 'category', id } });
    await expect(classify(nobody, 'expense')).rejects.toMatchObject(missing(nobody));
    await expect(classify(rent, 'expense', world.otherWorkspaceId)).rejects.toMatchObject(missing(rent));
  });

  test('makes a category wait that is to be put under the one being used', async () => {
    const leaf = await create({ name: 'Contended', kind: 'expense' });
    const order: string[] = [];
    let creating: Promise<unknown> = Promise.resolve();
    await world.runtime.database.write(tenant(), async (db) => {
      await requireLeafCategory({ ...tenant(), db, isWriting: true } as unknown as Context, leaf, 'expense');
      creating = create({ name: 'Child', parent_id: leaf }).then(() => order.push('child'));
      await new Promise((resolve) => setTimeout(resolve, 200));
      order.push('classified');
    });
    await creating;
    expect(order).toEqual(['classified', 'child']);
    await expect(classify(leaf, 'expense')).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

test('no sequence of moves makes a tree deeper than three levels or a circle', () => {
  const move = fc.record({ child: fc.nat(7), parent: fc.nat(7) });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const parents: (number | null)[] = Array.from({ length: 8 }, () => null);
      const lineage = (node: number): number[] => {
        const above = parents[node] ?? null;
        return above === null ? [node] : [node, ...lineage(above)];
      };
      const height = (node: number): number =>
        1 + Math.max(0, ...parents.flatMap((parent, child) => (parent === node ? [height(child)] : [])));
      for (const { child, parent } of moves) {
        const path = lineage(parent);
        const place = {
          kind: 'expense' as const,
          active: true,
          level: path.length,
          lineage: path.map(String),
        };
        const moved = { id: String(child), kind: 'expense' as const, height: height(child), active: true };
        try {
          requirePlaceUnder(place, moved);
        } catch {
          continue;
        }
        parents[child] = parent;
      }
      for (let node = 0; node < 8; node += 1) expect(lineage(node).length).toBeLessThanOrEqual(3);
    }),
    { numRuns: 1_000 },
  );
});
