import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancellationXml, fixtureFile, ISSUER, noteXml, RECIPIENT } from '../../../test/support/notes.ts';
import { createCategory, createCompany, createPayableRow } from '../../../test/support/records.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { formatMoney, parseMoney } from '../../core/money.ts';

interface Bill {
  id: string;
  amount: string;
  due_date: string;
  description: string;
  status: string;
}

let world: World;
let companyId: string;
let number = 500;

beforeAll(async () => {
  world = await openWorld();
  companyId = await createCompany(world, { document_number: RECIPIENT });
});
afterAll(() => world.close());

async function bringIn(bytes: Buffer): Promise<string> {
  const file = { name: 'nota.xml', content_base64: bytes.toString('base64') };
  return (await world.call('finance_fiscal_documents_import', { file }))['document'].id;
}
function importNote(changes: Parameters<typeof noteXml>[1] = {}): Promise<string> {
  number += 1;
  return bringIn(noteXml(number, changes));
}
const createBills = (id: string, more: object = {}) =>
  world.call('finance_fiscal_documents_create_payables', { id, ...more });
const link = (id: string, ...payable_ids: string[]) =>
  world.call('finance_fiscal_documents_link_payable', { id, payable_ids });
const statusOf = async (id: string) => (await world.call('finance_fiscal_documents_get', { id }))['status'];
const countOf = async (table: string) =>
  Number((await world.look<{ count: string }>(`select count(*) from ${table}`))[0]!.count);
async function issuerId(): Promise<string> {
  const rows = await world.look<{ id: string }>('select id from people where document_number = $1', [ISSUER]);
  if (rows[0] !== undefined) return rows[0].id;
  const person = await world.call('finance_people_create', {
    name: 'Peças Exemplo Ltda',
    document_number: ISSUER,
    roles: ['supplier'],
  });
  return person['id'];
}

