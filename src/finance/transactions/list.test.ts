import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createAccount,
  createCategory,
  createCompany,
  createSupplier,
} from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { formatMoney } from '../../core/money.ts';

const LIST = 'finance_financial_transactions_list';
const SUMMARY = 'finance_financial_transactions_summary';

let world: World;
let companyId: string;
let accountId: string;
let otherAccountId: string;
let fees: string;
let sales: string;
let personId: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world);
  accountId = await createAccount(world, { company_id: companyId });
  otherAccountId = await createAccount(world, { company_id: await createCompany(world) });
  fees = await createCategory(world, { kind: 'expense', name: 'Bank fees' });
  sales = await createCategory(world, { kind: 'income', name: 'Sales' });
  personId = await createSupplier(world, { name: 'Padaria' });
});
beforeEach(() => world.look('delete from financial_transactions'));
afterAll(() => world.close());

interface Entry {
  date?: string;
  direction?: 'credit' | 'debit';
  cents?: number;
  description?: string;
  account?: string;
  category?: string | null;
  person?: string | null;
  ignored?: boolean;
  transfer?: string | null;
  reconciled?: number;
}

async function insert(entries: readonly Entry[]): Promise<string[]> {
  const rows = entries.map((entry) => ({
    workspace_id: world.workspaceId,
    id: newId(),
    account_id: entry.account ?? accountId,
    date: entry.date ?? '2026-09-15',
    direction: entry.direction ?? 'debit',
    amount_cents: entry.cents ?? 100,
    description: entry.description ?? 'Entry',
    category_id: entry.category ?? null,
    person_id: entry.person ?? null,
    source: 'import',
    ignored: entry.ignored ?? false,
    transfer_id: entry.transfer ?? null,
    reconciled_cents: entry.reconciled ?? 0,
    search_text: (entry.description ?? 'Entry').toLowerCase(),
    cost_centers: [],
    is_suspect: false,
    created_by: world.workspaceId,
    created_at: '2026-09-15T12:00:00Z',
    updated_at: '2026-09-15T12:00:00Z',
    version: 1,
  }));
  await world.look(
    'insert into financial_transactions select * from jsonb_populate_recordset(null::financial_transactions, $1)',
    [JSON.stringify(rows)],
  );
  // Written past the operations, so the version of the books is moved by hand.
  await world.look(
    `insert into event_chains (tenant_id, position, hash) values ($1, 1, '')
     on conflict (tenant_id) do update set position = event_chains.position + 1`,
    [world.workspaceId],
  );
  return rows.map(({ id }) => id);
}

async function createTransfer(): Promise<string> {
  const id = newId();
  await world.look(
    `insert into transfers (workspace_id, id, from_account_id, to_account_id, amount_cents, method, scheduled_for,
                            origin, status, registration_status, created_by)
     values ($1, $2, $3, $4, 100, 'internal', '2026-09-30', 'ordered', 'confirmed', 'none', $1)`,
    [world.workspaceId, id, accountId, otherAccountId],
  );
  return id;
}

const list = (args: object = {}) => world.call(LIST, args);
const descriptions = async (args: object) =>
  (await list({ sort: 'date', ...args }))['items'].map((item: { description: string }) => item.description);

