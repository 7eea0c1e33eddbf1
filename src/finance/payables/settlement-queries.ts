import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

export type SettlementRow = Tables['settlements'];

/** A settlement with what decides whether it can be undone. */
export type SettlementToUndo = SettlementRow & { readonly reconciled_cents: number | null };

/** All settlements of a payable, reversed ones included, oldest first. */
export function selectSettlements(db: Db, workspaceId: string, payableId: string): Promise<SettlementRow[]> {
  return db.rows<SettlementRow>(sql`
    select * from settlements
     where workspace_id = ${workspaceId} and payable_id = ${payableId}
     order by paid_at, id`);
}

/** `lock` keeps the settlement as it is until the transaction ends. */
export function selectSettlement(
  db: Db,
  workspaceId: string,
  payableId: string,
  id: string,
  lock: boolean,
): Promise<SettlementToUndo | undefined> {
  return db.row<SettlementToUndo>(sql`
    select s.*, t.reconciled_cents
      from settlements s
      left join financial_transactions t on t.workspace_id = s.workspace_id and t.id = s.transaction_id
     where s.workspace_id = ${workspaceId} and s.payable_id = ${payableId} and s.id = ${id}
       ${raw(lock ? 'for update of s' : '')}`);
}

export async function insertSettlement(
  db: Db,
  settlement: Omit<SettlementRow, 'created_at' | 'updated_at'>,
  now: Date,
): Promise<SettlementRow> {
  const row = await db.row<SettlementRow>(sql`
    insert into settlements (workspace_id, id, payable_id, account_id, transaction_id, payment_id, paid_at,
                             amount_cents, principal_cents, discount_cents, interest_cents, fine_cents, method,
                             receipt_attachment_id, status, reversed_reason, created_by, created_at, updated_at)
    values (${settlement.workspace_id}, ${settlement.id}, ${settlement.payable_id}, ${settlement.account_id},
            ${settlement.transaction_id}, ${settlement.payment_id}, ${settlement.paid_at},
            ${settlement.amount_cents}, ${settlement.principal_cents}, ${settlement.discount_cents},
            ${settlement.interest_cents}, ${settlement.fine_cents}, ${settlement.method},
            ${settlement.receipt_attachment_id}, ${settlement.status}, ${settlement.reversed_reason},
            ${settlement.created_by}, ${now}, ${now})
    returning *`);
  return row!;
}

/** The transaction goes away with it, so the reference is dropped first. */
export async function reverseSettlement(
  db: Db,
  settlement: SettlementRow,
  reason: string,
  now: Date,
): Promise<SettlementRow> {
  const row = await db.row<SettlementRow>(sql`
    update settlements
       set status = 'reversed', reversed_reason = ${reason}, transaction_id = null, updated_at = ${now}
     where workspace_id = ${settlement.workspace_id} and id = ${settlement.id}
     returning *`);
  return row!;
}
