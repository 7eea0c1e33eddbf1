import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runTask } from '../../../test/support/banking.ts';
import { createCategory, createCompany, createSupplier } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { createSimulatedBank } from '../../gateways/bank/index.ts';

const CREATE = 'finance_recurrences_create';
const UPDATE = 'finance_recurrences_update';
const END = 'finance_recurrences_end';
const GET = 'finance_recurrences_get';
const LIST = 'finance_recurrences_list';
const TODAY = '2026-10-01T12:00:00Z';

let world: World;
let companyId: string;
let personId: string;
let rent: string;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world);
  personId = await createSupplier(world, { name: 'Imobiliária' });
  rent = await createCategory(world, { kind: 'expense', name: 'Rent' });
});
afterEach(() => world.setNow(TODAY));
afterAll(() => world.close());

const template = (fields: object = {}) => ({
  company_id: companyId,
  person_id: personId,
  description: 'Aluguel',
  amount: '1500.00',
  category_id: rent,
  ...fields,
});

const monthly = (fields: object = {}, of: object = {}) => ({
  kind: 'payable',
  template: template(of),
  frequency: 'monthly',
  start_date: '2026-10-31',
  ...fields,
});

const create = (fields: object = {}, of: object = {}) => world.call(CREATE, monthly(fields, of));
const get = (id: string) => world.call(GET, { id });
const dueDates = (made: { due_date: string }[]) => made.map(({ due_date }) => due_date);

const runDay = async (instant: string) => {
  world.setNow(instant);
  const { error } = await runTask(world, createSimulatedBank(), 'recurrences_run', {
    organizationId: world.organizationId,
    workspaceId: world.workspaceId,
  });
  expect(error).toBe(undefined);
};

const entriesOf = (id: string) =>
  world.look<{ id: string; due_date: string; number: number; status: string; amount_cents: string }>(
    `select id, due_date::text, recurrence_number as number, status, amount_cents, created_by from payables
      where recurrence_id = $1 order by recurrence_number`,
    [id],
  );

