/**
 * What must hold whatever happens, in whatever order. The decisions are tried in 1,000 sequences without a database;
 * the real thing, with its locks and indexes, in fewer.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBills, createPayer, type Payer } from '../../../test/support/banking.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { AppError } from '../../core/errors.ts';
import { type JobContext, jobContextOf } from '../../core/job.ts';
import type { BankOrderStatus } from '../../gateways/bank/port.ts';
import { finance } from '../index.ts';
import { requirePayable } from '../payables/index.ts';
import { applyBankAnswer } from './answers.ts';
import { createOrder, prepareOrder, requirePayer } from './orders.ts';
import { isLive, type PaymentState, paymentAfterAnswer, requirePayableForOrder } from './rules.ts';

const SEND = 'finance_payables_send_to_bank';
const DECISIONS = 1_000;
const SEQUENCES = 25;
const TIMEOUT_MS = 60_000;

const settledOn = '2026-10-01';
const answer: fc.Arbitrary<BankOrderStatus> = fc.oneof(
  fc.constantFrom('scheduled', 'processing', 'awaiting_funds', 'awaiting_approval').map((status) => ({
    status: status as 'scheduled',
    reference: 'R',
  })),
  fc.constantFrom<BankOrderStatus>(
    { status: 'absent' },
    { status: 'confirmed', reference: 'R', authentication: 'A', settledOn },
    { status: 'rejected', reference: 'R', reason: 'no such account' },
    { status: 'canceled', reference: 'R', reason: 'as asked' },
  ),
);

/** Somebody sends the payable, or the bank says something about one of its orders: an old one too, and again. */
const step = fc.oneof(
  fc.constant({ kind: 'send' as const }),
  fc.record({ kind: fc.constant('answer' as const), order: fc.nat({ max: 5 }), answer }),
);
const steps = fc.array(step, { minLength: 1, maxLength: 7 });

describe('invariant 8: a payable has one live payment order at most, and one that paid it', () => {
  test('by the decisions, in 1,000 sequences', () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const orders: PaymentState[] = [];
        for (const taken of sequence) {
          if (taken.kind === 'send') {
            const status = orders.some((order) => order.status === 'confirmed') ? 'paid' : 'open';
            if (orders.some((order) => isLive(order.status)) || !isAllowed(status)) continue;
            orders.push(fresh());
          } else if (orders.length > 0) {
            const index = taken.order % orders.length;
            orders[index] = paymentAfterAnswer(orders[index]!, taken.answer);
          }
          expect(orders.filter((order) => isLive(order.status)).length).toBeLessThanOrEqual(1);
          expect(orders.filter((order) => order.status === 'confirmed').length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: DECISIONS },
    );
  });

  describe('in the database', () => {
    let world: World;
    let payer: Payer;
    let context: JobContext<null>;
    let bills: string[];

    beforeAll(async () => {
      world = await openWorld();
      payer = await createPayer(world);
      bills = await createBills(world, payer, SEQUENCES);
      context = contextOf(world);
    });
    afterAll(() => world.close());

    const send = (id: string) =>
      context.write(async (write) => {
        const from = await requirePayer(write, payer.accountId);
        const payable = await requirePayable(write, id);
        return createOrder(write, await prepareOrder(write, payable, from, {}));
      });

    test(
      `in ${SEQUENCES} sequences, where every sending is tried twice at the same moment`,
      async () => {
        await fc.assert(
          fc.asyncProperty(steps, async (sequence) => {
            const id = bills.pop()!;
            const orders: string[] = [];
            for (const taken of sequence) {
              if (taken.kind === 'send') {
                const tried = await Promise.allSettled([send(id), send(id)]);
                for (const result of tried) {
                  if (result.status === 'fulfilled') orders.push(result.value.id);
                  else expect(result.reason).toBeInstanceOf(AppError);
                }
                expect(tried.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
              } else if (orders.length > 0) {
                const order = orders[taken.order % orders.length]!;
                await context.write((write) => applyBankAnswer(write, order, taken.answer));
              }
            }
            await expectSettledOnce(world, id);
          }),
          { numRuns: SEQUENCES, endOnFailure: true },
        );
      },
      TIMEOUT_MS,
    );
  });
});

