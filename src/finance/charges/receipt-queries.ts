import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';

export type DuplicateReceiptRow = Tables['duplicate_receipts'];

export interface KnownReceipt {
  readonly settlement_id: string | null;
  readonly external_id: string | null;
  readonly paid_on: CivilDate;
  readonly amount_cents: Cents;
}

/**
 * Every payment of a charge that was told before. A settlement that a person took back stays known: telling the
 * payment again does not bring it back.
 */
export function selectKnownReceipts(db: Db, workspaceId: string, chargeId: string): Promise<KnownReceipt[]> {
  return db.rows<KnownReceipt>(sql`
    select id as settlement_id, external_id, paid_at as paid_on, amount_cents from settlements
     where workspace_id = ${workspaceId} and charge_id = ${chargeId}
    union all
    select null, external_id, received_on, amount_cents from duplicate_receipts
     where workspace_id = ${workspaceId} and charge_id = ${chargeId}`);
}

export function selectDuplicateReceipts(
  db: Db,
  workspaceId: string,
  chargeId: string,
): Promise<DuplicateReceiptRow[]> {
  return db.rows<DuplicateReceiptRow>(sql`
    select * from duplicate_receipts
     where workspace_id = ${workspaceId} and charge_id = ${chargeId}
     order by created_at, id
     limit 100`);
}

export function insertDuplicateReceipt(
  db: Db,
  receipt: {
    workspaceId: string;
    id: string;
    chargeId: string;
    amount: Cents;
    receivedOn: CivilDate;
    externalId: string | null;
    /** Null when the bank kept all of it. */
    transactionId: string | null;
  },
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into duplicate_receipts
      (workspace_id, id, charge_id, amount_cents, received_on, external_id, transaction_id, status, created_at)
    values
      (${receipt.workspaceId}, ${receipt.id}, ${receipt.chargeId}, ${receipt.amount}, ${receipt.receivedOn}::date,
       ${receipt.externalId}, ${receipt.transactionId}, 'to_refund', ${now})`);
}
