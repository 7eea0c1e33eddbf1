import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createAccount,
  createBill,
  createCategory,
  createCompany,
  createSupplier,
} from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let company_id: string;
let other_company_id: string;
let person_id: string;
let account_id: string;
let category_id: string;
const bills: Record<string, string> = {};

/** 2026-10-01 is a Thursday; the bills are named after what they are on that day. */
beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world);
  other_company_id = await createCompany(world);
  person_id = await createSupplier(world, { name: 'Gráfica Pão Doce' });
  const other = await createSupplier(world, { name: 'Transportes' });
  account_id = await createAccount(world, { company_id });
  category_id = await createCategory(world, { kind: 'expense' });
  const register = async (name: string, fields: Record<string, unknown>) => {
    const bill = await createBill(world, { company_id, person_id, description: name, ...fields });
    bills[name] = bill['id'];
  };
  await register('future', { due_date: '2026-11-01', amount: '300.00', category_id });
  await register('older', { due_date: '2026-08-03', amount: '50.00', person_id: other });
  await register('late', {
    due_date: '2026-09-01',
    amount: '100.00',
    charges: { fine: { kind: 'percent', value: '2' }, interest: { kind: 'percent_per_month', value: '1' } },
  });
  await register('today', { due_date: '2026-10-01', amount: '70.00', company_id: other_company_id });
  await register('paid', { due_date: '2026-09-10', amount: '40.00' });
  await world.call('finance_payables_settle', {
    id: bills['paid'],
    account_id,
    paid_at: '2026-09-15',
    amount: '40.00',
  });
  await register('part', { due_date: '2026-09-20', amount: '90.00' });
  await world.call('finance_payables_settle', {
    id: bills['part'],
    account_id,
    paid_at: '2026-09-21',
    amount: '60.00',
  });
});
afterAll(() => world.close());

const list = (args: object = {}) => world.call('finance_payables_list', args);
const names = (result: Record<string, { description: string }[]>) =>
  result['items']!.map(({ description }) => description);

test('gives bills by due date, with what is open over the whole filter, as of today', async () => {
  const result = await list({ limit: 2 });
  expect(names(result)).toEqual(['older', 'late']);
  expect(result).toMatchObject({
    total_open: { amount: '550.00', count: 5 },
    as_of: '2026-10-01',
    currency: 'BRL',
  });
  expect(result['items'][1]).toEqual({
    id: bills['late'],
    company_id,
    person: { id: person_id, name: 'Gráfica Pão Doce' },
    description: 'late',
    document_number: null,
    amount: '100.00',
    open_amount: '100.00',
    amount_due: '103.00',
    due_date: '2026-09-01',
    planned_date: null,
    status: 'open',
    overdue: true,
    approval_status: 'not_required',
    installment: null,
    category_id: null,
    needs_review: false,
    bank_details_changed_recently: false,
    created_at: '2026-10-01T12:00:00Z',
    updated_at: '2026-10-01T12:00:00Z',
  });
});

const filters: [string, () => object, string[], string][] = [
  ['overdue', () => ({ overdue: true }), ['older', 'late', 'part'], '180.00'],
  ['not overdue', () => ({ overdue: false }), ['paid', 'today', 'future'], '370.00'],
  ['status', () => ({ status: 'partially_paid' }), ['part'], '30.00'],
  ['company', () => ({ company_id: other_company_id }), ['today'], '70.00'],
  ['supplier', () => ({ person_id }), ['late', 'paid', 'part', 'today', 'future'], '500.00'],
  ['category', () => ({ category_id }), ['future'], '300.00'],
  [
    'due dates, both included',
    () => ({ due_from: '2026-09-10', due_to: '2026-10-01' }),
    ['paid', 'part', 'today'],
    '100.00',
  ],
  ['payment dates', () => ({ paid_from: '2026-09-15', paid_to: '2026-09-20' }), ['paid'], '0.00'],
  ['paid from', () => ({ paid_from: '2026-09-16' }), ['part'], '30.00'],
  ['approval', () => ({ approval_status: 'pending' }), [], '0.00'],
  [
    'supplier name without accents',
    () => ({ search: 'grafica PAO', status: 'open' }),
    ['late', 'today', 'future'],
    '470.00',
  ],
  ['creation', () => ({ created_from: '2026-10-02T00:00:00Z' }), [], '0.00'],
];
test.each(filters)('filters by %s, rows and total alike', async (_what, args, expected, amount) => {
  const result = await list(args());
  expect(names(result)).toEqual(expected);
  expect(result['total_open'].amount).toBe(amount);
});