describe('create', () => {
  test('registers what is due within 60 days and tells what comes next', async () => {
    const { recurrence, registered, open_entries } = await create({}, { document_number: 'CT-7' });
    expect(recurrence).toMatchObject({
      kind: 'payable',
      frequency: 'monthly',
      day: 31,
      start_date: '2026-10-31',
      end_date: null,
      count: null,
      non_business_day: 'keep',
      status: 'active',
      next_number: 3,
      next_date: '2026-12-31',
      held_by: null,
      template: { amount: '1500.00', document_number: 'CT-7', category_id: rent, payment_details: null },
    });
    expect(
      registered.map(({ number, due_date, amount }: Record<string, unknown>) => [number, due_date, amount]),
    ).toEqual([
      [1, '2026-10-31', '1500.00'],
      [2, '2026-11-30', '1500.00'],
    ]);
    expect(open_entries).toEqual({ count: 2, total: '3000.00' });
    const payable = await world.call('finance_payables_get', { id: registered[1].id });
    expect(payable).toMatchObject({
      description: 'Aluguel',
      document_number: 'CT-7/2',
      amount: '1500.00',
      status: 'open',
      competence_month: '2026-11',
      recurrence_id: recurrence.id,
      category_id: rent,
    });
    const detail = await get(recurrence.id);
    expect(detail['next_dates'].slice(0, 3)).toEqual([
      { number: 3, date: '2026-12-31', due_date: '2026-12-31' },
      { number: 4, date: '2027-01-31', due_date: '2027-01-31' },
      { number: 5, date: '2027-02-28', due_date: '2027-02-28' },
    ]);
    expect(detail['next_dates']).toHaveLength(12);
  });

  test('registers a receivable with fine and interest', async () => {
    const customer = await createSupplier(world, { roles: ['customer'] });
    const { registered } = await create(
      { kind: 'receivable', count: 1 },
      {
        person_id: customer,
        category_id: await createCategory(world, { kind: 'income' }),
        charges: { fine: { kind: 'percent', value: '2' } },
      },
    );
    const receivable = await world.call('finance_receivables_get', { id: registered[0].id });
    expect(receivable).toMatchObject({
      amount: '1500.00',
      charges: { fine: { kind: 'percent', value: '2' } },
    });
  });

  test('registers nothing yet when it begins later, and checks the template all the same', async () => {
    const later = { start_date: '2027-01-31' };
    expect(await create(later)).toMatchObject({ registered: [], recurrence: { next_number: 1 } });
    await expect(
      create(later, { category_id: await createCategory(world, { kind: 'income' }) }),
    ).rejects.toMatchObject({ code: 'invalid_argument', details: { path: 'category_id' } });
    await expect(create(later, { person_id: newId() })).rejects.toMatchObject({ code: 'not_found' });
    await expect(create(later, { withholdings: [{ kind: 'iss', amount: '1500.00' }] })).rejects.toMatchObject(
      {
        code: 'invalid_argument',
        details: { path: 'withholdings' },
      },
    );
  });

  test('ends by itself with its last occurrence', async () => {
    const { recurrence, registered } = await create({
      frequency: 'weekly',
      start_date: '2026-10-02',
      count: 3,
    });
    expect(dueDates(registered)).toEqual(['2026-10-02', '2026-10-09', '2026-10-16']);
    expect(recurrence).toMatchObject({
      status: 'ended',
      end_reason: 'completed',
      next_number: null,
      day: null,
    });
    expect((await get(recurrence.id))['next_dates']).toEqual([]);
  });

  test('moves weekends and holidays as told, the month aside', async () => {
    const { registered } = await create({ non_business_day: 'next', end_date: '2026-10-31' });
    expect(dueDates(registered)).toEqual(['2026-11-03']);
    const [entry] = await world.look<{ month: string }>(
      'select competence_month as month from payables where id = $1',
      [registered[0].id],
    );
    expect(entry!.month).toBe('2026-10');
  });

  test.each([
    ['status', 'paid'],
    ['auto_send', true],
    ['send_to_bank', true],
    ['payment', { account_id: '0192f0a1-7b1c-7c3d-8e4f-0123456789ab' }],
    ['due_date', '2026-10-31'],
    ['installments', { count: 2, first_due_date: '2026-10-31' }],
  ])('has no side door: a template takes no %s', async (field, value) => {
    await expect(create({}, { [field]: value })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: `template.${field}` },
    });
    await expect(create({ [field]: value })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: field },
    });
  });

  test('orders nothing at a bank, also where it says how to pay', async () => {
    const details = { kind: 'pix_key', key: 'contato@imobiliaria.com.br', key_type: 'email' };
    const { recurrence } = await create({}, { payment_details: details });
    expect(recurrence.template.payment_details).toMatchObject({ kind: 'pix_key', key: details.key });
    const seen = await world.call(GET, { id: recurrence.id }, 'viewer');
    expect(seen['template'].payment_details.key).not.toBe(details.key);
    const [counts] = await world.look<{ orders: string; jobs: string }>(
      'select (select count(*) from payments) as orders, (select count(*) from graphile_worker._private_jobs) as jobs',
    );
    expect(counts).toEqual({ orders: '0', jobs: '0' });
  });

  test.each([
    [{ kind: 'bill' }, {}, 'kind'],
    [{ frequency: 'daily' }, {}, 'frequency'],
    [{ start_date: '2026-09-30' }, {}, 'start_date'],
    [{ day: 32 }, {}, 'day'],
    [{ frequency: 'weekly', day: 5 }, {}, 'day'],
    [{ count: 0 }, {}, 'count'],
    [{ count: 3, end_date: '2027-01-31' }, {}, 'count'],
    [{ end_date: '2026-10-30' }, {}, 'end_date'],
    [{ non_business_day: 'skip' }, {}, 'non_business_day'],
    [{}, { amount: '0.00' }, 'template.amount'],
    [{}, { charges: { discounts: [] } }, 'template.charges.discounts'],
    [
      {},
      { payment_details: { kind: 'boleto', code: '23790.00009 00000.000190 00000.000000 6 16000000025000' } },
      'payment_details',
    ],
    [{ kind: 'receivable' }, { payment_details: { kind: 'none' } }, 'template.payment_details'],
  ])('refuses %j %j', async (fields, of, path) => {
    await expect(create(fields, of)).rejects.toMatchObject({ code: 'invalid_argument', details: { path } });
  });

  test('MODEL 14.9: is refused in closed books, and nothing is left of it', async () => {
    const company_id = await createCompany(world);
    await world.call('finance_companies_update', { id: company_id, books_closed_until: '2026-10-31' });
    await expect(create({}, { company_id })).rejects.toMatchObject({ code: 'books_closed' });
    const [left] = await world.look<{ count: string }>(
      "select count(*) from recurrences where template->>'companyId' = $1",
      [company_id],
    );
    expect(left!.count).toBe('0');
  });

  test('needs the right to register such a record, besides that to repeat', async () => {
    await expect(world.call(CREATE, monthly(), 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call(CREATE, monthly(), 'viewer')).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['finance.recurrences.write'] },
    });
    await expect(world.call(CREATE, monthly(), 'stranger')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('shows without doing, and does once for a repeated idempotency key', async () => {
    const [before] = await world.look<{ count: string }>('select count(*) from recurrences');
    expect((await create({ dry_run: true }))['registered']).toHaveLength(2);
    const [after] = await world.look<{ count: string }>('select count(*) from recurrences');
    expect(after).toEqual(before);
    const args = { idempotency_key: 'recurrence-1' };
    expect(await create(args)).toEqual(await create(args));
  });
});

