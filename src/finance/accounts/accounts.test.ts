import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createCompany } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { accountCompletion } from './index.ts';

let world: World;
let companyId: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world);
});
afterAll(() => world.close());

const fields = () => ({
  company_id: companyId,
  name: `Conta ${newId()}`,
  kind: 'checking',
  bank_code: '341',
  agency: '1234',
  number: '1234556',
  digit: '7',
  opening_balance: '-1234.56',
  opening_date: '2026-01-01',
});

async function countAccounts(): Promise<number> {
  return (await world.look<{ count: string }>('select count(*) from financial_accounts')).map((row) =>
    Number(row.count),
  )[0]!;
}

async function insertEntry(
  accountId: string,
  date: string,
  direction: string,
  cents: number,
  ignored = false,
) {
  await world.look(
    `insert into financial_transactions (workspace_id, id, account_id, date, direction, amount_cents, description,
                                         source, ignored, created_by)
     values ($1, $2, $3, $4, $5, $6, 'Entry', 'manual', $7, $1)`,
    [world.workspaceId, newId(), accountId, date, direction, cents, ignored],
  );
}

describe('create', () => {
  test('adds an account that opens with a signed balance, and records it', async () => {
    const args = fields();
    const account = await world.call('finance_financial_accounts_create', args);
    expect(account).toMatchObject({ ...args, active: true, version: 1 });
    expect(await world.call('finance_financial_accounts_get', { account_id: account['id'] })).toEqual({
      ...account,
      book_balance: '-1234.56',
      last_balance: null,
    });
    const [event] = await world.look<{ body: string }>(
      "select body from events where operation = 'finance_financial_accounts_create' order by position desc limit 1",
    );
    expect(JSON.parse(event!.body).changes).toEqual([
      { kind: 'financial_account', id: account['id'], before: null, after: account },
    ]);
  });

  test('takes the adapter of the bank from no argument', async () => {
    await expect(
      world.call('finance_financial_accounts_create', { ...fields(), bank_adapter: 'other' }),
    ).rejects.toMatchObject({ code: 'invalid_argument', details: { path: 'bank_adapter' } });
    const [row] = await world.look<{ adapters: string[] }>(
      'select array_agg(distinct bank_adapter) as adapters from financial_accounts',
    );
    expect(row!.adapters).toEqual(['simulator']);
  });

  test('refuses a name of the workspace twice and says whose it is', async () => {
    const args = fields();
    const first = await world.call('finance_financial_accounts_create', args);
    await expect(world.call('finance_financial_accounts_create', args)).rejects.toMatchObject({
      code: 'duplicate',
      details: { of: first['id'] },
    });
  });

  test('lets one of two at the same time have the name, also for different companies, and tells the other', async () => {
    const name = 'Wanted at once';
    const companies = [companyId, await createCompany(world)];
    const answers = await Promise.allSettled(
      companies.map((company_id) =>
        world.call('finance_financial_accounts_create', { ...fields(), company_id, name }),
      ),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(['duplicate']);
  });

  test('refuses an account of a company that is no longer active', async () => {
    const company_id = await createCompany(world, { active: false });
    await expect(
      world.call('finance_financial_accounts_create', { ...fields(), company_id }),
    ).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'company', from: 'inactive', allowed: ['active'] },
    });
  });

  test('refuses an opening in a closed month', async () => {
    const company_id = await createCompany(world);
    await world.call('finance_companies_update', { id: company_id, books_closed_until: '2026-01-31' });
    await expect(
      world.call('finance_financial_accounts_create', { ...fields(), company_id }),
    ).rejects.toMatchObject({ code: 'books_closed', details: { until: '2026-01-31', date: '2026-01-01' } });
  });

  test.each([
    ['name', ''],
    ['kind', 'wallet'],
    ['bank_code', '34'],
    ['agency', '12345678'],
    ['number', '12-3'],
    ['digit', '123'],
    ['opening_balance', '1.234,56'],
    ['opening_date', '2026-02-30'],
    ['opening_date', '2026-10-02'],
    ['company_id', 'one'],
  ])('names the wrong field %s and changes nothing', async (path, value) => {
    const before = await countAccounts();
    await expect(
      world.call('finance_financial_accounts_create', { ...fields(), [path]: value }),
    ).rejects.toMatchObject({ code: 'invalid_argument', details: { path } });
    expect(await countAccounts()).toBe(before);
  });

  test('refuses a connection that may only read, a role that may not, and a company elsewhere', async () => {
    await expect(world.call('finance_financial_accounts_create', fields(), 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call('finance_financial_accounts_create', fields(), 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['finance.financial_accounts.write'] },
    });
    await expect(world.call('finance_financial_accounts_create', fields(), 'stranger')).rejects.toMatchObject(
      { code: 'not_found', details: { kind: 'company' } },
    );
  });

  test('adds one account for a repeated idempotency key', async () => {
    const args = { ...fields(), idempotency_key: 'account-1' };
    const first = await world.call('finance_financial_accounts_create', args);
    expect(await world.call('finance_financial_accounts_create', args)).toEqual(first);
  });
});

