import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createCategory, createCompany } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

const CREATE = 'finance_financial_account_balances_create';
const LATEST = 'finance_financial_account_balances_latest';
const LIST = 'finance_financial_account_balances_list';
const ADJUST = 'finance_financial_account_balances_adjust';

let world: World;
let companyId: string;
let income: string;
let expense: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world);
  income = await createCategory(world, { kind: 'income', name: 'Ajustes a favor' });
  expense = await createCategory(world, { kind: 'expense', name: 'Ajustes contra' });
});
afterAll(() => world.close());

async function bookBalance(account_id: string): Promise<string> {
  return (await world.call('finance_financial_accounts_get', { account_id }))['book_balance'];
}

async function entriesOf(accountId: string): Promise<Record<string, unknown>[]> {
  return world.look(
    'select direction, amount_cents::int as cents, source, date::text as date, description, category_id from financial_transactions where account_id = $1 order by id',
    [accountId],
  );
}

describe('create and latest', () => {
  test('CATALOGUE 0.4: records what the bank says and leaves the ledger as it is', async () => {
    const account_id = await createAccount(world, { company_id: companyId, opening_balance_cents: 100_000 });
    const balance = await world.call(CREATE, {
      account_id,
      amount: '-50.00',
      as_of: '2026-09-30T18:00:00-03:00',
      blocked_amount: '10.00',
    });
    expect(balance).toMatchObject({
      account_id,
      amount: '-50.00',
      blocked_amount: '10.00',
      as_of: '2026-09-30T21:00:00Z',
      source: 'manual',
    });
    expect(await entriesOf(account_id)).toEqual([]);
    const account = await world.call('finance_financial_accounts_get', { account_id });
    expect(account).toMatchObject({ book_balance: '1000.00', last_balance: balance });
    expect(await world.call(LATEST, { account_id })).toEqual({
      ...balance,
      book_balance: '1000.00',
      difference: '-1050.00',
    });
    const [event] = await world.look<{ body: string }>(
      `select body from events where operation = '${CREATE}' order by position desc limit 1`,
    );
    expect(JSON.parse(event!.body).changes).toMatchObject([
      { kind: 'financial_account_balance', id: balance['id'], before: null, after: { amount: '-50.00' } },
    ]);
  });

  test('latest is the greatest as_of, then the greatest created_at, never the last inserted', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    const record = (amount: string, as_of: string) => world.call(CREATE, { account_id, amount, as_of });
    await record('2.00', '2026-09-30T12:00:00Z');
    await record('1.00', '2026-09-29T12:00:00Z');
    expect(await world.call(LATEST, { account_id })).toMatchObject({ amount: '2.00' });
    world.setNow('2026-10-01T12:00:01Z');
    await record('3.00', '2026-09-30T09:00:00-03:00');
    world.setNow('2026-10-01T12:00:00Z');
    expect(await world.call(LATEST, { account_id })).toMatchObject({ amount: '3.00' });
    await record('4.00', '2026-09-30T12:00:00Z');
    expect(await world.call(LATEST, { account_id })).toMatchObject({ amount: '3.00' });
  });

  test('compares with the books of the civil day of as_of in the zone of the workspace', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    await world.call(ADJUST, {
      account_id,
      target_balance: '7.00',
      as_of: '2026-10-01',
      category_id: income,
      reason: 'Sobra',
    });
    await world.call(CREATE, { account_id, amount: '7.00', as_of: '2026-10-01T02:59:59Z' });
    expect(await world.call(LATEST, { account_id })).toMatchObject({
      book_balance: '0.00',
      difference: '7.00',
    });
    await world.call(CREATE, { account_id, amount: '7.00', as_of: '2026-10-01T03:00:00Z' });
    expect(await world.call(LATEST, { account_id })).toMatchObject({
      book_balance: '7.00',
      difference: '0.00',
    });
  });

  test('C-36: without any recorded balance there is none to find, and the reason is told', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    await expect(world.call(LATEST, { account_id })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'financial_account_balance', account_id, reason: 'no_balance_recorded' },
    });
  });

  test('names a wrong field and records nothing', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    const args = { account_id, amount: '1.00', as_of: '2026-09-30T12:00:00Z' };
    for (const [path, value] of [
      ['amount', '1,00'],
      ['as_of', '2026-09-30'],
      ['as_of', '2026-10-01T12:00:00.001Z'],
      ['blocked_amount', '-0.01'],
      ['source', 'bank'],
    ] as const) {
      await expect(world.call(CREATE, { ...args, [path]: value })).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path },
      });
    }
    expect((await world.call(LIST, { account_id }))['items']).toEqual([]);
  });

  test('refuses readers, roles, strangers and inactive accounts', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    const idle = await createAccount(world, { company_id: companyId, active: false });
    const args = { account_id, amount: '1.00', as_of: '2026-09-30T12:00:00Z' };
    await expect(world.call(CREATE, args, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(world.call(CREATE, args, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    const missing = { code: 'not_found', details: { kind: 'financial_account', id: account_id } };
    await expect(world.call(CREATE, args, 'stranger')).rejects.toMatchObject(missing);
    await expect(world.call(LATEST, { account_id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(world.call(LIST, { account_id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(world.call(CREATE, { ...args, account_id: idle })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'inactive', allowed: ['active'] },
    });
  });

  test('records once for a repeated idempotency key', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    const args = { account_id, amount: '1.00', as_of: '2026-09-30T12:00:00Z', idempotency_key: 'balance-1' };
    const first = await world.call(CREATE, args);
    expect(await world.call(CREATE, args)).toEqual(first);
    expect((await world.call(LIST, { account_id }))['items']).toEqual([first]);
  });
});

describe('list', () => {
  test('gives the newest first, page by page, and takes days of the zone of the workspace', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    for (const [amount, as_of] of [
      ['1.00', '2026-09-28T02:59:59Z'],
      ['2.00', '2026-09-28T03:00:00Z'],
      ['3.00', '2026-09-29T02:59:59Z'],
      ['4.00', '2026-09-29T03:00:00Z'],
    ] as const) {
      await world.call(CREATE, { account_id, amount, as_of });
    }
    const amounts = async (filter: object) => {
      const page = await world.call(LIST, { account_id, ...filter });
      return {
        amounts: page['items'].map((item: { amount: string }) => item.amount),
        next: page['next_cursor'],
      };
    };
    const first = await amounts({ limit: 3 });
    expect(first.amounts).toEqual(['4.00', '3.00', '2.00']);
    expect(await amounts({ limit: 3, cursor: first.next })).toEqual({ amounts: ['1.00'], next: null });
    expect((await amounts({ sort: 'as_of' })).amounts).toEqual(['1.00', '2.00', '3.00', '4.00']);
    expect((await amounts({ date_from: '2026-09-28', date_to: '2026-09-28' })).amounts).toEqual([
      '3.00',
      '2.00',
    ]);
    expect((await amounts({ date_to: '2026-09-27' })).amounts).toEqual(['1.00']);
    expect((await amounts({ updated_to: '2026-09-30T00:00:00Z' })).amounts).toEqual([]);
    await expect(world.call(LIST, { account_id, date_from: '28/09/2026' })).rejects.toMatchObject({
      details: { path: 'date_from' },
    });
  });
});

describe('adjust', () => {
  const args = (account_id: string, more: object = {}) => ({
    account_id,
    target_balance: '80.00',
    as_of: '2026-09-30',
    category_id: expense,
    reason: 'Tarifa não lançada',
    ...more,
  });

  test('asks with account, day, balance, target and direction, and posts after the yes', async () => {
    const account_id = await createAccount(world, {
      company_id: companyId,
      name: 'Conta "principal"',
      opening_balance_cents: 10_000,
    });
    const { message, state } = await world.ask(ADJUST, args(account_id));
    for (const line of [
      '- Conta: "Conta \\"principal\\" (341 ag. 1234 c/c ***56-7)"',
      '- Data do lançamento: 30/09/2026',
      '- Saldo contábil nessa data, como está agora: R$ 100,00',
      '- Saldo depois do ajuste: R$ 80,00',
      '- Diferença a lançar: R$ 20,00 (débito: o saldo contábil diminui)',
      '- Categoria: "Ajustes contra"',
    ]) {
      expect(message.split('\n')).toContain(line);
    }
    expect(message).not.toContain('1234556');
    expect(await entriesOf(account_id)).toEqual([]);
    const result = await world.confirm(ADJUST, args(account_id), state);
    expect(result).toMatchObject({
      transaction: {
        account_id,
        date: '2026-09-30',
        direction: 'debit',
        amount: '20.00',
        description: 'Tarifa não lançada',
        category_id: expense,
        source: 'adjustment',
      },
      book_balance: '80.00',
    });
    expect(await bookBalance(account_id)).toBe('80.00');
    const [event] = await world.look<{ body: string }>(
      `select body from events where operation = '${ADJUST}' order by position desc limit 1`,
    );
    expect(JSON.parse(event!.body).changes).toEqual([
      {
        kind: 'financial_transaction',
        id: result['transaction'].id,
        before: null,
        after: result['transaction'],
      },
    ]);
  });

  test('asks again when the book balance moved between question and yes', async () => {
    const account_id = await createAccount(world, { company_id: companyId, opening_balance_cents: 10_000 });
    const { state } = await world.ask(ADJUST, args(account_id));
    await world.call(ADJUST, args(account_id, { target_balance: '90.00' }));
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    const outcome = await world.send(ADJUST, args(account_id), { state, responses });
    expect(outcome.kind).toBe('ask');
    expect((await entriesOf(account_id)).length).toBe(1);
    expect(await bookBalance(account_id)).toBe('90.00');
  });

  test('a rise is a credit of income, also across zero', async () => {
    const account_id = await createAccount(world, { company_id: companyId, opening_balance_cents: -5_000 });
    await world.call(ADJUST, args(account_id, { target_balance: '0.01', category_id: income }));
    expect(await entriesOf(account_id)).toMatchObject([{ direction: 'credit', cents: 5_001 }]);
    expect(await bookBalance(account_id)).toBe('0.01');
  });

  test('reaches the balance of a past day and leaves later entries on top of it', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    await world.call(
      ADJUST,
      args(account_id, { as_of: '2026-10-01', target_balance: '30.00', category_id: income }),
    );
    const past = await world.call(ADJUST, args(account_id, { target_balance: '5.00', category_id: income }));
    expect(past).toMatchObject({ transaction: { amount: '5.00' }, book_balance: '5.00' });
    expect(await bookBalance(account_id)).toBe('35.00');
  });

  test('refuses, before any question, what could not be posted', async () => {
    const closed = await createCompany(world);
    const closedAccount = await createAccount(world, { company_id: closed });
    await world.call('finance_companies_update', { id: closed, books_closed_until: '2026-09-30' });
    const account_id = await createAccount(world, { company_id: companyId, opening_balance_cents: 10_000 });
    const idle = await createAccount(world, { company_id: companyId, active: false });
    const group = await createCategory(world, { kind: 'expense' });
    await createCategory(world, { kind: 'expense', parent_id: group });
    const foreign = await createCategory(world, { kind: 'expense', workspaceId: world.foreignWorkspaceId });
    const refusals: [object, object][] = [
      [{ target_balance: '100.00' }, { code: 'invalid_argument', details: { path: 'target_balance' } }],
      [
        { target_balance: '80000000000000.00' },
        { code: 'invalid_argument', details: { path: 'target_balance' } },
      ],
      [{ as_of: '2026-10-02' }, { code: 'invalid_argument', details: { path: 'as_of' } }],
      [{ as_of: '2025-12-31' }, { code: 'invalid_argument', details: { path: 'as_of' } }],
      [{ category_id: income }, { code: 'invalid_argument', details: { path: 'category_id' } }],
      [{ category_id: group }, { code: 'invalid_argument', details: { path: 'category_id' } }],
      [{ category_id: foreign }, { code: 'not_found', details: { kind: 'category' } }],
      [{ reason: ' ' }, { code: 'invalid_argument', details: { path: 'reason' } }],
      [{ account_id: idle }, { code: 'invalid_state', details: { from: 'inactive', allowed: ['active'] } }],
      [{ account_id: closedAccount }, { code: 'books_closed', details: { until: '2026-09-30' } }],
      [{ account_id: newId() }, { code: 'not_found', details: { kind: 'financial_account' } }],
    ];
    for (const [change, refusal] of refusals) {
      await expect(world.ask(ADJUST, args(account_id, change))).rejects.toMatchObject(refusal);
    }
    expect(await entriesOf(account_id)).toEqual([]);
    await world.call(
      ADJUST,
      args(closedAccount, { as_of: '2026-10-01', category_id: income, target_balance: '1.00' }),
    );
  });

  test('a difference that no entry can hold is refused, not broken on', async () => {
    const account_id = await createAccount(world, {
      company_id: companyId,
      opening_balance_cents: -9_999_999_999_999,
    });
    await expect(
      world.ask(ADJUST, args(account_id, { target_balance: '99999999999.99', category_id: income })),
    ).rejects.toMatchObject({ code: 'invalid_argument', details: { path: 'target_balance' } });
  });

  test('repeating it finds nothing left to adjust; the same key gives the same answer', async () => {
    const account_id = await createAccount(world, { company_id: companyId, opening_balance_cents: 10_000 });
    const keyed = args(account_id, { idempotency_key: 'adjust-1' });
    const first = await world.call(ADJUST, keyed);
    expect(await world.call(ADJUST, keyed)).toEqual(first);
    await expect(world.call(ADJUST, args(account_id))).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'target_balance' },
    });
    expect((await entriesOf(account_id)).length).toBe(1);
  });

  test('refuses a connection that may only read, a role that may not, and a stranger', async () => {
    const account_id = await createAccount(world, { company_id: companyId, opening_balance_cents: 1 });
    await expect(world.call(ADJUST, args(account_id), 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call(ADJUST, args(account_id), 'accountant')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(world.call(ADJUST, args(account_id), 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'financial_account' },
    });
  });
});
