import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createAccount,
  createCategory,
  createCompany,
  createSupplier,
} from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';

const CREATE = 'finance_automatic_rules_create';
const UPDATE = 'finance_automatic_rules_update';
const DELETE = 'finance_automatic_rules_delete';
const LIST = 'finance_automatic_rules_list';
const GET = 'finance_automatic_rules_get';
const APPLY = 'finance_automatic_rules_apply';

let world: World;
let companyId: string;
let accountId: string;
let fees: string;
let sales: string;
let personId: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world);
  accountId = await createAccount(world, { company_id: companyId });
  fees = await createCategory(world, { kind: 'expense', name: 'Bank fees' });
  sales = await createCategory(world, { kind: 'income', name: 'Sales' });
  personId = await createSupplier(world);
});
beforeEach(() => world.look('delete from automatic_rules'));
afterAll(() => world.close());

const feeRule = (fields: object = {}) => ({
  pattern: 'Tarifa',
  match: 'contains',
  scope: 'transactions',
  set: { category_id: fees },
  ...fields,
});
const create = (fields: object = {}) => world.call(CREATE, feeRule(fields));
const order = async () =>
  (await world.call(LIST))['items'].map(({ pattern, position }: Record<string, unknown>) => [
    position,
    pattern,
  ]);

const enter = (fields: object = {}, who?: 'stranger') =>
  world.call(
    'finance_financial_transactions_create',
    {
      account_id: accountId,
      date: '2026-09-30',
      direction: 'debit',
      amount: '12.34',
      description: 'TARIFA BANCÁRIA',
      ...fields,
    },
    who,
  );

const bill = async (fields: object = {}) =>
  (
    await world.call('finance_payables_create', {
      company_id: companyId,
      person_id: personId,
      description: `Tarifa ${newId()}`,
      amount: '10.00',
      due_date: '2026-10-05',
      ...fields,
    })
  )['items'][0];

describe('create', () => {
  test('adds a rule at the end, or where it is told, and the others move', async () => {
    const first = await create({ pattern: 'first' });
    expect(first).toMatchObject({
      position: 1,
      pattern: 'first',
      match: 'contains',
      scope: 'transactions',
      set: { category_id: fees, person_id: null, cost_center_id: null, payment_method: null, notes: null },
      active: true,
      version: 1,
    });
    await create({ pattern: 'third' });
    await create({ pattern: 'second', position: 2 });
    expect(await order()).toEqual([
      [1, 'first'],
      [2, 'second'],
      [3, 'third'],
    ]);
    expect(await world.call(GET, { id: first['id'] })).toEqual(first);
  });

  test('gives places one after the other to rules added at the same moment', async () => {
    await Promise.all(['a1', 'a2', 'a3', 'a4'].map((pattern) => create({ pattern, position: 1 })));
    expect((await order()).map(([position]: [number]) => position)).toEqual([1, 2, 3, 4]);
  });

  test.each([
    [{ pattern: 'x' }, 'pattern'],
    [{ pattern: '\u0301\u0301\u0301' }, 'pattern'],
    [{ match: 'regex' }, 'match'],
    [{ scope: 'everything' }, 'scope'],
    [{ position: 2 }, 'position'],
    [{ position: 0 }, 'position'],
    [{ set: {} }, 'set'],
    [{ set: { amount: '1.00' } }, 'set.amount'],
    [{ set: { status: 'paid' } }, 'set.status'],
  ])('refuses %j', async (fields, path) => {
    await expect(create(fields)).rejects.toMatchObject({ code: 'invalid_argument', details: { path } });
  });

  test('refuses what no entry could be given', async () => {
    await createCategory(world, {
      kind: 'expense',
      parent_id: await createCategory(world, { kind: 'expense' }),
    });
    const [parent] = await world.look<{ id: string }>(
      'select parent_id as id from categories where parent_id is not null limit 1',
    );
    await expect(create({ set: { category_id: parent!.id } })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'set.category_id' },
    });
    for (const [set, kind] of [
      [{ category_id: newId() }, 'category'],
      [{ person_id: newId() }, 'person'],
      [{ cost_center_id: newId() }, 'cost_center'],
    ] as const) {
      await expect(create({ set })).rejects.toMatchObject({ code: 'not_found', details: { kind } });
    }
  });

  test('refuses other connections and roles, and sees nothing of another workspace', async () => {
    await expect(world.call(CREATE, feeRule(), 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call(CREATE, feeRule(), 'accountant')).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['finance.automatic_rules.write'] },
    });
    await expect(world.call(CREATE, feeRule(), 'stranger')).rejects.toMatchObject({ code: 'not_found' });
    const { id } = await create();
    expect((await world.call(LIST, {}, 'stranger'))['items']).toEqual([]);
    for (const [name, args] of [
      [GET, { id }],
      [UPDATE, { id, active: false }],
      [DELETE, { id }],
      [APPLY, { id }],
    ] as const) {
      await expect(world.call(name, args, 'stranger')).rejects.toMatchObject({
        code: 'not_found',
        details: { kind: 'automatic_rule', id },
      });
    }
  });

  test('adds one for a repeated idempotency key', async () => {
    const args = { idempotency_key: 'rule-1' };
    expect(await create(args)).toEqual(await create(args));
    expect(await order()).toHaveLength(1);
  });
});

