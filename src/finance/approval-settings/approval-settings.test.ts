import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBill, createPayer, createSupplier, type Payer } from '../../../test/support/banking.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

const GET = 'finance_approval_settings_get';
const UPDATE = 'finance_approval_settings_update';

let world: World;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.look('delete from approval_settings');
  await world.look("update workspaces set settings = '{}'");
});

const get = (company_id?: string) => world.call(GET, { ...(company_id && { company_id }) });
const update = (args: object, who?: Parameters<World['call']>[2]) => world.call(UPDATE, args, who);
const userOf = async (who: Parameters<World['caller']>[0]) => (await world.caller(who)).user.id;

const defaults = {
  changed_bank_details: 'warn',
  possible_duplicate: 'warn',
  balance_floor: [],
  daily_limit: null,
};

describe('what is in force', () => {
  test('is nothing but warnings where nobody decided, or what the workspace was set up with', async () => {
    const none = { company_id: null, source: 'default', thresholds: [], require_second_person: false };
    expect(await get()).toEqual({
      ...none,
      safety: defaults,
      updated_by: null,
      updated_at: null,
      version: null,
    });
    await world.look('update workspaces set settings = $1 where id = $2', [
      JSON.stringify({ approval: { above: '1000.00', second_person: true } }),
      world.workspaceId,
    ]);
    expect(await get()).toMatchObject({
      source: 'default',
      thresholds: [{ above: '1000.00', approvers: null }],
      require_second_person: true,
    });
  });

  test('is what was set last, each part on its own, thresholds from the lowest on', async () => {
    const approvers = [await userOf('approver')];
    const set = await update({
      thresholds: [{ above: '5000.00', approvers }, { above: '100.00' }],
      safety: { daily_limit: { amount: '9000.00', mode: 'refuse' } },
    });
    expect(set).toMatchObject({
      company_id: null,
      source: 'workspace',
      thresholds: [
        { above: '100.00', approvers: null },
        { above: '5000.00', approvers },
      ],
      require_second_person: false,
      safety: { ...defaults, daily_limit: { amount: '9000.00', mode: 'refuse' } },
      updated_by: await userOf('owner'),
      updated_at: '2026-10-01T12:00:00Z',
      version: 1,
    });
    const second = await update({ require_second_person: true, safety: { possible_duplicate: 'refuse' } });
    expect(second).toMatchObject({
      thresholds: set['thresholds'],
      require_second_person: true,
      safety: { ...set['safety'], possible_duplicate: 'refuse' },
      version: 2,
    });
    expect(await get()).toEqual(second);
    expect((await update({ thresholds: [], safety: { daily_limit: null } }))['thresholds']).toEqual([]);
  });

  test("is a company's own, which start from the workspace's, until the company follows the workspace again", async () => {
    await update({ thresholds: [{ above: '100.00' }] });
    expect(await get(payer.companyId)).toMatchObject({ company_id: payer.companyId, source: 'workspace' });
    const own = await update({ company_id: payer.companyId, require_second_person: true });
    expect(own).toMatchObject({
      source: 'company',
      thresholds: [{ above: '100.00', approvers: null }],
      require_second_person: true,
    });
    await update({ thresholds: [{ above: '200.00' }] });
    expect(await get(payer.companyId)).toEqual(own);
    const { companyId } = await createPayer(world);
    expect(await get(companyId)).toMatchObject({ thresholds: [{ above: '200.00' }], source: 'workspace' });
    const inherited = {
      source: 'workspace',
      thresholds: [{ above: '200.00' }],
      require_second_person: false,
    };
    for (let again = 0; again < 2; again += 1) {
      expect(await update({ company_id: payer.companyId, inherit: true })).toMatchObject(inherited);
    }
  });

  test('keeps both of two changes made at the same moment', async () => {
    await Promise.all([
      update({ safety: { possible_duplicate: 'refuse' } }),
      update({ safety: { changed_bank_details: 'refuse' } }),
    ]);
    expect((await get())['safety']).toMatchObject({
      changed_bank_details: 'refuse',
      possible_duplicate: 'refuse',
    });
  });
});

test('a change is an event with what was in force before and after', async () => {
  await update({ thresholds: [{ above: '100.00' }] });
  await update({ thresholds: [] });
  const events = await world.look<{ body: string }>(
    'select body from events where operation = $1 order by position desc limit 2',
    [UPDATE],
  );
  const [loosened, tightened] = events.map(({ body }) => JSON.parse(body).changes);
  expect(loosened).toMatchObject([
    {
      kind: 'approval_settings',
      before: { source: 'workspace', thresholds: [{ above: '100.00' }] },
      after: { thresholds: [] },
    },
  ]);
  expect(tightened).toMatchObject([{ before: { source: 'default', thresholds: [] } }]);
});