describe('the daily run', () => {
  test('registers each occurrence once, however often and late it runs', async () => {
    const { recurrence } = await create();
    // Still October in Brazil: the last day of the year is 61 days away.
    await runDay('2026-10-31T03:05:00Z');
    await runDay('2026-11-01T02:59:00Z');
    expect((await entriesOf(recurrence.id)).map(({ due_date }) => due_date)).toEqual([
      '2026-10-31',
      '2026-11-30',
    ]);
    await runDay('2026-11-01T03:05:00Z');
    await runDay('2026-11-01T03:05:00Z');
    expect(await entriesOf(recurrence.id)).toHaveLength(3);
    // Three months without a worker.
    await runDay('2027-02-01T03:05:00Z');
    expect((await entriesOf(recurrence.id)).map(({ due_date }) => due_date).slice(3)).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
    ]);
  });

  test('registers each occurrence once when two runs meet', async () => {
    const { recurrence } = await create();
    await Promise.all(Array.from({ length: 4 }, () => runDay('2026-12-01T12:00:00Z')));
    expect((await entriesOf(recurrence.id)).map(({ number }) => number)).toEqual([0, 1, 2]);
  });

  test('MODEL 14.9: waits for closed books, says so, and goes on when they open', async () => {
    const company_id = await createCompany(world);
    const { recurrence } = await create({}, { company_id });
    const close = (until: string | null) =>
      world.call('finance_companies_update', { id: company_id, books_closed_until: until });
    await close('2026-12-31');
    await runDay('2026-12-01T12:00:00Z');
    const held = await get(recurrence.id);
    expect(held).toMatchObject({ status: 'active', held_by: 'books_closed', next_number: 3 });
    await runDay('2026-12-01T13:00:00Z');
    expect(await get(recurrence.id)).toEqual(held);
    await close('2026-11-30');
    await runDay('2026-12-01T14:00:00Z');
    expect(await get(recurrence.id)).toMatchObject({ held_by: null, next_number: 4 });
    expect(await entriesOf(recurrence.id)).toHaveLength(3);
  });

  test('holds one whose supplier is gone, and registers the others', async () => {
    const gone = await createSupplier(world);
    const { recurrence: refused } = await create({}, { person_id: gone });
    const { recurrence: other } = await create();
    await world.call('finance_people_update', { id: gone, active: false });
    await runDay('2026-12-01T12:00:00Z');
    expect(await get(refused.id)).toMatchObject({ held_by: 'invalid_state' });
    expect(await entriesOf(refused.id)).toHaveLength(2);
    expect(await entriesOf(other.id)).toHaveLength(3);
  });

  test('registers in the name of whoever said what is repeated, who therefore does not approve it', async () => {
    await world.look(
      `update workspaces set settings = '{"approval": {"above": "1000.00", "second_person": true}}' where id = $1`,
      [world.workspaceId],
    );
    try {
      const { recurrence } = await create();
      await runDay('2026-12-01T12:00:00Z');
      const { id } = (await entriesOf(recurrence.id))[2]!;
      await expect(world.call('finance_payables_approve', { id })).rejects.toMatchObject({
        code: 'same_person_approval',
      });
      expect(await world.call('finance_payables_approve', { id }, 'approver')).toMatchObject({
        approval_status: 'approved',
      });
    } finally {
      await world.look("update workspaces set settings = '{}' where id = $1", [world.workspaceId]);
    }
  });

  test('is on record as one event with the payable and the recurrence', async () => {
    const { recurrence } = await create();
    await runDay('2026-12-01T12:00:00Z');
    const events = await world.look<{ body: string }>(
      "select body from events where operation = 'recurrences_run' order by position desc",
    );
    const kindsOf = events
      .map(({ body }) => JSON.parse(body).changes as { kind: string; id: string }[])
      .find((changes) => changes.some(({ id }) => id === recurrence.id));
    expect(kindsOf!.map(({ kind }) => kind)).toEqual(['payable', 'recurrence']);
  });
});

