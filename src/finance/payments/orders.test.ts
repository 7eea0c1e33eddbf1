import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBill, createPayer, type Payer, queued, runQueued } from '../../../test/support/banking.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { jobContextOf } from '../../core/job.ts';
import {
  createSimulatedBank,
  financeGatewaysOf,
  type SimulatedBehaviour,
} from '../../gateways/bank/index.ts';
import type { BankOrderStatus } from '../../gateways/bank/port.ts';
import { runJob } from '../../worker/index.ts';
import { bankJobsOf } from '../bank-commands/index.ts';
import { finance } from '../index.ts';
import { applyBankAnswer } from './answers.ts';
import { paymentSubject } from './subject.ts';

const SEND = 'finance_payables_send_to_bank';

let world: World;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
});
afterAll(() => world.close());
beforeEach(() => world.setNow('2026-10-01T12:00:00Z'));

const bankOf = (behaviour: SimulatedBehaviour = 'settles') =>
  createSimulatedBank({ behaviourOf: () => behaviour });
const payment = (id: string) => world.call('finance_payments_get', { id });
const payable = (id: string) => world.call('finance_payables_get', { id });
const sent = async () => {
  const payableId = await createBill(world, payer);
  const { id } = await world.call(SEND, { id: payableId, account_id: payer.accountId });
  return { id: id as string, payableId };
};

async function answer(id: string, status: BankOrderStatus): Promise<void> {
  const place = {
    organizationId: world.organizationId,
    workspaceId: world.workspaceId,
    timeZone: 'America/Sao_Paulo',
  };
  const context = jobContextOf(world.runtime.portsOf(finance.catalogue), 'test', {}, place, {});
  await context.write((write) => applyBankAnswer(write, id, status));
}

test('an order that waited for funds is paid once the money is there, with one receipt tied to it', async () => {
  const { id, payableId } = await sent();
  await answer(id, { status: 'awaiting_approval', reference: 'R' });
  expect(await payment(id)).toMatchObject({
    status: 'awaiting_approval',
    next_step: 'Somebody has to let the order go at the bank.',
  });
  await runQueued(world, bankOf('awaits_funds'));
  expect(await payment(id)).toMatchObject({ status: 'awaiting_funds' });
  expect(await payable(payableId)).toMatchObject({ status: 'open', settlements: [] });
  await answer(id, { status: 'processing', reference: 'R' });
  expect(await payment(id)).toMatchObject({ status: 'processing', next_step: null });
  // An older answer is late: the order does not wait again.
  await answer(id, { status: 'awaiting_funds', reference: 'R' });
  expect(await payment(id)).toMatchObject({ status: 'processing' });
  await answer(id, { status: 'confirmed', reference: 'R', authentication: 'A', settledOn: '2026-10-01' });
  expect(await payable(payableId)).toMatchObject({ status: 'paid' });
  const { items } = await world.call('finance_attachments_list', { linked_to: { kind: 'payment', id } });
  expect(items).toMatchObject([{ id: (await payment(id))['receipt_attachment_id'], kind: 'receipt' }]);
});

test('a bill that needs a second person is paid after their approval, and an order refused leaves it approved', async () => {
  await world.call('finance_approval_settings_update', {
    thresholds: [{ above: '1000.00' }],
    require_second_person: true,
  });
  const id = await createBill(world, payer);
  const args = { id, account_id: payer.accountId };
  await expect(world.ask(SEND, args)).rejects.toMatchObject({ code: 'approval_required' });
  await expect(world.call('finance_payables_approve', { id })).rejects.toMatchObject({
    code: 'same_person_approval',
  });
  await world.call('finance_payables_approve', { id }, 'approver');
  const first = await world.call(SEND, args);
  await runQueued(world, bankOf('rejects'));
  expect(await payment(first['id'])).toMatchObject({ status: 'rejected' });
  expect(await payable(id)).toMatchObject({ status: 'open', approval_status: 'approved' });
  const second = await world.call(SEND, args);
  const bank = bankOf();
  await runQueued(world, bank);
  world.setNow('2026-10-01T12:01:00Z');
  await runQueued(world, bank);
  expect(await payment(second['id'])).toMatchObject({ status: 'confirmed' });
  expect(await payable(id)).toMatchObject({ status: 'paid' });
  await world.look('delete from approval_settings');
});

test('an order that the bank of the account never takes fails with the reason, and frees the payable', async () => {
  const { id, payableId } = await sent();
  const [job] = await queued(world);
  const [send] = bankJobsOf({ ...paymentSubject, deskOf: () => undefined });
  const { runtime } = world;
  const ports = runtime.portsOf(finance.catalogue);
  const gateways = financeGatewaysOf({ simulator: bankOf() });
  await runJob({ ports, shared: runtime.database.shared, gateways }, send!, job!.payload);
  expect(await payment(id)).toMatchObject({
    status: 'failed',
    registration_status: 'failed',
    rejected_reason: 'the bank of the account takes no payments',
  });
  expect(await world.look('select status from bank_commands where payment_id = $1', [id])).toEqual([
    { status: 'failed' },
  ]);
  expect(await world.call(SEND, { id: payableId, account_id: payer.accountId })).toMatchObject({
    status: 'pending',
  });
});
