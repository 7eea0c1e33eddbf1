/**
 * A month of a company, step by step: bills from an NF-e, DDA and a recurrence, paid by the bank; customers charged by
 * boleto and Pix; a return file and two statements; reconciliation one to one, one to many and many to one, one of
 * them undone; and reports that equal what the test itself adds up.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatMoney, parseMoney } from '../../src/core/money.ts';
import { createSimulatedBank } from '../../src/gateways/bank/index.ts';
import { createSimulatedCharges } from '../../src/gateways/bank/simulated-charges.ts';
import { queued, runQueued, runTask } from '../support/banking.ts';
import { createCustomer, keyOf } from '../support/charging.ts';
import { cnab400Return } from '../support/cnab.ts';
import { call as callOver } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { importNote, noteXml, RECIPIENT } from '../support/notes.ts';
import { type OfxLine, ofxStatement } from '../support/ofx.ts';
import { createAccount, createCategory, createCompany } from '../support/records.ts';
import { openWorld, type World } from '../support/world.ts';

const MAIN_OPENING = 5_000_000;
const RESERVE_OPENING = 1_000_000;
const charges = createSimulatedCharges();
const bank = { ...createSimulatedBank({ delayMs: 0 }), charges };

let world: World;
let server: HttpServer;
let company_id: string;
let main: string;
let reserve: string;
let supplies: string;
let rent: string;
let fees: string;
let services: string;

beforeAll(async () => {
  world = await openWorld();
  server = await openServer(world);
  world.setNow('2026-10-01T12:00:00Z');
  company_id = await createCompany(world, { document_number: RECIPIENT, legal_name: 'Empresa Exemplo S.A.' });
  main = await createAccount(world, {
    company_id,
    name: 'Conta corrente',
    opening_balance_cents: MAIN_OPENING,
  });
  reserve = await createAccount(world, {
    company_id,
    name: 'Reserva',
    opening_balance_cents: RESERVE_OPENING,
  });
  // The helper gives every account the same number; a statement has to name the right one.
  await world.look("update financial_accounts set number = '7654321' where id = $1", [reserve]);
  supplies = await createCategory(world, { kind: 'expense', name: 'Mercadorias' });
  rent = await createCategory(world, { kind: 'expense', name: 'Aluguel' });
  fees = await createCategory(world, { kind: 'expense', name: 'Tarifas' });
  services = await createCategory(world, { kind: 'income', name: 'Serviços' });
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const call = (name: string, args: object = {}) => world.call(name, args);
const cents = (text: string) => parseMoney(text)!;
const fileOf = (name: string, bytes: Buffer) => ({ name, content_base64: bytes.toString('base64') });

/** Runs what waits until nothing more is due at this time. */
async function work(): Promise<void> {
  for (let round = 0; round < 6; round += 1) if ((await runQueued(world, bank)).length === 0) return;
}

// What one step makes and later ones use; amounts in centavos.
const bills: Record<string, { id: string; amount: number }> = {};
const income: Record<string, { id: string; amount: number; person: string }> = {};
let mainLines: OfxLine[] = [];
let reserveLines: OfxLine[] = [];
const lineIds = new Map<string, string>();

async function owed(name: string, amount: number, due_date: string, person?: string): Promise<void> {
  const person_id = person ?? (await createCustomer(world, { name: `Cliente ${name}` }));
  const { items } = await call('finance_receivables_create', {
    company_id,
    person_id,
    description: `Serviço ${name}`,
    document_number: `SRV-${name}`,
    amount: formatMoney(amount),
    due_date,
    category_id: services,
  });
  income[name] = { id: items[0].id, amount, person: person_id };
}

