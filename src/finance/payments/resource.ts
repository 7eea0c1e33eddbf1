import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { type PaymentDetails, shownPaymentDetails } from '../payables/index.ts';
import { type PaymentRow, selectPayment, updatePayment } from './queries.ts';
import { isLive, type PaymentKind } from './rules.ts';
import type { Payment } from './schema.ts';

const BANK_DETAILS_SCOPE = 'finance.people.bank_details';

/** The public record of a row as this caller may see it: bank details masked unless the scopes include them. */
export function paymentOf(row: PaymentRow, scopes: ReadonlySet<string>): Payment {
  return {
    id: row.id,
    payable_id: row.payable_id,
    account_id: row.account_id,
    kind: row.kind as PaymentKind,
    amount: moneyText(row.amount_cents),
    currency: 'BRL',
    details: shownPaymentDetails(row.details as PaymentDetails, scopes.has(BANK_DETAILS_SCOPE)),
    scheduled_for: row.scheduled_for,
    status: row.status,
    registration_status: row.registration_status,
    bank_reference: row.bank_reference,
    bank_authentication: row.bank_authentication,
    bank_settled_on: row.bank_settled_on,
    rejected_reason: row.rejected_reason,
    cancel_reason: row.cancel_reason,
    cancel_requested_at: row.cancel_requested_at,
    receipt_attachment_id: row.receipt_attachment_id,
    next_step: nextStepOf(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The record as the audit chain keeps it: masked, because its readers need not be those of bank details. */
export function recordedPayment(row: PaymentRow): Payment {
  return paymentOf(row, new Set());
}

/** The order of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requirePayment(context: Context, id: string): Promise<PaymentRow> {
  const row = await selectPayment(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'payment', id });
}

/** Writes what changed, records it, and gives the row as it is then. */
export async function storePayment(
  context: WriteContext,
  before: PaymentRow,
  after: PaymentRow,
): Promise<PaymentRow> {
  await updatePayment(context.db, after, context.now);
  const stored = await requirePayment(context, after.id);
  context.changed('payment', after.id, recordedPayment(before), recordedPayment(stored));
  return stored;
}

/** An unknown outcome is told as unknown, with how to check it (PROTOCOL SE-14). */
function nextStepOf(row: PaymentRow): string | null {
  if (!isLive(row.status)) return null;
  if (row.registration_status === 'unknown') {
    return 'The bank may have taken the order and is being asked. Do not pay in another way: read this payment again.';
  }
  if (row.cancel_requested_at !== null) {
    return 'The bank has been asked to cancel. It may still pay: read this payment again.';
  }
  if (row.status === 'awaiting_approval') return 'Somebody has to let the order go at the bank.';
  if (row.status === 'awaiting_funds') return 'Put money into the account, or cancel the payment.';
  return null;
}
