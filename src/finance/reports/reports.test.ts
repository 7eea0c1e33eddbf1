import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createAccount,
  createBill,
  createCategory,
  createCompany,
  createReceivable,
  createSupplier,
  reconcileSettlement,
} from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

let world: World;
let company_id: string;
let other_company_id: string;
let supplier: string;
let customer: string;
let account_id: string;
let rent: string;
let sales: string;

/** 2026-10-01 is a Thursday. */
beforeAll(async () => {
  world = await openWorld();
  company_id = await createCompany(world, { legal_name: 'Aurora Ltda' });
  other_company_id = await createCompany(world, { legal_name: 'Filial Ltda' });
  supplier = await createSupplier(world, { name: 'Imobiliária' });
  customer = await createSupplier(world, { name: 'Padaria', roles: ['customer'] });
  account_id = await createAccount(world, { company_id, opening_balance_cents: 100_000 });
  await createAccount(world, { company_id, kind: 'card', opening_balance_cents: 999_999 });
  await createAccount(world, { company_id, kind: 'investment', opening_balance_cents: 888_888 });
  await createAccount(world, { company_id, active: false, opening_balance_cents: 777 });
  const office = await createCategory(world, { kind: 'expense', name: 'Office' });
  rent = await createCategory(world, { kind: 'expense', name: 'Rent', parent_id: office });
  sales = await createCategory(world, { kind: 'income', name: 'Sales' });
  await register();
});
afterAll(() => world.close());

/** Bills and sales around 2026-10-01, of which some are settled. */
async function register(): Promise<void> {
  const bill = (fields: object) => createBill(world, { company_id, person_id: supplier, ...fields });
  const sale = (fields: object) => createReceivable(world, { company_id, person_id: customer, ...fields });
  await bill({ amount: '50.00', due_date: '2026-08-03' });
  await bill({ amount: '300.00', due_date: '2026-10-14', category_id: rent });
  await bill({ amount: '20.00', due_date: '2026-11-30', company_id: other_company_id });
  await sale({ amount: '400.00', due_date: '2026-10-05' });
  const paid = await bill({ amount: '100.00', due_date: '2026-09-10', category_id: rent });
  await world.call('finance_payables_settle', {
    id: paid['id'],
    account_id,
    paid_at: '2026-09-15',
    amount: '103.00',
    fine: '2.00',
    interest: '1.00',
  });
  const sold = await sale({ amount: '200.00', due_date: '2026-09-20', category_id: sales });
  await world.call('finance_receivables_settle', {
    id: sold['id'],
    account_id,
    paid_at: '2026-09-21',
    amount: '150.00',
    fee: '3.00',
  });
}

const cashFlow = (args: object = {}, who?: Parameters<World['call']>[2]) =>
  world.call('finance_reports_cash_flow', args, who);
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const wrong = (path: string) => ({ code: 'invalid_argument', details: { path } });

