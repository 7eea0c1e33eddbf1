import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createBill,
  createPayer,
  createSupplier,
  type Payer,
  queued,
  runQueued,
} from '../../../test/support/banking.ts';
import { type KobanaApi, openKobanaApi } from '../../../test/support/kobana-api.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { buildBoleto } from '../../core/documents/boleto.ts';
import type { BankPort } from '../../gateways/bank/index.ts';
import { createKobanaBank } from '../../gateways/bank/kobana/index.ts';

const SEND = 'finance_payables_send_to_bank';

let world: World;
let payer: Payer;
let api: KobanaApi;
let bank: BankPort;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
  api = await openKobanaApi();
  bank = createKobanaBank({ token: api.token, url: api.url });
  await world.look('update financial_accounts set bank_adapter_account = $1 where id = $2', [
    api.accountUid,
    payer.accountId,
  ]);
});

afterAll(async () => {
  await api.close();
  await world.close();
  expect(api.problems).toEqual([]);
});

const paymentOf = (id: string) => world.call('finance_payments_get', { id });
const atKobana = () => [...api.payments, ...api.transfers];
const later = (minutes: number) =>
  world.setNow(new Date(world.now().getTime() + minutes * 60_000).toISOString());

async function send(fields: Parameters<typeof createBill>[2] = {}) {
  const id = await createBill(world, payer, fields);
  const payment = await world.call(SEND, { id, account_id: payer.accountId });
  return { id, paymentId: payment['id'] as string };
}

const confirm = (order: Record<string, unknown>) =>
  Object.assign(order, {
    status: 'confirmed',
    transaction_date: '2026-10-02T10:00:00-03:00',
    transaction_code: 'AUT9',
  });

test('from the tool to the settled bill: sent, awaiting people at Kobana, confirmed on the day of the bank', async () => {
  const { barcode } = buildBoleto({
    bankCode: '237',
    dueDate: '2026-10-05',
    amountCents: 123_456,
    freeField: '7'.repeat(25),
  });
  const { id, paymentId } = await send({ payment_details: { kind: 'boleto', code: barcode } });
  expect(await runQueued(world, bank)).toEqual(['bank_send']);
  expect(await paymentOf(paymentId)).toMatchObject({ status: 'pending', registration_status: 'confirmed' });
  expect(api.payments).toMatchObject([
    { kind: 'bank_billet', amount: 1234.56, bank_billet: { code: barcode } },
  ]);
  api.payments[0]!['status'] = 'awaiting_approval';
  expect(await runQueued(world, bank)).toEqual(['bank_poll']);
  expect(await paymentOf(paymentId)).toMatchObject({ status: 'awaiting_approval' });
  confirm(api.payments[0]!);
  await runQueued(world, bank);
  expect(await paymentOf(paymentId)).toMatchObject({
    status: 'confirmed',
    bank_settled_on: '2026-10-02',
    bank_authentication: 'AUT9',
  });
  const payable = await world.call('finance_payables_get', { id });
  expect(payable).toMatchObject({ status: 'paid', open_amount: '0.00' });
  expect(await queued(world)).toEqual([]);
});

test('a connection that breaks after the order arrived pays once', async () => {
  const before = atKobana().length;
  const { id, paymentId } = await send();
  api.failNext({ on: 'POST', acts: true, as: 'is_cut' });
  await runQueued(world, bank);
  expect(await paymentOf(paymentId)).toMatchObject({ registration_status: 'unknown' });
  later(1);
  await runQueued(world, bank);
  expect(await paymentOf(paymentId)).toMatchObject({ registration_status: 'confirmed' });
  expect(atKobana()).toHaveLength(before + 1);
  confirm(api.transfers[0]!);
  later(2);
  await runQueued(world, bank);
  expect((await world.call('finance_payables_get', { id }))['status']).toBe('paid');
  expect(atKobana()).toHaveLength(before + 1);
});

test('an order that never arrived is sent again, under the same key', async () => {
  const before = atKobana().length;
  const { paymentId } = await send();
  api.failNext({ on: 'POST', acts: false, as: { status: 502 } });
  await runQueued(world, bank);
  later(1);
  expect(await runQueued(world, bank)).toEqual(['bank_poll']);
  expect(await runQueued(world, bank)).toEqual(['bank_send']);
  expect(await paymentOf(paymentId)).toMatchObject({ registration_status: 'confirmed' });
  expect(atKobana()).toHaveLength(before + 1);
  const keys = api.calls('POST /v2/transfer').map(({ key }) => key!);
  expect(keys.filter((key) => key.startsWith(paymentId))).toHaveLength(2);
  expect(new Set(keys.filter((key) => key.startsWith(paymentId))).size).toBe(1);
  await world.call('finance_payments_cancel', { id: paymentId, reason: 'engano' });
  await runQueued(world, bank);
  expect(await paymentOf(paymentId)).toMatchObject({ status: 'canceled' });
});

test('what Kobana refuses frees the bill, and tells why', async () => {
  const { id, paymentId } = await send();
  const errors = [{ code: 'validation_error', param: 'amount', detail: 'Saldo insuficiente' }];
  api.failNext({ on: 'POST', acts: false, as: { status: 422, body: { status: 422, errors } } });
  await runQueued(world, bank);
  expect(await paymentOf(paymentId)).toMatchObject({
    status: 'rejected',
    rejected_reason: 'Saldo insuficiente',
  });
  expect((await world.call('finance_payables_get', { id }))['status']).toBe('open');
});

test('a token that Kobana refuses rejects nothing: the job is tried again', async () => {
  const { paymentId } = await send({ person_id: await createSupplier(world) });
  const wrong = createKobanaBank({ token: 'wrong', url: api.url });
  expect(await runQueued(world, wrong)).toEqual(['bank_send: BankUnreachable']);
  expect(await paymentOf(paymentId)).toMatchObject({ status: 'pending' });
});
