import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPayer, type Payer, runQueued } from '../../../test/support/banking.ts';
import {
  chargeOf,
  createChargingBank,
  createReceivable,
  issueCharge,
  workIn,
} from '../../../test/support/charging.ts';
import { createLine } from '../../../test/support/lines.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import type { ChargeAnswer } from '../../gateways/bank/port.ts';
import { applyChargeAnswer } from './answers.ts';
import { applyReceipt, type Receipt } from './index.ts';
import { issueCharge as issue, prepareCharge, requireIssuer } from './issuing.ts';
import { chargeKeyOf } from './rules.ts';

let world: World;
let payer: Payer;

beforeAll(async () => {
  world = await openWorld();
  payer = await createPayer(world);
});
afterAll(() => world.close());
beforeEach(() => world.setNow('2026-10-01T12:00:00Z'));

const { bank, charges } = createChargingBank();

interface Opened {
  readonly id: string;
  readonly receivableId: string;
  readonly key: string;
}

/** Open charges, each of a receivable of its own. */
async function openedMany(count: number): Promise<Opened[]> {
  const receivables: string[] = [];
  for (let made = 0; made < count; made += 1) {
    receivables.push(await createReceivable(world, payer));
  }
  const { accountId: account_id } = payer;
  const request = { account_id, methods: ['boleto', 'pix'], valid_days_after_due: 0 } as const;
  const opened = await workIn(world).write(async (context) => {
    const issuer = await requireIssuer(context, account_id);
    const issued: Opened[] = [];
    for (const receivableId of receivables) {
      const charge = await issue(context, await prepareCharge(context, receivableId, issuer, request));
      issued.push({ id: charge.id, receivableId, key: chargeKeyOf(charge) });
    }
    return issued;
  });
  await runQueued(world, bank);
  await world.look('delete from graphile_worker._private_jobs');
  return opened;
}

const opened = async () => (await openedMany(1))[0]!;

/** What the bank calls a payment is told apart by charge, since an account knows each once. */
const received = (id: string, more: Partial<Receipt> = {}) =>
  workIn(world).write((context) =>
    applyReceipt(context, id, {
      paidOn: '2026-10-01',
      amount: 123_456,
      fee: 0,
      method: 'boleto',
      ...more,
      externalId: `${more.externalId ?? 'B1'} ${id}`,
    }),
  );

const answered = (id: string, answer: ChargeAnswer) =>
  workIn(world).write((context) => applyChargeAnswer(context, id, answer));

const balance = async () => {
  const [row] = await world.look<{ sum: string }>(
    "select sum(amount_cents)::text as sum from financial_transactions where account_id = $1 and direction = 'credit'",
    [payer.accountId],
  );
  return Number(row!.sum);
};