describe('finance_reports_cash_flow', () => {
  test('begins with the balance of accounts in use, without cards and investments', async () => {
    const { balance_today, as_of, currency, filter } = await cashFlow();
    // 1,000.00 - 103.00 + 147.00
    expect(balance_today).toEqual({ amount: '1044.00', accounts: 1 });
    expect({ as_of, currency, filter }).toEqual({
      as_of: '2026-10-01',
      currency: 'BRL',
      filter: { until: '2026-12-30', company_id: null, bucket: 'week', include_overdue: true },
    });
  });

  test('counts what is overdue on a line of its own, and what is open in the week it is expected', async () => {
    const { overdue, buckets, total, balance_end, lowest } = await cashFlow({ until: '2026-10-14' });
    // The rest of the sale of September is overdue too.
    expect(overdue).toEqual({
      inflow: '50.00',
      outflow: '50.00',
      net: '0.00',
      inflow_count: 1,
      outflow_count: 1,
      included: true,
    });
    const empty = { inflow: '0.00', outflow: '0.00', net: '0.00', inflow_count: 0, outflow_count: 0 };
    expect(buckets).toEqual([
      { from: '2026-10-01', to: '2026-10-04', ...empty, balance: '1044.00' },
      {
        from: '2026-10-05',
        to: '2026-10-11',
        ...empty,
        inflow: '400.00',
        net: '400.00',
        inflow_count: 1,
        balance: '1444.00',
      },
      {
        from: '2026-10-12',
        to: '2026-10-14',
        ...empty,
        outflow: '300.00',
        net: '-300.00',
        outflow_count: 1,
        balance: '1144.00',
      },
    ]);
    expect({ total, balance_end, lowest }).toEqual({
      total: { inflow: '450.00', outflow: '350.00', net: '100.00', inflow_count: 2, outflow_count: 2 },
      balance_end: '1144.00',
      lowest: { date: '2026-10-01', balance: '1044.00' },
    });
  });

  test('is of one company where one is named, and without what is overdue where that is not wanted', async () => {
    const result = await cashFlow({ company_id: other_company_id, include_overdue: false });
    expect(result['balance_today']).toEqual({ amount: '0.00', accounts: 0 });
    expect(result['lowest']).toEqual({ date: '2026-11-30', balance: '-20.00' });
    expect(result['overdue']).toMatchObject({ outflow_count: 0, included: false });
  });

  test('counts a bill whose order is at the bank once, on the day of the order', async () => {
    const bill = await createBill(world, {
      company_id: other_company_id,
      person_id: supplier,
      due_date: '2026-10-20',
    });
    await world.look(
      `insert into payments (workspace_id, id, payable_id, account_id, kind, amount_cents, details, scheduled_for, status, registration_status, created_by)
       values ($1, $2, $3, $4, 'boleto', 10000, '{}', '2026-10-09', 'scheduled', 'confirmed', $1)`,
      [world.workspaceId, newId(), bill['id'], account_id],
    );
    const { buckets, total } = await cashFlow({
      company_id: other_company_id,
      bucket: 'day',
      until: '2026-10-31',
    });
    expect(total['outflow_count']).toBe(1);
    expect(buckets.filter((one: any) => one.outflow_count > 0).map((one: any) => one.from)).toEqual([
      '2026-10-09',
    ]);
    await world.look("update payments set status = 'canceled' where payable_id = $1", [bill['id']]);
    await world.call('finance_payables_cancel', { id: bill['id'], reason: 'mistake' });
  });

  test('refuses an end before today or too far ahead, and a company that is not there', async () => {
    for (const until of ['2026-09-30', '2027-10-03']) {
      expect(await failureOf(cashFlow({ until }))).toMatchObject(wrong('until'));
    }
    expect(await failureOf(cashFlow({ until: '2026-02-30' }))).toMatchObject(wrong('until'));
    expect(await failureOf(cashFlow({ bucket: 'year' }))).toMatchObject(wrong('bucket'));
    expect(await failureOf(cashFlow({ company_id: newId() }))).toMatchObject({ code: 'not_found' });
    expect(await failureOf(cashFlow({ company_id }, 'stranger'))).toMatchObject({ code: 'not_found' });
  });

  test('is empty where the books are', async () => {
    const result = await cashFlow({ until: '2026-10-02' }, 'stranger');
    expect(result['buckets'].map(({ balance }: any) => balance)).toEqual(['0.00']);
    expect(result['lowest']).toEqual({ date: '2026-10-01', balance: '0.00' });
  });
});

