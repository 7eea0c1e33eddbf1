import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createBill,
  createPayer,
  type Payer,
  queued,
  runQueued,
  runTask,
} from '../../../test/support/banking.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { jobContextOf } from '../../core/job.ts';
import {
  BankOutcomeUnknown,
  type BankPort,
  createSimulatedBank,
  type SimulatedBehaviour,
} from '../../gateways/bank/index.ts';
import type { BankOrderStatus } from '../../gateways/bank/port.ts';
import { finance } from '../index.ts';
import { applyBankAnswer } from './answers.ts';

const SEND = 'finance_payables_send_to_bank';
const CANCEL = 'finance_payments_cancel';

let world: World;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.setNow('2026-10-01T12:00:00Z');
  await world.look('delete from graphile_worker._private_jobs');
});

/** A simulated bank that also counts what reaches it. */
function bankOf(behaviour: SimulatedBehaviour = 'settles') {
  const bank = createSimulatedBank({ delayMs: 500, behaviourOf: () => behaviour });
  const calls = { submit: [] as string[], find: 0, cancel: 0 };
  const counted: BankPort = {
    submit(order, now) {
      calls.submit.push(order.idempotencyKey);
      return bank.submit(order, now);
    },
    find(key, now) {
      calls.find += 1;
      return bank.find(key, now);
    },
    cancel(key, now) {
      calls.cancel += 1;
      return bank.cancel(key, now);
    },
  };
  return { bank: counted, calls };
}

async function sent(fields: Record<string, unknown> = {}): Promise<{ id: string; payableId: string }> {
  const { scheduled_for, ...bill } = fields;
  const payableId = await createBill(world, payer, bill);
  const args = {
    id: payableId,
    account_id: payer.accountId,
    ...(scheduled_for !== undefined && { scheduled_for }),
  };
  return { id: (await world.call(SEND, args))['id'], payableId };
}

const payment = (id: string) => world.call('finance_payments_get', { id });
const payable = (id: string) => world.call('finance_payables_get', { id });
const commandsOf = (id: string) =>
  world.look<{ id: string; kind: string; status: string; attempts: number; sent_at: Date | null }>(
    'select id, kind, status, attempts, sent_at from bank_commands where payment_id = $1 order by id',
    [id],
  );
