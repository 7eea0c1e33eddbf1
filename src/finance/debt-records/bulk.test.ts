import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createAccount,
  createBill,
  createCategory,
  createCompany,
  createReceivable,
  createSupplier,
} from '../../../test/support/records.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let company_id: string;
let account_id: string;
let person_id: string;

beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world);
  account_id = await createAccount(world, { company_id });
});
beforeEach(async () => {
  person_id = await createSupplier(world, { roles: ['supplier', 'customer'] });
});
afterAll(() => world.close());

const kinds = [
  { family: 'payables', category: 'expense', create: createBill },
  { family: 'receivables', category: 'income', create: createReceivable },
] as const;

describe.each(kinds)('changing many $family', ({ family, category, create }) => {
  const register = async (fields: Record<string, unknown> = {}): Promise<string> =>
    (await create(world, { company_id, person_id, ...fields }))['id'];
  const update = (args: object, who?: Who) => world.call(`finance_${family}_bulk_update`, args, who);
  const get = (id: string) => world.call(`finance_${family}_get`, { id });
  const inOrder = (ids: string[]) => [...ids].sort();

  test('changes each named once, and records each', async () => {
    const ids = [await register(), await register()];
    const category_id = await createCategory(world, { kind: category });
    const set = { category_id, planned_date: '2026-10-04', planned_account_id: account_id };
    expect(await update({ ids: [...ids, ids[0]], set })).toEqual({
      requested: 2,
      succeeded: inOrder(ids),
      failed: [],
    });
    for (const id of ids)
      expect(await get(id)).toMatchObject({ ...set, classified_by: 'person', version: 2 });
    const [event] = await world.look<{ body: string }>(
      'select body from events where operation = $1 order by position desc limit 1',
      [`finance_${family}_bulk_update`],
    );
    expect(JSON.parse(event!.body).changes.map(({ id }: { id: string }) => id)).toEqual(inOrder(ids));
  });

  test('one that cannot be changed is named and changes nothing; the others go on', async () => {
    const ids = [await register(), await register(), newId()];
    const closed = await createCompany(world);
    ids.push(await register({ company_id: closed, competence_month: '2026-08' }));
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-08-31' });
    await world.look(`update ${family} set status = 'canceled' where id = $1`, [ids[1]]);
    const category_id = await createCategory(world, { kind: category });
    const result = await update({ ids, set: { category_id } });
    expect(result).toMatchObject({ requested: 4, succeeded: [ids[0]] });
    const codes = Object.fromEntries(
      result['failed'].map((one: { id: string; code: string }) => [one.id, one.code]),
    );
    expect(codes).toEqual({ [ids[1]!]: 'invalid_state', [ids[2]!]: 'not_found', [ids[3]!]: 'books_closed' });
    expect(await get(ids[3]!)).toMatchObject({ category_id: null, version: 1 });
  });

  test('takes a filter, which it resolves first, and nothing of a dry run stays', async () => {
    const ids = [await register({ due_date: '2026-12-01' }), await register({ due_date: '2026-12-02' })];
    await register({ due_date: '2026-11-01' });
    const args = { filter: { person_id, due_from: '2026-12-01' }, set: { planned_date: '2026-12-10' } };
    const planned = await update({ ...args, dry_run: true });
    expect(planned).toMatchObject({ requested: 2, succeeded: inOrder(ids) });
    expect(await get(ids[0]!)).toMatchObject({ planned_date: null, version: 1 });
    expect(await update(args)).toEqual(planned);
    expect(await get(ids[0]!)).toMatchObject({ planned_date: '2026-12-10' });
    expect(await update({ ids, set: { planned_date: null } })).toMatchObject({ failed: [] });
    expect(await get(ids[0]!)).toMatchObject({ planned_date: null });
  });

  test('refuses a filter of more than 200', async () => {
    const installments = { count: 101, first_due_date: '2030-01-05', interval: 'weekly' };
    for (const amount of ['101.00', '202.00']) {
      await create(world, { company_id, person_id, due_date: undefined, amount, installments });
    }
    await expect(
      update({ filter: { person_id }, set: { planned_date: '2026-12-10' } }),
    ).rejects.toMatchObject({ code: 'invalid_argument', details: { path: 'filter' } });
  });

  const set = { planned_date: '2026-12-10' };
  const refused: [string, () => object, string][] = [
    ['neither ids nor filter', () => ({ set }), 'ids'],
    ['both', () => ({ ids: [newId()], filter: { overdue: true }, set }), 'ids'],
    ['a filter without a condition', () => ({ filter: {}, set }), 'filter'],
    ['no change', () => ({ ids: [newId()], set: {} }), 'set'],
    ['side door: a status', () => ({ ids: [newId()], set: { status: 'paid' } }), 'set.status'],
    ['side door: an amount', () => ({ ids: [newId()], set: { amount: '1.00' } }), 'set.amount'],
    ['more than 200 ids', () => ({ ids: Array.from({ length: 201 }, newId), set }), 'ids'],
  ];
  test.each(refused)('refuses %s', async (_what, args, path) => {
    await expect(update(args())).rejects.toMatchObject({ code: 'invalid_argument', details: { path } });
  });

  test('refuses who may not; of another organization it finds nothing', async () => {
    const ids = [await register()];
    await expect(update({ ids, set }, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(update({ ids, set }, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    expect(await update({ ids, set }, 'stranger')).toMatchObject({
      succeeded: [],
      failed: [{ id: ids[0], code: 'not_found' }],
    });
    expect(await get(ids[0]!)).toMatchObject({ version: 1 });
  });

  test('two calls over the same records at the same moment both finish', async () => {
    const ids = [await register(), await register(), await register()];
    const both = await Promise.all([
      update({ ids, set: { planned_date: '2026-12-11' } }),
      update({ ids: ids.toReversed(), set: { planned_date: '2026-12-12' } }),
    ]);
    expect(both.map(({ failed }) => failed)).toEqual([[], []]);
    const dates = await Promise.all(ids.map(async (id) => (await get(id))['planned_date']));
    expect(new Set(dates).size).toBe(1);
  });
});