describe('finance_reports_monthly_summary', () => {
  const summary = (args: object = {}, who?: Parameters<World['call']>[2]) =>
    world.call('finance_reports_monthly_summary', args, who);

  test('tells what was paid, received and left open, by category, between two balances', async () => {
    const result = await summary({ month: '2026-09' });
    expect(result).toMatchObject({
      from: '2026-09-01',
      to: '2026-09-30',
      is_over: true,
      // The deactivated account held money then; cards and investments are no cash.
      balance: {
        start: { date: '2026-08-31', amount: '1007.77' },
        end: { date: '2026-09-30', amount: '1051.77' },
        accounts: 2,
      },
      paid: {
        amount: '103.00',
        principal: '100.00',
        fine: '2.00',
        interest: '1.00',
        discount: '0.00',
        count: 1,
      },
      received: { amount: '150.00', fee: '3.00', credited: '147.00', count: 1 },
      other_entries: { credits: { amount: '0.00', count: 0 }, debits: { amount: '0.00', count: 0 } },
      net: '44.00',
      left_open: {
        payables: { amount: '0.00', count: 0, overdue_amount: '0.00', overdue_count: 0 },
        receivables: { amount: '50.00', count: 1, overdue_amount: '50.00', overdue_count: 1 },
      },
      outflow_by_category: {
        lines: [{ category_id: rent, path: ['Office', 'Rent'], amount: '100.00', count: 1 }],
        others: { amount: '0.00', count: 0 },
      },
      inflow_by_category: { lines: [{ category_id: sales, path: ['Sales'], amount: '150.00', count: 1 }] },
    });
  });

  test('is of the current month unless told, which has not ended', async () => {
    const result = await summary();
    expect(result).toMatchObject({ filter: { month: '2026-10' }, is_over: false });
    expect(result['balance'].end.date).toBe('2026-10-01');
    expect(result['left_open'].payables).toMatchObject({ amount: '300.00', overdue_count: 0 });
  });

  test('the current month is the one at the place of the books', async () => {
    world.setNow('2026-10-01T02:30:00Z');
    try {
      expect((await summary())['filter'].month).toBe('2026-09');
    } finally {
      world.setNow('2026-10-01T12:00:00Z');
    }
  });

  test('PITFALLS 41: own transfers and ignored entries are no income and no expense, balances move', async () => {
    const place = await createCompany(world);
    const [from, to] = [
      await createAccount(world, { company_id: place }),
      await createAccount(world, { company_id: place }),
    ];
    await world.call('finance_transfers_create', {
      from_account_id: from,
      to_account_id: to,
      amount: '1000.00',
      method: 'internal',
      date: '2026-09-10',
    });
    const result = await summary({ month: '2026-09', company_id: place });
    expect(result['other_entries']).toEqual({
      credits: { amount: '0.00', count: 0 },
      debits: { amount: '0.00', count: 0 },
    });
    expect([result['net'], result['balance'].end.amount]).toEqual(['0.00', '0.00']);
  });

  test('an entry of its own counts with what no settlement stands for', async () => {
    const place = await createCompany(world);
    const account = await createAccount(world, { company_id: place });
    const entry = await world.call('finance_financial_transactions_create', {
      account_id: account,
      date: '2026-09-12',
      direction: 'debit',
      amount: '12.00',
      description: 'Tarifa',
      category_id: rent,
    });
    const debits = async () =>
      (await summary({ month: '2026-09', company_id: place }))['other_entries'].debits;
    expect(await debits()).toEqual({ amount: '12.00', count: 1 });
    await world.look('update financial_transactions set reconciled_cents = 500 where id = $1', [entry['id']]);
    expect(await debits()).toEqual({ amount: '7.00', count: 1 });
    await world.look('update financial_transactions set reconciled_cents = 1200 where id = $1', [
      entry['id'],
    ]);
    expect(await debits()).toEqual({ amount: '0.00', count: 0 });
  });

  test('refuses what is no month and a month too far away', async () => {
    for (const month of ['2026-13', '2026-1', '26-01', '1999-12', '2027-11']) {
      expect(await failureOf(summary({ month }))).toMatchObject(wrong('month'));
    }
    expect(await failureOf(summary({ company_id }, 'stranger'))).toMatchObject({ code: 'not_found' });
  });
});