describe('PITFALLS 43: a payment told again, and another payment', () => {
  test('the same one counts once; another is kept apart, changes nothing and is flagged to be given back', async () => {
    const { id, receivableId } = await opened();
    const before = await balance();
    expect(await received(id)).toMatchObject({ outcome: 'settled' });
    const paid = await chargeOf(world, id);
    expect(await received(id)).toMatchObject({
      outcome: 'replayed',
      settlementId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await received(id, { externalId: 'B2', paidOn: '2026-10-02', fee: 190 })).toEqual({
      outcome: 'duplicate_payment',
      settlementId: null,
    });
    expect(await received(id, { externalId: 'B2', paidOn: '2026-10-02', fee: 190 })).toEqual({
      outcome: 'replayed',
      settlementId: null,
    });
    const charge = await chargeOf(world, id);
    expect(charge).toEqual({
      ...paid,
      duplicate_receipts: [
        {
          id: expect.any(String),
          amount: '1234.56',
          received_on: '2026-10-02',
          external_id: `B2 ${id}`,
          transaction_id: expect.any(String),
          status: 'to_refund',
        },
      ],
    });
    expect(
      await world.look('select id from settlements where receivable_id = $1', [receivableId]),
    ).toHaveLength(1);
    expect((await balance()) - before).toBe(123_456 + 123_456 - 190);
  });

  test('one for a receivable that was settled otherwise is kept apart, and the charge is paid', async () => {
    const { id, receivableId } = await opened();
    await world.look("update receivables set settled_cents = amount_cents, status = 'paid' where id = $1", [
      receivableId,
    ]);
    expect(await received(id)).toMatchObject({ outcome: 'duplicate_payment' });
    expect(await chargeOf(world, id)).toMatchObject({
      status: 'paid',
      duplicate_receipts: [{ status: 'to_refund', amount: '1234.56' }],
    });
  });

  test('is settled once when two are told at the same moment', async () => {
    const { id, receivableId } = await opened();
    const outcomes = await Promise.all([
      received(id, { externalId: 'A' }),
      received(id, { externalId: 'A' }),
      received(id, { externalId: 'B' }),
    ]);
    const kinds = outcomes.map(({ outcome }) => outcome).sort();
    expect(kinds).toEqual(['duplicate_payment', 'replayed', 'settled']);
    expect(
      await world.look('select id from settlements where receivable_id = $1', [receivableId]),
    ).toHaveLength(1);
  });

  test('the same money told by a return file and by the bank itself is one payment', async () => {
    const { id } = await opened();
    await received(id, { externalId: 'cnab:1' });
    expect(await received(id, { externalId: 'E1' })).toMatchObject({ outcome: 'replayed' });
    const other = await opened();
    await received(other.id, { externalId: 'E1' });
    expect(await received(other.id, { externalId: 'cnab:1' })).toMatchObject({ outcome: 'replayed' });
    expect(await received(other.id, { externalId: 'cnab:2', paidOn: '2026-09-30' })).toMatchObject({
      outcome: 'duplicate_payment',
    });
  });

  test('money that a line of the bank of that name stands for already is booked once, and the charge is paid', async () => {
    const { id, receivableId } = await opened();
    const before = await balance();
    const line = await createLine(world, {
      account_id: payer.accountId,
      amount_cents: 123_456,
      direction: 'credit',
      end_to_end_id: `B1 ${id}`,
    });
    const { documents, id: reconciliationId } = await world.call('finance_reconciliations_create', {
      transactions: [{ id: line, amount: '1234.56' }],
      documents: [{ kind: 'receivable', id: receivableId }],
    });
    const told = { outcome: 'replayed', settlementId: documents[0].settlement_id };
    expect(await received(id)).toEqual(told);
    expect(await chargeOf(world, id)).toMatchObject({ status: 'paid', duplicate_receipts: [] });
    expect((await balance()) - before).toBe(123_456);
    await world.call('finance_reconciliations_delete', { id: reconciliationId, reason: 'Engano' });
    expect(await received(id)).toEqual(told);
    const [row] = await world.look('select status from receivables where id = $1', [receivableId]);
    expect(row).toEqual({ status: 'open' });
  });

  test('money of that name that settled something else is not booked again', async () => {
    const [told, other] = await openedMany(2);
    const { id } = told!;
    const line = await createLine(world, {
      account_id: payer.accountId,
      amount_cents: 123_456,
      direction: 'credit',
      end_to_end_id: `B1 ${id}`,
    });
    const { documents } = await world.call('finance_reconciliations_create', {
      transactions: [{ id: line, amount: '1234.56' }],
      documents: [{ kind: 'receivable', id: other!.receivableId }],
    });
    await expect(received(id)).rejects.toMatchObject({
      code: 'duplicate',
      details: { kind: 'settlement', of: documents[0].settlement_id },
    });
    expect(await chargeOf(world, id)).toMatchObject({ status: 'open' });
  });

  test('one that the bank kept whole is in no entry, the first as the second', async () => {
    const { id, receivableId } = await opened();
    const before = await balance();
    expect(await received(id, { fee: 123_456 })).toMatchObject({ outcome: 'settled' });
    expect(await received(id, { externalId: 'B2', fee: 123_456 })).toMatchObject({
      outcome: 'duplicate_payment',
    });
    expect(await balance()).toBe(before);
    expect(await chargeOf(world, id)).toMatchObject({
      duplicate_receipts: [{ amount: '1234.56', transaction_id: null }],
    });
    const [row] = await world.look('select status from receivables where id = $1', [receivableId]);
    expect(row).toEqual({ status: 'paid' });
  });

  test('one that a person took back is not brought back by being told again', async () => {
    const { id, receivableId } = await opened();
    await received(id);
    await world.look("update settlements set status = 'reversed' where receivable_id = $1", [receivableId]);
    expect(await received(id)).toMatchObject({ outcome: 'replayed' });
  });
});

describe('a receipt', () => {
  test('settles a charge that was canceled before, because the money came all the same', async () => {
    const { id, receivableId } = await opened();
    await answered(id, { status: 'canceled', reference: 'R', reason: 'written off' });
    expect(await received(id)).toMatchObject({ outcome: 'settled' });
    expect(await chargeOf(world, id)).toMatchObject({ status: 'paid', cancel_reason: 'written off' });
    const [row] = await world.look('select status from receivables where id = $1', [receivableId]);
    expect(row).toEqual({ status: 'paid' });
  });

  test('with interest and discount of the bank keeps them as parts', async () => {
    const { id, receivableId } = await opened();
    await received(id, { amount: 123_956, interest: 500, discount: 0 });
    const [row] = await world.look<Record<string, unknown>>(
      'select principal_cents, interest_cents, discount_cents, fee_cents from settlements where receivable_id = $1',
      [receivableId],
    );
    expect(Object.values(row!).map(Number)).toEqual([123_456, 500, 0, 0]);
  });

  test('below what is owed settles in part', async () => {
    const { id, receivableId } = await opened();
    await received(id, { amount: 100_000 });
    const [row] = await world.look('select status from receivables where id = $1', [receivableId]);
    expect(row).toEqual({ status: 'partially_paid' });
  });

  test('is refused in a closed month and changes nothing', async () => {
    const own = await createPayer(world);
    const receivableId = await createReceivable(world, own);
    const charge = await issueCharge(world, own, receivableId);
    await world.look("update companies set books_closed_until = '2026-10-31' where id = $1", [own.companyId]);
    for (const fee of [0, 123_456]) {
      await expect(received(charge['id'], { fee })).rejects.toMatchObject({ code: 'books_closed' });
    }
    expect(await chargeOf(world, charge['id'])).toMatchObject({ status: 'generating', paid_on: null });
  });

  test('of a charge of another workspace is not found', async () => {
    const { id } = await opened();
    const elsewhere = { ...world, workspaceId: world.otherWorkspaceId };
    await expect(
      workIn(elsewhere).write((context) =>
        applyReceipt(context, id, {
          paidOn: '2026-10-01',
          amount: 1,
          fee: 0,
          method: 'pix',
          externalId: null,
        }),
      ),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('MODEL §14.8 and §14.1: answers in any order', () => {
  const RUNS = 8;
  const payment = (paymentId: string): ChargeAnswer => ({
    status: 'paid',
    reference: 'R',
    paidOn: '2026-10-01',
    amount: 123_456,
    fee: 0,
    method: 'boleto',
    paymentId,
  });

  test('a charge goes forward only, its receivable is settled at most once, and every payment is booked once', async () => {
    const pool = await openedMany(RUNS);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('open', 'paid-1', 'paid-2', 'canceled', 'rejected', 'absent'), {
          minLength: 1,
          maxLength: 5,
        }),
        async (told) => {
          const { id, receivableId, key } = pool.pop() ?? (await opened());
          const before = await balance();
          const open = (await charges.find(key, world.now())) as ChargeAnswer;
          const answers: Record<string, any> = {
            open,
            'paid-1': payment(`P1 ${id}`),
            'paid-2': payment(`P2 ${id}`),
            canceled: { status: 'canceled', reference: 'R', reason: 'asked' },
            rejected: { status: 'rejected', reference: 'R', reason: 'no' },
            absent: { status: 'absent' },
          };
          const statuses = [];
          for (const name of told) statuses.push((await answered(id, answers[name])).status);
          const payments = new Set(told.filter((name) => name.startsWith('paid')));
          const settlements = await world.look('select id from settlements where receivable_id = $1', [
            receivableId,
          ]);
          const charge = await chargeOf(world, id);
          expect(settlements).toHaveLength(Math.min(1, payments.size));
          expect(charge['duplicate_receipts']).toHaveLength(Math.max(0, payments.size - 1));
          expect((await balance()) - before).toBe(payments.size * 123_456);
          const wanted = payments.size > 0 ? 'paid' : told.includes('canceled') ? 'canceled' : 'open';
          expect(charge['status']).toBe(wanted);
          const firstPaid = statuses.indexOf('paid');
          if (firstPaid >= 0) expect(new Set(statuses.slice(firstPaid))).toEqual(new Set(['paid']));
        },
      ),
      { numRuns: RUNS },
    );
  }, 60_000);

  test('what contradicts the answer on record is kept in the chain', async () => {
    const { id } = await opened();
    await answered(id, payment(`P1 ${id}`));
    await answered(id, { status: 'canceled', reference: 'R', reason: 'asked' });
    const events = await world.look<{ body: string }>(
      "select body from events where body like '%contradicted_by%' and body like '%' || $1 || '%'",
      [id],
    );
    expect(events).toHaveLength(1);
  });
});