describe('invariant 11: approver and creator differ, and no approval outlives what was approved', () => {
  let world: World;
  let payer: Payer;
  let bills: string[];
  let people: Record<'owner' | 'approver', string>;

  beforeAll(async () => {
    world = await openWorld();
    payer = await createPayer(world);
    await world.call('finance_approval_settings_update', {
      thresholds: [{ above: '1.00' }],
      require_second_person: true,
    });
    bills = await createBills(world, payer, SEQUENCES);
    people = {
      owner: (await world.caller('owner')).user.id,
      approver: (await world.caller('approver')).user.id,
    };
  });
  afterAll(() => world.close());

  const change = fc.oneof(
    fc.record({ amount: fc.integer({ min: 100, max: 9_999 }).map((cents) => `${cents / 100}`) }),
    fc.record({
      payment_details: fc.record({
        kind: fc.constant('pix_key'),
        key: fc.constantFrom('a@example.com', 'b@example.com'),
      }),
    }),
    fc.record({ planned_date: fc.constantFrom('2026-10-02', '2026-10-03') }),
    fc.record({ description: fc.constantFrom('Rent', 'Rent of October') }),
  );
  const act = fc.oneof(
    fc.record({
      kind: fc.constantFrom('approve' as const, 'reject' as const),
      who: fc.constantFrom('owner' as const, 'approver' as const),
    }),
    fc.record({ kind: fc.constant('update' as const), change }),
  );

  test(
    `in ${SEQUENCES} sequences of approvals, refusals and changes`,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 6 }), async (sequence) => {
          const id = bills.pop()!;
          const args = { id, account_id: payer.accountId };
          let expected = 'pending';
          for (const taken of sequence) {
            const before = await world.call('finance_payables_get', { id });
            if (taken.kind === 'update') {
              const after = await world.call('finance_payables_update', { id, ...taken.change });
              const isOther = ['amount', 'payment_details'].some(
                (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
              );
              if (isOther) expected = 'pending';
            } else {
              const isRefused = taken.kind === 'approve' && taken.who === 'owner';
              const decided = taken.kind === 'approve' ? 'approved' : 'rejected';
              const code = await codeOf(
                world.call(
                  `finance_payables_${taken.kind}`,
                  { id, ...(taken.kind === 'reject' && { reason: 'wrong' }) },
                  taken.who,
                ),
              );
              if (expected !== 'pending') expect(code).toBe('invalid_state');
              else if (isRefused) expect(code).toBe('same_person_approval');
              else expected = decided;
            }
            const now = await world.call('finance_payables_get', { id });
            expect(now['approval_status']).toBe(expected);
            if (expected === 'approved') expect(now['approval'].by).toBe(people.approver);
            if (expected === 'pending') expect(now['approval'].by).toBeNull();
          }
          const refusal = { approved: null, pending: 'approval_required', rejected: 'invalid_state' }[
            expected
          ];
          expect(await codeOf(world.ask(SEND, args))).toBe(refusal);
        }),
        { numRuns: SEQUENCES, endOnFailure: true },
      );
    },
    TIMEOUT_MS,
  );
});

function fresh(): PaymentState {
  return {
    status: 'pending',
    registration_status: 'pending',
    bank_reference: null,
    bank_authentication: null,
    bank_settled_on: null,
    rejected_reason: null,
  };
}

function isAllowed(status: string): boolean {
  try {
    requirePayableForOrder({ status, approval_status: 'not_required' }, false);
    return true;
  } catch {
    return false;
  }
}

async function codeOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    return (error as AppError).code;
  }
}

function contextOf(world: World): JobContext<null> {
  const place = {
    organizationId: world.organizationId,
    workspaceId: world.workspaceId,
    timeZone: 'America/Sao_Paulo',
  };
  return jobContextOf(world.runtime.portsOf(finance.catalogue), 'test', {}, place, null);
}

/** The payable is paid when, and only when, one of its orders is confirmed, by one settlement and one debit. */
async function expectSettledOnce(world: World, payableId: string): Promise<void> {
  const orders = await world.look<{ id: string; status: string }>(
    'select id, status from payments where payable_id = $1',
    [payableId],
  );
  const confirmed = orders.filter(({ status }) => status === 'confirmed');
  expect(orders.filter(({ status }) => isLive(status)).length).toBeLessThanOrEqual(1);
  expect(confirmed.length).toBeLessThanOrEqual(1);
  const settlements = await world.look<{ payment_id: string; debits: number }>(
    `select s.payment_id, (select count(*)::int from financial_transactions t where t.id = s.transaction_id) as debits
       from settlements s where s.payable_id = $1 and s.status = 'effective'`,
    [payableId],
  );
  expect(settlements).toEqual(confirmed.map(({ id }) => ({ payment_id: id, debits: 1 })));
  const [payable] = await world.look<{ status: string }>('select status from payables where id = $1', [
    payableId,
  ]);
  expect(payable!.status).toBe(confirmed.length === 1 ? 'paid' : 'open');
}
