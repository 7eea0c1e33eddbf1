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
  const { db, workspaceId, now } = context;
  const after = await db.row<SettlementRow>(sql`
    update settlements set transaction_id = ${transactionId}, updated_at = ${now}
     where workspace_id = ${workspaceId} and id = ${settlement.id}
    returning *`);
  const { recordedSettlement } = kind;
  context.changed('settlement', settlement.id, recordedSettlement(settlement), recordedSettlement(after!));
  return after!;
}
