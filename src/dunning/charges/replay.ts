/** The one place where money changes a charge: everything that was paid is gone through again, in its order. */

import { isDeepStrictEqual } from 'node:util';
import { daysBetween } from '../../core/dates.ts';
import type { WriteContext } from '../../core/operation.ts';
import { settingsOf } from '../settings/index.ts';
import { selectHolds } from './hold-queries.ts';
import {
  countStepsUntil,
  type EntryRow,
  type PaymentRow,
  type PaymentUse,
  selectEntries,
  selectPaymentsOfCharge,
  updatePaymentUses,
} from './ledger-queries.ts';
import { paymentOf } from './payment-resource.ts';
import type { ChargeRow } from './queries.ts';
import { laterOf, type Replay, replayOf } from './reckoning.ts';
import { follow, requireCharge, writeCharge } from './resource.ts';
import { dunningStateOf, isClosed, kindOf, recoveredOf, statusAfter } from './rules.ts';

/**
 * Brings a charge and its payments in line with all that counts for it: to be called after any change of payments,
 * agreement credits or abatement. Moves its state (paid, or open again in a new cycle of its rule), and records what
 * changed. `newPaymentId` is a payment that its recorder reports by itself. Fails with `not_found`.
 */
export async function replayCharge(
  context: WriteContext,
  id: string,
  newPaymentId?: string,
): Promise<ChargeRow> {
  const row = await requireCharge(context, id);
  return row.status === 'canceled' ? row : replayFrom(context, row, row, newPaymentId);
}

/** The same for a charge that is changed besides: `start` is `before` with the change. One record tells of both. */
export async function replayFrom(
  context: WriteContext,
  before: ChargeRow,
  start: ChargeRow,
  newPaymentId?: string,
): Promise<ChargeRow> {
  const { entries, replay } = await counted(context, start);
  await usePayments(context, start, entries, replay, newPaymentId);
  const changed = await replayed(context, before, start, entries, replay);
  follow(context, before.id);
  return isDeepStrictEqual(before, changed) ? before : writeCharge(context, before, changed);
}

/**
 * What counts for the charge. A duplicate is money for a charge that was paid already: when it turns out not to be, it
 * counts, so that nobody is asked again for what came in twice.
 */
async function counted(
  context: WriteContext,
  start: ChargeRow,
): Promise<{ entries: readonly EntryRow[]; replay: Replay }> {
  const { db, organizationId, today } = context;
  const settings = await settingsOf(context);
  const entries = await selectEntries(db, organizationId, [start.id]);
  const replay = replayOf(start, entries, settings);
  const status = statusAfter(start, replay.isSettled, today);
  if (status !== 'pending' && status !== 'overdue') return { entries, replay };
  const all = await selectEntries(db, organizationId, [start.id], true);
  return { entries: all, replay: all.length === entries.length ? replay : replayOf(start, all, settings) };
}

async function replayed(
  context: WriteContext,
  before: ChargeRow,
  start: ChargeRow,
  entries: readonly EntryRow[],
  { amounts, ledger, isSettled }: Replay,
): Promise<ChargeRow> {
  const status = statusAfter(start, isSettled, context.today);
  const paidOn = entries.length > 0 ? lastPaidOn(entries) : (before.paid_on ?? context.today);
  const row: ChargeRow = {
    ...start,
    open_cents: amounts.openPrincipal,
    ledger,
    status,
    paid_on: status === 'paid' ? paidOn : null,
    // What is open is never hidden.
    archived_at: isClosed(status) ? start.archived_at : null,
  };
  return status === before.status ? row : restarted(context, before, row);
}

/** What the rule of a charge does after its state changed: it ends, or begins a new cycle from now on. */
async function restarted(context: WriteContext, before: ChargeRow, changed: ChargeRow): Promise<ChargeRow> {
  const isReopened =
    before.status === 'paid' && (changed.status === 'pending' || changed.status === 'overdue');
  const held = await selectHolds(context.db, context.organizationId, [changed.id]);
  const reasons = held.map(({ reason }) => reason);
  if (!isReopened) return { ...changed, ...dunningStateOf(changed, reasons) };
  const again = { ...changed, dunning_state: 'active' };
  return {
    ...again,
    ...dunningStateOf(again, reasons),
    rule_cycle: changed.rule_cycle + 1,
    rule_started_at: changed.collection_rule_id === null ? null : context.now.toISOString(),
  };
}

/** Writes how each payment of the charge itself is used now, where that is not how it was. */
async function usePayments(
  context: WriteContext,
  charge: ChargeRow,
  entries: readonly EntryRow[],
  replay: Replay,
  newPaymentId: string | undefined,
): Promise<void> {
  const { db, organizationId, now } = context;
  const before = await selectPaymentsOfCharge(db, organizationId, charge.id);
  const wanted = new Map<string, PaymentUse>();
  let steps: number | null = null;
  const firstPaid = entries.find(({ payment_id }) => payment_id !== null);
  if (firstPaid !== undefined) {
    const { timeZone } = context;
    steps = await countStepsUntil(db, organizationId, charge.id, firstPaid.paid_on, timeZone);
  }
  for (const [index, entry] of entries.entries()) {
    if (entry.payment_id === null) continue;
    wanted.set(entry.payment_id, useOf(charge, entry, replay, index, entry === firstPaid ? steps : null));
  }
  const changing = before.filter((row) => {
    const use = wanted.get(row.id);
    return use !== undefined && isUsedOtherwise(row, use);
  });
  if (changing.length === 0) return;
  await updatePaymentUses(
    db,
    organizationId,
    changing.map(({ id }) => wanted.get(id)!),
    now,
  );
  const after = new Map(
    (await selectPaymentsOfCharge(db, organizationId, charge.id)).map((row) => [row.id, row]),
  );
  for (const row of changing) {
    if (row.id === newPaymentId) continue;
    context.changed('payment', row.id, paymentOf(row), paymentOf(after.get(row.id)!));
  }
}

function useOf(
  charge: ChargeRow,
  entry: EntryRow,
  { allocations }: Replay,
  index: number,
  steps: number | null,
): PaymentUse {
  const parts = allocations[index]!;
  const recovered = recoveredOf(parts, entry.effective_on, charge.adjusted_due_date);
  return {
    id: entry.payment_id!,
    principal_cents: parts.principal,
    discount_cents: parts.discount,
    interest_cents: parts.interest,
    fine_cents: parts.fine,
    excess_cents: parts.excess,
    kind: kindOf(parts),
    needs_refund: parts.excess > 0,
    steps_before: steps,
    recovered_cents: recovered,
    days_overdue: recovered === null ? null : daysBetween(charge.due_date, entry.paid_on),
  };
}

function isUsedOtherwise(row: PaymentRow, use: PaymentUse): boolean {
  return (Object.keys(use) as (keyof PaymentUse)[]).some((key) => row[key] !== use[key]);
}

/** The debtor's day of the payment that closed the charge. */
function lastPaidOn(entries: readonly EntryRow[]): string {
  return entries.reduce((last, { paid_on }) => laterOf(last, paid_on), entries[0]!.paid_on);
}
