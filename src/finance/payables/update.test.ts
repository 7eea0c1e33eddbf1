import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createAccount,
  createBill,
  createCategory,
  createCompany,
  createSupplier,
} from '../../../test/support/records.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let company_id: string;
let person_id: string;
let account_id: string;
let id: string;

beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world);
  account_id = await createAccount(world, { company_id });
});
beforeEach(async () => {
  person_id = await createSupplier(world);
  id = (await createBill(world, { company_id, person_id, document_number: 'A1' }))['id'];
});
afterAll(() => world.close());

const update = (fields: Record<string, unknown>, who?: Who) =>
  world.call('finance_payables_update', { id, ...fields }, who);
const get = () => world.call('finance_payables_get', { id });

describe('changing a bill', () => {
  test('changes what was given, recomputes what follows, and records before and after', async () => {
    const category_id = await createCategory(world, { kind: 'expense' });
    const changed = await update({
      description: 'Aluguel São João',
      amount: '120.00',
      due_date: '2026-10-10',
      category_id,
      planned_date: '2026-10-09',
      planned_account_id: account_id,
      charges: { fine: { kind: 'fixed', value: '3.00' } },
    });
    expect(changed).toMatchObject({
      description: 'Aluguel São João',
      amount: '120.00',
      open_amount: '120.00',
      due_date: '2026-10-10',
      adjusted_due_date: '2026-10-13',
      category_id,
      planned_date: '2026-10-09',
      planned_account_id: account_id,
      document_number: 'A1',
      version: 2,
    });
    const found = await world.call('finance_payables_list', { search: 'sao joao' });
    expect(found['items'].map((item: { id: string }) => item.id)).toEqual([id]);
    const events = await world.look<{ body: string }>(
      "select body from events where operation = 'finance_payables_update' order by position desc limit 1",
    );
    const [change] = JSON.parse(events[0]!.body).changes;
    expect(change).toMatchObject({ before: { amount: '100.00' }, after: { amount: '120.00' } });
  });

  test('takes away what is set to null', async () => {
    await update({ planned_date: '2026-10-09', charges: { fine: { kind: 'fixed', value: '3.00' } } });
    expect(await update({ planned_date: null, charges: null, document_number: null })).toMatchObject({
      planned_date: null,
      charges: null,
      document_number: null,
    });
  });

  test('is the same bill when repeated', async () => {
    const first = await update({ amount: '120.00' });
    expect(await update({ amount: '120.00' })).toEqual({ ...first, version: 3 });
  });

  const refused: [string, Record<string, unknown>, object][] = [
    [
      'side door: a paid status',
      { status: 'paid' },
      { code: 'invalid_argument', details: { path: 'status' } },
    ],
    ['side door: sending', { auto_send: true }, { code: 'invalid_argument', details: { path: 'auto_send' } }],
    [
      'side door: a payment order',
      { payment: { account_id: newId() } },
      { code: 'invalid_argument', details: { path: 'payment' } },
    ],
    ['an amount of zero', { amount: '0' }, { code: 'invalid_argument', details: { path: 'amount' } }],
    ['a date that is none', { due_date: '2026-02-30' }, { details: { path: 'due_date' } }],
    ['an abatement of everything', { abatement: '100.00' }, { details: { path: 'amount' } }],
    ['an unknown supplier', { person_id: newId() }, { code: 'not_found', details: { kind: 'person' } }],
    ['an unknown category', { category_id: newId() }, { code: 'not_found', details: { kind: 'category' } }],
    [
      'a boleto of another amount',
      { payment_details: { kind: 'boleto', code: '34191.23454 67890.123457 67890.123457 8 15100000123456' } },
      { code: 'invalid_argument', details: { path: 'payment_details.code' } },
    ],
  ];
  test.each(refused)('refuses %s and changes nothing', async (_what, fields, error) => {
    await expect(update(fields)).rejects.toMatchObject(error);
    expect(await get()).toMatchObject({ amount: '100.00', person: { id: person_id }, version: 1 });
  });

  test('refuses a paid or canceled bill', async () => {
    await world.call('finance_payables_cancel', { id, reason: 'no longer owed' });
    await expect(update({ description: 'X' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled', allowed: ['draft', 'open', 'partially_paid'] },
    });
  });

  test('leaves only planning and description free once a part is paid', async () => {
    await world.call('finance_payables_settle', { id, account_id, paid_at: '2026-09-30', amount: '10.00' });
    await expect(update({ amount: '90.00' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'partially_paid', allowed: ['draft', 'open'] },
    });
    expect(await update({ planned_date: '2026-10-04' })).toMatchObject({ planned_date: '2026-10-04' });
  });

  test('locks amount, supplier and payment details while an order is on its way', async () => {
    const order = newId();
    await world.look(
      `insert into payments (workspace_id, id, payable_id, account_id, kind, amount_cents, details, scheduled_for,
                             status, registration_status, created_by)
       values ($1, $2, $3, $4, 'pix_key', 10000, '{}', '2026-10-05', 'scheduled', 'confirmed', $1)`,
      [world.workspaceId, order, id, account_id],
    );
    const locked = { code: 'invalid_state', details: { kind: 'payment', id: order, from: 'scheduled' } };
    await expect(update({ amount: '1.00' })).rejects.toMatchObject(locked);
    await expect(update({ person_id: await createSupplier(world) })).rejects.toMatchObject(locked);
    await expect(
      update({ payment_details: { kind: 'pix_key', key: '+5511987654321' } }),
    ).rejects.toMatchObject(locked);
    expect(await update({ description: 'Rent of October' })).toMatchObject({
      description: 'Rent of October',
    });
    expect((await get())['payments']).toMatchObject([{ id: order, status: 'scheduled', amount: '100.00' }]);
    await world.look("update payments set status = 'rejected' where id = $1", [order]);
    expect(await update({ amount: '1.00' })).toMatchObject({ amount: '1.00' });
  });

  test('PITFALL 47: a bill moved to the supplier who has the same one is a duplicate', async () => {
    const other = await createSupplier(world);
    const moved = await createBill(world, { company_id, person_id: other, document_number: 'A1' });
    const move = { id: moved['id'], person_id };
    await expect(world.call('finance_payables_update', move)).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: id },
    });
    await expect(
      world.call('finance_payables_update', { ...move, allow_duplicate_of: id }),
    ).resolves.toMatchObject({ person: { id: person_id } });
  });

  test('invariant 9: changes nothing in the books of a closed month, but plans its payment', async () => {
    const closed = await createCompany(world);
    id = (await createBill(world, { company_id: closed, person_id, competence_month: '2026-08' }))['id'];
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-08-31' });
    await expect(update({ amount: '90.00' })).rejects.toMatchObject({ code: 'books_closed' });
    await expect(update({ competence_month: '2026-09' })).rejects.toMatchObject({ code: 'books_closed' });
    expect(await update({ planned_date: '2026-10-04' })).toMatchObject({ planned_date: '2026-10-04' });
  });

  test('refuses a connection that only reads, a role that does not write, and another organization', async () => {
    await expect(update({ description: 'X' }, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(update({ description: 'X' }, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(update({ description: 'X' }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'payable', id },
    });
  });
});

describe('approval', () => {
  beforeAll(async () => {
    await world.look('update workspaces set settings = $1 where id = $2', [
      JSON.stringify({ approval: { above: '1000.00', second_person: true } }),
      world.workspaceId,
    ]);
  });
  beforeEach(async () => {
    id = (await createBill(world, { company_id, person_id, amount: '1000.00' }))['id'];
  });

  const approve = (who: Who = 'approver', fields: Record<string, unknown> = {}) =>
    world.call('finance_payables_approve', { id, ...fields }, who);

  test('is asked for from the threshold on, also for a plan whose parts are below it', async () => {
    expect(await get()).toMatchObject({ approval_status: 'pending' });
    const small = await createBill(world, { company_id, person_id, amount: '999.99' });
    expect(small).toMatchObject({ approval_status: 'not_required' });
    const part = await createBill(world, {
      company_id,
      person_id,
      amount: '1000.00',
      due_date: undefined,
      installments: { count: 2, first_due_date: '2026-11-05' },
    });
    expect(part).toMatchObject({ amount: '500.00', approval_status: 'pending' });
  });

  test('is given by another person than the one who registered the bill', async () => {
    await expect(approve('owner')).rejects.toMatchObject({ code: 'same_person_approval' });
    const approved = await approve();
    const { user } = await world.caller('approver');
    expect(approved).toMatchObject({
      approval_status: 'approved',
      approval: { by: user.id, at: '2026-10-01T12:00:00Z', reason: null },
    });
    await expect(approve()).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'approved', allowed: ['pending'] },
    });
  });

  test('is not given for another amount than the one seen', async () => {
    await expect(approve('approver', { expected_amount: '999.00' })).rejects.toMatchObject({
      code: 'amount_changed',
      details: { expected: '999.00', actual: '1000.00' },
    });
    expect(await get()).toMatchObject({ approval_status: 'pending' });
    await expect(approve('approver', { expected_amount: '1000.00' })).resolves.toBeDefined();
  });

  test('is refused with a reason', async () => {
    const rejected = await world.call('finance_payables_reject', { id, reason: 'wrong price' }, 'approver');
    expect(rejected).toMatchObject({ approval_status: 'rejected', approval: { reason: 'wrong price' } });
    await expect(world.call('finance_payables_reject', { id }, 'approver')).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'reason' },
    });
    await expect(approve()).rejects.toMatchObject({ code: 'invalid_state', details: { from: 'rejected' } });
  });

  const changes: [string, () => Promise<Record<string, unknown>>][] = [
    ['amount', async () => ({ amount: '900.00' })],
    ['supplier', async () => ({ person_id: await createSupplier(world) })],
    ['payment details', async () => ({ payment_details: { kind: 'pix_key', key: '+5511987654321' } })],
    ['charges', async () => ({ charges: { fine: { kind: 'fixed', value: '50.00' } } })],
  ];
  test.each(changes)('invariant 11: does not survive a change of %s', async (_what, change) => {
    await approve();
    expect(await update(await change())).toMatchObject({
      approval_status: 'pending',
      approval: { by: null, at: null, reason: null },
    });
  });

  test('survives a change of the plan', async () => {
    await approve();
    expect(await update({ planned_date: '2026-10-04' })).toMatchObject({ approval_status: 'approved' });
  });

  test('is for those with the right to approve', async () => {
    await expect(approve('accountant')).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['finance.payables.write', 'finance.payables.approve'] },
    });
    await expect(approve('reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(approve('stranger')).rejects.toMatchObject({ code: 'not_found' });
  });
});
