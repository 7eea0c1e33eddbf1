import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBill, createPayer, createSupplier, type Payer } from '../../../test/support/banking.ts';
import { openWorld, type Who, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { crossedLimits } from './safety.ts';

const SEND = 'finance_payables_send_to_bank';
const BULK = 'finance_payables_bulk_send_to_bank';

let world: World;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.setNow('2026-10-01T12:00:00Z');
  await world.look('delete from approval_settings');
  await world.look('update payments set created_by_token = null');
  payer = await createPayer(world);
});

const settings = (safety: object, more: object = {}) =>
  world.call('finance_approval_settings_update', { safety, ...more });
const bill = (amount: string, fields: Record<string, unknown> = {}) =>
  createBill(world, payer, { amount, document_number: newId(), ...fields });
const argsOf = (id: string) => ({ id, account_id: payer.accountId });
const send = (id: string, who: Who = 'owner') => world.call(SEND, argsOf(id), who);
const blocked = (...reasons: string[]) => ({ code: 'payment_blocked', details: { reasons } });
const ordersOf = async (ids: string[]) =>
  (await world.look('select id from payments where payable_id = any($1::uuid[])', [ids])).length;

/** What each of them ended with when all were confirmed at the same moment. */
async function atOnce(calls: { args: object; who: Who }[]): Promise<string[]> {
  // Asked at the same moment too, so that each confirmation finds a connection of its own open.
  const asked = await Promise.all(
    calls.map(async (call) => ({ ...call, state: (await world.ask(SEND, call.args, call.who)).state })),
  );
  const results = await Promise.allSettled(
    asked.map(({ args, who, state }) => world.confirm(SEND, args, state, who)),
  );
  return results.map((result) => (result.status === 'fulfilled' ? 'sent' : result.reason.code)).sort();
}

describe('a payee whose bank details changed', () => {
  async function changedBill(): Promise<string> {
    const person_id = await createSupplier(world);
    const id = await bill('10.00', { person_id });
    await world.call('finance_people_update', {
      id: person_id,
      pix_keys: [{ type: 'email', key: 'new@example.com' }],
    });
    return id;
  }

  test('is pointed out for seven days, and refused for as long where the settings say so', async () => {
    const id = await changedBill();
    expect((await world.ask(SEND, argsOf(id))).message).toContain(
      'os dados bancários do favorecido mudaram há 0',
    );
    await settings({ changed_bank_details: 'refuse' });
    await expect(world.ask(SEND, argsOf(id))).rejects.toMatchObject(blocked('changed_bank_details'));
    world.setNow('2026-10-08T11:59:59Z');
    await expect(world.ask(SEND, argsOf(id))).rejects.toMatchObject(blocked('changed_bank_details'));
    world.setNow('2026-10-08T12:00:00Z');
    expect(await send(id)).toMatchObject({ status: 'pending' });
  });

  test('is refused after the question too, when the settings changed before the yes', async () => {
    const id = await changedBill();
    const { state } = await world.ask(SEND, argsOf(id));
    await settings({ changed_bank_details: 'refuse' });
    await expect(world.confirm(SEND, argsOf(id), state)).rejects.toMatchObject(
      blocked('changed_bank_details'),
    );
    expect(await ordersOf([id])).toBe(0);
  });

  test('keeps back only its own bill of many', async () => {
    await settings({ changed_bank_details: 'refuse' });
    const [changed, plain] = [await changedBill(), await bill('10.00')];
    const args = { ids: [changed, plain], account_id: payer.accountId };
    expect((await world.ask(BULK, args)).message).toContain(
      `- ${changed}: não será enviado: payment_blocked`,
    );
    expect(await world.call(BULK, args)).toMatchObject({
      succeeded: [{ id: plain }],
      failed: [{ id: changed, code: 'payment_blocked' }],
    });
    await expect(world.ask(BULK, { ...args, ids: [changed] })).rejects.toMatchObject(
      blocked('changed_bank_details'),
    );
  });
});

