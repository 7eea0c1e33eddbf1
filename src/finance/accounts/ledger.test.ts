import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, createCategory, createCompany } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { addDays } from '../../core/dates.ts';
import { newId } from '../../core/ids.ts';
import { jobContextOf } from '../../core/job.ts';
import { formatMoney } from '../../core/money.ts';
import type { WriteContext } from '../../core/operation.ts';
import { appendEvent } from '../../db/events.ts';
import { bookBalanceOf, postTransaction, removeTransaction, requireAccount } from './index.ts';

const OPENING_DATE = '2026-01-01';

let world: World;
let companyId: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world);
});
afterAll(() => world.close());

/** One transaction in the workspace, as a slice that uses the doors has it. */
function write<T>(work: (context: WriteContext) => Promise<T>): Promise<T> {
  const { organizationId, workspaceId } = world;
  const { database, invokers, now } = world.runtime;
  const ports = {
    database,
    appendEvent,
    enqueue: async () => {},
    catalogue: invokers.finance.catalogue,
    now,
  };
  const place = { organizationId, workspaceId, timeZone: 'America/Sao_Paulo' };
  return jobContextOf(ports, 'test', {}, place, {}).write(work);
}

interface Entry {
  readonly day: number;
  readonly direction: 'credit' | 'debit';
  readonly amount: number;
}

function post(context: WriteContext, accountId: string, { day, direction, amount }: Entry): Promise<string> {
  return requireAccount(context, accountId).then((account) =>
    postTransaction(context, {
      account,
      date: addDays(OPENING_DATE, day),
      direction,
      amount,
      description: 'Entry',
      source: 'manual',
    }),
  );
}

const someEntry = { day: 1, direction: 'credit', amount: 100 } as const;

test('an entry counts while it is posted, and its posting and removal are on record', async () => {
  const accountId = await createAccount(world, { company_id: companyId });
  const id = await write((context) => post(context, accountId, someEntry));
  expect(await write((context) => bookBalanceOf(context, { id: accountId }))).toBe(100);
  await write((context) => removeTransaction(context, id));
  expect(await write((context) => bookBalanceOf(context, { id: accountId }))).toBe(0);
  const events = await world.look<{ body: string }>(
    "select body from events where operation = 'test' order by position desc limit 2",
  );
  const [removed, posted] = events.map(({ body }) => JSON.parse(body).changes[0]);
  expect(posted).toMatchObject({
    kind: 'financial_transaction',
    id,
    before: null,
    after: { amount: '1.00' },
  });
  expect(removed).toMatchObject({
    kind: 'financial_transaction',
    id,
    before: { amount: '1.00' },
    after: null,
  });
});

test('an entry of which any part is reconciled stays', async () => {
  const accountId = await createAccount(world, { company_id: companyId });
  const id = await write((context) => post(context, accountId, someEntry));
  await world.look('update financial_transactions set reconciled_cents = 1 where id = $1', [id]);
  await expect(write((context) => removeTransaction(context, id))).rejects.toMatchObject({
    code: 'already_reconciled',
    details: { id },
  });
  expect(await write((context) => bookBalanceOf(context, { id: accountId }))).toBe(100);
});

test('closed books take no entry and let none go', async () => {
  const company_id = await createCompany(world);
  const accountId = await createAccount(world, { company_id });
  const id = await write((context) => post(context, accountId, someEntry));
  await world.call('finance_companies_update', { id: company_id, books_closed_until: '2026-01-31' });
  const closed = { code: 'books_closed', details: { until: '2026-01-31', date: '2026-01-02' } };
  await expect(write((context) => post(context, accountId, someEntry))).rejects.toMatchObject(closed);
  await expect(write((context) => removeTransaction(context, id))).rejects.toMatchObject(closed);
  await write((context) => post(context, accountId, { ...someEntry, day: 31 }));
});

test('hides the entries of another workspace', async () => {
  await expect(write((context) => removeTransaction(context, newId()))).rejects.toMatchObject({
    code: 'not_found',
    details: { kind: 'financial_transaction' },
  });
  const company_id = await createCompany(world, { workspaceId: world.foreignWorkspaceId });
  const accountId = await createAccount(world, { company_id, workspaceId: world.foreignWorkspaceId });
  const id = newId();
  await world.look(
    `insert into financial_transactions (workspace_id, id, account_id, date, direction, amount_cents, description, source, created_by)
     values ($1, $2, $3, '2026-01-02', 'credit', 100, 'Entry', 'manual', $1)`,
    [world.foreignWorkspaceId, id, accountId],
  );
  await expect(write((context) => removeTransaction(context, id))).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(write((context) => bookBalanceOf(context, { id: accountId }))).rejects.toMatchObject({
    code: 'not_found',
    details: { kind: 'financial_account', id: accountId },
  });
});

test('two adjustments to the same balance at the same time post one entry', async () => {
  const category_id = await createCategory(world, { kind: 'income' });
  const account_id = await createAccount(world, { company_id: companyId });
  const adjust = () =>
    world.call('finance_financial_account_balances_adjust', {
      account_id,
      target_balance: '1.00',
      as_of: '2026-10-01',
      category_id,
      reason: 'Found in the drawer',
    });
  const answers = await Promise.allSettled([adjust(), adjust()]);
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [row] = await world.look<{ count: string }>(
    'select count(*) from financial_transactions where account_id = $1',
    [account_id],
  );
  expect(row!.count).toBe('1');
});

