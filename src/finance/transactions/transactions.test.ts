import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createAccount,
  createCategory,
  createCompany,
  createSupplier,
} from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

const LIST = 'finance_financial_transactions_list';
const GET = 'finance_financial_transactions_get';
const CREATE = 'finance_financial_transactions_create';
const UPDATE = 'finance_financial_transactions_update';
const DELETE = 'finance_financial_transactions_delete';

let world: World;
let companyId: string;
let accountId: string;
let fees: string;
let sales: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world);
  accountId = await createAccount(world, { company_id: companyId });
  fees = await createCategory(world, { kind: 'expense', name: 'Bank fees' });
  sales = await createCategory(world, { kind: 'income', name: 'Sales' });
});
afterAll(() => world.close());

const fee = (fields: object = {}) => ({
  account_id: accountId,
  date: '2026-09-30',
  direction: 'debit',
  amount: '12.34',
  description: 'Tarifa de cobrança',
  ...fields,
});

const create = (fields: object = {}) => world.call(CREATE, fee(fields));

/** A line as an import writes it. */
async function importedLine(fields: Record<string, unknown> = {}): Promise<string> {
  const id = newId();
  const row = {
    workspace_id: world.workspaceId,
    id,
    account_id: accountId,
    date: '2026-09-29',
    direction: 'debit',
    amount_cents: 5_000,
    description: 'PIX ENVIADO',
    source: 'import',
    search_text: 'pix enviado',
    created_by: world.workspaceId,
    ...fields,
  };
  const columns = Object.keys(row);
  await world.look(
    `insert into financial_transactions (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
  return id;
}

async function changesOf(operation: string) {
  const [event] = await world.look<{ body: string }>(
    'select body from events where operation = $1 order by position desc limit 1',
    [operation],
  );
  return JSON.parse(event!.body).changes;
}

describe('create', () => {
  test('enters it, moves the book balance, and records it', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    const person_id = await createSupplier(world);
    const entry = await create({ account_id, category_id: fees, person_id });
    expect(entry).toMatchObject({
      account_id,
      date: '2026-09-30',
      direction: 'debit',
      amount: '12.34',
      description: 'Tarifa de cobrança',
      category_id: fees,
      person_id,
      classified_by: 'person',
      source: 'manual',
      reconciled_amount: '0.00',
      reconciled: false,
      ignored: false,
      superseded_by: null,
      transfer_id: null,
      version: 1,
    });
    const account = await world.call('finance_financial_accounts_get', { account_id });
    expect(account['book_balance']).toBe('-12.34');
    expect((await changesOf(CREATE))[0]).toMatchObject({
      kind: 'financial_transaction',
      id: entry['id'],
      before: null,
      after: { amount: '12.34' },
    });
  });

  test.each([
    ['date', '2026-10-02'],
    ['date', '2025-12-31'],
    ['amount', '0.00'],
    ['amount', '1.234,56'],
    ['amount', '-1.00'],
    ['direction', 'out'],
    ['description', '\u200b'],
    ['account_id', 'x'],
    ['source', 'import'],
    ['reconciled', true],
  ])('names the wrong field %s', async (path, value) => {
    await expect(create({ [path]: value })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path },
    });
  });

  test('takes a category of income for a credit only, and of expense for a debit', async () => {
    await expect(create({ category_id: sales })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'category_id' },
    });
    expect(await create({ direction: 'credit', category_id: sales })).toMatchObject({ category_id: sales });
  });

  test('refuses a closed month, an account and a person no longer in use', async () => {
    const company_id = await createCompany(world);
    const account_id = await createAccount(world, { company_id });
    await world.call('finance_companies_update', { id: company_id, books_closed_until: '2026-09-30' });
    await expect(create({ account_id })).rejects.toMatchObject({ code: 'books_closed' });
    await expect(create({ account_id, date: '2026-10-01' })).resolves.toMatchObject({ account_id });
    const inactive = await createAccount(world, { company_id: companyId, active: false });
    await expect(create({ account_id: inactive })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'financial_account' },
    });
    const person_id = await createSupplier(world);
    await world.call('finance_people_update', { id: person_id, active: false });
    await expect(create({ person_id })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'person' },
    });
  });

  test('refuses a connection that may only read, a role that may not, and an account elsewhere', async () => {
    await expect(world.call(CREATE, fee(), 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(world.call(CREATE, fee(), 'accountant')).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['finance.financial_transactions.write'] },
    });
    await expect(world.call(CREATE, fee(), 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'financial_account' },
    });
  });

  test('enters one for a repeated idempotency key', async () => {
    const args = { idempotency_key: 'entry-1' };
    expect(await create(args)).toEqual(await create(args));
  });
});

describe('update', () => {
  test('classifies, annotates, and gives the same when repeated', async () => {
    const { id } = await create();
    const [costCenter] = await world.look<{ id: string }>(
      "insert into cost_centers (workspace_id, id, name, created_by) values ($1, $2, 'Store', $1) returning id",
      [world.workspaceId, newId()],
    );
    const person_id = await createSupplier(world);
    const changes = { category_id: fees, person_id, cost_center_id: costCenter!.id, notes: 'Conferir' };
    const changed = await world.call(UPDATE, { id, ...changes });
    expect(changed).toMatchObject({
      category_id: fees,
      person_id,
      cost_centers: [{ id: costCenter!.id, percent: '100' }],
      notes: 'Conferir',
      classified_by: 'person',
      amount: '12.34',
      version: 2,
    });
    expect(await world.call(UPDATE, { id, ...changes })).toMatchObject({ category_id: fees });
    const found = await world.call(LIST, { search: 'conferir' });
    expect(found['items'].map((item: { id: string }) => item.id)).toEqual([id]);
    expect(
      await world.call(UPDATE, { id, category_id: null, person_id: null, cost_center_id: null, notes: null }),
    ).toMatchObject({ category_id: null, person_id: null, cost_centers: [], notes: null });
  });

  test.each(['reconciled', 'reconciled_amount', 'amount', 'date', 'description', 'direction', 'transfer_id'])(
    'has no side door: takes no %s, on an imported line or any other',
    async (path) => {
      const id = await importedLine();
      await expect(world.call(UPDATE, { id, [path]: '2026-09-01' })).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path },
      });
    },
  );

  test('ignores an entry and takes it back; the balance follows', async () => {
    const account_id = await createAccount(world, { company_id: companyId });
    const { id } = await create({ account_id });
    const balance = async () =>
      (await world.call('finance_financial_accounts_get', { account_id }))['book_balance'];
    expect(await world.call(UPDATE, { id, ignored: true })).toMatchObject({ ignored: true });
    expect(await balance()).toBe('0.00');
    expect(await world.call(UPDATE, { id, ignored: false })).toMatchObject({ ignored: false });
    expect(await balance()).toBe('-12.34');
  });

  test('ignores nothing that is reconciled, a leg of a transfer, superseded, or stands for a settlement', async () => {
    const reconciled = await importedLine({ reconciled_cents: 1 });
    await expect(world.call(UPDATE, { id: reconciled, ignored: true })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'reconciled' },
    });
    const other = await createAccount(world, { company_id: companyId });
    const [transfer] = await world.look<{ id: string }>(
      `insert into transfers (workspace_id, id, from_account_id, to_account_id, amount_cents, method, scheduled_for,
                              origin, status, registration_status, created_by)
       values ($1, $2, $3, $4, 100, 'internal', '2026-09-30', 'ordered', 'confirmed', 'none', $1) returning id`,
      [world.workspaceId, newId(), accountId, other],
    );
    const leg = await importedLine({ transfer_id: transfer!.id });
    await expect(world.call(UPDATE, { id: leg, ignored: true })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'transfer', id: transfer!.id },
    });
    const superseded = await importedLine({ source: 'payment', ignored: true, superseded_by: reconciled });
    await expect(world.call(UPDATE, { id: superseded, ignored: false })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'superseded' },
    });
    const bill = (
      await world.call('finance_payables_create', {
        company_id: companyId,
        person_id: await createSupplier(world),
        description: 'Rent',
        amount: '100.00',
        due_date: '2026-10-05',
      })
    )['items'][0];
    const { settlement } = await world.call('finance_payables_settle', {
      id: bill.id,
      account_id: accountId,
      paid_at: '2026-09-30',
      amount: '100.00',
    });
    await expect(world.call(UPDATE, { id: settlement.transaction_id, ignored: true })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'settlement', id: settlement.id },
    });
    expect(await world.call(UPDATE, { id: settlement.transaction_id, notes: 'ok' })).toMatchObject({
      notes: 'ok',
    });
  });

  test('leaves closed months as they are, except for notes', async () => {
    const company_id = await createCompany(world);
    const account_id = await createAccount(world, { company_id });
    const { id } = await create({ account_id });
    await world.call('finance_companies_update', { id: company_id, books_closed_until: '2026-09-30' });
    for (const change of [
      { category_id: fees },
      { ignored: true },
      { person_id: await createSupplier(world) },
    ]) {
      await expect(world.call(UPDATE, { id, ...change })).rejects.toMatchObject({ code: 'books_closed' });
    }
    expect(await world.call(UPDATE, { id, notes: 'late thought' })).toMatchObject({ notes: 'late thought' });
  });

  test('refuses other connections, roles, workspaces, and records elsewhere', async () => {
    const { id } = await create();
    const args = { id, notes: 'x' };
    await expect(world.call(UPDATE, args, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(world.call(UPDATE, args, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(world.call(UPDATE, args, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'financial_transaction', id },
    });
    await expect(world.call(UPDATE, { id, category_id: newId() })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'category' },
    });
    await expect(world.call(UPDATE, { id, cost_center_id: newId() })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'cost_center' },
    });
  });
});

describe('delete', () => {
  test('asks with the facts, removes it, and moves the balance back', async () => {
    const account_id = await createAccount(world, { company_id: companyId, name: 'Caixa' });
    const { id } = await create({ account_id });
    const { message } = await world.ask(DELETE, { id });
    for (const line of [
      'Excluir lançamento manual',
      'R$ 12,34',
      '30/09/2026',
      'Tarifa de cobrança',
      'Caixa',
    ]) {
      expect(message).toContain(line);
    }
    expect(await world.call(DELETE, { id })).toEqual({ id, deleted: true });
    expect((await world.call('finance_financial_accounts_get', { account_id }))['book_balance']).toBe('0.00');
    await expect(world.call(GET, { id })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('leaves lines of statements, reconciled entries, and closed months', async () => {
    await expect(world.ask(DELETE, { id: await importedLine() })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'import', allowed: ['manual'] },
    });
    const reconciled = await importedLine({ source: 'manual', reconciled_cents: 5_000 });
    await expect(world.ask(DELETE, { id: reconciled })).rejects.toMatchObject({ code: 'already_reconciled' });
    const company_id = await createCompany(world);
    const { id } = await create({ account_id: await createAccount(world, { company_id }) });
    await world.call('finance_companies_update', { id: company_id, books_closed_until: '2026-09-30' });
    await expect(world.ask(DELETE, { id })).rejects.toMatchObject({ code: 'books_closed' });
  });

  test('keeps an entry whose undone reconciliation is history', async () => {
    const { id } = await create();
    const reconciliation = newId();
    await world.look(
      `insert into reconciliations (workspace_id, id, account_id, direction, total_cents, origin, status, created_by)
       values ($1, $2, $3, 'debit', 1234, 'manual', 'undone', $1)`,
      [world.workspaceId, reconciliation, accountId],
    );
    await world.look(
      `insert into reconciliation_transactions (workspace_id, reconciliation_id, transaction_id, amount_cents)
       values ($1, $2, $3, 1234)`,
      [world.workspaceId, reconciliation, id],
    );
    await expect(world.ask(DELETE, { id })).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'reconciliation', id: reconciliation }] },
    });
    expect((await world.call(GET, { id }))['reconciliations']).toMatchObject([
      { id: reconciliation, amount: '12.34', origin: 'manual', status: 'undone' },
    ]);
  });

  test('is refused when the entry was reconciled after the question', async () => {
    const { id } = await create();
    const { state } = await world.ask(DELETE, { id });
    await world.look('update financial_transactions set reconciled_cents = 1 where id = $1', [id]);
    await expect(world.confirm(DELETE, { id }, state)).rejects.toMatchObject({ code: 'already_reconciled' });
  });

  test('refuses roles that may not and other workspaces', async () => {
    const { id } = await create();
    await expect(world.call(DELETE, { id }, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(world.call(DELETE, { id }, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('get', () => {
  test('shows the line that took its place, and from there back', async () => {
    const line = await importedLine();
    const own = await importedLine({ source: 'payment', ignored: true, superseded_by: line });
    expect(await world.call(GET, { id: own })).toMatchObject({
      superseded_by: line,
      ignored: true,
      company_id: companyId,
      currency: 'BRL',
    });
    expect(await world.call(GET, { id: line })).toMatchObject({
      supersedes: [own],
      open_amount: '50.00',
      transfer: null,
      reconciliations: [],
    });
  });

  test('hides it from another workspace and another organization, like one that does not exist', async () => {
    const { id } = await create();
    const missing = { code: 'not_found', details: { kind: 'financial_transaction' } };
    await expect(world.call(GET, { id: newId() })).rejects.toMatchObject(missing);
    await expect(world.call(GET, { id }, 'stranger')).rejects.toMatchObject(missing);
    await expect(
      world.call(GET, { id, workspace_id: world.otherWorkspaceId }, 'several'),
    ).rejects.toMatchObject(missing);
  });
});