describe('update', () => {
  test('changes only the fields given, and gives the same when repeated', async () => {
    const id = await createAccount(world, { company_id: companyId, name: 'Before' });
    const changed = await world.call('finance_financial_accounts_update', {
      account_id: id,
      name: 'After',
      digit: null,
      active: false,
    });
    expect(changed).toMatchObject({
      name: 'After',
      digit: null,
      number: '1234556',
      active: false,
      opening_balance: '0.00',
      version: 2,
    });
    const again = await world.call('finance_financial_accounts_update', { account_id: id, name: 'After' });
    expect(again).toMatchObject({ name: 'After', active: false });
  });

  test('moves the opening balance before the first entry and never after it', async () => {
    const id = await createAccount(world, { company_id: companyId });
    const opening = { account_id: id, opening_balance: '10.00', opening_date: '2026-02-01' };
    expect(await world.call('finance_financial_accounts_update', opening)).toMatchObject({
      opening_balance: '10.00',
      opening_date: '2026-02-01',
    });
    await insertEntry(id, '2026-02-02', 'credit', 1, true);
    for (const change of [{ opening_balance: '10.01' }, { opening_date: '2026-02-02' }]) {
      await expect(
        world.call('finance_financial_accounts_update', { account_id: id, name: 'Kept out', ...change }),
      ).rejects.toMatchObject({ code: 'in_use', details: { by: ['financial_transactions'] } });
    }
    const kept = await world.call('finance_financial_accounts_update', { ...opening, kind: 'savings' });
    expect(kept).toMatchObject({ kind: 'savings', opening_balance: '10.00' });
    expect(kept['name']).not.toBe('Kept out');
  });

  test('refuses to move the opening out of a closed month', async () => {
    const company_id = await createCompany(world);
    const id = await createAccount(world, { company_id });
    await world.call('finance_companies_update', { id: company_id, books_closed_until: '2026-01-31' });
    await expect(
      world.call('finance_financial_accounts_update', { account_id: id, opening_date: '2026-02-01' }),
    ).rejects.toMatchObject({ code: 'books_closed', details: { until: '2026-01-31' } });
    await world.call('finance_financial_accounts_update', { account_id: id, kind: 'payment' });
  });

  test("refuses another account's name, and takes the own one again", async () => {
    const taken = await createAccount(world, { company_id: companyId, name: 'Taken' });
    const id = await createAccount(world, { company_id: companyId, name: 'Own' });
    await expect(
      world.call('finance_financial_accounts_update', { account_id: id, name: 'Taken' }),
    ).rejects.toMatchObject({ code: 'duplicate', details: { of: taken } });
    await world.call('finance_financial_accounts_update', { account_id: id, name: 'Own' });
  });

  test('lets one of two accounts at the same time have the name, and tells the other', async () => {
    const companies = [companyId, await createCompany(world)];
    const ids = await Promise.all(companies.map((company_id) => createAccount(world, { company_id })));
    const answers = await Promise.allSettled(
      ids.map((id) => world.call('finance_financial_accounts_update', { account_id: id, name: 'Wanted' })),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(['duplicate']);
  });

  test('names a wrong field, and refuses other connections, roles and workspaces', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    const rename = { account_id, name: 'X' };
    await expect(
      world.call('finance_financial_accounts_update', { account_id, opening_balance: 'ten' }),
    ).rejects.toMatchObject({ code: 'invalid_argument', details: { path: 'opening_balance' } });
    await expect(world.call('finance_financial_accounts_update', rename, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call('finance_financial_accounts_update', rename, 'accountant')).rejects.toMatchObject(
      {
        code: 'forbidden',
      },
    );
    await expect(world.call('finance_financial_accounts_update', rename, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'financial_account', id: account_id },
    });
  });
});

