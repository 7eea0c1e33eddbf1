import type { WriteContext } from '../../core/operation.ts';
import { sql } from '../../db/sql.ts';
import type { DebtKind, DebtRow, SettlementRow } from './kind.ts';

/** Says which entry of the books is the money of a settlement; null when several lines of the bank are. */
export async function setSettlementEntry<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  settlement: SettlementRow,
  transactionId: string | null,
): Promise<SettlementRow> {
  return changeSettlement(context, kind, settlement, { ...settlement, transaction_id: transactionId });
}

/** Says which charge a settlement paid, learned after it was recorded. */
export async function setSettlementCharge<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  settlement: SettlementRow,
  chargeId: string,
): Promise<SettlementRow> {
  return changeSettlement(context, kind, settlement, { ...settlement, charge_id: chargeId });
}

async function changeSettlement<Row extends DebtRow>(
  { db, workspaceId, now, changed }: WriteContext,
  { recordedSettlement }: DebtKind<Row>,
  before: SettlementRow,
  { transaction_id, charge_id }: SettlementRow,
): Promise<SettlementRow> {
  const after = await db.row<SettlementRow>(sql`
    update settlements
       set transaction_id = ${transaction_id}, charge_id = ${charge_id}, updated_at = ${now}
     where workspace_id = ${workspaceId} and id = ${before.id}
    returning *`);
  changed('settlement', before.id, recordedSettlement(before), recordedSettlement(after!));
  return after!;
}