describe('finance_reports_aging', () => {
  const aging = (args: object, who?: Parameters<World['call']>[2]) =>
    world.call('finance_reports_aging', args, who);

  test('counts days late from the due date, in bands, with the largest groups first', async () => {
    const result = await aging({ kind: 'payables', group_by: 'company' });
    expect(result).toMatchObject({
      not_yet_due: { amount: '320.00', count: 2 },
      overdue: { amount: '50.00', count: 1 },
      total: { amount: '370.00', count: 3 },
      groups_count: 2,
    });
    expect(result['bands'].map(({ from_days, to_days, count }: any) => [from_days, to_days, count])).toEqual([
      [1, 30, 0],
      [31, 60, 1],
      [61, 90, 0],
      [91, 180, 0],
      [181, null, 0],
    ]);
    expect(result['groups'].map(({ name, total }: any) => [name, total.amount])).toEqual([
      ['Aurora Ltda', '350.00'],
      ['Filial Ltda', '20.00'],
    ]);
    const groups = (await aging({ kind: 'receivables', group_by: 'person' }))['groups'];
    expect(groups.map(({ id, name }: any) => [id, name])).toEqual([[customer, 'Padaria']]);
  });

  test('on a past day, what was settled later was still open', async () => {
    // Registered today and without issue dates: of the past only what was due by then is known to have existed.
    const before = await aging({ kind: 'payables', as_of: '2026-09-14', bands: [3, 30] });
    expect(before['bands'].map(({ amount }: any) => amount)).toEqual(['0.00', '100.00', '50.00']);
    expect(before['overdue']).toEqual({ amount: '150.00', count: 2 });
    const after = await aging({ kind: 'payables', as_of: '2026-09-15' });
    expect(after['overdue']).toEqual({ amount: '50.00', count: 1 });
  });

  test('a loss is open until the day it was given up', async () => {
    const person_id = await createSupplier(world, { roles: ['customer'] });
    const lost = await createReceivable(world, {
      company_id,
      person_id,
      amount: '80.00',
      due_date: '2026-08-20',
    });
    const category_id = rent;
    const loss = { id: lost['id'], reason: 'bankrupt', category_id, date: '2026-09-25' };
    await world.call('finance_receivables_write_off', loss);
    const overdueOn = async (as_of: string) => {
      const { groups } = await aging({ kind: 'receivables', as_of, group_by: 'person' });
      return groups.find(({ id }: any) => id === person_id)?.overdue.amount;
    };
    expect([
      await overdueOn('2026-09-24'),
      await overdueOn('2026-09-25'),
      await overdueOn('2026-10-01'),
    ]).toEqual(['80.00', undefined, undefined]);
    await world.call('finance_receivables_unsettle', {
      id: lost['id'],
      write_off: true,
      reason: 'paid after all',
    });
    expect(await overdueOn('2026-10-01')).toBe('80.00');
    await world.call('finance_receivables_delete', { id: lost['id'] });
  });

  test('refuses a day to come and bands that do not rise', async () => {
    expect(await failureOf(aging({ kind: 'payables', as_of: '2026-10-02' }))).toMatchObject(wrong('as_of'));
    expect(await failureOf(aging({ kind: 'payables', bands: [60, 30] }))).toMatchObject(wrong('bands'));
    expect(await failureOf(aging({ kind: 'payables', bands: [] }))).toMatchObject(wrong('bands'));
    expect(await failureOf(aging({ kind: 'bills' }))).toMatchObject(wrong('kind'));
  });

  test('shows nothing of another organization', async () => {
    const result = await aging({ kind: 'payables', group_by: 'person' }, 'stranger');
    expect(result).toMatchObject({ total: { amount: '0.00', count: 0 }, groups: [], groups_count: 0 });
  });
});