test('PITFALLS 47: a bill that looks like another is pointed out, and refused where the settings say so', async () => {
  const person_id = await createSupplier(world);
  const ids = [await bill('77.00', { person_id }), await bill('77.00', { person_id })];
  expect((await world.ask(SEND, argsOf(ids[0]!))).message).toContain('possível duplicidade');
  await settings({ possible_duplicate: 'refuse' });
  await expect(world.ask(SEND, argsOf(ids[0]!))).rejects.toMatchObject(blocked('possible_duplicate'));
  await expect(world.call(BULK, { ids, account_id: payer.accountId })).rejects.toMatchObject(
    blocked('possible_duplicate'),
  );
  expect(await ordersOf(ids)).toBe(0);
});

describe('the floor of an account', () => {
  test('counts what is on its way, and is shown where it only warns', async () => {
    await settings({ balance_floor: [{ amount: '99900.00', mode: 'warn' }] });
    const [first, second] = [await bill('60.00'), await bill('60.00')];
    expect((await world.ask(SEND, argsOf(first))).message).not.toContain('abaixo do mínimo');
    await send(first);
    expect((await world.ask(SEND, argsOf(second))).message).toContain(
      'a conta fica com R$ 99.880,00, abaixo do mínimo de R$ 99.900,00',
    );
    expect(await send(second)).toMatchObject({ status: 'pending' });
  });

  test('refuses what crosses it, one by one and together, and lets go what reaches it exactly', async () => {
    await settings({ balance_floor: [{ amount: '99900.00', mode: 'refuse' }] });
    const ids = [await bill('60.00'), await bill('60.00')];
    await expect(world.ask(BULK, { ids, account_id: payer.accountId })).rejects.toMatchObject({
      code: 'payment_blocked',
      details: { reasons: ['balance_floor'], balance_floor: '99900.00', balance_after: '99880.00' },
    });
    await send(ids[0]!);
    await expect(world.ask(SEND, argsOf(ids[1]!))).rejects.toMatchObject(blocked('balance_floor'));
    expect(await send(await bill('40.00'))).toMatchObject({ status: 'pending' });
  });

  test('is the own one of the account before the one of all, and may be an overdraft', async () => {
    await settings({
      balance_floor: [
        { amount: '99999.00', mode: 'refuse' },
        { account_id: payer.accountId, amount: '-50.00', mode: 'refuse' },
      ],
    });
    expect(await send(await bill('100050.00'))).toMatchObject({ status: 'pending' });
    await expect(send(await bill('0.01'))).rejects.toMatchObject(blocked('balance_floor'));
    const other = await createPayer(world);
    const elsewhere = await createBill(world, other, { amount: '1.01' });
    await expect(world.ask(SEND, { id: elsewhere, account_id: other.accountId })).rejects.toMatchObject(
      blocked('balance_floor'),
    );
  });

  test('is free again for orders that were called off', async () => {
    await settings({ balance_floor: [{ amount: '99900.00', mode: 'refuse' }] });
    const order = await send(await bill('100.00'));
    const next = await bill('100.00');
    await expect(send(next)).rejects.toMatchObject(blocked('balance_floor'));
    await world.call('finance_payments_cancel', { id: order['id'], reason: 'not now' });
    expect(await send(next)).toMatchObject({ status: 'pending' });
  });

  test('lets one of two pass that are confirmed at the same moment by two people', async () => {
    await settings({ balance_floor: [{ amount: '99900.00', mode: 'refuse' }] });
    const ids = [await bill('60.00'), await bill('60.00')];
    const outcomes = await atOnce([
      { args: argsOf(ids[0]!), who: 'owner' },
      { args: argsOf(ids[1]!), who: 'approver' },
    ]);
    expect(outcomes).toEqual(['payment_blocked', 'sent']);
    expect(await ordersOf(ids)).toBe(1);
  });
});