describe('bills come in', () => {
  test('from the XML of a purchase, one for each installment', async () => {
    const installments = [
      ['2026-10-10', '400.00'],
      ['2026-10-20', '800.00'],
    ] as const;
    const { document } = await importNote(world, noteXml(900, { installments }));
    const { payables } = await call('finance_fiscal_documents_create_payables', {
      id: document.id,
      category_id: supplies,
    });
    bills['first'] = { id: payables[0].id, amount: 40_000 };
    bills['second'] = { id: payables[1].id, amount: 80_000 };
    expect(payables.map(({ amount }: { amount: string }) => amount)).toEqual(['400.00', '800.00']);
  });

  test('from the boletos that the bank announced', async () => {
    const payload = { organizationId: world.organizationId, workspaceId: world.workspaceId };
    expect((await runTask(world, bank, 'dda_sync', payload)).error).toBeUndefined();
    const { items } = await call('finance_dda_boletos_list', { status: 'pending', due_from: '2026-10-06' });
    const boleto = items[0];
    const { payable_id } = await call('finance_dda_boletos_create_payable', {
      id: boleto.id,
      category_id: supplies,
    });
    const payable = await call('finance_payables_get', { id: payable_id });
    bills['announced'] = { id: payable_id, amount: cents(payable['amount']) };
    expect(payable).toMatchObject({ status: 'open', payment_details: { kind: 'boleto' } });
  });

  test('from a recurrence: this month and the next one at once', async () => {
    const landlord = await call('finance_people_create', {
      name: 'Imobiliária Exemplo',
      document_number: '05813794000126',
      roles: ['supplier'],
      pix_keys: [{ type: 'cnpj', key: '05813794000126' }],
    });
    const { registered } = await call('finance_recurrences_create', {
      kind: 'payable',
      frequency: 'monthly',
      start_date: '2026-10-05',
      template: {
        company_id,
        person_id: landlord['id'],
        description: 'Aluguel',
        amount: '8000.00',
        category_id: rent,
        payment_details: { kind: 'pix_key', key: '05813794000126', key_type: 'cnpj' },
      },
    });
    bills['rent'] = { id: registered[0].id, amount: 800_000 };
    expect(registered.map(({ due_date }: { due_date: string }) => due_date)).toEqual([
      '2026-10-05',
      '2026-11-05',
    ]);
  });
});

test('three of them are paid by the bank after a confirmation, and settled on its date', async () => {
  const { succeeded, failed } = await call('finance_payables_bulk_send_to_bank', {
    ids: [bills['rent']!.id, bills['announced']!.id],
    account_id: main,
    scheduled_for: '2026-10-05',
  });
  expect([succeeded.length, failed]).toEqual([2, []]);
  await call('finance_payables_send_to_bank', {
    id: bills['first']!.id,
    account_id: main,
    scheduled_for: '2026-10-05',
    payment_details: { kind: 'pix_key', key: '12ABC34501DE35', key_type: 'cnpj' },
  });
  await work();
  world.setNow('2026-10-05T15:00:00Z');
  await work();
  for (const name of ['rent', 'announced', 'first']) {
    const payable = await call('finance_payables_get', { id: bills[name]!.id });
    expect(payable, name).toMatchObject({ status: 'paid', settlements: [{ paid_at: '2026-10-05' }] });
  }
});