describe('making bills of a document', () => {
  test('registers one per installment, its supplier, and links the document', async () => {
    const id = await importNote();
    const detail = await createBills(id);
    const [supplier] = await world.look<{ id: string; roles: string[]; name: string }>(
      'select id, roles, name from people where document_number = $1',
      [ISSUER],
    );
    expect(supplier).toMatchObject({
      name: 'COMÉRCIO DE PEÇAS & MÁQUINAS EXEMPLO LTDA',
      roles: ['supplier'],
    });
    expect(detail).toMatchObject({ id, status: 'linked', company_id: companyId, person_id: supplier!.id });
    expect(
      detail['payables'].map(({ due_date, amount, status }: Bill) => [due_date, amount, status]),
    ).toEqual([
      ['2026-08-10', '400.00', 'open'],
      ['2026-09-10', '400.00', 'open'],
      ['2026-10-10', '400.00', 'open'],
    ]);
    const payable = await world.call('finance_payables_get', { id: detail['payables'][1].id });
    expect(payable).toMatchObject({
      company_id: companyId,
      person: { id: supplier!.id },
      description: `NF-e ${number}/1, 2/3: COMÉRCIO DE PEÇAS & MÁQUINAS EXEMPLO LTDA`,
      document_number: String(number),
      series: '1',
      installment: { number: 2, total: 3 },
      issue_date: '2026-07-10',
      competence_month: '2026-07',
      fiscal_document_id: id,
    });
  });

  test('bills what is left after withheld taxes', async () => {
    const detail = await createBills(await bringIn(fixtureFile('one-installment.xml')));
    expect(detail['total']).toBe('10000.00');
    expect(detail['payables'].map(({ amount, due_date }: Bill) => [amount, due_date])).toEqual([
      ['9385.00', '2026-09-15'],
    ]);
    expect(detail['payables'][0].description).toBe('NF-e 2001/1: PRESTADORA EXEMPLO LTDA');
  });

  test('adds up to the net amount where the dates are given', async () => {
    const id = await importNote({ installments: [] });
    await expect(createBills(id)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'due_dates' },
    });
    expect(await statusOf(id)).toBe('new');
    const due_dates = Array.from({ length: 7 }, (_, index) => `2026-1${index % 3}-1${index}`);
    const { payables, net } = await createBills(id, { due_dates });
    const sum = payables.reduce((total: number, { amount }: Bill) => total + parseMoney(amount)!, 0);
    expect(formatMoney(sum)).toBe(net);
    expect(payables.map(({ due_date }: Bill) => due_date)).toEqual(due_dates.toSorted());
  });

  test('moves due dates when others are given, and refuses another number of them', async () => {
    const id = await importNote();
    await expect(createBills(id, { due_dates: ['2026-11-10'] })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'due_dates', expected: '3 dates, one per installment of the document' },
    });
    const due_dates = ['2026-11-10', '2026-12-10', '2027-01-10'];
    const { payables } = await createBills(id, { due_dates });
    expect(payables.map(({ due_date }: Bill) => due_date)).toEqual(due_dates);
  });

  test('happens once: the second call is refused, and so is one of two at the same time', async () => {
    const id = await importNote();
    const results = await Promise.allSettled([createBills(id), createBills(id)]);
    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed.map(({ reason }) => [reason.code, reason.details])).toEqual([
      ['invalid_state', { from: 'linked', allowed: ['new'] }],
    ]);
    await expect(createBills(id)).rejects.toMatchObject({ code: 'invalid_state' });
    const rows = await world.look('select id from payables where fiscal_document_id = $1', [id]);
    expect(rows).toHaveLength(3);
  });

  test('can be done anew after the bills were deleted, not while one is left', async () => {
    const id = await importNote();
    const { payables } = await createBills(id);
    const [last, ...others] = payables.map((bill: Bill) => bill['id']);
    for (const bill of others) await world.call('finance_payables_delete', { id: bill });
    await expect(createBills(id)).rejects.toMatchObject({ code: 'invalid_state' });
    await world.call('finance_payables_delete', { id: last });
    expect((await createBills(id)).payables).toHaveLength(3);
  });

  test('is refused for a denied and for a canceled document, and then registers nobody', async () => {
    const replace = { '<cStat>100</cStat>': '<cStat>110</cStat>' };
    const denied = await importNote({ replace });
    const people = await countOf('people');
    await expect(createBills(denied)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'denied' },
    });
    const canceled = await importNote();
    await bringIn(cancellationXml(number));
    await expect(createBills(canceled)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled', allowed: ['new'] },
    });
    expect(await countOf('people')).toBe(people);
  });

  test('needs the company that pays where the recipient is none of ours', async () => {
    const replace = { [`<CNPJ>${RECIPIENT}</CNPJ>`]: '<CNPJ>05813794000126</CNPJ>' };
    const id = await importNote({ replace });
    await expect(createBills(id)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'company_id' },
    });
    expect((await createBills(id, { company_id: companyId }))['company_id']).toBe(companyId);
    const later = await importNote({ replace });
    const registered = await createCompany(world, { document_number: '05813794000126' });
    expect((await createBills(later))['company_id']).toBe(registered);
  });

  test('no side door: it sends nothing, takes no payment argument, and dry_run writes nothing', async () => {
    const id = await importNote();
    for (const argument of ['auto_send', 'payment_details', 'account_id']) {
      await expect(createBills(id, { [argument]: true })).rejects.toMatchObject({
        code: 'invalid_argument',
        details: { path: argument },
      });
    }
    const before = await countOf('payables');
    const planned = await createBills(id, { dry_run: true });
    expect(planned['payables']).toHaveLength(3);
    expect([await countOf('payables'), await statusOf(id)]).toEqual([before, 'new']);
    await createBills(id);
    expect([await countOf('payments'), await countOf('bank_commands')]).toEqual([0, 0]);
  });

  test('classifies with a category that can, and changes nothing with one that cannot', async () => {
    const id = await importNote();
    const income = await createCategory(world, { kind: 'income' });
    const before = await countOf('payables');
    await expect(createBills(id, { category_id: income })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    await expect(createBills(id, { category_id: newId() })).rejects.toMatchObject({ code: 'not_found' });
    expect([await countOf('payables'), await statusOf(id)]).toEqual([before, 'new']);
    const category_id = await createCategory(world, { kind: 'expense' });
    const { payables } = await createBills(id, { category_id });
    expect(await world.call('finance_payables_get', { id: payables[0].id })).toMatchObject({ category_id });
  });

  test('is refused by closed books of the month of issue', async () => {
    const id = await importNote();
    await world.call('finance_companies_update', { id: companyId, books_closed_until: '2026-07-31' });
    await expect(createBills(id)).rejects.toMatchObject({
      code: 'books_closed',
      details: { until: '2026-07-31' },
    });
    await world.call('finance_companies_update', { id: companyId, books_closed_until: null });
    expect(await statusOf(id)).toBe('new');
  });

  test('is refused when the bill was registered by hand already', async () => {
    const id = await importNote({ installments: [['2026-10-10', '1200.00']] });
    const { items } = await world.call('finance_payables_create', {
      company_id: companyId,
      person_id: await issuerId(),
      description: 'Parts',
      amount: '1200.00',
      due_date: '2026-10-10',
      document_number: String(number),
      series: '1',
    });
    await expect(createBills(id)).rejects.toMatchObject({
      code: 'duplicate',
      details: { kind: 'payable', of: items[0].id },
    });
    expect(await link(id, items[0].id)).toMatchObject({ status: 'linked', payables: [{ id: items[0].id }] });
  });

  test('gives the same answer for a repeated idempotency key', async () => {
    const id = await importNote();
    const first = await createBills(id, { idempotency_key: 'bills' });
    expect(await createBills(id, { idempotency_key: 'bills' })).toEqual(first);
  });
});

