import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBill, createCategory, createCompany, createSupplier } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let company_id: string;
let person_id: string;

beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world);
});
beforeEach(async () => {
  person_id = await createSupplier(world);
});
afterAll(() => world.close());

const bill = (fields: Record<string, unknown> = {}) => ({
  company_id,
  person_id,
  description: 'Rent',
  amount: '100.00',
  due_date: '2026-10-10',
  ...fields,
});

const create = (fields: Record<string, unknown> = {}) => world.call('finance_payables_create', bill(fields));

test('registers a bill, overdue only after the business day its due date moves to', async () => {
  const { items } = await create({ issue_date: '2026-09-20', document_number: 'NF 12', series: '1' });
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    company_id,
    person: { id: person_id },
    amount: '100.00',
    open_amount: '100.00',
    amount_due: '100.00',
    due_date: '2026-10-10',
    adjusted_due_date: '2026-10-13',
    competence_month: '2026-09',
    status: 'open',
    overdue: false,
    approval_status: 'not_required',
    installment: null,
    version: 1,
  });
});

test('keeps withholdings, charges and cost centers as given, and pays the supplier the net amount', async () => {
  const category_id = await createCategory(world, { kind: 'expense' });
  const center = await world.call('finance_cost_centers_create', { name: `Works ${person_id}` });
  const { items } = await create({
    category_id,
    cost_centers: [{ id: center['id'], percent: '100' }],
    withholdings: [{ kind: 'iss', amount: '5.00' }],
    charges: {
      fine: { kind: 'percent', value: '2' },
      interest: { kind: 'percent_per_month', value: '1' },
      discounts: [{ kind: 'fixed', value: '1.50', until: '2026-10-01' }],
    },
  });
  expect(items[0]).toMatchObject({
    amount: '100.00',
    open_amount: '95.00',
    amount_due: '93.50',
    category_id,
    cost_centers: [{ id: center['id'], percent: '100' }],
    withholdings: [{ kind: 'iss', amount: '5.00' }],
    charges: {
      fine: { kind: 'percent', value: '2' },
      interest: { kind: 'percent_per_month', value: '1', days: 'calendar' },
      discounts: [{ kind: 'fixed', value: '1.50', until: '2026-10-01' }],
      grace_days: 0,
    },
  });
});