describe('customers are charged', () => {
  let boleto: Record<string, any>;

  test('by boleto and by Pix, and others are sent an invoice', async () => {
    await owed('A', 100_000, '2026-10-10');
    await owed('B', 50_000, '2026-10-12');
    await owed('C', 75_000, '2026-10-15');
    await owed('D', 32_000, '2026-10-16');
    await owed('E', 43_055, '2026-10-16', income['D']!.person);
    await owed('F', 90_000, '2026-10-18');
    await owed('G', 25_000, '2026-10-20');
    const issue = (name: string, methods: string[]) =>
      call('finance_receivables_charge', { id: income[name]!.id, account_id: main, methods });
    const [first, second] = [await issue('A', ['boleto']), await issue('B', ['pix'])];
    await work();
    boleto = await call('finance_charges_get', { id: first['id'] });
    const pix = await call('finance_charges_get', { id: second['id'] });
    expect(boleto).toMatchObject({
      status: 'open',
      boleto: { typed_line: expect.stringMatching(/^\d{5}\./) },
    });
    expect(pix).toMatchObject({ status: 'open', pix: { code: expect.stringContaining('br.gov.bcb.pix') } });
    charges.pay(keyOf(pix), {
      on: '2026-10-13',
      method: 'pix',
      paymentId: 'E341000000020261013000000000001',
    });
  });

  test('the boleto is paid in a return file, less the fee of the bank', async () => {
    world.setNow('2026-10-13T15:00:00Z');
    const file = cnab400Return('341', [
      { ourNumber: boleto['boleto'].our_number, face: 100_000, paid: 99_750, fee: 250, on: '09102026' },
    ]);
    const { counts } = await call('finance_bank_returns_import', {
      account_id: main,
      file: fileOf('CB091026.RET', file),
    });
    expect(counts).toMatchObject({ records: 1, settled: 1 });
    expect(await call('finance_receivables_get', { id: income['A']!.id })).toMatchObject({ status: 'paid' });
  });

  test('the Pix is paid when the bank says so', async () => {
    await work();
    expect(await call('finance_receivables_get', { id: income['B']!.id })).toMatchObject({ status: 'paid' });
    expect(await queued(world)).toSatisfy((jobs: { task: string }[]) =>
      jobs.every(({ task }) => task !== 'charge_send'),
    );
  });
});

test('money moves to the reserve, which is neither income nor expense', async () => {
  world.setNow('2026-10-14T15:00:00Z');
  const transfer = await call('finance_transfers_create', {
    from_account_id: main,
    to_account_id: reserve,
    amount: '2000.00',
    method: 'internal',
  });
  expect(transfer).toMatchObject({ status: 'confirmed', origin: 'ordered' });
});