describe('update', () => {
  test('changes, moves and switches off, and gives the same when repeated', async () => {
    const { id } = await create({ pattern: 'moved' });
    await create({ pattern: 'other' });
    const changes = {
      pattern: 'Juros',
      set: { notes: 'Conferir', category_id: null },
      position: 2,
      active: false,
    };
    const changed = await world.call(UPDATE, { id, ...changes });
    expect(changed).toMatchObject({
      pattern: 'Juros',
      position: 2,
      active: false,
      set: { category_id: null, notes: 'Conferir' },
    });
    expect(await world.call(UPDATE, { id, ...changes })).toMatchObject({ position: 2, pattern: 'Juros' });
    expect(await order()).toEqual([
      [1, 'other'],
      [2, 'Juros'],
    ]);
    await expect(world.call(UPDATE, { id, set: { notes: null } })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'set' },
    });
    await expect(world.call(UPDATE, { id, position: 3 })).rejects.toMatchObject({
      details: { path: 'position' },
    });
  });
});

describe('delete', () => {
  test('asks with the facts, closes the gap, and leaves what it classified', async () => {
    const { id } = await create({ pattern: 'Tarifa' });
    await create({ pattern: 'behind' });
    const entry = await enter();
    const { message } = await world.ask(DELETE, { id });
    for (const line of [
      'Excluir regra automática',
      'Tarifa',
      'a descrição contém',
      'lançamentos das contas',
    ]) {
      expect(message).toContain(line);
    }
    expect(await world.call(DELETE, { id })).toEqual({ id, deleted: true });
    expect(await order()).toEqual([[1, 'behind']]);
    expect(await world.call('finance_financial_transactions_get', { id: entry['id'] })).toMatchObject({
      category_id: fees,
    });
  });
});

