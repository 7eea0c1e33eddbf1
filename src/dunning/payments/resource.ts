import { fail } from '../../core/errors.ts';
import type { Context } from '../../core/operation.ts';
import { requireAgreement } from '../agreements/index.ts';
import { amountsOf, chargeOf, type PaymentRow, paymentOf, requireCharge } from '../charges/index.ts';
import type { Paid } from './paid.ts';
import { selectPayment } from './queries.ts';

/** The payment of this organization, locked when the caller is writing. Fails with `not_found`. */
export async function requirePayment(context: Context, id: string): Promise<PaymentRow> {
  const row = await selectPayment(context.db, context.organizationId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'payment', id });
}

/** A payment with what it is for, as both are now. */
export async function paidOf(context: Context, payment: PaymentRow): Promise<Paid> {
  const { charge_id, agreement_id } = payment;
  const charge = charge_id === null ? null : await requireCharge(context, charge_id);
  const agreement = agreement_id === null ? null : await requireAgreement(context, agreement_id);
  return {
    payment: paymentOf(payment),
    charge: charge && chargeOf(charge, await amountsOf(context, charge)),
    agreement: agreement && { id: agreement.id, status: agreement.status },
  };
}
