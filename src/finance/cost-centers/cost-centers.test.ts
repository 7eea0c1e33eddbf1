import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { parsePercent } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import { checkedCostCenters } from './index.ts';
import { requireWholeShares } from './rules.ts';
import type { CostCenterShare } from './schema.ts';

let world: World;
let plant: string;
let store: string;

const create = async (args: object) =>
  (await world.call('finance_cost_centers_create', args))['id'] as string;
const update = (id: string, fields: object) => world.call('finance_cost_centers_update', { id, ...fields });
const list = async (args: object = {}) => (await world.call('finance_cost_centers_list', args))['items'];

beforeAll(async () => {
  world = await openWorld();
  plant = await create({ name: 'Fábrica', code: 'F1' });
  store = await create({ name: 'Loja', code: 'L1' });
});
afterAll(() => world.close());

describe('cost centers', () => {
  test('are created and listed by name', async () => {
    expect(await list()).toMatchObject([
      { id: plant, name: 'Fábrica', code: 'F1', parent_id: null, active: true, version: 1 },
      { id: store, name: 'Loja', code: 'L1' },
    ]);
    expect((await list({ search: 'FABRICA' })).map((item: { id: string }) => item.id)).toEqual([plant]);
    expect((await list({ search: 'l1' })).map((item: { id: string }) => item.id)).toEqual([store]);
  });

  test.each(['name', '-name', 'created_at', '-created_at'])('are paged by %s without loss', async (sort) => {
    const whole = await list({ sort });
    const first = await world.call('finance_cost_centers_list', { sort, limit: 1 });
    const second = await world.call('finance_cost_centers_list', {
      sort,
      limit: 1,
      cursor: first['next_cursor'],
    });
    expect([...first['items'], ...second['items']]).toEqual(whole);
    expect(second['next_cursor']).toBeNull();
  });

  test('have one name each under one parent, whatever the case', async () => {
    await expect(create({ name: 'LOJA' })).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: store },
    });
    const results = await Promise.allSettled([create({ name: 'Twin' }), create({ name: 'Twin' })]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const below = await create({ name: 'Loja', parent_id: plant });
    await expect(update(below, { parent_id: null })).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: store },
    });
  });

  test('are at most five levels deep and never in a circle', async () => {
    const path = [await create({ name: 'Level 1' })];
    for (let level = 2; level <= 5; level += 1) {
      path.push(await create({ name: `Level ${level}`, parent_id: path.at(-1) }));
    }
    await expect(create({ name: 'Level 6', parent_id: path.at(-1) })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'parent_id', expected: 'a cost center higher up: there are at most 5 levels' },
    });
    await expect(update(path[0]!, { parent_id: store })).rejects.toMatchObject({
      details: { path: 'parent_id' },
    });
    await expect(update(path[0]!, { parent_id: path[3]! })).rejects.toMatchObject({
      details: { expected: 'a cost center that is not this one and not below it' },
    });
    expect(await update(path[1]!, { parent_id: null })).toMatchObject({ parent_id: null, version: 2 });
    expect(await update(path[0]!, { parent_id: store })).toMatchObject({ parent_id: store });
  });

  test('are deactivated from the bottom up', async () => {
    const top = await create({ name: 'Top' });
    const below = await create({ name: 'Below', parent_id: top });
    await expect(update(top, { active: false })).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'cost_center', id: below }] },
    });
    await update(below, { active: false });
    await update(top, { active: false });
    await expect(update(below, { active: true })).rejects.toMatchObject({ code: 'invalid_state' });
    const idle = (await list({ active: false })).map((item: { name: string }) => item.name);
    expect(idle).toEqual(['Below', 'Top']);
  });

  test('name a wrong field, and are safe to repeat', async () => {
    await expect(create({ name: ' ' })).rejects.toMatchObject({ details: { path: 'name' } });
    const args = { name: 'Once', idempotency_key: 'center-1' };
    expect(await create(args)).toBe(await create(args));
  });

  test('are changed by those who may, and the change is on record', async () => {
    await expect(world.call('finance_cost_centers_create', { name: 'X' }, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(
      world.call('finance_cost_centers_update', { id: store, name: 'X' }, 'reader'),
    ).rejects.toMatchObject({ code: 'insufficient_scope' });
    await update(store, { code: null });
    const [event] = await world.look<{ body: string }>(
      "select body from events where operation = 'finance_cost_centers_update' order by position desc limit 1",
    );
    expect(JSON.parse(event!.body).changes).toMatchObject([
      { kind: 'cost_center', id: store, before: { code: 'L1' }, after: { code: null } },
    ]);
  });

  test('are hidden from another workspace, also as a parent', async () => {
    const missing = { code: 'not_found', details: { kind: 'cost_center', id: store } };
    await expect(
      world.call('finance_cost_centers_update', { id: store, name: 'X' }, 'stranger'),
    ).rejects.toMatchObject(missing);
    await expect(
      world.call('finance_cost_centers_create', { name: 'X', parent_id: store }, 'stranger'),
    ).rejects.toMatchObject(missing);
    expect((await world.call('finance_cost_centers_list', {}, 'stranger'))['items']).toEqual([]);
  });
});