describe('the daily limit of a connection', () => {
  test('SE-02: counts what this connection sent today and was not called off, and no other connection', async () => {
    await settings({ daily_limit: { amount: '100.00', mode: 'refuse' } });
    const order = await send(await bill('60.00'));
    const next = await bill('40.01');
    await expect(world.ask(SEND, argsOf(next))).rejects.toMatchObject({
      code: 'payment_blocked',
      details: { reasons: ['daily_limit'], daily_limit: '100.00', sent_today: '100.01' },
    });
    expect(await send(await bill('60.00'), 'approver')).toMatchObject({ status: 'pending' });
    await world.call('finance_payments_cancel', { id: order['id'], reason: 'not now' });
    expect(await send(next)).toMatchObject({ status: 'pending' });
  });

  test('starts anew with the day of the workspace, which is not the day of UTC', async () => {
    await settings({ daily_limit: { amount: '100.00', mode: 'refuse' } });
    world.setNow('2026-10-01T12:00:00Z');
    await send(await bill('100.00'));
    const next = await bill('100.00');
    world.setNow('2026-10-02T02:59:59Z');
    await expect(send(next)).rejects.toMatchObject(blocked('daily_limit'));
    world.setNow('2026-10-02T03:00:00Z');
    expect(await send(next)).toMatchObject({ status: 'pending' });
  });

  test('is shown where it only warns', async () => {
    await settings({ daily_limit: { amount: '100.00', mode: 'warn' } });
    const ids = [await bill('60.00'), await bill('60.00')];
    expect((await world.ask(BULK, { ids, account_id: payer.accountId })).message).toContain(
      'esta conexão chega hoje a R$ 120,00 em pagamentos, acima do limite diário de R$ 100,00',
    );
    expect(await world.call(BULK, { ids, account_id: payer.accountId })).toMatchObject({ total: '120.00' });
  });

  test('lets one of four pass that are confirmed at the same moment, whatever company pays', async () => {
    await settings({ daily_limit: { amount: '100.00', mode: 'refuse' } });
    const calls = [];
    for (let number = 0; number < 4; number += 1) {
      const { accountId, ...own } = await createPayer(world);
      const id = await createBill(world, { accountId, ...own }, { amount: '60.00' });
      calls.push({ args: { id, account_id: accountId }, who: 'owner' as const });
    }
    const refused = ['payment_blocked', 'payment_blocked', 'payment_blocked'];
    expect(await atOnce(calls)).toEqual([...refused, 'sent']);
    expect(await ordersOf(calls.map(({ args }) => args.id))).toBe(1);
  });

  test('SE-05: a second order that crosses it meanwhile is asked about anew where it only warns', async () => {
    await settings({ daily_limit: { amount: '100.00', mode: 'warn' } });
    const [first, second] = [await bill('60.00'), await bill('60.00')];
    const { state } = await world.ask(SEND, argsOf(second));
    await send(first);
    const responses = { confirm: { action: 'accept', content: { confirm: true } } };
    expect(await world.send(SEND, argsOf(second), { state, responses })).toMatchObject({ kind: 'ask' });
    expect(await ordersOf([second])).toBe(0);
  });
});

test('everything that refuses is named at once, and a company may be held to less than the workspace', async () => {
  const person_id = await createSupplier(world);
  const id = await bill('60.00', { person_id });
  await bill('60.00', { person_id });
  await world.call('finance_people_update', { id: person_id, pix_keys: [{ type: 'email', key: 'a@b.com' }] });
  await settings({
    changed_bank_details: 'refuse',
    possible_duplicate: 'refuse',
    balance_floor: [{ amount: '100000.00', mode: 'refuse' }],
    daily_limit: { amount: '59.99', mode: 'refuse' },
  });
  await expect(send(id)).rejects.toMatchObject(
    blocked('changed_bank_details', 'possible_duplicate', 'balance_floor', 'daily_limit'),
  );
  await settings(
    {
      changed_bank_details: 'warn',
      possible_duplicate: 'warn',
      balance_floor: [],
      daily_limit: null,
    },
    { company_id: payer.companyId },
  );
  expect(await send(id)).toMatchObject({ status: 'pending' });
});

test('a limit is crossed exactly when something is sent and what is left or sent lies beyond it', () => {
  const cents = fc.integer({ min: -1_000, max: 1_000 });
  const amount = fc.integer({ min: 0, max: 500 });
  fc.assert(
    fc.property(cents, cents, amount, amount, amount, (floor, balance, limit, sentBefore, total) => {
      const crossed = crossedLimits({
        floor: { amount_cents: floor, mode: 'warn' },
        balance,
        dailyLimit: { amount_cents: limit, mode: 'refuse' },
        sentBefore,
        total,
      });
      expect(crossed.balance_floor !== null).toBe(total > 0 && balance - total < floor);
      expect(crossed.daily_limit !== null).toBe(total > 0 && sentBefore + total > limit);
    }),
    { numRuns: 1_000 },
  );
});
