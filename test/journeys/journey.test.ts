/** The main job, step by step, as a person and a client do it: from the XML of a purchase to a paid installment. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildBoleto } from '../../src/core/documents/boleto.ts';
import { verifyChain } from '../../src/db/events.ts';
import { finance } from '../../src/finance/index.ts';
import { jobs } from '../../src/finance/payments/index.ts';
import { createSimulatedBank, financeGatewaysOf } from '../../src/gateways/bank/index.ts';
import { startWorker, type Worker } from '../../src/worker/index.ts';
import { collectAnswers } from '../support/answers.ts';
import { ask, call, confirm, errorOf, outputOf } from '../support/confirming.ts';
import { type HttpServer, openServer } from '../support/http.ts';
import { fixtureFile, ISSUER, RECIPIENT } from '../support/notes.ts';
import { callOf, type RawClient } from '../support/raw-client.ts';
import { createAccount, createCompany } from '../support/records.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const SEND = 'finance_payables_send_to_bank';

const answers = collectAnswers();
const warnings: string[] = [];
let world: World;
let server: HttpServer;
let worker: Worker;
/** The person at a client of 2026. */
let person: RawClient;

// What earlier steps made and later ones use.
let companyId: string;
let accountId: string;
let documentId: string;
let bills: { id: string; due_date: string; amount: string }[];
let payment: Record<string, any>;
let question: { message: string; state: string };
const installment = () => bills[2]!;
const sending = () => ({ id: installment().id, account_id: accountId, scheduled_for: '2026-10-03' });

beforeAll(async () => {
  world = await openWorld();
  world.setNow('2026-10-01T13:00:00Z');
  server = await openServer(world);
  person = server.client('owner', answers);
  companyId = await createCompany(world, {
    document_number: RECIPIENT,
    legal_name: 'Empresa Compradora Exemplo S.A.',
  });
  accountId = await createAccount(world, {
    company_id: companyId,
    name: 'Conta corrente',
    opening_balance_cents: 500_000,
  });
  worker = await startWorker({
    ownerUrl: world.url,
    ports: world.runtime.portsOf(finance.catalogue),
    shared: world.runtime.database.shared,
    jobs,
    gateways: financeGatewaysOf({ simulator: createSimulatedBank({ delayMs: 0 }) }),
    pollMs: 100,
    log: (level, message) => {
      if (level !== 'info') warnings.push(message);
    },
  });
});
afterAll(async () => {
  await worker.stop();
  await server.close();
  await world.close();
});

const read = async (uri: string, client = person) => {
  const { body } = await client.m('resources/read', { uri });
  expect(body.error).toBeUndefined();
  return JSON.parse(body.result.contents[0].text);
};

async function untilPayment(status: string): Promise<Record<string, any>> {
  let current: Record<string, any> = {};
  await until(async () => {
    current = await call(person, 'finance_payments_get', { id: payment['id'] });
    return current['status'] === status;
  });
  return current;
}

test('1. the XML of a purchase comes in, and nothing is owed by that alone', async () => {
  const xml = fixtureFile('three-installments.xml');
  const imported = await call(person, 'finance_fiscal_documents_import', {
    file: { name: 'NFe-1234.xml', content_base64: xml.toString('base64') },
  });
  documentId = imported['document'].id;
  expect(imported['document']).toMatchObject({
    kind: 'nfe',
    number: '1234',
    total: '1234.56',
    net: '1200.00',
    issuer: { document_number: ISSUER },
    status: 'new',
    company_id: companyId,
  });
  expect((await call(person, 'finance_payables_list', {}))['items']).toEqual([]);
});

test('2. its three installments become three payables of the supplier, who is registered', async () => {
  const detail = await call(person, 'finance_fiscal_documents_create_payables', { id: documentId });
  bills = detail['payables'];
  expect(bills.map(({ due_date, amount }) => [due_date, amount])).toEqual([
    ['2026-08-10', '400.00'],
    ['2026-09-10', '400.00'],
    ['2026-10-10', '400.00'],
  ]);
  const supplier = await read(`kobana://finance/people/${detail['person_id']}`);
  expect(supplier).toMatchObject({ document_number: ISSUER, roles: ['supplier'] });
});

test('3. the third one is attached to the conversation as a document', async () => {
  expect(await read(`kobana://finance/payables/${installment().id}`)).toMatchObject({
    id: installment().id,
    amount: '400.00',
    status: 'open',
    overdue: false,
    installment: { number: 3, total: 3 },
    fiscal_document_id: documentId,
  });
});

test('4. the prompt for overdue payables leads to the list that shows the other two', async () => {
  const { body } = await person.m('prompts/get', { name: 'overdue_payables' });
  const text: string = body.result.messages[0].content.text;
  expect(text).toContain('Hoje é 01/10/2026');
  expect(text).toContain('finance_payables_list com { overdue: true, sort: "due_date", limit: 100 }');
  const overdue = await call(person, 'finance_payables_list', {
    overdue: true,
    sort: 'due_date',
    limit: 100,
  });
  expect(overdue['items'].map(({ id }: { id: string }) => id)).toEqual([bills[0]!.id, bills[1]!.id]);
  expect(overdue['total_open']).toEqual({ amount: '800.00', count: 2 });
});

test('5. the boleto of the third installment is read and set as the way to pay', async () => {
  const { typedLine } = buildBoleto({
    bankCode: '237',
    amountCents: 40_000,
    dueDate: '2026-10-10',
    freeField: '1234567890123456789012345',
  });
  const decoded = await call(person, 'finance_boletos_decode', { code: typedLine });
  expect(decoded).toMatchObject({ kind: 'boleto', amount: '400.00', due_date: '2026-10-10' });
  const updated = await call(person, 'finance_payables_update', {
    id: installment().id,
    payment_details: { kind: 'boleto', code: typedLine },
  });
  expect(updated['payment_details']).toMatchObject({ kind: 'boleto', barcode: decoded['barcode'] });
});