describe('the statements of the month come in', () => {
  test('the preview shows what the import then does', async () => {
    world.setNow('2026-10-31T15:00:00Z');
    mainLines = [
      { on: '2026-10-05', cents: -bills['rent']!.amount, memo: 'PIX ENVIADO IMOBILIARIA EXEMPLO' },
      { on: '2026-10-05', cents: -bills['first']!.amount, memo: 'PIX ENVIADO COMERCIO DE PECAS' },
      { on: '2026-10-05', cents: -bills['announced']!.amount, memo: 'PAGTO BOLETO' },
      { on: '2026-10-09', cents: 99_750, memo: 'LIQ COBRANCA' },
      { on: '2026-10-13', cents: 50_000, memo: 'PIX RECEBIDO E341000000020261013000000000001' },
      { on: '2026-10-14', cents: -200_000, memo: 'TRANSF PARA RESERVA' },
      { on: '2026-10-15', cents: 75_000, memo: 'TED RECEBIDA SRV-C' },
      { on: '2026-10-16', cents: 75_055, memo: 'TED RECEBIDA CLIENTE D' },
      { on: '2026-10-17', cents: 55_000, memo: 'DEPOSITO CLIENTE F' },
      { on: '2026-10-18', cents: 35_000, memo: 'DEPOSITO CLIENTE F' },
      { on: '2026-10-19', cents: -150_000, memo: 'TRANSF PARA RESERVA' },
      { on: '2026-10-30', cents: -3_990, memo: 'TARIFA PACOTE DE SERVIÇOS' },
    ];
    reserveLines = [
      { on: '2026-10-14', cents: 200_000, memo: 'TRANSF DA CONTA CORRENTE' },
      { on: '2026-10-19', cents: 150_000, memo: 'TRANSF DA CONTA CORRENTE' },
    ];
    for (const [account_id, number, opening, lines] of [
      [main, '12345567', MAIN_OPENING, mainLines],
      [reserve, '76543217', RESERVE_OPENING, reserveLines],
    ] as const) {
      const closing = lines.reduce((sum, line) => sum + line.cents, opening as number);
      const file = fileOf(
        'extrato.ofx',
        ofxStatement({ bankCode: '0341', number }, lines, { on: '2026-10-31', cents: closing }),
      );
      const preview = await call('finance_statement_imports_preview', { account_id, file });
      const imported = await call('finance_statement_imports_create', { account_id, file });
      expect(imported['counts']).toEqual(preview['counts']);
      expect(imported['counts']).toMatchObject({ read: lines.length, created: lines.length });
      expect(preview['lines'].map(({ amount }: { amount: string }) => amount)).toEqual(
        lines.map((line) => formatMoney(Math.abs(line.cents))),
      );
      const again = await call('finance_statement_imports_create', { account_id, file });
      expect(again).toMatchObject({ already_imported: true, counts: { created: 0 } });
    }
    const { items } = await call('finance_financial_transactions_list', { limit: 100 });
    const imported = items.filter(({ source }: { source: string }) => source === 'import');
    for (const item of imported)
      lineIds.set(`${item.account_id} ${item.date} ${item.direction} ${item.amount}`, item.id);
    expect(imported).toHaveLength(mainLines.length + reserveLines.length);
  });

  const lineOf = (account: string, on: string, amount: number) =>
    lineIds.get(`${account} ${on} ${amount < 0 ? 'debit' : 'credit'} ${formatMoney(Math.abs(amount))}`)!;

  test('what surely belongs together is accepted at once, under one confirmation', async () => {
    const { suggestions } = await call('finance_reconciliations_suggest', {
      account_id: main,
      date_from: '2026-10-01',
      date_to: '2026-10-31',
      limit: 100,
    });
    const certain = suggestions.filter(({ certainty }: { certainty: string }) => certainty === 'certain');
    // The three payments, the boleto, the Pix and the invoice whose number is in the text.
    expect(certain.length).toBeGreaterThanOrEqual(5);
    const { succeeded, failed } = await call('finance_reconciliations_bulk_create', {
      suggestion_ids: certain.map(({ id }: { id: string }) => id),
    });
    expect(failed).toEqual([]);
    expect(succeeded).toHaveLength(certain.length);
  });

  const isReconciled = async (id: string) =>
    (await call('finance_financial_transactions_get', { id }))['reconciled'] as boolean;

  /** Links by hand what the suggestions left. */
  async function link(lines: string[], documents: object[], amounts: string[]): Promise<string | null> {
    if (await isReconciled(lines[0]!)) return null;
    const transactions = lines.map((id, index) => ({ id, amount: amounts[index]! }));
    return (await call('finance_reconciliations_create', { transactions, documents }))['id'];
  }

  test('one line pays two invoices, and two lines pay one', async () => {
    await link(
      [lineOf(main, '2026-10-16', 75_055)],
      [
        { kind: 'receivable', id: income['D']!.id },
        { kind: 'receivable', id: income['E']!.id },
      ],
      ['750.55'],
    );
    await link(
      [lineOf(main, '2026-10-17', 55_000), lineOf(main, '2026-10-18', 35_000)],
      [{ kind: 'receivable', id: income['F']!.id }],
      ['550.00', '350.00'],
    );
    for (const name of ['C', 'D', 'E', 'F']) {
      if (name === 'C')
        await link(
          [lineOf(main, '2026-10-15', 75_000)],
          [{ kind: 'receivable', id: income['C']!.id }],
          ['750.00'],
        );
      expect(await call('finance_receivables_get', { id: income[name]!.id }), name).toMatchObject({
        status: 'paid',
        open_amount: '0.00',
      });
    }
  });

  test('amounts that do not balance are refused with the difference', async () => {
    await expect(
      call('finance_reconciliations_create', {
        transactions: [{ id: lineOf(main, '2026-10-30', -3_990), amount: '39.90' }],
        documents: [{ kind: 'payable', id: bills['second']!.id, principal: '39.91' }],
      }),
    ).rejects.toMatchObject({
      code: 'unbalanced',
      details: { left: '39.90', right: '39.91', difference: expect.stringMatching(/0\.01$/) },
    });
  });

  test('the transfers are linked, ordered here or not', async () => {
    for (const [account, amount] of [
      [main, -200_000],
      [reserve, 200_000],
    ] as const) {
      const { items } = await call('finance_transfers_list', {});
      const ordered = items.find(({ origin }: { origin: string }) => origin === 'ordered');
      await link(
        [lineOf(account, '2026-10-14', amount)],
        [{ kind: 'transfer', id: ordered.id }],
        ['2000.00'],
      );
    }
    const debit = lineOf(main, '2026-10-19', -150_000);
    const before = await call('finance_financial_transactions_get', { id: debit });
    if (before['transfer_id'] === null) {
      await call('finance_transfers_link', {
        debit_transaction_id: debit,
        credit_transaction_id: lineOf(reserve, '2026-10-19', 150_000),
      });
    }
    await call('finance_financial_transactions_update', {
      id: lineOf(main, '2026-10-30', -3_990),
      category_id: fees,
    });
  });

  test('one reconciliation is undone and made again; the others do not notice', async () => {
    const state = () =>
      world.look('select id, status from reconciliations where status = $1 order by id', ['active']);
    const before = await state();
    const line = lineOf(main, '2026-10-15', 75_000);
    const { items } = await call('finance_reconciliations_list', { transaction_id: line });
    const id = items.find(({ status }: { status: string }) => status === 'active').id;
    await call('finance_reconciliations_delete', { id, reason: 'Cliente errado' });
    expect(await call('finance_receivables_get', { id: income['C']!.id })).toMatchObject({
      status: 'open',
      open_amount: '750.00',
    });
    expect(await state()).toEqual(before.filter((row) => row['id'] !== id));
    await link([line], [{ kind: 'receivable', id: income['C']!.id }], ['750.00']);
    expect(await call('finance_receivables_get', { id: income['C']!.id })).toMatchObject({ status: 'paid' });
  });

  test('nothing of the statements is left over but the tariff, and the books equal the banks', async () => {
    const { items } = await call('finance_financial_transactions_list', {
      reconciled: false,
      ignored: false,
      limit: 100,
    });
    expect(items.map(({ description }: { description: string }) => description)).toEqual([
      'TARIFA PACOTE DE SERVIÇOS',
    ]);
    for (const account_id of [main, reserve]) {
      const balance = await call('finance_financial_account_balances_latest', { account_id });
      expect(balance).toMatchObject({ source: 'statement', difference: '0.00' });
    }
  });
});