describe('list', () => {
  test('filters by account, company, date, direction, reconciliation, category, person, amount and text', async () => {
    const [rent] = await insert([
      { description: 'Rent', date: '2026-09-01', cents: 10_000, category: fees, person: personId },
      { description: 'Sale', date: '2026-09-02', direction: 'credit', cents: 20_000, reconciled: 20_000 },
      { description: 'Half', date: '2026-09-03', cents: 300, reconciled: 299 },
      { description: 'Elsewhere', date: '2026-09-04', account: otherAccountId },
      { description: 'Saldo do dia', date: '2026-09-05', ignored: true },
    ]);
    expect(await descriptions({})).toEqual(['Rent', 'Sale', 'Half', 'Elsewhere', 'Saldo do dia']);
    expect(await descriptions({ account_id: otherAccountId })).toEqual(['Elsewhere']);
    expect(await descriptions({ company_id: companyId })).toEqual(['Rent', 'Sale', 'Half', 'Saldo do dia']);
    expect(await descriptions({ date_from: '2026-09-02', date_to: '2026-09-03' })).toEqual(['Sale', 'Half']);
    expect(await descriptions({ direction: 'credit' })).toEqual(['Sale']);
    expect(await descriptions({ reconciled: true })).toEqual(['Sale']);
    expect(await descriptions({ reconciled: false, ignored: false })).toEqual(['Rent', 'Half', 'Elsewhere']);
    expect(await descriptions({ ignored: true })).toEqual(['Saldo do dia']);
    expect(await descriptions({ classified: true })).toEqual(['Rent']);
    expect(await descriptions({ category_id: fees })).toEqual(['Rent']);
    expect(await descriptions({ person_id: personId })).toEqual(['Rent']);
    expect(await descriptions({ amount_abs_from: '100.00', amount_abs_to: '200.00' })).toEqual([
      'Rent',
      'Sale',
    ]);
    expect(await descriptions({ search: 'SÁLE' })).toEqual(['Sale']);
    expect(await descriptions({ search: '100%' })).toEqual([]);
    expect(await descriptions({ created_to: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect((await list({ sort: '-amount', limit: 1 }))['items'][0].description).toBe('Sale');
    expect((await list({ category_id: fees }))['items'][0].id).toBe(rent);
  });

  test('gives the totals of the whole filter on every page, ignored entries apart', async () => {
    await insert([
      { direction: 'credit', cents: 1_001 },
      { direction: 'debit', cents: 2_000 },
      { direction: 'debit', cents: 3_000 },
      { direction: 'debit', cents: 9_999, ignored: true },
    ]);
    const total = { credits: '10.01', debits: '50.00', net: '-39.99', count: 3, ignored_count: 1 };
    const first = await list({ limit: 1 });
    expect(first).toMatchObject({ total, as_of: '2026-10-01', currency: 'BRL' });
    expect((await list({ limit: 1, cursor: first['next_cursor'] }))['total']).toEqual(total);
    expect((await list({ ignored: true }))['total']).toEqual({
      credits: '0.00',
      debits: '0.00',
      net: '0.00',
      count: 0,
      ignored_count: 1,
    });
  });

  test('has no stale total after a write', async () => {
    expect((await list())['total'].count).toBe(0);
    const entry = {
      account_id: accountId,
      date: '2026-09-30',
      direction: 'debit',
      amount: '1.00',
      description: 'Fee',
    };
    await world.call('finance_financial_transactions_create', entry);
    expect((await list())['total']).toMatchObject({ count: 1, debits: '1.00' });
    await world.call('finance_financial_transactions_create', entry);
    expect((await list())['total']).toMatchObject({ count: 2, debits: '2.00' });
  });

  test.each(['date', '-date', 'amount', '-amount', 'created_at', '-created_at'])(
    'pages by %s without losing or repeating an entry',
    async (sort) => {
      await insert(
        Array.from({ length: 7 }, (_, index) => ({
          date: `2026-09-0${1 + (index % 3)}`,
          cents: 1 + (index % 2),
        })),
      );
      const whole = (await list({ sort }))['items'];
      const seen: unknown[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await list({ sort, limit: 2, ...(cursor && { cursor }) });
        seen.push(...page['items']);
        cursor = page['next_cursor'];
      }
      expect(seen).toEqual(whole);
      expect(seen).toHaveLength(7);
    },
  );

  test('shows nothing of another workspace, and refuses wrong filters by name', async () => {
    await insert([{}]);
    expect(await world.call(LIST, {}, 'stranger')).toMatchObject({ items: [], total: { count: 0 } });
    for (const [path, value] of [
      ['direction', 'in'],
      ['cursor', 'x'],
      ['date_from', '2026-02-30'],
      ['limit', 101],
      ['search', 'a'],
    ] as const) {
      await expect(list({ [path]: value })).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path },
      });
    }
  });
});

