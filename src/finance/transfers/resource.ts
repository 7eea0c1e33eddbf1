import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { selectTransfer, type TransferRow, updateTransfer } from './queries.ts';
import { isLive } from './rules.ts';
import type { Transfer } from './schema.ts';

/** The public record of a row. */
export function transferOf(row: TransferRow): Transfer {
  return {
    id: row.id,
    from_account_id: row.from_account_id,
    to_account_id: row.to_account_id,
    amount: moneyText(row.amount_cents),
    currency: 'BRL',
    date: row.scheduled_for,
    method: row.method,
    description: row.description,
    origin: row.origin,
    status: row.status,
    registration_status: row.registration_status,
    bank_reference: row.bank_reference,
    bank_settled_on: row.bank_settled_on,
    rejected_reason: row.rejected_reason,
    cancel_reason: row.cancel_reason,
    cancel_requested_at: row.cancel_requested_at,
    debit_transaction_id: row.debit_transaction_id,
    credit_transaction_id: row.credit_transaction_id,
    next_step: nextStepOf(row),
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The transfer of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireTransfer(context: Context, id: string): Promise<TransferRow> {
  const row = await selectTransfer(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'transfer', id });
}

/** Writes what changed, records it, and gives the row as it is then. */
export async function storeTransfer(
  context: WriteContext,
  before: TransferRow,
  after: TransferRow,
): Promise<TransferRow> {
  await updateTransfer(context.db, after, context.now);
  const stored = await requireTransfer(context, after.id);
  context.changed('transfer', after.id, transferOf(before), transferOf(stored));
  return stored;
}

/** An unknown outcome is told as unknown, with how to check it (PROTOCOL SE-14). */
function nextStepOf(row: TransferRow): string | null {
  if (!isLive(row)) return null;
  if (row.registration_status === 'unknown') {
    return 'The bank may have taken it and is being asked. Do not move the money in another way: read this transfer again.';
  }
  if (row.cancel_requested_at !== null) {
    return 'The bank has been asked to cancel. It may still make it: read this transfer again.';
  }
  return null;
}