test('finds a bill by the name its supplier has now', async () => {
  await world.call('finance_people_update', { id: person_id, name: 'Papelaria Nova' });
  const found = await list({ search: 'papelaria nova', status: 'open' });
  expect(found['items'].length).toBe(3);
  expect(found['total_open'].count).toBe(3);
  await world.call('finance_people_update', { id: person_id, name: 'Gráfica Pão Doce' });
});

test('a reversed settlement is no payment', async () => {
  const { settlement } = await world.call('finance_payables_settle', {
    id: bills['older'],
    account_id,
    paid_at: '2026-09-29',
    amount: '1.00',
  });
  expect(names(await list({ paid_from: '2026-09-25' }))).toEqual(['older']);
  await world.call('finance_payables_unsettle', {
    id: bills['older'],
    settlement_id: settlement.id,
    reason: 'wrong bill',
  });
  expect(names(await list({ paid_from: '2026-09-25' }))).toEqual([]);
});

const sorts: [string, string[]][] = [
  ['due_date', ['older', 'late', 'paid', 'part', 'today', 'future']],
  ['-due_date', ['future', 'today', 'part', 'paid', 'late', 'older']],
  ['amount', ['paid', 'older', 'today', 'part', 'late', 'future']],
  ['-created_at', ['part', 'paid', 'today', 'late', 'older', 'future']],
];
test.each(sorts)(
  'pages by %s without losing or repeating a bill, with the same total on every page',
  async (sort, expected) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ sort, limit: 2, ...(cursor && { cursor }) });
      expect(page['total_open']).toEqual({ amount: '550.00', count: 5 });
      seen.push(...names(page));
      cursor = page['next_cursor'];
    } while (cursor !== null);
    expect(seen).toEqual(expected);
  },
);

test('today moves at midnight of the workspace, not of UTC', async () => {
  world.setNow('2026-10-02T02:30:00Z');
  expect(await list({ overdue: true })).toMatchObject({ as_of: '2026-10-01', total_open: { count: 3 } });
  world.setNow('2026-10-02T03:30:00Z');
  expect(await list({ overdue: true })).toMatchObject({ as_of: '2026-10-02', total_open: { count: 4 } });
  world.setNow('2026-10-01T12:00:00Z');
});

test('points out bank details of the supplier changed in the last seven days', async () => {
  const flag = async () => {
    const { items } = await list({ person_id, limit: 1 });
    return items[0].bank_details_changed_recently;
  };
  const change = (at: string) =>
    world.look('update people set bank_details_changed_at = $1 where id = $2', [at, person_id]);
  await change('2026-09-25T03:30:00Z');
  expect(await flag()).toBe(true);
  await change('2026-09-24T12:00:00Z');
  expect(await flag()).toBe(false);
});

describe('one bill', () => {
  const get = (args: object, who?: 'stranger' | 'several' | 'accountant') =>
    world.call('finance_payables_get', args, who);

  test('has amounts as of a date', async () => {
    expect((await get({ id: bills['late'], as_of: '2026-09-01' }))['amounts']).toMatchObject({
      fine: '0.00',
      interest: '0.00',
      amount_due: '100.00',
      days_late: 0,
    });
    expect((await get({ id: bills['late'] }))['amounts']).toMatchObject({
      fine: '2.00',
      interest: '1.00',
      amount_due: '103.00',
      days_late: 30,
    });
  });

  test('shows bank details to those who may see them, and masks them for others', async () => {
    const payment_details = {
      kind: 'ted',
      bank_code: '341',
      agency: '1234',
      number: '1234556',
      digit: '7',
    };
    const { id } = await createBill(world, {
      company_id,
      person_id,
      due_date: '2027-12-01',
      payment_details,
    });
    expect((await get({ id }))['payment_details']).toMatchObject({ number: '1234556' });
    expect((await get({ id }, 'accountant'))['payment_details']).toMatchObject({ number: '***556' });
    await world.call('finance_payables_delete', { id });
  });

  test('is hidden from another workspace and another organization, like one that does not exist', async () => {
    const missing = { code: 'not_found', details: { kind: 'payable' } };
    const id = bills['late'];
    await expect(get({ id: newId() })).rejects.toMatchObject(missing);
    await expect(get({ id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(get({ id, workspace_id: world.otherWorkspaceId }, 'several')).rejects.toMatchObject(missing);
    const elsewhere = await world.call('finance_payables_list', {}, 'stranger');
    expect(elsewhere).toMatchObject({ items: [], total_open: { amount: '0.00', count: 0 } });
  });
});

test('names the wrong argument', async () => {
  await expect(list({ due_from: '2026-02-30' })).rejects.toMatchObject({
    code: 'invalid_argument',
    details: { path: 'due_from' },
  });
  await expect(list({ cursor: 'x' })).rejects.toMatchObject({ details: { path: 'cursor' } });
  await expect(list({ search: 'x' })).rejects.toMatchObject({ details: { path: 'search' } });
});