describe('update', () => {
  test('changes what comes next; what is registered already stays, and is counted', async () => {
    const { recurrence } = await create();
    const changed = await world.call(UPDATE, {
      id: recurrence.id,
      template: { amount: '1650.00', category_id: null, document_number: 'CT-8' },
      non_business_day: 'next',
    });
    expect(changed).toMatchObject({
      recurrence: {
        template: { amount: '1650.00', category_id: null, document_number: 'CT-8', description: 'Aluguel' },
        next_number: 3,
      },
      registered: [],
      open_entries: { count: 2, total: '3000.00' },
    });
    await runDay('2026-12-01T12:00:00Z');
    const [, , third] = await entriesOf(recurrence.id);
    expect(third).toMatchObject({ amount_cents: '165000', due_date: '2026-12-31' });
  });

  test('pauses and resumes; what was missed is not made up for', async () => {
    const { recurrence } = await create();
    const { id } = recurrence;
    expect(await world.call(UPDATE, { id, status: 'paused' })).toMatchObject({
      recurrence: { status: 'paused', next_number: 3 },
    });
    await runDay('2027-02-10T12:00:00Z');
    expect(await entriesOf(id)).toHaveLength(2);
    const resumed = await world.call(UPDATE, { id, status: 'active' });
    expect(resumed).toMatchObject({ recurrence: { status: 'active', next_number: 7 } });
    expect(dueDates(resumed['registered'])).toEqual(['2027-02-28', '2027-03-31']);
    expect(await world.call(UPDATE, { id, status: 'active' })).toMatchObject({ registered: [] });
  });

  test('moves the end, and leaves ending to its own tool', async () => {
    const { recurrence } = await create();
    const { id } = recurrence;
    expect(await world.call(UPDATE, { id, count: 4 })).toMatchObject({
      recurrence: { count: 4, end_date: null, status: 'active' },
    });
    expect(await world.call(UPDATE, { id, end_date: '2027-01-31' })).toMatchObject({
      recurrence: { count: null, end_date: '2027-01-31' },
    });
    expect((await get(id))['next_dates']).toHaveLength(2);
    for (const change of [{ count: 2 }, { end_date: '2026-12-30' }, { status: 'ended' }, { day: 0 }]) {
      await expect(world.call(UPDATE, { id, ...change })).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path: Object.keys(change)[0] },
      });
    }
    expect(await world.call(UPDATE, { id, end_date: null, day: 5 })).toMatchObject({
      recurrence: { end_date: null, day: 5, next_date: '2026-12-05' },
    });
  });

  test('refuses what the next occurrence could not be made of, and an ended one', async () => {
    const { recurrence } = await create();
    const { id } = recurrence;
    await expect(world.call(UPDATE, { id, template: { person_id: newId() } })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(world.call(UPDATE, { id, template: { company_id: newId() } })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'company' },
    });
    await expect(world.call(UPDATE, { id, template: { status: 'paid' } })).rejects.toMatchObject({
      details: { path: 'template.status' },
    });
    expect(await get(id)).toMatchObject({ version: recurrence.version });
    await world.call(END, { id });
    await expect(world.call(UPDATE, { id, status: 'active' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'ended' },
    });
  });
});