const later = (minutes: number) => {
  world.setNow(new Date(world.now().getTime() + minutes * 60_000).toISOString());
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

describe('a frozen workspace', () => {
  const freeze = (isFrozen: boolean) =>
    world.look(
      `insert into controls (tenant_id, organization_id, frozen_at, updated_at) values ($1, $2, $3, now())
       on conflict (tenant_id) do update set frozen_at = $3`,
      [world.workspaceId, world.organizationId, isFrozen ? world.now() : null],
    );

  test('lets no order leave that waits to be sent; once it is lifted, each leaves once', async () => {
    const { bank, calls } = bankOf();
    const { id } = await sent();
    await freeze(true);
    for (let minute = 0; minute < 3; minute += 1) {
      expect(await runQueued(world, bank)).toEqual(['bank_send']);
      later(1);
    }
    expect(calls).toEqual({ submit: [], find: 0, cancel: 0 });
    expect(await commandsOf(id)).toMatchObject([{ status: 'requested', attempts: 0, sent_at: null }]);
    await freeze(false);
    await runQueued(world, bank);
    expect(calls.submit).toHaveLength(1);
    expect(await payment(id)).toMatchObject({ status: 'processing' });
  });

  test('still asks the bank for what may have left before', async () => {
    const { bank, calls } = bankOf();
    const { id } = await sent();
    await runQueued(world, bank);
    await world.look("update bank_commands set status = 'requested' where payment_id = $1", [id]);
    const [command] = await commandsOf(id);
    await freeze(true);
    const { workspaceId, organizationId } = world;
    await runTask(world, bank, 'bank_send', { organizationId, workspaceId, commandId: command!.id });
    expect(calls).toMatchObject({ submit: { length: 1 }, find: 1 });
    await freeze(false);
  });

  test('sends nothing that was marked as sent before and that the bank does not know', async () => {
    const { bank, calls } = bankOf();
    const unknowing: BankPort = {
      ...bank,
      async find() {
        calls.find += 1;
        return { status: 'absent' };
      },
    };
    const { id } = await sent();
    // The process died between the mark and the call.
    await world.look('update bank_commands set sent_at = $2 where payment_id = $1', [id, world.now()]);
    await freeze(true);
    for (let minute = 0; minute < 3; minute += 1) {
      expect(await runQueued(world, unknowing)).toEqual(['bank_send']);
      later(1);
    }
    expect(calls).toMatchObject({ submit: { length: 0 }, find: 3 });
    await freeze(false);
    await runQueued(world, unknowing);
    expect(calls.submit).toHaveLength(1);
    expect(await payment(id)).toMatchObject({ status: 'processing' });
  });
});

describe('an order that settles', () => {
  test('is sent, confirmed, and settles the payable with the date, authentication and receipt of the bank', async () => {
    const { bank, calls } = bankOf();
    const { id, payableId } = await sent();
    expect(await runQueued(world, bank)).toEqual(['bank_send']);
    expect(await payment(id)).toMatchObject({ status: 'processing', registration_status: 'confirmed' });
    expect(await payable(payableId)).toMatchObject({ status: 'open' });
    later(1);
    expect(await runQueued(world, bank)).toEqual(['bank_poll']);
    const paid = await payment(id);
    expect(paid).toMatchObject({
      status: 'confirmed',
      bank_settled_on: '2026-10-01',
      bank_authentication: expect.stringMatching(/^[0-9A-F]{32}$/),
      bank_reference: expect.stringMatching(/^SIM/),
    });
    const bill = await payable(payableId);
    expect(bill).toMatchObject({ status: 'paid', open_amount: '0.00', settlements: [{ payment_id: id }] });
    expect(bill['settlements'][0]).toMatchObject({
      paid_at: '2026-10-01',
      amount: '1234.56',
      principal: '1234.56',
      method: 'pix',
      account_id: payer.accountId,
      receipt_attachment_id: paid['receipt_attachment_id'],
    });
    const [entry] = await world.look<{ source: string; amount_cents: string; direction: string }>(
      'select source, amount_cents, direction from financial_transactions where id = $1',
      [bill['settlements'][0].transaction_id],
    );
    expect(entry).toEqual({ source: 'payment', amount_cents: '123456', direction: 'debit' });
    const [receipt] = await world.look<{ text: string; content_type: string }>(
      `select convert_from(c.bytes, 'UTF8') as text, a.content_type from attachment_contents c
         join attachments a on a.id = c.attachment_id where a.id = $1`,
      [paid['receipt_attachment_id']],
    );
    expect(receipt!.content_type).toBe('text/plain');
    expect(receipt!.text).toContain('Valor: R$ 1.234,56\n');
    expect(receipt!.text).toContain(`Autenticação: ${paid['bank_authentication']}\n`);
    expect(await queued(world)).toEqual([]);
    expect(calls).toMatchObject({ submit: [`${id}.20261001.123456.pix_key`], find: 1 });
    expect(await commandsOf(id)).toMatchObject([{ kind: 'submit', status: 'confirmed', attempts: 1 }]);
  });

  test("is dated with the bank's own day: a boleto of a Saturday on Monday, without interest", async () => {
    const { bank } = bankOf();
    world.setNow('2026-10-03T12:00:00Z');
    const { id, payableId } = await sent({
      due_date: '2026-10-03',
      scheduled_for: '2026-10-03',
      amount: '100.00',
      charges: { fine: { kind: 'percent', value: '2' }, interest: { kind: 'percent_per_month', value: '1' } },
      payment_details: { kind: 'ted', bank_code: '341', agency: '1', number: '2', digit: '3' },
    });
    await runQueued(world, bank);
    expect(await payment(id)).toMatchObject({ status: 'scheduled' });
    world.setNow('2026-10-05T15:00:00Z');
    await runQueued(world, bank);
    expect(await payable(payableId)).toMatchObject({
      status: 'paid',
      settlements: [
        { paid_at: '2026-10-05', amount: '100.00', interest: '0.00', fine: '0.00', method: 'ted' },
      ],
    });
    expect(await payment(id)).toMatchObject({ bank_settled_on: '2026-10-05' });
  });

  test('is recorded by the system in the audit chain, with before and after', async () => {
    const { bank } = bankOf();
    const { id } = await sent();
    await runQueued(world, bank);
    later(1);
    await runQueued(world, bank);
    const [event] = await world.look<{ body: string }>(
      "select body from events where operation = 'bank_poll' order by position desc limit 1",
    );
    const { actor, changes } = JSON.parse(event!.body);
    expect(actor).toMatchObject({ surface: 'job', clientId: 'worker' });
    const change = changes.find(
      (entry: { kind: string; id: string }) => entry.kind === 'payment' && entry.id === id,
    );
    expect([change.before.status, change.after.status]).toEqual(['processing', 'confirmed']);
  });
});

describe('PITFALL 43: an answer that comes twice', () => {
  const confirmed: BankOrderStatus = {
    status: 'confirmed',
    reference: 'R',
    authentication: 'A',
    settledOn: '2026-10-01',
  };

  test('settles once, also when both arrive at the same moment', async () => {
    const { id, payableId } = await sent();
    await Promise.all([answer(id, confirmed), answer(id, confirmed)]);
    await answer(id, confirmed);
    expect((await payable(payableId))['settlements']).toHaveLength(1);
  });

  test('and late or contradicting ones change nothing; a contradiction is kept in the audit chain', async () => {
    const { id, payableId } = await sent();
    await answer(id, confirmed);
    await answer(id, { status: 'scheduled', reference: 'R' });
    await answer(id, { status: 'rejected', reference: 'R', reason: 'late' });
    expect(await payment(id)).toMatchObject({ status: 'confirmed', rejected_reason: null });
    expect(await payable(payableId)).toMatchObject({ status: 'paid' });
    const [event] = await world.look<{ body: string }>(
      "select body from events where operation = 'test' order by position desc limit 1",
    );
    expect(JSON.parse(event!.body).changes).toMatchObject([
      { kind: 'payment', id, after: { contradicted_by: { status: 'rejected' } } },
    ]);
  });

  test('or every answer twice: a repeated one leaves the order as it is, and the bill is settled once', async () => {
    const { bank } = bankOf('answers_twice');
    const { id, payableId } = await sent();
    await runQueued(world, bank);
    const processing = await payment(id);
    later(1);
    expect(await runQueued(world, bank)).toEqual(['bank_poll']);
    expect(await payment(id)).toEqual(processing);
    later(1);
    expect(await runQueued(world, bank)).toEqual(['bank_poll']);
    const paid = await payment(id);
    expect(paid).toMatchObject({ status: 'confirmed' });
    const payload = { organizationId: world.organizationId, workspaceId: world.workspaceId, paymentId: id };
    await runTask(world, bank, 'bank_poll', payload);
    expect(await payment(id)).toEqual(paid);
    expect((await payable(payableId))['settlements']).toHaveLength(1);
  });

  test('out of order from the bank moves nothing backwards', async () => {
    const { bank } = bankOf('answers_out_of_order');
    const { id, payableId } = await sent();
    await runQueued(world, bank);
    later(1);
    await runQueued(world, bank);
    expect(await payment(id)).toMatchObject({ status: 'confirmed' });
    const payload = { organizationId: world.organizationId, workspaceId: world.workspaceId, paymentId: id };
    for (let again = 0; again < 3; again += 1) await runTask(world, bank, 'bank_poll', payload);
    expect(await payment(id)).toMatchObject({ status: 'confirmed' });
    expect((await payable(payableId))['settlements']).toHaveLength(1);
  });
});

describe('an order the bank does not pay', () => {
  test('frees the payable for a new one when it is rejected at once', async () => {
    const { id, payableId } = await sent();
    await runQueued(world, bankOf('rejects').bank);
    expect(await payment(id)).toMatchObject({
      status: 'rejected',
      registration_status: 'rejected',
      rejected_reason: 'the receiving account does not exist',
    });
    expect(await queued(world)).toEqual([]);
    expect(await payable(payableId)).toMatchObject({ status: 'open' });
    const next = await world.call(SEND, { id: payableId, account_id: payer.accountId });
    expect(next['id']).not.toBe(id);
    await runQueued(world, bankOf().bank);
    later(1);
    await runQueued(world, bankOf().bank);
    expect(await payable(payableId)).toMatchObject({ status: 'paid' });
  });

  test('is rejected on its day after it was taken', async () => {
    const { bank } = bankOf('rejects_on_its_day');
    const { id } = await sent({ scheduled_for: '2026-10-02' });
    await runQueued(world, bank);
    expect(await payment(id)).toMatchObject({ status: 'scheduled', registration_status: 'confirmed' });
    world.setNow('2026-10-02T12:00:00Z');
    await runQueued(world, bank);
    expect(await payment(id)).toMatchObject({ status: 'rejected', registration_status: 'confirmed' });
  });

  test('is asked about again and again while it waits for funds or answers late', async () => {
    const { bank } = bankOf('awaits_funds');
    const { id } = await sent();
    await runQueued(world, bank);
    expect(await payment(id)).toMatchObject({
      status: 'awaiting_funds',
      next_step: 'Put money into the account, or cancel the payment.',
    });
    for (let again = 0; again < 3; again += 1) {
      later(30);
      expect(await runQueued(world, bank)).toEqual(['bank_poll']);
    }
    expect(await queued(world)).toHaveLength(1);
  });
});

describe('SE-13: nothing is paid twice', () => {
  test('when the bank is out of reach: the job is tried again under the same key', async () => {
    const { bank, calls } = bankOf('unreachable_once');
    const { id } = await sent();
    const [job] = await queued(world);
    expect(await runQueued(world, bank)).toEqual(['bank_send: BankUnreachable']);
    expect(await commandsOf(id)).toMatchObject([{ status: 'requested', attempts: 1, sent_at: null }]);
    expect(await payment(id)).toMatchObject({ status: 'pending' });
    expect((await runTask(world, bank, job!.task, job!.payload)).error).toBeUndefined();
    expect(new Set(calls.submit)).toEqual(new Set([`${id}.20261001.123456.pix_key`]));
    expect(calls.submit).toHaveLength(2);
    expect(await payment(id)).toMatchObject({ status: 'processing' });
  });

  test('when the process dies between sending and recording: the next run asks and does not send', async () => {
    const { bank, calls } = bankOf();
    const { id, payableId } = await sent();
    const [job] = await queued(world);
    const dying: BankPort = {
      ...bank,
      async submit(order, now) {
        await bank.submit(order, now);
        throw new Error('killed');
      },
    };
    expect((await runTask(world, dying, job!.task, job!.payload)).error).toMatchObject({ message: 'killed' });
    expect(await payment(id)).toMatchObject({ status: 'pending', registration_status: 'requested' });
    later(1);
    expect((await runTask(world, bank, job!.task, job!.payload)).error).toBeUndefined();
    expect(calls).toMatchObject({ submit: [expect.any(String)], find: 1 });
    expect(await payment(id)).toMatchObject({ status: 'confirmed' });
    expect((await payable(payableId))['settlements']).toHaveLength(1);
  });

  test('when one job runs twice, one after the other or at the same moment', async () => {
    const { bank, calls } = bankOf();
    const { id } = await sent();
    const [job] = await queued(world);
    const results = await Promise.all([
      runTask(world, bank, job!.task, job!.payload),
      runTask(world, bank, job!.task, job!.payload),
    ]);
    expect(results).toEqual([{ error: undefined }, { error: undefined }]);
    await runTask(world, bank, job!.task, job!.payload);
    expect(new Set(calls.submit).size).toBe(1);
    expect(await payment(id)).toMatchObject({ status: 'processing' });
    expect(await commandsOf(id)).toMatchObject([{ status: 'confirmed' }]);
  });
});

describe('SE-14: an unknown outcome', () => {
  test('is told as unknown with how to check, and resolved by asking', async () => {
    const { bank, calls } = bankOf('unknown_accepted');
    const { id, payableId } = await sent();
    expect(await runQueued(world, bank)).toEqual(['bank_send']);
    expect(await payment(id)).toMatchObject({
      status: 'pending',
      registration_status: 'unknown',
      next_step:
        'The bank may have taken the order and is being asked. Do not pay in another way: read this payment again.',
    });
    await expect(world.ask(SEND, { id: payableId, account_id: payer.accountId })).rejects.toMatchObject({
      code: 'duplicate',
    });
    later(1);
    expect(await runQueued(world, bank)).toEqual(['bank_poll']);
    expect(calls.submit).toHaveLength(1);
    expect(await payment(id)).toMatchObject({ status: 'confirmed', registration_status: 'confirmed' });
    expect(await commandsOf(id)).toMatchObject([{ status: 'confirmed' }]);
  });

  test('is sent again, under the same key, only when the bank knows nothing of it', async () => {
    const { bank, calls } = bankOf('unknown_lost');
    const { id } = await sent();
    await runQueued(world, bank);
    expect(await commandsOf(id)).toMatchObject([{ status: 'unknown' }]);
    later(1);
    expect(await runQueued(world, bank)).toEqual(['bank_poll']);
    expect(calls.submit).toHaveLength(1);
    expect(await payment(id)).toMatchObject({ registration_status: 'pending' });
    expect(await runQueued(world, bank)).toEqual(['bank_send']);
    expect(new Set(calls.submit).size).toBe(1);
    expect(calls.submit).toHaveLength(2);
    expect(await payment(id)).toMatchObject({ status: 'processing' });
  });

  test('stays unknown while the bank cannot be asked', async () => {
    const { bank, calls } = bankOf('unknown_accepted');
    const deaf: BankPort = {
      ...bank,
      find: () => Promise.reject(new BankOutcomeUnknown('no answer')),
    };
    const { id } = await sent();
    await runQueued(world, bank);
    for (let again = 0; again < 3; again += 1) {
      later(1);
      expect(await runQueued(world, deaf)).toEqual(['bank_poll']);
    }
    expect(await payment(id)).toMatchObject({ registration_status: 'unknown' });
    expect(await queued(world)).toHaveLength(1);
    expect(calls.submit).toHaveLength(1);
  });

  test('that was canceled meanwhile is not sent again', async () => {
    const { bank, calls } = bankOf('unknown_lost');
    const { id } = await sent();
    await runQueued(world, bank);
    await world.call(CANCEL, { id, reason: 'wrong bill' });
    later(1);
    await runQueued(world, bank);
    await runQueued(world, bank);
    expect(calls.submit).toHaveLength(1);
    expect(await payment(id)).toMatchObject({ status: 'canceled', cancel_reason: 'wrong bill' });
    expect(await queued(world)).toEqual([]);
  });
});

describe('canceling', () => {
  test('an order that was never sent is canceled at once, and its job sends nothing', async () => {
    const { bank, calls } = bankOf();
    const { id, payableId } = await sent();
    const { message } = await world.ask(CANCEL, { id, reason: 'wrong' });
    expect(message).toContain('- Valor: R$ 1.234,56');
    expect(message).toContain('- Efeito: ainda não foi enviado ao banco; é cancelado na hora');
    expect(await world.call(CANCEL, { id, reason: 'wrong' })).toMatchObject({
      status: 'canceled',
      cancel_reason: 'wrong',
    });
    expect(await runQueued(world, bank)).toEqual(['bank_send']);
    expect(calls.submit).toEqual([]);
    expect(await world.call(SEND, { id: payableId, account_id: payer.accountId })).toMatchObject({
      status: 'pending',
    });
  });

  test('is final only once the bank confirms it', async () => {
    const { bank, calls } = bankOf();
    const { id } = await sent({ scheduled_for: '2026-10-05' });
    await runQueued(world, bank);
    expect(await world.call(CANCEL, { id, reason: 'wrong' })).toMatchObject({
      status: 'scheduled',
      cancel_requested_at: '2026-10-01T12:00:00Z',
      next_step: 'The bank has been asked to cancel. It may still pay: read this payment again.',
    });
    expect(await world.call('finance_payments_get', { id })).toMatchObject({ status: 'scheduled' });
    await runQueued(world, bank);
    expect(calls.cancel).toBe(1);
    expect(await payment(id)).toMatchObject({ status: 'canceled', registration_status: 'confirmed' });
    expect(await commandsOf(id)).toMatchObject([
      { kind: 'submit', status: 'confirmed' },
      { kind: 'cancel', status: 'confirmed' },
    ]);
  });

  test('comes too late for an order the bank has paid: it is confirmed and settles', async () => {
    const { bank } = bankOf();
    const { id, payableId } = await sent({ scheduled_for: '2026-10-05' });
    await runQueued(world, bank);
    world.setNow('2026-10-05T12:00:00Z');
    await world.call(CANCEL, { id, reason: 'wrong' });
    await runQueued(world, bank);
    expect(await payment(id)).toMatchObject({ status: 'confirmed' });
    expect(await payable(payableId)).toMatchObject({ status: 'paid' });
  });

  test('is refused for an order that is final, is asked for only once, and needs the right to write', async () => {
    const { bank } = bankOf();
    const { id } = await sent({ scheduled_for: '2026-10-05' });
    await runQueued(world, bank);
    await expect(world.call(CANCEL, { id, reason: 'x' }, 'reader')).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(world.call(CANCEL, { id, reason: 'x' }, 'accountant')).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(world.call(CANCEL, { id, reason: 'x' }, 'stranger')).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'payment' },
    });
    await expect(world.call(CANCEL, { id, reason: '' })).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'reason' },
    });
    await world.call(CANCEL, { id, reason: 'x' });
    await expect(world.ask(CANCEL, { id, reason: 'x' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'cancel_requested' },
    });
    await runQueued(world, bank);
    await expect(world.ask(CANCEL, { id, reason: 'x' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { from: 'canceled' },
    });
  });
});

