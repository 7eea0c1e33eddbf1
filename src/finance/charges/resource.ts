import { lastPayableDay } from '../../core/accruals.ts';
import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { type DeliveryRow, selectDeliveries } from './delivery-queries.ts';
import { type ChargeRow, selectCharge, updateCharge } from './queries.ts';
import { type DuplicateReceiptRow, selectDuplicateReceipts } from './receipt-queries.ts';
import { isLive, shownStatusOf } from './rules.ts';
import type { Charge, ChargeDetail, Delivery } from './schema.ts';

/** The public record of a row. */
export function chargeOf(row: ChargeRow, today: string): Charge {
  return {
    id: row.id,
    receivable_id: row.receivable_id,
    person: { id: row.person_id, name: row.person_name },
    account_id: row.account_id,
    methods: [...row.methods],
    amount: moneyText(row.amount_cents),
    currency: 'BRL',
    due_date: row.due_date,
    pay_until: payUntilOf(row),
    ...codesOf(row),
    status: shownStatusOf(row, today),
    registration_status: row.registration_status,
    bank_reference: row.bank_reference,
    rejected_reason: row.rejected_reason,
    cancel_reason: row.cancel_reason,
    cancel_requested_at: row.cancel_requested_at,
    paid_on: row.paid_on,
    pdf_attachment_id: row.pdf_attachment_id,
    pdf_uri:
      row.pdf_attachment_id === null
        ? null
        : `kobana://finance/attachments/${row.pdf_attachment_id}/download`,
    next_step: nextStepOf(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The public record with its messages and what was paid twice. */
export async function chargeDetailOf(context: Context, row: ChargeRow): Promise<ChargeDetail> {
  const { db, workspaceId, today } = context;
  const deliveries = await selectDeliveries(db, workspaceId, row.id);
  const duplicates = await selectDuplicateReceipts(db, workspaceId, row.id);
  return {
    ...chargeOf(row, today),
    deliveries: deliveries.map(deliveryOf),
    duplicate_receipts: duplicates.map(duplicateReceiptOf),
  };
}

/** The public record of a message. */
export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    channel: 'email',
    recipient: row.recipient,
    status: row.status,
    failed_reason: row.failed_reason,
    attempts: row.attempts,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The last day on which it can be paid. */
export function payUntilOf(row: Pick<ChargeRow, 'due_date' | 'valid_days_after_due'>): string {
  return lastPayableDay(row.due_date, row.valid_days_after_due);
}

/** The charge of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireCharge(context: Context, id: string): Promise<ChargeRow> {
  const row = await selectCharge(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'charge', id });
}

/** Writes a changed charge, which the caller holds locked, and records the change. Gives the charge after it. */
export async function storeCharge(
  context: WriteContext,
  before: ChargeRow,
  after: ChargeRow,
): Promise<ChargeRow> {
  await updateCharge(context.db, after, context.now);
  const stored = await requireCharge(context, before.id);
  const { today } = context;
  context.changed('charge', before.id, chargeOf(before, today), chargeOf(stored, today));
  return stored;
}

function codesOf(row: ChargeRow): Pick<Charge, 'boleto' | 'pix'> {
  const { our_number, barcode, typed_line, pix_txid: txid, pix_code: code, end_to_end_id } = row;
  return {
    boleto: barcode === null || typed_line === null ? null : { our_number, barcode, typed_line },
    pix: txid === null || code === null ? null : { txid, code, end_to_end_id },
  };
}

function duplicateReceiptOf(row: DuplicateReceiptRow): ChargeDetail['duplicate_receipts'][number] {
  return {
    id: row.id,
    amount: moneyText(row.amount_cents),
    received_on: row.received_on,
    external_id: row.external_id,
    transaction_id: row.transaction_id,
    status: row.status as ChargeDetail['duplicate_receipts'][number]['status'],
  };
}

/** An unknown outcome is told as unknown, with how to check it (PROTOCOL SE-14). */
function nextStepOf(row: ChargeRow): string | null {
  if (!isLive(row.status)) return null;
  if (row.registration_status === 'unknown') {
    return 'The bank may have issued it and is being asked. Do not charge in another way: read this charge again.';
  }
  if (row.cancel_requested_at !== null) {
    return 'The bank has been asked to cancel. It may still be paid: read this charge again.';
  }
  if (row.status === 'generating') return 'The bank is issuing it: read this charge again for its codes.';
  return null;
}