describe('the reports equal what the test adds up itself', () => {
  const paid = () => bills['rent']!.amount + bills['first']!.amount + bills['announced']!.amount;
  const received = () => ['A', 'B', 'C', 'D', 'E', 'F'].reduce((sum, name) => sum + income[name]!.amount, 0);

  test('monthly summary', async () => {
    const report = await call('finance_reports_monthly_summary', { month: '2026-10' });
    expect(report).toMatchObject({
      currency: 'BRL',
      as_of: '2026-10-31',
      paid: { amount: formatMoney(paid()), count: 3 },
      received: { amount: formatMoney(received()), fee: '2.50', count: 6 },
      other_entries: { debits: { amount: '39.90', count: 1 }, credits: { amount: '0.00', count: 0 } },
    });
    const end = MAIN_OPENING + RESERVE_OPENING - paid() + received() - 250 - 3_990;
    expect(report['balance'].end.amount).toBe(formatMoney(end));
    expect(report['left_open'].payables.amount).toBe('800.00');
    expect(report['left_open'].receivables.amount).toBe('250.00');
  });

  test('cash flow: today, the overdue line, every week, and the lowest point', async () => {
    const report = await call('finance_reports_cash_flow', { until: '2026-11-30' });
    const today = MAIN_OPENING + RESERVE_OPENING - paid() + received() - 250 - 3_990;
    expect(report['balance_today'].amount).toBe(formatMoney(today));
    expect(report['overdue']).toMatchObject({ outflow: '800.00', inflow: '250.00', included: true });
    // Only the rent of November is still to come.
    const after = today - 80_000 + 25_000;
    expect(report['lowest']).toEqual({ date: '2026-11-05', balance: formatMoney(after - 800_000) });
    expect(report['balance_end']).toBe(formatMoney(after - 800_000));
    const outflow = report['buckets'].reduce(
      (sum: number, bucket: { outflow: string }) => sum + cents(bucket.outflow),
      0,
    );
    expect(outflow).toBe(800_000);
  });

  test('aging', async () => {
    const payables = await call('finance_reports_aging', { kind: 'payables' });
    expect(payables).toMatchObject({
      not_yet_due: { amount: '8000.00', count: 1 },
      overdue: { amount: '800.00', count: 1 },
      total: { amount: '8800.00', count: 2 },
    });
    const receivables = await call('finance_reports_aging', { kind: 'receivables' });
    expect(receivables).toMatchObject({
      overdue: { amount: '250.00', count: 1 },
      total: { amount: '250.00' },
    });
    expect(receivables['bands'][0]).toMatchObject({ from_days: 1, to_days: 30, amount: '250.00' });
  });

  test('income statement: own transfers are in neither column', async () => {
    const report = await call('finance_reports_income_statement', {
      date_from: '2026-10-01',
      date_to: '2026-10-31',
      basis: 'cash',
    });
    expect(report['income'].total).toBe(formatMoney(received()));
    expect(report['expense'].total).toBe(formatMoney(paid() + 250 + 3_990));
    expect(report['result']).toBe(formatMoney(received() - paid() - 250 - 3_990));
  });
});