test('registers an installment plan as bills that add up, with the month of the purchase', async () => {
  const { items } = await create({
    due_date: undefined,
    amount: '559.30',
    document_number: 'PLAN',
    installments: { count: 3, first_due_date: '2027-01-31', interval: 'monthly' },
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

test('makes the person a supplier', async () => {
  person_id = await createSupplier(world, { roles: ['customer'] });
  await create();
  const person = await world.call('finance_people_get', { id: person_id });
  expect(person['roles']).toEqual(['customer', 'supplier']);
});

test('PITFALL 30: keeps the due date whatever the time zone of the process', async () => {
  const zone = process.env['TZ'];
  for (const name of ['UTC', 'America/Sao_Paulo', 'Pacific/Auckland']) {
    process.env['TZ'] = name;
    const { items } = await create({ due_date: '2026-02-20' });
    expect(items[0]).toMatchObject({ due_date: '2026-02-20', overdue: true });
  }
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

describe('refuses, and registers nothing', () => {
  const refused: [string, Record<string, unknown>, object][] = [
    ['a bill without due date', { due_date: undefined }, { details: { path: 'due_date' } }],
    ['an amount of zero', { amount: '0.00' }, { details: { path: 'amount' } }],
    ['an amount with a comma', { amount: '1.234,56' }, { details: { path: 'amount' } }],
    [
      'withholdings that leave nothing to pay',
      { withholdings: [{ kind: 'iss', amount: '100.00' }] },
      { details: { path: 'withholdings' } },
    ],
    [
      'more than 120 installments',
      { due_date: undefined, installments: { count: 121, first_due_date: '2026-10-10' } },
      { details: { path: 'installments.count' } },
    ],
    [
      'a boleto with another amount',
      { payment_details: { kind: 'boleto', code: '34191.23454 67890.123457 67890.123457 8 15100000123456' } },
      { code: 'invalid_argument', details: { path: 'payment_details.code' } },
    ],
    ['an unknown company', { company_id: newId() }, { code: 'not_found', details: { kind: 'company' } }],
    ['an unknown person', { person_id: newId() }, { code: 'not_found', details: { kind: 'person' } }],
    ['an unknown category', { category_id: newId() }, { code: 'not_found', details: { kind: 'category' } }],
    [
      'an unknown account',
      { planned_account_id: newId() },
      { code: 'not_found', details: { kind: 'financial_account' } },
    ],
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
  ];

  test.each(refused)('%s', async (_what, fields, error) => {
    const { details, ...rest } = error as { details: object };
    await expect(create(fields)).rejects.toMatchObject({ ...rest, details });
    const { total_open } = await world.call('finance_payables_list', { person_id });
    expect(total_open).toEqual({ amount: '0.00', count: 0 });
  });

  test('a category of income, and shares that are not 100 %', async () => {
    const category_id = await createCategory(world, { kind: 'income' });
    await expect(create({ category_id })).rejects.toMatchObject({ code: 'invalid_argument' });
    const center = await world.call('finance_cost_centers_create', { name: `Half ${person_id}` });
    await expect(create({ cost_centers: [{ id: center['id'], percent: '99.9' }] })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  test('an inactive company', async () => {
    const inactive = await createCompany(world, { active: false });
    await expect(create({ company_id: inactive })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'company', from: 'inactive' },
    });
  });

  test('invariant 9: a bill of a closed month, by its competence or its issue date', async () => {
    const closed = await createCompany(world);
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-08-31' });
    const error = { code: 'books_closed', details: { until: '2026-08-31' } };
    await expect(create({ company_id: closed, competence_month: '2026-08' })).rejects.toMatchObject(error);
    await expect(create({ company_id: closed, issue_date: '2026-08-31' })).rejects.toMatchObject(error);
    await expect(
      create({ company_id: closed, issue_date: '2026-09-01', due_date: '2026-08-15' }),
    ).resolves.toBeDefined();
  });

  test('a connection that only reads, and a role that does not write', async () => {
    await expect(world.call('finance_payables_create', bill(), 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call('finance_payables_create', bill(), 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  test('a company and a person of another organization, like ones that do not exist', async () => {
    await expect(world.call('finance_payables_create', bill(), 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'company', id: company_id },
    });
  });
});

describe('duplicates', () => {
  test('PITFALL 47: the same supplier, number and amount is a duplicate on any date', async () => {
    const first = await createBill(world, bill({ document_number: '1234' }) as never);
    await expect(create({ document_number: '1234', due_date: '2026-12-01' })).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: first['id'] },
    });
  });

  test('PITFALL 47: number 1 of another year and amount is none', async () => {
    await create({ document_number: '1', due_date: '2019-03-10' });
    await expect(
      create({ document_number: '1', due_date: '2020-03-10', amount: '120.00' }),
    ).resolves.toBeDefined();
  });

  test('another series or supplier is none', async () => {
    await create({ document_number: '7', series: '1' });
    await expect(create({ document_number: '7', series: '2' })).resolves.toBeDefined();
    const other = await createSupplier(world);
    await expect(create({ document_number: '7', series: '1', person_id: other })).resolves.toBeDefined();
  });

  test('the same barcode is one, whoever the supplier', async () => {
    const payment_details = {
      kind: 'boleto',
      code: '34191.23454 67890.123457 67890.123457 2 99990000010000',
    };
    const first = await createBill(world, bill({ payment_details }) as never);
    const other = await createSupplier(world);
    await expect(
      create({
        payment_details: { kind: 'boleto', code: '34192999900000100001234567890123456789012345' },
        person_id: other,
      }),
    ).rejects.toMatchObject({ code: 'duplicate', details: { of: first['id'] } });
  });

  test('a canceled bill does not count', async () => {
    const first = await createBill(world, bill({ document_number: '55' }) as never);
    await world.call('finance_payables_cancel', { id: first['id'], reason: 'typed twice' });
    await expect(create({ document_number: '55' })).resolves.toBeDefined();
  });

  test('one that is meant is registered by naming the other, any of them', async () => {
    const first = await createBill(world, bill({ document_number: '9' }) as never);
    const second = await createBill(
      world,
      bill({ document_number: '9', allow_duplicate_of: first['id'] }) as never,
    );
    await expect(create({ document_number: '9', allow_duplicate_of: second['id'] })).resolves.toBeDefined();
    await expect(create({ document_number: '9', allow_duplicate_of: newId() })).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: first['id'] },
    });
  });

  test('installments of one plan are none of each other; the plan again is', async () => {
    const installments = { count: 2, first_due_date: '2026-11-10', interval: 'monthly' };
    const plan = { due_date: undefined, document_number: 'P1', installments };
    const { items } = await create(plan);
    await expect(create(plan)).rejects.toMatchObject({ code: 'duplicate', details: { of: items[0].id } });
  });

  test('two calls at the same moment register one bill', async () => {
    const results = await Promise.allSettled([
      create({ document_number: 'race' }),
      create({ document_number: 'race' }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

test('gives the same answer for a repeated idempotency key', async () => {
  const first = await create({ idempotency_key: `key ${person_id}` });
  expect(await create({ idempotency_key: `key ${person_id}` })).toEqual(first);
  const { total_open } = await world.call('finance_payables_list', { person_id });
  expect(total_open).toEqual({ amount: '100.00', count: 1 });
});

test('shows what would be registered without registering it', async () => {
  const { items } = await create({ dry_run: true });
  expect(items[0].amount).toBe('100.00');
  expect(await world.call('finance_payables_list', { person_id })).toMatchObject({ items: [] });
});

test('records what was registered, bank details masked', async () => {
  const { items } = await create({
    payment_details: { kind: 'pix_key', key: '+5511987654321' },
  });
  expect(items[0].payment_details.key).toBe('+5511987654321');
  const events = await world.look<{ body: string }>(
    "select body from events where operation = 'finance_payables_create' order by position desc limit 1",
  );
  const [change] = JSON.parse(events[0]!.body).changes;
  expect(change).toMatchObject({ kind: 'payable', id: items[0].id, before: null });
  expect(change.after.payment_details.key).toBe('***321');
});
