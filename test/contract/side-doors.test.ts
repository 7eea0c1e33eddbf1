/** No ordinary write reaches an effect that a destructive tool guards: one test for each such pair there is by now. */

import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { buildBoleto } from '../../src/core/documents/boleto.ts';
import { newId } from '../../src/core/ids.ts';
import { call, errorOf, outputOf } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { importNote, noteXml } from '../support/notes.ts';
import { callOf, type RawClient } from '../support/raw-client.ts';
import { formCapable, openWorld, type World } from '../support/world.ts';
import { createRecords, type Records } from './product.ts';

let world: World;
let server: HttpServer;
let client: RawClient;
let records: Records;
let before: Record<string, string>;

/** Rows that only the tool under test, or a destructive one, may add or change. */
function counts(): Promise<Record<string, string>> {
  return world
    .look<Record<string, string>>(`
      select (select count(*) from payables where status in ('paid', 'partially_paid', 'canceled')) as paid,
             (select count(*) from payments) as orders,
             (select count(*) from bank_commands) as commands,
             (select count(*) from graphile_worker._private_jobs) as jobs,
             (select count(*) from financial_transactions) as ledger,
             (select count(*) from settlements) as settlements,
             (select count(*) from used_confirmations) as used`)
    .then(([row]) => row!);
}

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  client = server.client();
  records = await createRecords(world, 'owner', world.workspaceId);
});
afterAll(async () => {
  await server.close();
  await world.close();
});
beforeEach(async () => {
  before = await counts();
});

const refusal = async (name: string, args: object) =>
  errorOf(await client.m('tools/call', callOf(name, args), { capabilities: formCapable }));

let bills = 0;

const bill = () => ({
  company_id: records.company,
  person_id: records.person,
  description: `Conta de luz ${++bills}`,
  amount: '120.00',
  due_date: '2026-10-20',
});

describe('SE-09: what registers or changes a bill', () => {
  it.each([
    ['status', 'paid'],
    ['auto_send', true],
    ['send_to_bank', true],
    ['payment', { account_id: '0192f0a1-7b1c-7c3d-8e4f-0123456789ab' }],
    ['confirm', true],
  ])('refuses %s = %j instead of paying', async (field, value) => {
    for (const [name, args] of [
      ['finance_payables_create', bill()],
      ['finance_payables_update', { id: records.payable }],
      ['finance_receivables_create', bill()],
      ['finance_receivables_update', { id: records.receivable }],
    ] as const) {
      const error = await refusal(name, { ...args, [field]: value });
      expect(error).toMatchObject({ code: 'invalid_argument', details: { path: field } });
    }
    expect(await counts()).toEqual(before);
  });

  it('plans a payment without ordering it', async () => {
    const [created] = (await call(client, 'finance_payables_create', bill()))['items'];
    const planned = { planned_date: '2026-10-19', planned_account_id: records.account };
    const changed = await call(client, 'finance_payables_update', { id: created.id, ...planned });
    expect(changed).toMatchObject({ status: 'open', ...planned });
    expect(await counts()).toEqual(before);
  });
});

describe('SE-09: what records a payment made elsewhere', () => {
  it('refuses a bank line: that would be reconciling', async () => {
    for (const [name, id] of [
      ['finance_payables_settle', records.payable],
      ['finance_receivables_settle', records.receivable],
    ] as const) {
      const error = await refusal(name, {
        id,
        account_id: records.account,
        paid_at: '2026-09-30',
        amount: '100.00',
        transaction_id: records.account,
      });
      expect(error).toMatchObject({ code: 'invalid_argument', details: { path: 'transaction_id' } });
    }
    expect(await counts()).toEqual(before);
  });

  it('orders nothing at the bank and tells no worker', async () => {
    await call(client, 'finance_payables_settle', {
      id: records.payable,
      account_id: records.account,
      paid_at: '2026-09-30',
      amount: '10.00',
    });
    const { orders, jobs } = await counts();
    expect({ orders, jobs }).toEqual({ orders: before['orders'], jobs: before['jobs'] });
  });
});

test('SE-09: recording what the bank says leaves the books alone', async () => {
  const account_id = records.account;
  const book = async () =>
    (await call(client, 'finance_financial_accounts_get', { account_id }))['book_balance'];
  const booked = await book();
  await call(client, 'finance_financial_account_balances_create', {
    account_id,
    amount: '1.00',
    as_of: '2026-10-01T09:00:00-03:00',
  });
  expect(await book()).toEqual(booked);
  expect(await counts()).toEqual(before);
  const adjust = { account_id, amount: '1.00', as_of: '2026-10-01T09:00:00-03:00', adjust: true };
  expect((await refusal('finance_financial_account_balances_create', adjust)).code).toBe('invalid_argument');
});

test('SE-09: making bills of a fiscal document sends nothing', async () => {
  const { document } = await importNote(world, noteXml(801));
  const made = await call(client, 'finance_fiscal_documents_create_payables', { id: document.id });
  expect(made['payables'].map(({ status }: any) => status)).toEqual(['open', 'open', 'open']);
  expect(await counts()).toEqual(before);
  const error = await refusal('finance_fiscal_documents_create_payables', {
    id: document.id,
    auto_send: true,
  });
  expect(error).toMatchObject({ code: 'invalid_argument', details: { path: 'auto_send' } });
});

