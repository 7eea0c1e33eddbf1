import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KobanaApi, openKobanaApi } from '../../../../test/support/kobana-api.ts';
import { buildBoleto } from '../../../core/documents/boleto.ts';
import { buildUtilityBill } from '../../../core/documents/utility-bill.ts';
import { newId } from '../../../core/ids.ts';
import type { BankAccount, BankOrder, TransferRequest } from '../port.ts';
import { createKobanaBank } from './index.ts';

const NOW = new Date('2026-10-01T12:00:00Z');

let api: KobanaApi;
let account: BankAccount;

beforeAll(async () => {
  api = await openKobanaApi();
  account = { bankCode: '341', agency: '1234', number: '55', digit: '7', providerId: api.accountUid };
});

afterAll(async () => {
  await api.close();
  expect(api.problems).toEqual([]);
});

const bank = () => createKobanaBank({ token: api.token, url: api.url });

const boleto = buildBoleto({
  bankCode: '237',
  dueDate: '2026-10-05',
  amountCents: 1_999,
  freeField: '0'.repeat(25),
});

function orderOf(fields: Partial<BankOrder> = {}): BankOrder {
  const kind = fields.kind ?? 'boleto';
  return {
    idempotencyKey: `${newId()}.20261005.1999.${kind}`,
    kind,
    amount: 1_999,
    scheduledFor: '2026-10-05',
    account,
    payee: { name: 'Fornecedor', documentNumber: '05813794000126' },
    details: { barcode: boleto.barcode },
    ...fields,
  };
}

function transferOf(fields: Partial<TransferRequest> = {}): TransferRequest {
  return {
    idempotencyKey: `${newId()}.transfer`,
    method: 'ted',
    amount: 250_000,
    scheduledFor: '2026-10-05',
    from: account,
    to: { bankCode: '001', agency: '4321', number: '99', digit: '1', providerId: null },
    holder: { name: 'Empresa', documentNumber: '05813794000126' },
    description: null,
    ...fields,
  };
}

/** The stored order at the API. */
const stored = (key: string) =>
  [...api.payments, ...api.transfers].filter(({ external_id }) => external_id === key);
const sentFor = (key: string) => api.calls('POST').find((call) => call.key === key)!;
const confirm = (key: string) =>
  Object.assign(stored(key)[0]!, {
    status: 'confirmed',
    confirmed_at: '2026-10-06T09:00:00-03:00',
    transaction_date: '2026-10-06T01:30:00Z',
    transaction_code: 'AUT1',
  });

const utilityOf = (issuerCode: string, segmentDigit: string) =>
  buildUtilityBill({
    segmentDigit,
    valueDigit: '6',
    amountCents: 1_999,
    issuerAndFreeField: issuerCode.padEnd(29, '1'),
  }).barcode;

describe('every kind of order', () => {
  const ted = {
    bank_code: '001',
    agency: '4321',
    number: '99',
    digit: 'X',
    holder_name: 'Outro',
    holder_document: '52998224725',
  };
  const key = { key: 'a@example.com', key_type: 'email' };
  test.each([
    ['boleto', 'boleto', { barcode: boleto.barcode }, '/v2/payment/bank_billet_batches'],
    ['power bill', 'utility', { barcode: utilityOf('0123', '3') }, '/v2/payment/utility_batches'],
    ['tax bill of a known issuer', 'utility', { barcode: utilityOf('0064', '5') }, '/v2/payment/tax_batches'],
    ['tax bill of another', 'utility', { barcode: utilityOf('0999', '5') }, '/v2/payment/utility_batches'],
    ['Pix code', 'pix_code', { code: '000201…' }, '/v2/payment/pix_batches'],
    ['Pix key', 'pix_key', key, '/v2/transfer/pix_batches'],
    ['TED', 'ted', ted, '/v2/transfer/ted_batches'],
  ] as const)(
    '%s: goes in a batch of its own and is confirmed on the day of the bank',
    async (_, kind, details, path) => {
      const order = orderOf({ kind, details });
      expect(await bank().submit(order, NOW)).toMatchObject({ status: 'pending' });
      expect(sentFor(order.idempotencyKey)).toMatchObject({ path, status: 201 });
      const [sent] = Object.values(sentFor(order.idempotencyKey).body!).find(Array.isArray)!;
      expect(sent).toMatchObject({
        amount: 19.99,
        scheduled_to: '2026-10-05',
        external_id: order.idempotencyKey,
      });
      confirm(order.idempotencyKey);
      expect(await bank().find(order.idempotencyKey, NOW)).toEqual({
        status: 'confirmed',
        reference: stored(order.idempotencyKey)[0]!['uid'],
        authentication: 'AUT1',
        // 01:30 UTC is still the day before in Brazil.
        settledOn: '2026-10-05',
      });
    },
  );

  test.each(['pix', 'ted', 'internal'] as const)('a transfer between own accounts by %s', async (method) => {
    const request = transferOf({ method });
    const desk = bank().transfers!;
    expect(await desk.submit(request, NOW)).toMatchObject({ status: 'pending' });
    expect(stored(request.idempotencyKey)).toMatchObject([
      { amount: 2500, target: { transfer_kind: method } },
    ]);
    confirm(request.idempotencyKey);
    expect(await desk.find(request.idempotencyKey, NOW)).toMatchObject({ status: 'confirmed' });
  });

  test('refuses an account without its id at Kobana, without a call', async () => {
    const order = orderOf({ account: { ...account, providerId: null } });
    const before = api.exchanges.length;
    const answer = await bank().submit(order, NOW);
    expect(answer).toMatchObject({ status: 'rejected', reason: expect.stringContaining('no id at Kobana') });
    expect(api.exchanges).toHaveLength(before);
  });

  test('a Pix key of a payee without document is refused, unless the key is one', async () => {
    const payee = { name: 'Fornecedor', documentNumber: null };
    const email = orderOf({ kind: 'pix_key', payee, details: { key: 'a@example.com', key_type: 'email' } });
    expect(await bank().submit(email, NOW)).toMatchObject({ status: 'rejected' });
    const cpf = orderOf({ kind: 'pix_key', payee, details: { key: '52998224725', key_type: 'cpf' } });
    expect(await bank().submit(cpf, NOW)).toMatchObject({ status: 'pending' });
    expect(stored(cpf.idempotencyKey)[0]).toMatchObject({ beneficiary: { document_number: '52998224725' } });
  });
});