test('6. sending it to the bank on Saturday asks first, and says what will happen', async () => {
  question = await ask(person, SEND, sending());
  expect(question.message).toContain('- Favorecido: "COMÉRCIO DE PEÇAS & MÁQUINAS EXEMPLO LTDA"');
  expect(question.message).toContain('- CPF/CNPJ do favorecido: 12.ABC.345/01DE-35');
  expect(question.message).toContain('- Valor: R$ 400,00');
  expect(question.message).toContain('- Data do pagamento: 03/10/2026');
  expect(question.message).toContain('- Saldo contábil da conta depois: R$ 4.600,00');
  expect((await call(person, 'finance_payments_list', {}))['items']).toEqual([]);
});

test('7. the yes orders it, and the worker brings it to the bank by itself', async () => {
  payment = outputOf(await confirm(person, SEND, sending(), question.state));
  expect(payment).toMatchObject({
    payable_id: installment().id,
    amount: '400.00',
    scheduled_for: '2026-10-03',
    status: 'pending',
  });
  const scheduled = await untilPayment('scheduled');
  expect(scheduled).toMatchObject({ registration_status: 'confirmed', bank_settled_on: null });
  expect(await read(`kobana://finance/payables/${installment().id}`)).toMatchObject({ status: 'open' });
});

test('8. on Monday the bank has settled it, and the books show the date of the bank', async () => {
  world.setNow('2026-10-05T13:00:00Z');
  const confirmed = await untilPayment('confirmed');
  expect(confirmed).toMatchObject({ scheduled_for: '2026-10-03', bank_settled_on: '2026-10-05' });
  expect(await call(person, 'finance_payables_get', { id: installment().id })).toMatchObject({
    status: 'paid',
    open_amount: '0.00',
    settlements: [{ paid_at: '2026-10-05', amount: '400.00', method: 'boleto', payment_id: payment['id'] }],
  });
  const uri = `kobana://finance/attachments/${confirmed['receipt_attachment_id']}/download`;
  const receipt = (await person.m('resources/read', { uri })).body.result.contents[0].text;
  expect(receipt).toContain(`Autenticação: ${confirmed['bank_authentication']}`);
});

test('9. the same yes once more pays nothing and says that it was used', async () => {
  const error = errorOf(await confirm(person, SEND, sending(), question.state));
  expect(error.code).toBe('confirmation_replayed');
  expect((await call(person, 'finance_payments_list', {}))['items']).toHaveLength(1);
});

test('10. a client of 2025 sees the same books but cannot pay, because it cannot ask', async () => {
  const seen = await person.l('tools/call', callOf('finance_payables_get', { id: installment().id }));
  expect(seen.body.result.structuredContent).toMatchObject({ status: 'paid' });
  const args = { id: bills[0]!.id, account_id: accountId };
  const refused = await person.l('tools/call', callOf(SEND, args));
  expect(JSON.parse(refused.body.result.content[0].text).error.code).toBe('confirmation_required');
  expect((await call(person, 'finance_payments_list', {}))['items']).toHaveLength(1);
});

test('11. RE-14: another organization and another workspace see nothing of it', async () => {
  const stranger = server.client('stranger', answers);
  const uris = [
    `kobana://finance/payables/${installment().id}`,
    `kobana://finance/fiscal-documents/${documentId}`,
    `kobana://finance/companies/${companyId}`,
  ];
  for (const uri of uris) {
    expect((await stranger.m('resources/read', { uri })).body.error).toEqual({
      code: -32_602,
      message: 'Resource not found',
      data: { uri },
    });
  }
  for (const list of ['finance_payables_list', 'finance_payments_list', 'finance_fiscal_documents_list']) {
    expect((await call(stranger, list, {}))['items']).toEqual([]);
    const elsewhere = await call(server.client('several', answers), list, {
      workspace_id: world.otherWorkspaceId,
    });
    expect(elsewhere['items']).toEqual([]);
  }
  const args = { id: installment().id, account_id: accountId };
  const refused = await stranger.m('tools/call', callOf(SEND, args), { capabilities: { elicitation: {} } });
  expect(errorOf(refused)).toMatchObject({ code: 'not_found' });
});

test('12. every step is in the audit chain, and the chain is whole', async () => {
  const report = await world.runtime.database.read(world, (db) => verifyChain(db, world.workspaceId));
  expect(report.broken).toBeNull();
  const events = await world.look<{ operation: string }>(
    'select operation from events where tenant_id = $1 order by position',
    [world.workspaceId],
  );
  const byPeople = events.map(({ operation }) => operation).filter((name) => name.startsWith('finance_'));
  expect(byPeople).toEqual([
    'finance_fiscal_documents_import',
    'finance_fiscal_documents_create_payables',
    'finance_payables_update',
    SEND,
  ]);
  expect(events.length).toBeGreaterThan(byPeople.length);
  const [sent] = await world.look<{ body: string }>(
    'select body from events where tenant_id = $1 and operation = $2',
    [world.workspaceId, SEND],
  );
  expect(JSON.parse(sent!.body).confirmation).toMatchObject({
    answer: 'accepted',
    question: question.message,
  });
});

test('13. no answer on the way held a stack, SQL, a path, a token or a key, and the worker had no trouble', () => {
  expect(answers.count()).toBeGreaterThan(25);
  answers.expectNothingInside(world);
  expect(warnings).toEqual([]);
});