const entry: fc.Arbitrary<Entry> = fc.record({
  day: fc.integer({ min: 0, max: 400 }),
  direction: fc.constantFrom('credit', 'debit'),
  amount: fc.integer({ min: 1, max: 1e12 }),
});

type Step =
  | { do: 'post'; entry: Entry }
  | { do: 'remove'; at: number }
  | { do: 'adjust'; day: number; to: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: entry.map((posted) => ({ do: 'post' as const, entry: posted })) },
  { weight: 1, arbitrary: fc.nat({ max: 20 }).map((at) => ({ do: 'remove' as const, at })) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      // 2026-10-01, the day the test runs in, is day 273.
      day: fc.integer({ min: 0, max: 273 }),
      to: fc.integer({ min: -1e12, max: 1e12 }),
    }),
  },
);

/** What the books must say: the opening, plus what was posted and not removed, up to the end of the day. */
function replayed(opening: number, live: readonly Entry[], day: number): number {
  return live
    .filter((posted) => posted.day <= day)
    .reduce((sum, { direction, amount }) => sum + (direction === 'credit' ? amount : -amount), opening);
}

test('invariant 6: the book balance equals the sum replayed from postings, removals and adjustments', async () => {
  const income = await createCategory(world, { kind: 'income' });
  const expense = await createCategory(world, { kind: 'expense' });
  const run = async (opening: number, steps: readonly Step[], days: readonly number[]) => {
    const accountId = await createAccount(world, { company_id: companyId, opening_balance_cents: opening });
    const live: (Entry & { id: string })[] = [];
    for (const next of steps) {
      if (next.do === 'post') {
        live.push({ ...next.entry, id: await write((context) => post(context, accountId, next.entry)) });
      } else if (next.do === 'remove') {
        const [gone] = live.splice(next.at % Math.max(1, live.length), 1);
        if (gone !== undefined) await write((context) => removeTransaction(context, gone.id));
      } else {
        const difference = next.to - replayed(opening, live, next.day);
        if (difference === 0) continue;
        // One person is asked at most 30 questions a minute.
        world.setNow(new Date(world.now().getTime() + 3_000).toISOString());
        const { transaction } = await world.call('finance_financial_account_balances_adjust', {
          account_id: accountId,
          target_balance: formatMoney(next.to),
          as_of: addDays(OPENING_DATE, next.day),
          category_id: difference > 0 ? income : expense,
          reason: 'Count',
        });
        live.push({
          id: transaction.id,
          day: next.day,
          direction: difference > 0 ? 'credit' : 'debit',
          amount: Math.abs(difference),
        });
        expect(replayed(opening, live, next.day)).toBe(next.to);
      }
    }
    for (const day of days) {
      const balance = await write((context) =>
        bookBalanceOf(context, { id: accountId }, addDays(OPENING_DATE, day)),
      );
      expect(balance).toBe(replayed(opening, live, day));
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -1e12, max: 1e12 }),
      fc.array(step, { maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 2, maxLength: 3 }),
      run,
    ),
    { numRuns: 60 },
  );
}, 60_000);

test('invariant 6: a thousand random accounts, ignored entries included, equal their replayed sums', async () => {
  const cases = fc.sample(
    fc.record({
      opening: fc.integer({ min: -1e12, max: 1e12 }),
      entries: fc.array(fc.tuple(entry, fc.boolean())),
    }),
    1000,
  );
  const accounts = cases.map(({ opening }) => ({ id: newId(), opening }));
  await world.look(
    `insert into financial_accounts (workspace_id, id, company_id, name, kind, opening_balance_cents, opening_date, created_by)
     select $1, id, $2, id::text, 'cash', opening, '${OPENING_DATE}', $1
       from jsonb_to_recordset($3::jsonb) as account (id uuid, opening bigint)`,
    [world.workspaceId, companyId, JSON.stringify(accounts)],
  );
  const rows = cases.flatMap(({ entries }, index) =>
    entries.map(([posted, ignored]) => ({
      ...posted,
      ignored,
      id: newId(),
      account_id: accounts[index]!.id,
    })),
  );
  await world.look(
    `insert into financial_transactions (workspace_id, id, account_id, date, direction, amount_cents, description, source, ignored, created_by)
     select $1, id, account_id, '${OPENING_DATE}'::date + day, direction, amount, 'Entry', 'import', ignored, $1
       from jsonb_to_recordset($2::jsonb)
         as entry (id uuid, account_id uuid, day integer, direction text, amount bigint, ignored boolean)`,
    [world.workspaceId, JSON.stringify(rows)],
  );
  expect(rows.length).toBeGreaterThan(1000);
  await write(async (context) => {
    for (const [index, { opening, entries }] of cases.entries()) {
      const live = entries.filter(([, ignored]) => !ignored).map(([posted]) => posted);
      expect(await bookBalanceOf(context, accounts[index]!)).toBe(replayed(opening, live, 273));
    }
  });
}, 60_000);