describe('the prompts, followed to the letter on a read token', () => {
  const prompts: [name: string, args: () => Record<string, string>][] = [
    ['overdue_payables', () => ({ company_id })],
    ['overdue_receivables', () => ({})],
    ['cash_flow_outlook', () => ({})],
    ['monthly_summary', () => ({ month: '2026-10' })],
    ['person_overview', () => ({ person_id: income['G']!.person })],
  ];

  test.each(prompts)('%s: every tool call it names succeeds', async (name, args) => {
    const client = server.client('reader');
    const { body } = await client.m('prompts/get', { name, arguments: args() });
    const text: string = body.result.messages[0].content.text;
    const calls = callsIn(text);
    expect(calls.length, text).toBeGreaterThan(0);
    for (const [tool, toolArgs] of calls) {
      let cursor: string | null = null;
      do {
        const answer = await callOver(client, tool, { ...toolArgs, ...(cursor !== null && { cursor }) });
        cursor = answer['next_cursor'] ?? null;
      } while (cursor !== null);
    }
  });
});

test('MODEL §14.9: the month is closed, and nothing dated in it is created, changed or undone', async () => {
  await call('finance_companies_update', { id: company_id, books_closed_until: '2026-10-31' });
  const { items } = await call('finance_reconciliations_list', { status: 'active', limit: 1 });
  const closed = { code: 'books_closed', details: { until: '2026-10-31' } };
  await expect(
    call('finance_reconciliations_delete', { id: items[0].id, reason: 'engano' }),
  ).rejects.toMatchObject(closed);
  await expect(
    call('finance_financial_transactions_create', {
      account_id: main,
      date: '2026-10-30',
      direction: 'debit',
      amount: '1.00',
      description: 'x',
    }),
  ).rejects.toMatchObject(closed);
  await expect(
    call('finance_receivables_settle', {
      id: income['G']!.id,
      account_id: main,
      paid_at: '2026-10-31',
      amount: '250.00',
    }),
  ).rejects.toMatchObject(closed);
});

/** Tool calls written in a prompt as `name … { arguments }`; the arguments are a JavaScript object of plain values. */
function callsIn(text: string): [tool: string, args: Record<string, unknown>][] {
  return [...text.matchAll(/(finance_[a-z_]+)[^{}.;]*?(\{[^{}]*\})/g)].map(([, tool, source]) => [
    tool!,
    JSON.parse(source!.replace(/([{,]\s*)([a-z_]+):/g, '$1"$2":')),
  ]);
}
