/** Payments of installments, and such payments undone. */

import type { Cents } from '../../core/money.ts';
import type { WriteContext } from '../../core/operation.ts';
import { allocateReceipt } from '../../core/receipts.ts';
import { followCharge, replayCharge } from '../charges/index.ts';
import { debtsOf, newCredits } from './crediting.ts';
import type { Credit } from './credits.ts';
import { complete, revive } from './ending.ts';
import { slotOf, writeSlots } from './installments.ts';
import {
  deleteCredits,
  type InstallmentRow,
  insertCredits,
  type ReceiptRow,
  selectReceipts,
} from './part-queries.ts';
import type { AgreementRow } from './queries.ts';
import { chargesOf, installmentsOf, storeAgreement } from './resource.ts';
import {
  fillSlots,
  hasDownPayment,
  liveStatuses,
  liveStatusOf,
  replaySlots,
  requireStatus,
  type Slot,
  type UsedPayment,
} from './rules.ts';
import type { AgreementStatus } from './schema.ts';

interface Target {
  readonly installment: InstallmentRow;
  readonly agreement: AgreementRow;
}

/** What a payment was good for. A `duplicate` was good for nothing; the excess is to be given back. */
export interface PaidInstallment {
  readonly usedCents: Cents;
  readonly excessCents: Cents;
  readonly kind: 'regular' | 'excess' | 'duplicate';
}

/**
 * Puts a payment, whose row is written already, to use: on the installment it names, then on the other open ones. The
 * last one completes the agreement. Of an agreement that ended early it is credited to the charges as far as they are
 * open; of a completed one it is a duplicate. Fails with `invalid_state` for a proposal.
 */
export async function payInstallment(
  context: WriteContext,
  { installment, agreement }: Target,
  amountCents: Cents,
  paidOn: string,
  paymentId: string,
): Promise<PaidInstallment> {
  const wasBinding = agreement.accepted_at !== null;
  if (!wasBinding) requireStatus(agreement, liveStatuses);
  if (agreement.status === 'completed') return usedOf(amountCents, 0);
  const payment = { installmentId: installment.id, cents: amountCents, paidOn };
  return liveStatuses.includes(agreement.status)
    ? payLive(context, agreement, payment, paymentId)
    : payEnded(context, agreement, payment, paymentId);
}

/** Takes a payment back that used `usedCents`; everything is then as if it had never been recorded. */
export async function unpayInstallment(
  context: WriteContext,
  { agreement }: Target,
  usedCents: Cents,
  paymentId: string,
): Promise<void> {
  if (usedCents === 0) return;
  const isEnded = agreement.status === 'broken' || agreement.status === 'canceled';
  if (agreement.status === 'completed') await revive(context, agreement);
  const rows = await installmentsOf(context, agreement.id);
  const receipts = await selectReceipts(context.db, context.organizationId, agreement.id);
  const others = receipts.filter(({ id }) => id !== paymentId).map(usedPaymentOf);
  const slots = replaySlots(rows.map(slotOf), others);
  const status = isEnded ? agreement.status : liveStatusOf(slots, waitsForFirst(agreement, rows));
  await storePaid(context, agreement, rows, slots, status);
  if (!isEnded) return;
  await deleteCredits(context.db, context.organizationId, agreement.id, paymentId);
  for (const { id } of await chargesOf(context, agreement.id)) await replayCharge(context, id);
}

async function payLive(
  context: WriteContext,
  agreement: AgreementRow,
  payment: UsedPayment,
  paymentId: string,
): Promise<PaidInstallment> {
  const rows = await installmentsOf(context, agreement.id);
  const { slots, left } = fillSlots(rows.map(slotOf), payment);
  const used = payment.cents - left;
  const status = liveStatusOf(slots, waitsForFirst(agreement, rows));
  if (status === 'completed') {
    const receipts = await selectReceipts(context.db, context.organizationId, agreement.id, paymentId);
    const paid = receipts.map((row) => (row.id === paymentId ? { ...row, used_cents: used } : row));
    await complete(context, agreement, paid);
  }
  await storePaid(context, agreement, rows, slots, status);
  // A report to a bureau may have to go with the first installment.
  for (const { id } of await chargesOf(context, agreement.id)) followCharge(context, id);
  return usedOf(payment.cents, used);
}

async function payEnded(
  context: WriteContext,
  agreement: AgreementRow,
  payment: UsedPayment,
  paymentId: string,
): Promise<PaidInstallment> {
  const { db, organizationId } = context;
  const receipts = await selectReceipts(db, organizationId, agreement.id, paymentId);
  const on = receipts.find(({ id }) => id === paymentId)!.effective_on;
  const charges = await chargesOf(context, agreement.id);
  const open = charges.filter(({ status }) => status === 'pending' || status === 'overdue');
  const documents = (await debtsOf(context, open)).map(({ chargeId, dueDate, dueOn }) => ({
    id: chargeId,
    dueDate,
    amountDue: dueOn(on, []),
  }));
  const { parts, credit: left } = allocateReceipt(payment.cents, documents);
  const credits = parts.map(({ id, amount }): Credit => ({ chargeId: id, paymentId, on, cents: amount }));
  await insertCredits(db, organizationId, agreement.id, newCredits(context, credits));
  for (const { chargeId } of credits) await replayCharge(context, chargeId);
  const used = payment.cents - left;
  const rows = await installmentsOf(context, agreement.id);
  const { slots } = fillSlots(rows.map(slotOf), { ...payment, cents: used });
  await storePaid(context, agreement, rows, slots, agreement.status);
  return usedOf(payment.cents, used);
}

async function storePaid(
  context: WriteContext,
  agreement: AgreementRow,
  rows: readonly InstallmentRow[],
  slots: readonly Slot[],
  status: AgreementStatus,
): Promise<void> {
  await writeSlots(context, { version: agreement.version, status }, rows, slots);
  const wasCompleted = agreement.status === 'completed';
  const endedAt =
    status === 'completed' ? context.now.toISOString() : wasCompleted ? null : agreement.ended_at;
  await storeAgreement(context, agreement, { status, ended_at: endedAt });
}

function waitsForFirst(agreement: AgreementRow, rows: readonly InstallmentRow[]): boolean {
  return hasDownPayment(rows[0]!.due_date, agreement.valid_until);
}

function usedPaymentOf({ installment_id, used_cents, paid_on }: ReceiptRow): UsedPayment {
  return { installmentId: installment_id, cents: used_cents, paidOn: paid_on };
}

function usedOf(amountCents: Cents, usedCents: Cents): PaidInstallment {
  const excessCents = amountCents - usedCents;
  const kind = usedCents === 0 ? 'duplicate' : excessCents > 0 ? 'excess' : 'regular';
  return { usedCents, excessCents, kind };
}
