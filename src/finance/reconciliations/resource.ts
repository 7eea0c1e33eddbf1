import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import { type ReconciliationRow, selectReconciliation } from './queries.ts';
import type { Reconciliation } from './schema.ts';

/** The public record of a row. */
export function reconciliationOf(row: ReconciliationRow): Reconciliation {
  return {
    id: row.id,
    account_id: row.account_id,
    direction: row.direction as Reconciliation['direction'],
    total: moneyText(row.total_cents),
    currency: 'BRL',
    transactions: row.transactions.map(({ transaction_id, amount_cents }) => ({
      id: transaction_id,
      amount: moneyText(amount_cents),
    })),
    documents: row.documents.map(({ kind, document_id, settlement_id, made_settlement, amount_cents }) => ({
      kind,
      id: document_id,
      settlement_id,
      made_settlement,
      amount: moneyText(amount_cents),
    })),
    origin: row.origin as Reconciliation['origin'],
    status: row.status as Reconciliation['status'],
    undone_reason: row.undone_reason,
    undone_by: row.undone_by,
    undone_at: row.undone_at,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The reconciliation of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireReconciliation(context: Context, id: string): Promise<ReconciliationRow> {
  const row = await selectReconciliation(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'reconciliation', id });
}