describe('shares', () => {
  const check = (shares: CostCenterShare[], workspaceId = world.workspaceId) => {
    const tenant = { organizationId: world.organizationId, workspaceId };
    return world.runtime.database.write(tenant, (db) =>
      checkedCostCenters({ ...tenant, db, isWriting: true } as unknown as Context, shares),
    );
  };
  const share = (id: string, percent: string) => ({ id, percent: parsePercent(percent)! });

  test('come back as given when they add up to 100 over active cost centers', async () => {
    const shares = [share(store, '33.3333'), share(plant, '66.6667')];
    expect(await check(shares)).toEqual(shares);
    expect(await check([])).toEqual([]);
  });

  test('are refused when the cost center is missing, inactive or of another workspace', async () => {
    const nobody = newId();
    const missing = (id: string) => ({ code: 'not_found', details: { kind: 'cost_center', id } });
    await expect(check([share(nobody, '100')])).rejects.toMatchObject(missing(nobody));
    await expect(check([share(store, '100')], world.otherWorkspaceId)).rejects.toMatchObject(missing(store));
    const [idle] = await list({ active: false });
    await expect(check([share(store, '50'), share(idle.id, '50')])).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'cost_centers.1.id', expected: 'an active cost center' },
    });
  });

  test.each([
    [['50', '49.9999'], 'percentages that add up to exactly 100; these give 99.9999'],
    [['50', '50.0001'], 'percentages that add up to exactly 100; these give 100.0001'],
    [['100', '0'], 'percentages greater than zero'],
  ])('of %j are refused', (percents, expected) => {
    const shares = percents.map((percent, index) => share(String(index), percent));
    expect(() => requireWholeShares(shares)).toThrowError(
      expect.objectContaining({ code: 'invalid_argument', details: { path: 'cost_centers', expected } }),
    );
  });

  test('name each cost center once', () => {
    expect(() => requireWholeShares([share('a', '50'), share('a', '50')])).toThrowError(
      expect.objectContaining({ details: { path: 'cost_centers', expected: 'each cost center once' } }),
    );
  });

  test('pass exactly when their ten-thousandths of a percent sum to one million', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 999_999 }), { minLength: 1, maxLength: 49 });
    fc.assert(
      fc.property(parts, fc.integer({ min: -2, max: 2 }), (given, off) => {
        const cut: number[] = [];
        let left = 1_000_000;
        for (const part of given) {
          if (part >= left) break;
          cut.push(part);
          left -= part;
        }
        const shares = [...cut, left + off]
          .filter((percent) => percent > 0)
          .map((percent, index) => ({ id: String(index), percent }));
        const sum = shares.reduce((total, { percent }) => total + percent, 0);
        const work = () => requireWholeShares(shares);
        if (sum === 1_000_000) expect(work).not.toThrow();
        else expect(work).toThrow();
      }),
      { numRuns: 1_000 },
    );
  });
});