describe('a new entry', () => {
  test('gets what the first matching rule says, unless a person said something', async () => {
    const other = await createCategory(world, { kind: 'expense' });
    await create({ set: { category_id: fees, person_id: personId, notes: 'por regra' } });
    await create({ set: { category_id: other } });
    expect(await enter()).toMatchObject({
      category_id: fees,
      person_id: personId,
      notes: 'por regra',
      classified_by: 'rule',
    });
    const own = await createSupplier(world);
    expect(await enter({ person_id: own })).toMatchObject({ category_id: fees, person_id: own });
    expect(await enter({ category_id: other })).toMatchObject({
      category_id: other,
      person_id: null,
      classified_by: 'person',
    });
  });

  test('passes over rules that do not fit: other kind, other scope, switched off, target out of use', async () => {
    const gone = await createCategory(world, { kind: 'expense' });
    const fitting = await createCategory(world, { kind: 'expense' });
    await create({ set: { category_id: sales } });
    await create({ scope: 'documents' });
    const { id } = await create();
    await world.call(UPDATE, { id, active: false });
    await create({ set: { category_id: gone } });
    await world.call('finance_categories_update', { id: gone, active: false });
    const person = await createSupplier(world);
    await create({ set: { category_id: fees, person_id: person } });
    await world.call('finance_people_update', { id: person, active: false });
    const parent = await createCategory(world, { kind: 'expense' });
    await create({ set: { category_id: parent } });
    await world.call('finance_categories_create', { name: 'Below', parent_id: parent });
    await create({ scope: 'all', set: { category_id: fitting } });
    expect(await enter()).toMatchObject({ category_id: fitting });
    expect(await enter({ direction: 'credit' })).toMatchObject({ category_id: sales });
  });

  test('may be a bill too, and stays without a category once a person took it away', async () => {
    await create({ scope: 'documents' });
    const payable = await bill();
    expect(payable).toMatchObject({ category_id: fees, classified_by: 'rule' });
    const own = await createCategory(world, { kind: 'expense' });
    expect(await bill({ category_id: own })).toMatchObject({ category_id: own, classified_by: 'person' });
    await world.call('finance_payables_update', { id: payable.id, category_id: null });
    const applied = await world.call(APPLY, { dry_run: false });
    expect(applied['changes'].map(({ id }: { id: string }) => id)).not.toContain(payable.id);
  });

  test('is classified by no rule of another workspace', async () => {
    await create();
    await world.look('update automatic_rules set workspace_id = $1, category_id = null', [
      world.otherWorkspaceId,
    ]);
    expect(await enter()).toMatchObject({ category_id: null, classified_by: null });
    await world.look('delete from automatic_rules');
  });
});

