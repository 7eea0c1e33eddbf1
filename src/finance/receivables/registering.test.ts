import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createAccount,
  createCategory,
  createCompany,
  createReceivable,
  createSupplier,
  insertCharge,
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
  person_id = await createSupplier(world, { name: 'Padaria Lua', roles: ['customer'] });
});
afterAll(() => world.close());

const create = (fields: Record<string, unknown> = {}, who?: Who) =>
  createReceivable(world, { company_id, person_id, ...fields }, who);
const get = (id: string) => world.call('finance_receivables_get', { id });
const lastChanges = async (operation: string) => {
  const [event] = await world.look<{ body: string }>(
    'select body from events where operation = $1 order by position desc limit 1',
    [operation],
  );
  return JSON.parse(event!.body).changes;
};
const naturalPerson = async () =>
  (
    await world.call('finance_people_create', {
      name: 'Customer of flesh',
      kind: 'natural',
      roles: ['customer'],
    })
  )['id'];

describe('registering', () => {
  test('gives the record, says who chose the category, and records it', async () => {
    const category_id = await createCategory(world, { kind: 'income' });
    const sale = await create({
      due_date: '2026-10-10',
      issue_date: '2026-09-20',
      document_number: 'NF 12',
      category_id,
      withholdings: [{ kind: 'iss', amount: '5.00' }],
      charges: { fine: { kind: 'percent', value: '10' } },
    });
    expect(sale).toMatchObject({
      person: { id: person_id, name: 'Padaria Lua' },
      amount: '100.00',
      open_amount: '95.00',
      amount_due: '95.00',
      adjusted_due_date: '2026-10-13',
      competence_month: '2026-09',
      status: 'open',
      overdue: false,
      category_id,
      classified_by: 'person',
      recurrence_id: null,
      write_off: null,
      version: 1,
    });
    expect(await lastChanges('finance_receivables_create')).toEqual([
      { kind: 'receivable', id: sale['id'], before: null, after: sale },
    ]);
  });

  test('PITFALLS 29: 559.30 in three is 186.44, 186.43 and 186.43, in the month of the sale', async () => {
    const { items } = await world.call('finance_receivables_create', {
      company_id,
      person_id,
      description: 'Machine',
      amount: '559.30',
      installments: { count: 3, first_due_date: '2027-01-31' },
    });
    const shown = items.map((item: Record<string, unknown>) => [
      item['amount'],
      item['due_date'],
      item['installment'],
      item['competence_month'],
    ]);
    expect(shown).toEqual([
      ['186.44', '2027-01-31', { number: 1, total: 3 }, '2027-01'],
      ['186.43', '2027-02-28', { number: 2, total: 3 }, '2027-01'],
      ['186.43', '2027-03-31', { number: 3, total: 3 }, '2027-01'],
    ]);
  });

  test('makes the person a customer', async () => {
    person_id = await createSupplier(world);
    await create();
    expect(await world.call('finance_people_get', { id: person_id })).toMatchObject({
      roles: ['supplier', 'customer'],
    });
  });

  test('gives the same answer for a repeated idempotency key, and nothing for a dry run', async () => {
    const args = { company_id, person_id, description: 'Sale', amount: '1.00', due_date: '2026-10-05' };
    const call = (more: object) => world.call('finance_receivables_create', { ...args, ...more });
    const first = await call({ idempotency_key: person_id });
    expect(await call({ idempotency_key: person_id })).toEqual(first);
    await call({ dry_run: true });
    const { total_open } = await world.call('finance_receivables_list', { person_id });
    expect(total_open).toEqual({ amount: '1.00', count: 1 });
  });

  const refused: [string, Record<string, unknown>, object][] = [
    ['no due date', { due_date: undefined }, { details: { path: 'due_date' } }],
    ['PITFALLS 28: three decimals', { amount: 8.165 }, { details: { path: 'amount' } }],
    [
      'withholdings that leave nothing to receive',
      { withholdings: [{ kind: 'iss', amount: '100.00' }] },
      { details: { path: 'withholdings' } },
    ],
    ['an unknown company', { company_id: newId() }, { code: 'not_found', details: { kind: 'company' } }],
    ['an unknown person', { person_id: newId() }, { code: 'not_found', details: { kind: 'person' } }],
    ['a paid status', { status: 'paid' }, { code: 'invalid_argument', details: { path: 'status' } }],
    ['details to pay with', { payment_details: { kind: 'none' } }, { details: { path: 'payment_details' } }],
  ];
  test.each(refused)('refuses %s', async (_what, fields, error) => {
    await expect(create(fields)).rejects.toMatchObject(error);
    const { total_open } = await world.call('finance_receivables_list', { person_id });
    expect(total_open).toEqual({ amount: '0.00', count: 0 });
  });

  test('refuses a category of expense', async () => {
    const category_id = await createCategory(world, { kind: 'expense' });
    await expect(create({ category_id })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('refuses a fine above 2 % for a natural person, in percent or in reais (CDC art. 52 §1)', async () => {
    person_id = await naturalPerson();
    const fined = (kind: string, value: string) => create({ charges: { fine: { kind, value } } });
    const error = { code: 'invalid_argument', details: { path: 'charges.fine' } };
    await expect(fined('percent', '2.01')).rejects.toMatchObject(error);
    await expect(fined('fixed', '2.01')).rejects.toMatchObject(error);
    await expect(fined('percent', '2')).resolves.toBeDefined();
    await expect(fined('fixed', '2.00')).resolves.toBeDefined();
  });

  test('invariant 9: refuses one of a closed month, by its competence or its issue date', async () => {
    const closed = await createCompany(world);
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-08-31' });
    const error = { code: 'books_closed', details: { until: '2026-08-31' } };
    await expect(create({ company_id: closed, competence_month: '2026-08' })).rejects.toMatchObject(error);
    await expect(create({ company_id: closed, issue_date: '2026-08-31' })).rejects.toMatchObject(error);
    await expect(create({ company_id: closed, due_date: '2026-09-15' })).resolves.toBeDefined();
  });

  test('refuses who may not, and what is of another organization', async () => {
    await expect(create({}, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(create({}, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(create({}, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'company', id: company_id },
    });
  });
});

describe('the same receivable twice (invariant 10)', () => {
  test('PITFALLS 47: is refused on any date, not in another year with another amount', async () => {
    const first = await create({ document_number: '1234' });
    await expect(create({ document_number: '1234', due_date: '2026-12-01' })).rejects.toMatchObject({
      code: 'duplicate',
      details: { kind: 'receivable', of: first['id'] },
    });
    await expect(
      create({ document_number: '1234', due_date: '2027-12-01', amount: '120.00' }),
    ).resolves.toBeDefined();
    await expect(create({ document_number: '1234', allow_duplicate_of: first['id'] })).resolves.toBeDefined();
  });

  test('PITFALLS 47: is found when the customer is changed', async () => {
    const first = await create({ document_number: 'A1' });
    const other = await createSupplier(world, { roles: ['customer'] });
    const moved = await create({ document_number: 'A1', person_id: other });
    const args = { id: moved['id'], person_id };
    await expect(world.call('finance_receivables_update', args)).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: first['id'] },
    });
    expect(
      await world.call('finance_receivables_update', { ...args, allow_duplicate_of: first['id'] }),
    ).toMatchObject({ person: { id: person_id } });
  });

  test('is registered once by two calls at the same moment; a bill of the same number is another thing', async () => {
    const both = [create({ document_number: 'race' }), create({ document_number: 'race' })];
    const states = (await Promise.allSettled(both)).map(({ status }) => status);
    expect(states.sort()).toEqual(['fulfilled', 'rejected']);
    const bill = { company_id, person_id, description: 'Rent', amount: '100.00', due_date: '2026-10-05' };
    await expect(
      world.call('finance_payables_create', { ...bill, document_number: 'race' }),
    ).resolves.toBeDefined();
  });
});

describe('changing', () => {
  let id: string;
  beforeEach(async () => {
    id = (await create())['id'];
  });
  const update = (fields: Record<string, unknown>, who?: Who) =>
    world.call('finance_receivables_update', { id, ...fields }, who);

  test('changes what was given and what follows from it, and records both', async () => {
    const category_id = await createCategory(world, { kind: 'income' });
    const changed = await update({ amount: '120.00', due_date: '2026-10-10', category_id });
    expect(changed).toMatchObject({
      amount: '120.00',
      open_amount: '120.00',
      adjusted_due_date: '2026-10-13',
      classified_by: 'person',
      version: 2,
    });
    // Taking it away is a choice of a person too, which no rule undoes.
    expect(await update({ category_id: null })).toMatchObject({ category_id: null, classified_by: 'person' });
    const [change] = await lastChanges('finance_receivables_update');
    expect(change).toMatchObject({ before: { category_id }, after: { category_id: null } });
  });

  test('leaves money and customer alone once a part is received', async () => {
    const receipt = { id, account_id, paid_at: '2026-09-30', amount: '10.00' };
    await world.call('finance_receivables_settle', receipt);
    await expect(update({ amount: '90.00' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'partially_paid', allowed: ['draft', 'open'] },
    });
    expect(await update({ planned_date: '2026-10-04' })).toMatchObject({ planned_date: '2026-10-04' });
  });

  test('leaves what a live charge says of it until the charge is over', async () => {
    const charge = await insertCharge(world, { receivable_id: id, account_id, status: 'open' });
    const locked = { code: 'invalid_state', details: { kind: 'charge', id: charge, from: 'open' } };
    for (const change of [
      { amount: '90.00' },
      { due_date: '2026-11-05' },
      { charges: { fine: { kind: 'percent', value: '1' } } },
      { person_id: await createSupplier(world, { roles: ['customer'] }) },
    ]) {
      await expect(update(change)).rejects.toMatchObject(locked);
    }
    expect(await update({ description: 'Sale of October' })).toMatchObject({
      description: 'Sale of October',
    });
    expect((await get(id))['charges_issued']).toMatchObject([{ id: charge, status: 'open' }]);
    await world.look("update charges set status = 'canceled' where id = $1", [charge]);
    expect(await update({ amount: '90.00' })).toMatchObject({ amount: '90.00' });
  });

  test('holds the limit of the fine when terms, amount or customer change', async () => {
    await update({ charges: { fine: { kind: 'fixed', value: '2.50' } } });
    const error = { code: 'invalid_argument', details: { path: 'charges.fine' } };
    const person = await naturalPerson();
    await expect(update({ person_id: person })).rejects.toMatchObject(error);
    await update({ person_id: person, amount: '125.00' });
    await expect(update({ amount: '100.00' })).rejects.toMatchObject(error);
  });

  test('invariant 9: changes nothing in a closed month', async () => {
    const closed = await createCompany(world);
    id = (await create({ company_id: closed, competence_month: '2026-08' }))['id'];
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-08-31' });
    await expect(update({ amount: '90.00' })).rejects.toMatchObject({ code: 'books_closed' });
    expect(await update({ planned_date: '2026-10-04' })).toMatchObject({ planned_date: '2026-10-04' });
    await expect(world.ask('finance_receivables_delete', { id })).rejects.toMatchObject({
      code: 'books_closed',
    });
  });

  test('refuses who may not, and another organization', async () => {
    await expect(update({ description: 'X' }, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(update({ description: 'X' }, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(update({ description: 'X' }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'receivable', id },
    });
  });
});

describe('deleting', () => {
  test('removes a mistaken one, after asking which', async () => {
    const { id } = await create();
    const { message } = await world.ask('finance_receivables_delete', { id });
    expect(message).toContain('Cliente: "Padaria Lua"');
    expect(message).toContain('Em aberto: R$ 100,00');
    expect(await world.call('finance_receivables_delete', { id })).toEqual({ id, deleted: true });
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('leaves what has a history: receipts, even undone, and charges, even failed', async () => {
    const { id } = await create();
    const receipt = { id, account_id, paid_at: '2026-09-30', amount: '10.00' };
    const { settlement } = await world.call('finance_receivables_settle', receipt);
    const undo = { id, settlement_id: settlement.id, reason: 'wrong one' };
    await world.call('finance_receivables_unsettle', undo);
    const charge = await insertCharge(world, { receivable_id: id, account_id, status: 'failed' });
    await expect(world.ask('finance_receivables_delete', { id })).rejects.toMatchObject({
      code: 'in_use',
      details: {
        by: [
          { kind: 'settlement', id: settlement.id },
          { kind: 'charge', id: charge },
        ],
      },
    });
  });

  test('refuses who may not, and another organization', async () => {
    const { id } = await create();
    await expect(world.ask('finance_receivables_delete', { id }, 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(world.ask('finance_receivables_delete', { id }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