describe('refuses', () => {
  const refused = (args: object, path: string) =>
    expect(update(args)).rejects.toMatchObject({ code: 'invalid_argument', details: { path } });

  test('thresholds of one amount, of nothing, too many, or for people who do not belong here', async () => {
    await refused({ thresholds: [{ above: '1.00' }, { above: '1.00' }] }, 'thresholds');
    await refused({ thresholds: [{ above: '0.00' }] }, 'thresholds.0.above');
    const many = Array.from({ length: 11 }, (_, index) => ({ above: `${index + 1}.00` }));
    await refused({ thresholds: many }, 'thresholds');
    await refused({ thresholds: [{ above: '1.00', approvers: [] }] }, 'thresholds.0.approvers');
    for (const userId of [newId(), await userOf('stranger')]) {
      await refused({ thresholds: [{ above: '1.00', approvers: [userId] }] }, 'thresholds.approvers');
    }
    expect(await get()).toMatchObject({ source: 'default' });
  });

  test('two floors of one account, and an account of elsewhere or of another company', async () => {
    const floor = { amount: '-500.00', mode: 'warn' };
    const own = { ...floor, account_id: payer.accountId };
    await refused({ safety: { balance_floor: [floor, floor] } }, 'safety.balance_floor');
    await refused({ safety: { balance_floor: [own, own] } }, 'safety.balance_floor');
    const other = await createPayer(world);
    await refused(
      { company_id: other.companyId, safety: { balance_floor: [own] } },
      'safety.balance_floor.account_id',
    );
    await expect(
      update({ safety: { balance_floor: [{ ...floor, account_id: newId() }] } }),
    ).rejects.toMatchObject({ code: 'not_found', details: { kind: 'financial_account' } });
    expect(await update({ safety: { balance_floor: [floor, own] } })).toMatchObject({
      safety: {
        balance_floor: [
          { account_id: null, amount: '-500.00', mode: 'warn' },
          { account_id: payer.accountId, amount: '-500.00', mode: 'warn' },
        ],
      },
    });
  });

  test('no change at all, and inheriting without a company or besides a change', async () => {
    await refused({}, 'thresholds');
    await refused({ inherit: true }, 'inherit');
    await refused({ company_id: payer.companyId, inherit: true, thresholds: [] }, 'inherit');
    await refused({ safety: { possible_duplicate: 'ignore' } }, 'safety.possible_duplicate');
  });

  test('whoever may not change the rules they are held to, and companies of elsewhere', async () => {
    const args = { require_second_person: false };
    await expect(update(args, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    for (const who of ['approver', 'accountant', 'viewer'] as const) {
      await expect(update(args, who)).rejects.toMatchObject({ code: 'forbidden' });
      expect(await world.call(GET, {}, who)).toMatchObject({ source: 'default' });
    }
    const missing = { code: 'not_found', details: { kind: 'company' } };
    const company_id = payer.companyId;
    await expect(update({ ...args, company_id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(world.call(GET, { company_id }, 'stranger')).rejects.toMatchObject(missing);
    await update({ require_second_person: true });
    expect(await world.call(GET, {}, 'stranger')).toMatchObject({ require_second_person: false });
  });
});

test('a change repeated with its key is made once', async () => {
  const args = { thresholds: [{ above: '100.00' }], idempotency_key: 'settings-1' };
  const first = await update(args);
  expect(await update(args)).toEqual(first);
  expect(await get()).toMatchObject({ version: 1 });
});

describe('approving', () => {
  const statusOf = async (id: string) =>
    (await world.call('finance_payables_get', { id }))['approval_status'];
  const approve = (id: string, who: 'owner' | 'approver') =>
    world.call('finance_payables_approve', { id }, who);

  test('is for the people of the highest threshold that the bill reaches', async () => {
    const approvers = [await userOf('owner')];
    await update({ thresholds: [{ above: '100.00' }, { above: '1000.00', approvers }] });
    const [small, large] = [
      await createBill(world, payer, { amount: '999.99' }),
      await createBill(world, payer, { amount: '1000.00' }),
    ];
    await expect(approve(large, 'approver')).rejects.toMatchObject({
      code: 'not_an_approver',
      details: { approvers },
    });
    expect(await statusOf(large)).toBe('pending');
    expect(await approve(small, 'approver')).toMatchObject({ approval_status: 'approved' });
    expect(await approve(large, 'owner')).toMatchObject({ approval_status: 'approved' });
  });

  test('is for the people of the whole plan, so that splitting a bill is no way around them', async () => {
    const approvers = [await userOf('owner')];
    await update({ thresholds: [{ above: '100.00' }, { above: '1000.00', approvers }] });
    const part = await createBill(world, payer, {
      amount: '1000.00',
      due_date: undefined,
      installments: { count: 4, first_due_date: '2026-11-05' },
    });
    await expect(approve(part, 'approver')).rejects.toMatchObject({ code: 'not_an_approver' });
  });

  test('follows the company that owes the bill', async () => {
    await update({ company_id: payer.companyId, thresholds: [{ above: '10.00' }] });
    const other = await createPayer(world);
    expect(await statusOf(await createBill(world, payer))).toBe('pending');
    expect(await statusOf(await createBill(world, other))).toBe('not_required');
    const supplier = await createSupplier(world);
    const moved = await createBill(world, payer, { amount: '9.99', person_id: supplier });
    await world.call('finance_payables_update', { id: moved, amount: '10.00' });
    expect(await statusOf(moved)).toBe('pending');
  });

  test('stays due for a bill that waits when the rules are loosened', async () => {
    await update({ thresholds: [{ above: '10.00' }], require_second_person: true });
    const id = await createBill(world, payer);
    await expect(approve(id, 'owner')).rejects.toMatchObject({ code: 'same_person_approval' });
    await update({ thresholds: [], require_second_person: false });
    expect(await statusOf(id)).toBe('pending');
    await expect(
      world.ask('finance_payables_send_to_bank', { id, account_id: payer.accountId }),
    ).rejects.toMatchObject({ code: 'approval_required' });
    expect(await approve(id, 'owner')).toMatchObject({ approval_status: 'approved' });
  });
});
