/** What other records have to do with an entry. */

import type { Cents } from '../../core/money.ts';
import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';

/** An entry is in few reconciliations; undone ones pile up only by repeating. */
const SHOWN_MAX = 100;
const USES_SHOWN_MAX = 10;

export interface ReconciledPart {
  readonly id: string;
  readonly amount_cents: Cents;
  readonly origin: string;
  readonly status: string;
  readonly created_at: string;
}

/** The reconciliations an entry is or was in, newest first, with its part of each. */
export function selectReconciledParts(db: Db, workspaceId: string, id: string): Promise<ReconciledPart[]> {
  return db.rows<ReconciledPart>(sql`
    select whole.id, part.amount_cents, whole.origin, whole.status, whole.created_at
      from reconciliation_transactions part
      join reconciliations whole
        on whole.workspace_id = part.workspace_id and whole.id = part.reconciliation_id
     where part.workspace_id = ${workspaceId} and part.transaction_id = ${id}
     order by whole.id desc limit ${SHOWN_MAX}`);
}

/** The entries whose place a line took. */
export async function selectSuperseded(db: Db, workspaceId: string, lineId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from financial_transactions
     where workspace_id = ${workspaceId} and superseded_by = ${lineId}
     order by id limit ${SHOWN_MAX}`);
  return rows.map(({ id }) => id);
}

export async function selectTransfer(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<Tables['transfers'] | null> {
  const row = await db.row<Tables['transfers']>(sql`
    select * from transfers where workspace_id = ${workspaceId} and id = ${id}`);
  return row ?? null;
}

/** The effective settlement that the entry stands for, if any. */
export async function selectEffectiveSettlement(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<string | null> {
  const row = await db.row<{ id: string }>(sql`
    select id from settlements
     where workspace_id = ${workspaceId} and transaction_id = ${id} and status = 'effective'
     order by id limit 1`);
  return row?.id ?? null;
}

/** Records, also of things undone, whose history needs the entry. */
export function selectUses(db: Db, workspaceId: string, id: string): Promise<{ kind: string; id: string }[]> {
  return db.rows(sql`
    (select 'reconciliation' as kind, reconciliation_id as id from reconciliation_transactions
      where workspace_id = ${workspaceId} and transaction_id = ${id} order by 2 limit ${USES_SHOWN_MAX})
    union all
    (select 'financial_transaction', id from financial_transactions
      where workspace_id = ${workspaceId} and superseded_by = ${id} order by 2 limit ${USES_SHOWN_MAX})
    union all
    (select 'settlement', id from settlements
      where workspace_id = ${workspaceId} and transaction_id = ${id} order by 2 limit ${USES_SHOWN_MAX})
    union all
    (select 'transfer', id from transfers
      where workspace_id = ${workspaceId} and ${id}::uuid in (debit_transaction_id, credit_transaction_id)
      order by 2 limit ${USES_SHOWN_MAX})
    limit ${USES_SHOWN_MAX}`);
}

/** The files stay; only their ties to the entry go. */
export function deleteAttachmentLinks(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`
    delete from attachment_links
     where workspace_id = ${workspaceId} and record_kind = 'financial_transaction' and record_id = ${id}`);
}
