/** Taking a payment back: a chargeback, a mistake. What it paid opens again, exactly as if it had never come. */

import type { Context, WriteContext } from '../../core/operation.ts';
import { requireInstallment, unpayInstallment } from '../agreements/index.ts';
import {
  type ChargeRow,
  followCharge,
  type PaymentRow,
  paymentOf,
  replayCharge,
  requireCharge,
} from '../charges/index.ts';
import { updatePayment } from './queries.ts';
import { requirePayment } from './resource.ts';
import { requireConfirmed, usedCentsOf } from './rules.ts';

/** A payment that can be taken back, with its charge; locked in the order of the house when the caller is writing. */
export interface Reversible {
  readonly payment: PaymentRow;
  /** Null for a payment of an installment. */
  readonly charge: ChargeRow | null;
}

/** Fails with `not_found`, or `invalid_state` for one that was reversed. */
export async function requireReversible(context: Context, id: string): Promise<Reversible> {
  const found = await requirePayment({ ...context, isWriting: false }, id);
  const charge = found.charge_id === null ? null : await requireCharge(context, found.charge_id);
  if (found.installment_id !== null) await requireInstallment(context, found.installment_id);
  const payment = await requirePayment(context, id);
  requireConfirmed(payment);
  return { payment, charge };
}

/**
 * Reverses a payment. Its charge opens again in a new cycle of its rule (PITFALLS 58), or its installment is due again.
 * Fails as `requireReversible` does.
 */
export async function reversePayment(
  context: WriteContext,
  { id }: Pick<PaymentRow, 'id'>,
  reason: string,
): Promise<PaymentRow> {
  const { payment } = await requireReversible(context, id);
  if (payment.installment_id !== null) {
    const target = await requireInstallment(context, payment.installment_id);
    await unpayInstallment(context, target, usedCentsOf(payment), id);
  }
  const row = await requirePayment(context, id);
  await updatePayment(
    context.db,
    {
      ...row,
      status: 'reversed',
      reversed_at: context.now.toISOString(),
      reversed_reason: reason,
      needs_refund: false,
    },
    context.now,
  );
  const after = await requirePayment(context, id);
  context.changed('payment', id, paymentOf(payment), paymentOf(after));
  if (payment.charge_id !== null) {
    if (payment.kind === 'duplicate') followCharge(context, payment.charge_id);
    else await replayCharge(context, payment.charge_id);
  }
  return requirePayment(context, id);
}