describe('a bank that cannot be used', () => {
  test('leaves an order that can be canceled at once, when the account names an adapter that is not there', async () => {
    const { bank } = bankOf();
    const { id } = await sent();
    const [job] = await queued(world);
    await world.look("update financial_accounts set bank_adapter = 'none' where id = $1", [payer.accountId]);
    expect((await runTask(world, bank, job!.task, job!.payload)).error).toMatchObject({
      message: 'there is no bank adapter called "none"',
    });
    await world.look("update financial_accounts set bank_adapter = 'simulator' where id = $1", [
      payer.accountId,
    ]);
    expect(await commandsOf(id)).toMatchObject([{ status: 'requested', sent_at: null }]);
    expect(await world.call(CANCEL, { id, reason: 'x' })).toMatchObject({ status: 'canceled' });
  });

  test('does not hold an order for ever that it never got: a cancellation frees it after ten minutes', async () => {
    const { bank, calls } = bankOf();
    const broken: BankPort = {
      ...bank,
      submit: () => Promise.reject(new TypeError('a fault of the adapter')),
      find: async () => ({ status: 'absent' }),
      cancel: async () => ({ status: 'absent' }),
    };
    const { id } = await sent();
    expect(await runQueued(world, broken)).toEqual(['bank_send: TypeError']);
    expect(await world.call(CANCEL, { id, reason: 'x' })).toMatchObject({ status: 'pending' });
    expect(await runQueued(world, broken)).toEqual(['bank_send']);
    later(5);
    expect(await runQueued(world, broken)).toEqual(['bank_poll']);
    expect(await payment(id)).toMatchObject({ status: 'pending' });
    later(6);
    expect(await runQueued(world, broken)).toEqual(['bank_poll']);
    expect(await payment(id)).toMatchObject({ status: 'canceled' });
    expect(calls.submit).toEqual([]);
    expect(await queued(world)).toEqual([]);
  });
});

describe('closed books', () => {
  test('a settlement in a closed month waits until the books are opened, and is then dated with its own day', async () => {
    const own = await createPayer(world);
    const { bank } = bankOf();
    const payableId = await createBill(world, own);
    const { id } = (await world.call(SEND, { id: payableId, account_id: own.accountId })) as { id: string };
    await runQueued(world, bank);
    await world.look("update companies set books_closed_until = '2026-10-31' where id = $1", [own.companyId]);
    later(1);
    expect(await runQueued(world, bank)).toEqual(['bank_poll']);
    expect(await payment(id)).toMatchObject({ status: 'processing' });
    await world.look('update companies set books_closed_until = null where id = $1', [own.companyId]);
    world.setNow('2026-11-03T12:00:00Z');
    expect(await runQueued(world, bank)).toEqual(['bank_poll']);
    expect(await payable(payableId)).toMatchObject({
      status: 'paid',
      settlements: [{ paid_at: '2026-10-01' }],
    });
  });
});