describe('summary', () => {
  const period = { date_from: '2026-08-01', date_to: '2026-09-30' };

  test('sums by each key, and names categories and people', async () => {
    await insert([
      { date: '2026-08-31', direction: 'debit', cents: 100, category: fees, person: personId },
      { date: '2026-09-06', direction: 'debit', cents: 200, category: fees },
      { date: '2026-09-07', direction: 'credit', cents: 1_000, category: sales },
      { date: '2026-09-07', direction: 'debit', cents: 7 },
      { date: '2026-07-31', direction: 'debit', cents: 5_555 },
    ]);
    const groups = async (...group_by: string[]) =>
      (await world.call(SUMMARY, { ...period, group_by }))['groups'].map(
        ({ keys, credits, debits, count }: Record<string, unknown>) => [keys, credits, debits, count],
      );
    expect(await groups('month')).toEqual([
      [{ month: '2026-08' }, '0.00', '1.00', 1],
      [{ month: '2026-09' }, '10.00', '2.07', 3],
    ]);
    expect(await groups('week')).toEqual([
      [{ week: '2026-08-31' }, '0.00', '3.00', 2],
      [{ week: '2026-09-07' }, '10.00', '0.07', 2],
    ]);
    expect(await groups('day')).toHaveLength(3);
    expect(await groups('direction')).toEqual([
      [{ direction: 'credit' }, '10.00', '0.00', 1],
      [{ direction: 'debit' }, '0.00', '3.07', 3],
    ]);
    expect(await groups('category', 'month')).toEqual([
      [{ month: '2026-08', category: { id: fees, name: 'Bank fees' } }, '0.00', '1.00', 1],
      [{ month: '2026-09', category: { id: fees, name: 'Bank fees' } }, '0.00', '2.00', 1],
      [{ month: '2026-09', category: { id: sales, name: 'Sales' } }, '10.00', '0.00', 1],
      [{ month: '2026-09', category: null }, '0.00', '0.07', 1],
    ]);
    expect(await groups('person')).toEqual([
      [{ person: { id: personId, name: 'Padaria' } }, '0.00', '1.00', 1],
      [{ person: null }, '10.00', '2.07', 3],
    ]);
  });

  test('PITFALLS 41: counts a transfer between own accounts as neither income nor expense, unless asked to', async () => {
    const transfer = await createTransfer();
    await insert([
      { direction: 'debit', cents: 100_000, transfer },
      { direction: 'credit', cents: 100_000, account: otherAccountId, transfer },
    ]);
    const args = { ...period, group_by: ['direction'] };
    expect(await world.call(SUMMARY, args)).toMatchObject({
      groups: [],
      total: { credits: '0.00', debits: '0.00', net: '0.00', count: 0 },
      include_transfers: false,
    });
    expect((await world.call(SUMMARY, { ...args, include_transfers: true }))['total']).toMatchObject({
      credits: '1000.00',
      debits: '1000.00',
      net: '0.00',
    });
    expect((await list())['items']).toHaveLength(2);
  });

  test('leaves ignored entries out', async () => {
    await insert([{ cents: 100 }, { cents: 900, ignored: true }]);
    expect((await world.call(SUMMARY, { ...period, group_by: ['month'] }))['total']).toMatchObject({
      debits: '1.00',
      count: 1,
    });
  });

  test('takes the filters of the list', async () => {
    await insert([
      { description: 'Café', cents: 100 },
      { cents: 900, account: otherAccountId },
    ]);
    const total = async (filter: object) =>
      (await world.call(SUMMARY, { ...period, group_by: ['month'], ...filter }))['total'].debits;
    expect(await total({ account_id: otherAccountId })).toBe('9.00');
    expect(await total({ amount_abs_to: '8.99' })).toBe('1.00');
    expect(await total({ direction: 'credit' })).toBe('0.00');
  });

  test('refuses more than 1,000 groups, and gives 1,000', async () => {
    // 334 days in three accounts' worth of categories would be more; days by direction are enough.
    const days = Array.from({ length: 500 }, (_, index) =>
      new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
    );
    await insert(days.flatMap((date) => [{ date }, { date, direction: 'credit' as const }]));
    const args = { date_from: '2025-01-01', date_to: '2026-12-31', group_by: ['day', 'direction'] };
    const whole = await world.call(SUMMARY, args);
    expect(whole['groups']).toHaveLength(1_000);
    expect(whole['total'].count).toBe(1_000);
    await insert([{ date: '2026-09-01' }]);
    await expect(world.call(SUMMARY, args)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'group_by' },
    });
  });

  test.each([
    [{ date_from: '2024-01-01', date_to: '2026-01-01' }, 'date_to'],
    [{ date_from: '2026-01-02', date_to: '2026-01-01' }, 'date_to'],
    [{ group_by: [] }, 'group_by'],
    [{ group_by: ['year'] }, 'group_by.0'],
    [{ date_from: undefined }, 'date_from'],
  ])('refuses %o', async (change, path) => {
    const args = { ...period, group_by: ['month'], ...change };
    await expect(world.call(SUMMARY, args)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path },
    });
  });

  test('shows nothing of another workspace', async () => {
    await insert([{}]);
    expect(await world.call(SUMMARY, { ...period, group_by: ['day'] }, 'stranger')).toMatchObject({
      groups: [],
    });
  });

  test('a total equals its groups, and the list says the same', async () => {
    const entry = fc.record({
      date: fc.integer({ min: 1, max: 28 }).map((day) => `2026-09-${String(day).padStart(2, '0')}`),
      direction: fc.constantFrom('credit' as const, 'debit' as const),
      cents: fc.integer({ min: 1, max: 10_000_000_000_000 }),
      category: fc.constantFrom(null, fees, sales),
      ignored: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 12 }), async (entries) => {
        await world.look('delete from financial_transactions');
        await insert(entries);
        const counted = entries.filter(({ ignored }) => !ignored);
        const sum = (direction: string) =>
          counted.reduce((total, one) => total + (one.direction === direction ? one.cents : 0), 0);
        const total = {
          credits: formatMoney(sum('credit')),
          debits: formatMoney(sum('debit')),
          net: formatMoney(sum('credit') - sum('debit')),
          count: counted.length,
        };
        expect((await list())['total']).toMatchObject(total);
        const summary = await world.call(SUMMARY, { ...period, group_by: ['day', 'category', 'direction'] });
        expect(summary['total']).toEqual(total);
      }),
      { numRuns: 10 },
    );
  });
});