describe('SE-09: what repeats bills and income', () => {
  const template = () => ({
    company_id: records.company,
    person_id: records.person,
    description: `Assinatura ${++bills}`,
    amount: '50.00',
  });
  const recurrence = () => ({
    kind: 'payable',
    frequency: 'monthly',
    start_date: '2026-10-20',
    template: template(),
  });

  it.each([
    ['status', 'paid'],
    ['auto_send', true],
    ['send_to_bank', true],
    ['payment', { account_id: '0192f0a1-7b1c-7c3d-8e4f-0123456789ab' }],
  ])('refuses %s = %j in the recurrence and in its template', async (field, value) => {
    const plain = recurrence();
    for (const [args, path] of [
      [{ ...plain, [field]: value }, field],
      [{ ...plain, template: { ...plain.template, [field]: value } }, `template.${field}`],
    ] as const) {
      const error = await refusal('finance_recurrences_create', args);
      expect(error).toMatchObject({ code: 'invalid_argument', details: { path } });
    }
    expect(await counts()).toEqual(before);
  });

  it('registers bills that are open and orders nothing, when made and when changed', async () => {
    const { recurrence: made, registered } = await call(client, 'finance_recurrences_create', recurrence());
    expect(registered.length).toBeGreaterThan(0);
    for (const field of ['status', 'auto_send']) {
      const error = await refusal('finance_recurrences_update', { id: made.id, [field]: 'paid' });
      expect(error.code).toBe('invalid_argument');
    }
    await call(client, 'finance_recurrences_update', {
      id: made.id,
      template: { amount: '60.00' },
    });
    expect(await counts()).toEqual(before);
  });
});

describe('SE-09: what classifies an entry', () => {
  it.each([
    ['reconciled', true],
    ['reconciled_amount', '12.34'],
    ['amount', '1.00'],
    ['date', '2026-09-01'],
    ['account_id', '0192f0a1-7b1c-7c3d-8e4f-0123456789ab'],
  ])('refuses %s = %j instead of reconciling it or changing what the bank wrote', async (field, value) => {
    const entry = await call(client, 'finance_financial_transactions_get', { id: records.transaction });
    const error = await refusal('finance_financial_transactions_update', {
      id: records.transaction,
      [field]: value,
    });
    expect(error).toMatchObject({ code: 'invalid_argument', details: { path: field } });
    expect(await call(client, 'finance_financial_transactions_get', { id: records.transaction })).toEqual(
      entry,
    );
    expect(await counts()).toEqual(before);
  });
});

test('SE-09: making a bill of an announced boleto sends nothing', async () => {
  const { boleto, barcode } = announcedBoleto();
  await world.look(
    `insert into dda_boletos (workspace_id, id, company_id, barcode, typed_line, beneficiary_name,
                              beneficiary_document, payer_document, nominal_cents, amount_cents, due_date, status,
                              external_status, created_by)
     values ($1, $2, $3, $4, $5, 'Fornecedor Exemplo', '12ABC34501DE35', '11222333000181', 25000, 25000,
             '2026-10-20', 'pending', 'open', $1)`,
    [world.workspaceId, boleto, records.company, barcode.barcode, barcode.typedLine],
  );
  expect(await refusal('finance_dda_boletos_create_payable', { id: boleto, auto_send: true })).toMatchObject({
    code: 'invalid_argument',
    details: { path: 'auto_send' },
  });
  const made = await call(client, 'finance_dda_boletos_create_payable', { id: boleto });
  const bill = await call(client, 'finance_payables_get', { id: made['payable_id'] });
  expect(bill).toMatchObject({ status: 'open', payments: [], amount: '250.00' });
  expect(await counts()).toEqual(before);
});

function announcedBoleto() {
  const barcode = buildBoleto({
    bankCode: '341',
    dueDate: '2026-10-20',
    amountCents: 25_000,
    freeField: '1234567890123456789012345',
  });
  return { boleto: newId(), barcode };
}

test('SE-01 CF-06: a destructive tool asks by itself, and no other method ever does', async () => {
  const requests = [
    ['tools/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['prompts/list', {}],
    ['server/discover', {}],
    ['resources/read', { uri: 'kobana://finance/schemas' }],
    ['prompts/get', { name: 'overdue_payables' }],
    [
      'completion/complete',
      {
        ref: { type: 'ref/prompt', name: 'overdue_payables' },
        argument: { name: 'company_id', value: '' },
      },
    ],
  ] as const;
  for (const [method, params] of requests) {
    const { body } = await client.m(method, params, { capabilities: formCapable });
    expect(body.result.resultType, method).toBe('complete');
  }
  const [created] = (await call(client, 'finance_payables_create', bill()))['items'];
  const args = { id: created.id, reason: 'Engano' };
  const { body } = await client.m('tools/call', callOf('finance_payables_cancel', args), {
    capabilities: formCapable,
  });
  expect(body.result.resultType).toBe('input_required');
  expect(await counts()).toEqual(before);
});

describe('SE-11: amounts', () => {
  it.each([
    Number('9007199254740993'),
    '9007199254740993.00',
    '100000000000.01',
    1.005,
    '1,00',
    '1e3',
    'NaN',
    null,
    true,
    '-1.00',
    '0.00',
  ])('refuse %j', async (amount) => {
    expect((await refusal('finance_payables_create', { ...bill(), amount })).code).toBe('invalid_argument');
    expect(await counts()).toEqual(before);
  });

  it('come back exactly as they were sent', async () => {
    const answer = await client.m(
      'tools/call',
      callOf('finance_payables_create', {
        ...bill(),
        amount: '99999999999.99',
        description: 'Uma grande conta',
      }),
    );
    expect(outputOf(answer)['items'][0].amount).toBe('99999999999.99');
  });
});