describe('finance_reports_income_statement', () => {
  const statement = (args: object, who?: Parameters<World['call']>[2]) =>
    world.call('finance_reports_income_statement', args, who);
  const september = { date_from: '2026-09-01', date_to: '2026-09-30' };
  const line = (side: any, id: string) => side.lines.find(({ category_id }: any) => category_id === id);

  test('on cash basis: what moved, by category, with interest, fines and fees on lines of their own', async () => {
    const { income, expense, result } = await statement({ ...september, basis: 'cash' });
    expect(line(expense, rent)).toMatchObject({
      path: ['Office', 'Rent'],
      level: 2,
      amount: '100.00',
      count: 1,
    });
    expect(expense).toMatchObject({ interest: '1.00', fine: '2.00', fee: '3.00' });
    expect(line(income, sales)).toMatchObject({ amount: '150.00', count: 1 });
    expect(Number(result)).toBeCloseTo(Number(income.total) - Number(expense.total), 2);
  });

  test('on competence basis: what was owed in the months, whether paid or not', async () => {
    const { income, expense, not_counted } = await statement({ ...september, basis: 'competence' });
    expect([line(expense, rent).amount, line(income, sales).amount]).toEqual(['100.00', '200.00']);
    expect(expense).toMatchObject({ interest: '0.00', fee: '0.00' });
    expect(not_counted).toEqual({
      credits: { amount: '0.00', count: 0 },
      debits: { amount: '0.00', count: 0 },
    });
  });

  test('a line of the bank that is reconciled counts once, through its settlement', async () => {
    const place = await createCompany(world);
    const account = await createAccount(world, { company_id: place });
    const before = await statement({ date_from: '2026-07-01', date_to: '2026-07-31', basis: 'cash' });
    expect(before['expense'].total).toBe('0.00');
    const bill = await createBill(world, { company_id: place, person_id: supplier, category_id: rent });
    const { settlement } = await world.call('finance_payables_settle', {
      id: bill['id'],
      account_id: account,
      paid_at: '2026-07-10',
      amount: '100.00',
    });
    const line = newId();
    await world.look(
      `insert into financial_transactions (workspace_id, id, account_id, date, direction, amount_cents, description, source, category_id, reconciled_cents, created_by)
       values ($1, $2, $3, '2026-07-10', 'debit', 10000, 'PIX', 'import', $4, 10000, $1)`,
      [world.workspaceId, line, account, rent],
    );
    await world.look(
      `update financial_transactions set ignored = true, superseded_by = $2 where id = (select transaction_id from settlements where id = $1)`,
      [settlement.id, line],
    );
    await reconcileSettlement(world, { account_id: account, settlement_id: settlement.id });
    const after = await statement({ date_from: '2026-07-01', date_to: '2026-07-31', basis: 'cash' });
    expect(after['expense']).toMatchObject({ total: '100.00', lines: [{ count: 1 }, { count: 1 }] });
  });

  test('a loss is an expense of its category on its day, on competence basis only', async () => {
    const person_id = await createSupplier(world, { roles: ['customer'] });
    const lost = await createReceivable(world, {
      company_id,
      person_id,
      amount: '80.00',
      due_date: '2026-06-20',
    });
    const loss = { id: lost['id'], reason: 'bankrupt', category_id: rent, date: '2026-05-25' };
    await world.call('finance_receivables_write_off', loss);
    const may = { date_from: '2026-05-01', date_to: '2026-05-31' };
    const owed = await statement({ ...may, basis: 'competence' });
    expect(owed).toMatchObject({
      written_off: { amount: '80.00', count: 1 },
      expense: { total: '80.00' },
      result: '-80.00',
    });
    expect(await statement({ ...may, basis: 'cash' })).toMatchObject({ result: '0.00' });
  });

  test('refuses a period turned around, too long, or cut within a month', async () => {
    const wrongs: [args: object, path: string][] = [
      [{ date_from: '2026-09-30', date_to: '2026-09-01', basis: 'cash' }, 'date_to'],
      [{ date_from: '2024-01-01', date_to: '2026-09-01', basis: 'cash' }, 'date_to'],
      [{ date_from: '2026-09-02', date_to: '2026-09-30', basis: 'competence' }, 'date_from'],
      [{ ...september, basis: 'accrual' }, 'basis'],
      [{ basis: 'cash' }, 'date_from'],
    ];
    for (const [args, path] of wrongs) expect(await failureOf(statement(args))).toMatchObject(wrong(path));
  });

  test('is empty for another organization', async () => {
    expect(await statement({ ...september, basis: 'cash' }, 'stranger')).toMatchObject({
      result: '0.00',
      income: { lines: [] },
    });
  });
});

test('every report can be read by whoever may see reports, with read access', async () => {
  const mine = await cashFlow();
  for (const who of ['reader', 'viewer', 'accountant'] as const)
    expect(await cashFlow({}, who)).toEqual(mine);
});