describe('apply', () => {
  beforeEach(async () => {
    await world.look('delete from financial_transactions');
    await world.look('delete from payables');
  });

  test('shows what would change and changes nothing, until told so', async () => {
    const entry = await enter();
    const payable = await bill();
    const { id } = await create({ scope: 'all' });
    const shown = await world.call(APPLY);
    expect(shown).toMatchObject({ applied: false, count: 2, scanned: 2, complete: true });
    expect(shown['changes']).toEqual([
      {
        kind: 'payable',
        id: payable.id,
        rule_id: id,
        date: '2026-10-05',
        description: payable.description,
        set: { category_id: fees },
      },
      {
        kind: 'financial_transaction',
        id: entry['id'],
        rule_id: id,
        date: '2026-09-30',
        description: 'TARIFA BANCÁRIA',
        set: { category_id: fees },
      },
    ]);
    const read = () => world.call('finance_financial_transactions_get', { id: entry['id'] });
    expect(await read()).toMatchObject({ category_id: null, version: 1 });
    const applied = await world.call(APPLY, { dry_run: false });
    expect(applied).toEqual({ ...shown, applied: true });
    expect(await read()).toMatchObject({ category_id: fees, classified_by: 'rule', version: 2 });
    expect(await world.call('finance_payables_get', { id: payable.id })).toMatchObject({ category_id: fees });
    expect(await world.call(APPLY, { dry_run: false })).toMatchObject({ count: 0, complete: true });
    const events = await world.look<{ body: string }>('select body from events where operation = $1', [
      APPLY,
    ]);
    expect(events.flatMap(({ body }) => JSON.parse(body).changes)).toContainEqual({
      kind: 'financial_transaction',
      id: entry['id'],
      before: { category_id: null },
      after: { category_id: fees, classified_by: 'rule' },
    });
  });

  test("never overwrites a person's choice, also not that there is no category", async () => {
    const mine = await createCategory(world, { kind: 'expense' });
    const chosen = await enter({ category_id: mine });
    const cleared = await enter({ category_id: mine });
    await world.call('finance_financial_transactions_update', { id: cleared['id'], category_id: null });
    const named = await enter({ person_id: personId });
    await create({ set: { category_id: fees, person_id: await createSupplier(world), notes: 'regra' } });
    expect(await world.call(APPLY, { dry_run: false })).toMatchObject({ count: 1 });
    const read = (id: string) => world.call('finance_financial_transactions_get', { id });
    expect(await read(chosen['id'])).toMatchObject({ category_id: mine, notes: null });
    expect(await read(cleared['id'])).toMatchObject({ category_id: null, notes: null });
    expect(await read(named['id'])).toMatchObject({ category_id: fees, person_id: personId, notes: 'regra' });
    const found = await world.call('finance_financial_transactions_list', { search: 'regra' });
    expect(found['items']).toHaveLength(1);
  });

  test('keeps to one rule and to dates, and to the order of all rules', async () => {
    await enter({ date: '2026-08-31' });
    const september = await enter({ description: 'TARIFA PIX' });
    const first = await create({ pattern: 'tarifa pix' });
    const second = await create({ pattern: 'tarifa' });
    expect((await world.call(APPLY, { id: second['id'] }))['count']).toBe(1);
    expect((await world.call(APPLY, { id: first['id'] }))['changes']).toMatchObject([
      { id: september['id'] },
    ]);
    expect((await world.call(APPLY, { date_from: '2026-09-01' }))['count']).toBe(1);
    expect((await world.call(APPLY, { date_to: '2026-09-01' }))['count']).toBe(1);
    await world.call(UPDATE, { id: first['id'], active: false });
    await expect(world.call(APPLY, { id: first['id'] })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'automatic_rule', from: 'inactive' },
    });
  });

  test('MODEL 14.9: leaves what is dated in closed books', async () => {
    const closing = await createCompany(world);
    await enter({ account_id: await createAccount(world, { company_id: closing }) });
    const next = await enter({
      account_id: await createAccount(world, { company_id: closing }),
      date: '2026-10-01',
    });
    const inMonth = { company_id: closing, due_date: '2026-10-05' };
    await bill({ ...inMonth, issue_date: '2026-09-30', competence_month: '2026-10' });
    await bill({ ...inMonth, competence_month: '2026-09' });
    const open = await bill({ ...inMonth, competence_month: '2026-10' });
    await world.call('finance_companies_update', { id: closing, books_closed_until: '2026-09-30' });
    await create({ scope: 'all' });
    const applied = await world.call(APPLY, { dry_run: false });
    expect(applied['changes'].map(({ id }: { id: string }) => id)).toEqual([open.id, next['id']]);
  });

  test('classifies an entry once when applied twice at the same moment', async () => {
    await enter();
    await create();
    const both = await Promise.all([1, 2].map(() => world.call(APPLY, { dry_run: false })));
    expect(both.map(({ count }) => count).sort()).toEqual([0, 1]);
  });

  test('stops at 500 changes and says so; the next call does the rest', async () => {
    await world.look(
      `insert into financial_transactions (workspace_id, id, account_id, date, direction, amount_cents, description,
                                           source, created_by)
       select $1, gen_random_uuid(), $2, '2026-09-01', 'debit', 1, 'tarifa', 'import', $1
         from generate_series(1, 501)`,
      [world.workspaceId, accountId],
    );
    await create();
    const first = await world.call(APPLY, { dry_run: false });
    expect(first).toMatchObject({ count: 500, complete: false });
    expect(first['changes']).toHaveLength(100);
    expect(await world.call(APPLY, { dry_run: false })).toMatchObject({ count: 1, complete: true });
  });

  test('refuses a connection that may only read and a role that may not', async () => {
    await expect(world.call(APPLY, {}, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
    await expect(world.call(APPLY, {}, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(world.call(APPLY, { date_from: 'x' })).rejects.toMatchObject({
      details: { path: 'date_from' },
    });
  });
});
