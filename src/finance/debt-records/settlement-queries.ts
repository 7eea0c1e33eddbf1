import type { Db } from '../../core/ports.ts';
import { raw, sql } from '../../db/sql.ts';
import type { DebtPlace, SettlementRow } from './kind.ts';

/** A settlement with what decides whether it can be undone. */
export type SettlementToUndo = SettlementRow & {
  readonly reconciled_cents: number | null;
  readonly superseded_by: string | null;
  /** The active reconciliation that ties it to lines of the bank. */
  readonly reconciliation_id: string | null;
};

/** All settlements of a debt, reversed ones included, oldest first. */
export function selectSettlements(
  db: Db,
  { settlementColumn }: DebtPlace,
  workspaceId: string,
  debtId: string,
): Promise<SettlementRow[]> {
  return db.rows<SettlementRow>(sql`
    select * from settlements
     where workspace_id = ${workspaceId} and ${raw(settlementColumn)} = ${debtId}
     order by paid_at, id`);
}

/** `lock` keeps the settlement as it is until the transaction ends. */
export function selectSettlement(
  db: Db,
  { settlementColumn }: DebtPlace,
  workspaceId: string,
  debtId: string,
  id: string,
  lock: boolean,
): Promise<SettlementToUndo | undefined> {
  return db.row<SettlementToUndo>(sql`
    select s.*, t.reconciled_cents, t.superseded_by, (
             select d.reconciliation_id
               from reconciliation_documents d
               join reconciliations r on r.workspace_id = d.workspace_id and r.id = d.reconciliation_id
              where d.workspace_id = s.workspace_id and d.settlement_id = s.id and r.status = 'active'
              limit 1) as reconciliation_id
      from settlements s
      left join financial_transactions t on t.workspace_id = s.workspace_id and t.id = s.transaction_id
     where s.workspace_id = ${workspaceId} and s.${raw(settlementColumn)} = ${debtId} and s.id = ${id}
       ${raw(lock ? 'for update of s' : '')}`);
}

/** The effective settlement that recorded what the outside calls by this id. */
export function selectSettlementByExternalId(
  db: Db,
  workspaceId: string,
  accountId: string,
  externalId: string,
): Promise<SettlementRow | undefined> {
  return db.row<SettlementRow>(sql`
    select * from settlements
     where workspace_id = ${workspaceId} and account_id = ${accountId} and external_id = ${externalId}
       and status = 'effective'`);
}

const columns = raw(
  [
    'workspace_id, id, payable_id, receivable_id, account_id, transaction_id, payment_id, charge_id, external_id',
    'paid_at, amount_cents, principal_cents, discount_cents, interest_cents, fine_cents, fee_cents, method',
    'receipt_attachment_id, status, reversed_reason, created_by, created_at, updated_at',
  ].join(', '),
);

export async function insertSettlement(
  db: Db,
  settlement: Omit<SettlementRow, 'created_at' | 'updated_at'>,
  now: Date,
): Promise<SettlementRow> {
  const row = JSON.stringify({ ...settlement, created_at: now, updated_at: now });
  const inserted = await db.row<SettlementRow>(sql`
    insert into settlements (${columns})
    select ${columns} from jsonb_populate_record(null::settlements, ${row}::jsonb)
    returning *`);
  return inserted!;
}

/** The transaction goes away with it, or belongs to the bank, so the reference is dropped. */
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
