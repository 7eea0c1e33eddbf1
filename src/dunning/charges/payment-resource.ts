import { moneyText } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import { type PaymentRow, selectPaymentsOfCharge } from './ledger-queries.ts';
import type { Payment } from './payment-schema.ts';

/** The public record of a payment. */
export function paymentOf(row: PaymentRow): Payment {
  return {
    id: row.id,
    person_id: row.person_id,
    charge_id: row.charge_id,
    agreement_id: row.agreement_id,
    installment_id: row.installment_id,
    amount: moneyText(row.amount_cents),
    paid_at: row.paid_on,
    effective_on: row.effective_on,
    credited_at: row.credited_on,
    method: row.method as Payment['method'],
    fee: moneyText(row.fee_cents),
    allocation: {
      principal: moneyText(row.principal_cents),
      discount: moneyText(row.discount_cents),
      interest: moneyText(row.interest_cents),
      fine: moneyText(row.fine_cents),
      excess: moneyText(row.excess_cents),
    },
    kind: row.kind as Payment['kind'],
    needs_refund: row.needs_refund,
    status: row.status as Payment['status'],
    reversed_at: row.reversed_at,
    reversed_reason: row.reversed_reason,
    external_id: row.external_id,
    end_to_end_id: row.end_to_end_id,
    payer: row.payer as Payment['payer'],
    attribution: {
      channel: row.channel,
      notification_id: row.notification_id,
      step_id: row.step_id,
    },
    source: row.source as Payment['source'],
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** Payments of a charge, reversed ones included, in the order in which they were made. */
export function paymentsOfCharge(context: Context, chargeId: string): Promise<PaymentRow[]> {
  return selectPaymentsOfCharge(context.db, context.organizationId, chargeId);
}