describe('linking bills that exist', () => {
  const billOfIssuer = async (status: 'draft' | 'open' | 'canceled' = 'open') =>
    createPayableRow(world, { company_id: companyId, person_id: await issuerId(), status });

  test('ties them to the document, which becomes linked, and leaves their amounts alone', async () => {
    const id = await importNote();
    const bills = [await billOfIssuer(), await billOfIssuer('draft')];
    const detail = await link(id, ...bills, bills[0]!);
    expect(detail).toMatchObject({ status: 'linked', person_id: await issuerId() });
    expect(detail['payables'].map((bill: Bill) => [bill.id, bill.amount]).toSorted()).toEqual(
      bills.map((bill) => [bill, '1000.00']).toSorted(),
    );
    const more = await billOfIssuer();
    expect((await link(id, more))['payables']).toHaveLength(3);
  });

  test('changes nothing when it is repeated', async () => {
    const id = await importNote();
    const bill = await billOfIssuer();
    const first = await link(id, bill);
    expect(await link(id, bill)).toEqual(first);
    await expect(createBills(id)).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('refuses bills of another supplier, and then links none', async () => {
    const id = await importNote();
    const other = await world.call('finance_people_create', {
      name: 'Outra',
      kind: 'legal',
      roles: ['supplier'],
    });
    const foreign = await createPayableRow(world, { company_id: companyId, person_id: other['id'] });
    const own = await billOfIssuer();
    await expect(link(id, own, foreign)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'payable_ids' },
    });
    expect(await world.call('finance_fiscal_documents_get', { id })).toMatchObject({
      status: 'new',
      payables: [],
    });
  });

  test('refuses bills that are missing, canceled or of another document', async () => {
    const id = await importNote();
    const missing = newId();
    await expect(link(id, missing)).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'payable', id: missing },
    });
    await expect(link(id, await billOfIssuer('canceled'))).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled' },
    });
    const taken = await billOfIssuer();
    const other = await importNote();
    await link(other, taken);
    await expect(link(id, taken)).rejects.toMatchObject({
      code: 'in_use',
      details: { by: [{ kind: 'fiscal_document', id: other }] },
    });
    await expect(link(id)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'payable_ids' },
    });
    expect(await statusOf(id)).toBe('new');
  });

  test('refuses a canceled and a denied document', async () => {
    const bill = await billOfIssuer();
    const denied = await importNote({ replace: { '<cStat>100</cStat>': '<cStat>110</cStat>' } });
    await expect(link(denied, bill)).rejects.toMatchObject({ details: { from: 'denied' } });
    const canceled = await importNote();
    await bringIn(cancellationXml(number));
    await expect(link(canceled, bill)).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled' },
    });
  });
});

test('making and linking bills needs the right to write bills besides the one for documents', async () => {
  const id = await importNote();
  for (const [name, args] of [
    ['finance_fiscal_documents_create_payables', { id }],
    ['finance_fiscal_documents_link_payable', { id, payable_ids: [newId()] }],
  ] as const) {
    await expect(world.call(name, args, 'accountant')).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['finance.fiscal_documents.write', 'finance.payables.write'] },
    });
    await expect(world.call(name, args, 'reader')).rejects.toMatchObject({ code: 'insufficient_scope' });
  }
});