describe('end', () => {
  test('asks, stops for good, and leaves what is registered', async () => {
    const { recurrence } = await create();
    const { message } = await world.ask(END, { id: recurrence.id });
    for (const line of [
      'Encerrar recorrência',
      'Imobiliária',
      'R$ 1.500,00',
      'todo mês',
      '31/12/2026',
      'ficam como estão',
    ]) {
      expect(message).toContain(line);
    }
    expect(await world.call(END, { id: recurrence.id })).toMatchObject({
      recurrence: { status: 'ended', end_reason: 'stopped', next_date: null, next_number: null },
      canceled: { ids: [], total: '0.00' },
    });
    await runDay('2026-12-01T12:00:00Z');
    expect((await entriesOf(recurrence.id)).map(({ status }) => status)).toEqual(['open', 'open']);
    await expect(world.ask(END, { id: recurrence.id })).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('cancels its open entries due after today when asked to, and says how many and how much', async () => {
    const { recurrence, registered } = await create({
      frequency: 'weekly',
      start_date: '2026-10-01',
      count: 4,
    });
    const args = { id: recurrence.id, cancel_open: true };
    // Due today, or partly paid: they stay.
    const accountId = newId();
    await world.look(
      `insert into financial_accounts (workspace_id, id, company_id, name, kind, opening_balance_cents, opening_date, created_by)
       values ($1, $2, $3, 'Caixa da recorrência', 'cash', 0, '2026-01-01', $1)`,
      [world.workspaceId, accountId, companyId],
    );
    await world.call('finance_payables_settle', {
      id: registered[1].id,
      account_id: accountId,
      paid_at: '2026-10-01',
      amount: '100.00',
    });
    const { message } = await world.ask(END, args);
    expect(message).toContain('2 cancelados, no total de R$ 3.000,00');
    const ended = await world.call(END, args);
    expect(ended['canceled']).toEqual({ ids: [registered[2].id, registered[3].id], total: '3000.00' });
    expect((await entriesOf(recurrence.id)).map(({ status }) => status)).toEqual([
      'open',
      'partially_paid',
      'canceled',
      'canceled',
    ]);
    expect(await world.call('finance_payables_get', { id: registered[3].id })).toMatchObject({
      canceled_reason: 'Recorrência encerrada',
    });
  });

  test('asks again when an entry was paid after the question', async () => {
    const { recurrence, registered } = await create();
    const args = { id: recurrence.id, cancel_open: true };
    const { state } = await world.ask(END, args);
    await world.look("update payables set status = 'canceled' where id = $1", [registered[0].id]);
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    const outcome = await world.send(END, args, { state, responses });
    expect(outcome.kind).toBe('ask');
    expect(await get(recurrence.id)).toMatchObject({ status: 'active' });
  });

  test('MODEL 14.9: cancels nothing in closed books', async () => {
    const company_id = await createCompany(world);
    const { recurrence } = await create({}, { company_id });
    await world.call('finance_companies_update', { id: company_id, books_closed_until: '2026-10-31' });
    const args = { id: recurrence.id, cancel_open: true };
    await expect(world.call(END, args)).rejects.toMatchObject({ code: 'books_closed' });
    expect(await get(recurrence.id)).toMatchObject({ status: 'active' });
  });

  test('refuses roles that may not and other workspaces', async () => {
    const { recurrence } = await create();
    const { id } = recurrence;
    await expect(world.call(END, { id }, 'viewer')).rejects.toMatchObject({ code: 'forbidden' });
    for (const name of [END, UPDATE, GET]) {
      await expect(world.call(name, { id }, 'stranger')).rejects.toMatchObject({
        code: 'not_found',
        details: { kind: 'recurrence', id },
      });
    }
  });
});

describe('list', () => {
  test('filters by kind and activity, pages, and shows nothing of another workspace', async () => {
    await create();
    const paused = (await create())['recurrence'];
    await world.call(UPDATE, { id: paused.id, status: 'paused' });
    const ids = async (args: object) =>
      (await world.call(LIST, { limit: 100, ...args }))['items'].map((item: { id: string }) => item.id);
    expect((await ids({}))[0]).toBe(paused.id);
    expect(await ids({ active: true })).not.toContain(paused.id);
    expect(await ids({ active: false, kind: 'payable' })).toContain(paused.id);
    expect(await ids({ kind: 'receivable' })).not.toContain(paused.id);
    const all = await ids({ sort: 'created_at' });
    const seen: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await world.call(LIST, { sort: 'created_at', limit: 7, ...(cursor && { cursor }) });
      seen.push(...page['items'].map((item: { id: string }) => item.id));
      cursor = page['next_cursor'];
    }
    expect(seen).toEqual(all);
    expect((await world.call(LIST, {}, 'stranger'))['items']).toEqual([]);
  });
});