describe('one order per key', () => {
  test('a second submit of a key makes no second order and tells how the first stands', async () => {
    for (const order of [
      orderOf(),
      orderOf({ kind: 'pix_key', details: { key: 'x@example.com', key_type: 'email' } }),
    ]) {
      const first = await bank().submit(order, NOW);
      expect(await bank().submit(order, NOW)).toEqual(first);
      expect(stored(order.idempotencyKey)).toHaveLength(1);
      expect(sentFor(order.idempotencyKey).key).toBe(order.idempotencyKey);
    }
  });

  test('is found by another process, and an unknown key is absent', async () => {
    const order = orderOf();
    expect(await bank().find(order.idempotencyKey, NOW)).toEqual({ status: 'absent' });
    await bank().submit(order, NOW);
    expect(await bank().find(order.idempotencyKey, NOW)).toMatchObject({ status: 'pending' });
  });

  test('a transfer is looked for page by page, no further back than it can be', async () => {
    const old = new Date(Date.now() - 5 * 86_400_000).toISOString();
    const filler = (created_at: string) => ({
      ...api.transfers[0]!,
      uid: newId(),
      external_id: newId(),
      created_at,
    });
    const request = transferOf();
    await bank().transfers!.submit(request, NOW);
    const young = new Date().toISOString();
    api.transfers.unshift(...Array.from({ length: 60 }, () => filler(young)));
    api.transfers.push(...Array.from({ length: 500 }, () => filler(old)));
    expect(await bank().transfers!.find(request.idempotencyKey, NOW)).toMatchObject({ status: 'pending' });
    const before = api.calls('GET /v2/transfers').length;
    expect(await bank().transfers!.find(`${newId()}.transfer`, NOW)).toEqual({ status: 'absent' });
    expect(api.calls('GET /v2/transfers').length - before).toBeLessThan(5);
    // A list in no order of age is read to its end before anything counts as absent.
    const last = transferOf();
    await bank().transfers!.submit(last, NOW);
    api.transfers.push(api.transfers.shift()!);
    api.transfers.unshift(filler(old));
    expect(await bank().transfers!.find(last.idempotencyKey, NOW)).toMatchObject({ status: 'pending' });
    api.transfers.length = 0;
  });
});

describe('what Kobana says of an order', () => {
  test.each([
    ['pending', { status: 'pending' }],
    ['awaiting_approval', { status: 'awaiting_approval' }],
    ['approved', { status: 'scheduled' }],
    ['scheduled', { status: 'scheduled' }],
    ['awaiting_scheduled_date', { status: 'scheduled' }],
    ['overdue', { status: 'scheduled' }],
    ['awaiting_funds', { status: 'awaiting_funds' }],
    ['finishing', { status: 'processing' }],
    ['reproved', { status: 'rejected', reason: expect.stringContaining('not approved') }],
    ['rejected', { status: 'rejected', reason: 'Conta encerrada' }],
    ['failed', { status: 'rejected', reason: expect.any(String) }],
    ['canceled', { status: 'canceled', reason: expect.any(String) }],
  ])('%s', async (status, expected) => {
    const order = orderOf();
    await bank().submit(order, NOW);
    Object.assign(stored(order.idempotencyKey)[0]!, {
      status,
      rejected_error: status === 'rejected' ? 'Conta encerrada' : null,
    });
    expect(await bank().find(order.idempotencyKey, NOW)).toMatchObject(expected);
  });

  test('a state nobody knows is no answer', async () => {
    const order = orderOf();
    await bank().submit(order, NOW);
    stored(order.idempotencyKey)[0]!['status'] = 'teleported';
    await expect(bank().find(order.idempotencyKey, NOW)).rejects.toMatchObject({ name: 'BankUnreachable' });
  });
});

describe('calling an order off', () => {
  test('in time, too late, and when it never arrived', async () => {
    const order = orderOf();
    await bank().submit(order, NOW);
    expect(await bank().cancel(order.idempotencyKey, NOW)).toMatchObject({ status: 'canceled' });
    const paid = orderOf();
    await bank().submit(paid, NOW);
    api.failNext({
      on: 'PUT',
      acts: false,
      as: { status: 422, body: { status: 422, errors: [{ title: 'Tarde' }] } },
    });
    expect(await bank().cancel(paid.idempotencyKey, NOW)).toMatchObject({ status: 'pending' });
    confirm(paid.idempotencyKey);
    expect(await bank().cancel(paid.idempotencyKey, NOW)).toMatchObject({ status: 'confirmed' });
    expect(await bank().cancel(orderOf().idempotencyKey, NOW)).toEqual({ status: 'absent' });
    const transfer = transferOf();
    await bank().transfers!.submit(transfer, NOW);
    expect(await bank().transfers!.cancel(transfer.idempotencyKey, NOW)).toMatchObject({
      status: 'canceled',
    });
  });
});