describe('get', () => {
  test('counts entries up to today in Brazil, without ignored ones', async () => {
    const id = await createAccount(world, { company_id: companyId, opening_balance_cents: 10_000 });
    await insertEntry(id, '2026-09-30', 'credit', 2_500);
    await insertEntry(id, '2026-10-01', 'debit', 1);
    await insertEntry(id, '2026-10-01', 'debit', 700, true);
    await insertEntry(id, '2026-10-02', 'credit', 5_000);
    const balance = async () =>
      (await world.call('finance_financial_accounts_get', { account_id: id }))['book_balance'];
    expect(await balance()).toBe('124.99');
    world.setNow('2026-10-02T02:59:00Z');
    expect(await balance()).toBe('124.99');
    world.setNow('2026-10-02T03:00:00Z');
    expect(await balance()).toBe('174.99');
    world.setNow('2026-10-01T12:00:00Z');
  });

  test('hides it from another workspace and another organization, like one that does not exist', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    const missing = { code: 'not_found', details: { kind: 'financial_account' } };
    const get = 'finance_financial_accounts_get';
    await expect(world.call(get, { account_id: newId() })).rejects.toMatchObject(missing);
    await expect(world.call(get, { account_id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(
      world.call(get, { account_id, workspace_id: world.otherWorkspaceId }, 'several'),
    ).rejects.toMatchObject(missing);
    await expect(world.call(get, { account_id: 'x' })).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('list', () => {
  test('filters by company, kind and activity, and finds by name without accents or by number', async () => {
    const company_id = await createCompany(world);
    const cash = await createAccount(world, { company_id, name: 'Caixa Água', kind: 'cash' });
    const card = await createAccount(world, { company_id, name: 'Cartão', kind: 'card', active: false });
    const found = async (filter: object) =>
      (await world.call('finance_financial_accounts_list', { company_id, ...filter }))['items'].map(
        (account: { id: string }) => account.id,
      );
    expect(await found({})).toEqual([cash, card]);
    expect(await found({ sort: '-name' })).toEqual([card, cash]);
    expect(await found({ kind: 'card' })).toEqual([card]);
    expect(await found({ active: true })).toEqual([cash]);
    expect(await found({ search: 'AGUA' })).toEqual([cash]);
    expect(await found({ search: 'caixa á' })).toEqual([cash]);
    expect(await found({ search: '1234556' })).toEqual([cash, card]);
    expect(await found({ search: '100%' })).toEqual([]);
    expect(await found({ created_to: '2020-01-01T00:00:00Z' })).toEqual([]);
  });

  test('pages without losing or repeating a record, each with its own book balance', async () => {
    const company_id = await createCompany(world);
    for (let number = 0; number < 5; number += 1) {
      const id = await createAccount(world, {
        company_id,
        name: `Page ${number}`,
        opening_balance_cents: number,
      });
      await insertEntry(id, '2026-03-01', 'debit', 100);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.call('finance_financial_accounts_list', {
        company_id,
        limit: 2,
        ...(cursor && { cursor }),
      });
      for (const { name, book_balance } of page['items']) seen.push(`${name}: ${book_balance}`);
      cursor = page['next_cursor'] ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([
      'Page 0: -1.00',
      'Page 1: -0.99',
      'Page 2: -0.98',
      'Page 3: -0.97',
      'Page 4: -0.96',
    ]);
  });

  test('shows nothing of another workspace and refuses a wrong filter by name', async () => {
    expect(await world.call('finance_financial_accounts_list', {}, 'stranger')).toEqual({
      items: [],
      next_cursor: null,
    });
    await expect(world.call('finance_financial_accounts_list', { kind: 'wallet' })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'kind' },
    });
    await expect(world.call('finance_financial_accounts_list', { cursor: 'x' })).rejects.toMatchObject({
      details: { path: 'cursor' },
    });
  });
});

test('suggests the newest ids that begin as typed, of this workspace only', async () => {
  if (accountCompletion.kind !== 'records') throw new Error('accounts are records');
  const { suggest } = accountCompletion;
  const invoker = world.runtime.invokers.finance;
  const list = invoker.catalogue.byName.get(accountCompletion.operation)!;
  const suggested = async (typed: string, who: 'owner' | 'stranger') =>
    invoker.readAs(list, {}, await world.caller(who), 'completion', (context) => suggest(context, typed));
  const older = await createAccount(world, { company_id: companyId });
  const newer = await createAccount(world, { company_id: companyId });
  expect((await suggested('', 'owner')).slice(0, 2)).toEqual([newer, older]);
  expect(await suggested(older.toUpperCase(), 'owner')).toEqual([older]);
  expect(await suggested('', 'stranger')).toEqual([]);
});
