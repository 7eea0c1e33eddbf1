import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import type { DocumentKind } from './schema.ts';

export type LinkedTransactionRow = Pick<
  Tables['reconciliation_transactions'],
  'transaction_id' | 'amount_cents'
>;

export type LinkedDocumentRow = Omit<
  Tables['reconciliation_documents'],
  'workspace_id' | 'reconciliation_id'
> & { kind: DocumentKind };

/** A reconciliation with both of its sides. */
export type ReconciliationRow = Tables['reconciliations'] & {
  transactions: LinkedTransactionRow[];
  documents: LinkedDocumentRow[];
};

const withSides = raw(`
  reconciliations.*,
  (select jsonb_agg(jsonb_build_object('transaction_id', transaction_id, 'amount_cents', amount_cents)
                    order by transaction_id)
     from reconciliation_transactions link
    where link.workspace_id = reconciliations.workspace_id and link.reconciliation_id = reconciliations.id
  ) as transactions,
  (select jsonb_agg(to_jsonb(link) - 'workspace_id' - 'reconciliation_id' order by position)
     from reconciliation_documents link
    where link.workspace_id = reconciliations.workspace_id and link.reconciliation_id = reconciliations.id
  ) as documents`);

export const reconciliationSorts = sortsOf({ created_at: { column: 'created_at', keyForm: 'instant' } });

export interface ReconciliationFilter extends TimeFilters {
  account_id?: string | undefined;
  document_id?: string | undefined;
  transaction_id?: string | undefined;
  status?: string | undefined;
  date_from?: CivilDate | undefined;
  date_to?: CivilDate | undefined;
}

/** The days of the filter are those of the lines; a document is meant by its own id or that of its settlement. */
export function selectReconciliations(
  db: Db,
  workspaceId: string,
  filter: ReconciliationFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<ReconciliationRow[]> {
  const { date_from = null, date_to = null, document_id, transaction_id } = filter;
  return db.rows<ReconciliationRow>(sql`
    select ${withSides} from reconciliations
     where workspace_id = ${workspaceId}
       ${all(
         filter.account_id !== undefined && sql`account_id = ${filter.account_id}`,
         filter.status !== undefined && sql`status = ${filter.status}`,
         document_id !== undefined &&
           sql`id in (
             select reconciliation_id from reconciliation_documents
              where workspace_id = ${workspaceId} and document_id = ${document_id}
              union all
             select reconciliation_id from reconciliation_documents
              where workspace_id = ${workspaceId} and settlement_id in (
                select id from settlements
                 where workspace_id = ${workspaceId}
                   and (payable_id = ${document_id} or receivable_id = ${document_id})))`,
         transaction_id !== undefined &&
           sql`id in (
             select reconciliation_id from reconciliation_transactions
              where workspace_id = ${workspaceId} and transaction_id = ${transaction_id})`,
         (date_from !== null || date_to !== null) &&
           sql`exists (
             select 1 from reconciliation_transactions link
               join financial_transactions entry
                 on entry.workspace_id = link.workspace_id and entry.id = link.transaction_id
              where link.workspace_id = ${workspaceId} and link.reconciliation_id = reconciliations.id
                and entry.date >= coalesce(${date_from}::date, entry.date)
                and entry.date <= coalesce(${date_to}::date, entry.date))`,
       )}
       ${timeFilters(filter, 'reconciliations')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectReconciliation(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<ReconciliationRow | undefined> {
  return db.row<ReconciliationRow>(sql`
    select ${withSides} from reconciliations
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

export interface NewReconciliation {
  readonly workspaceId: string;
  readonly id: string;
  readonly accountId: string;
  readonly direction: string;
  readonly total: Cents;
  readonly origin: string;
  readonly createdBy: string;
  readonly transactions: readonly LinkedTransactionRow[];
  readonly documents: readonly LinkedDocumentRow[];
}

/** The reconciliation and both of its sides, in one statement. */
export function insertReconciliation(db: Db, made: NewReconciliation, now: Date): Promise<number> {
  const { workspaceId, id } = made;
  return db.run(sql`
    with made as (
      insert into reconciliations (workspace_id, id, account_id, direction, total_cents, origin, status, created_by,
                                   created_at, updated_at)
      values (${workspaceId}, ${id}, ${made.accountId}, ${made.direction}, ${made.total}, ${made.origin}, 'active',
              ${made.createdBy}, ${now}, ${now})
    ), lines as (
      insert into reconciliation_transactions (workspace_id, reconciliation_id, transaction_id, amount_cents)
      select ${workspaceId}::uuid, ${id}::uuid, transaction_id, amount_cents
        from jsonb_populate_recordset(null::reconciliation_transactions, ${JSON.stringify(made.transactions)}::jsonb)
    )
    insert into reconciliation_documents (workspace_id, reconciliation_id, position, kind, document_id, settlement_id,
                                          made_settlement, superseded_transaction_id, amount_cents)
    select ${workspaceId}::uuid, ${id}::uuid, position, kind, document_id, settlement_id, made_settlement,
           superseded_transaction_id, amount_cents
      from jsonb_populate_recordset(null::reconciliation_documents, ${JSON.stringify(made.documents)}::jsonb)`);
}

export function updateUndone(
  db: Db,
  workspaceId: string,
  id: string,
  undone: { reason: string; by: string },
  now: Date,
): Promise<number> {
  return db.run(sql`
    update reconciliations
       set status = 'undone', undone_reason = ${undone.reason}, undone_by = ${undone.by}, undone_at = ${now},
           updated_at = ${now}, version = version + 1
     where workspace_id = ${workspaceId} and id = ${id}`);
}

export type SettlementRow = Tables['settlements'];

/** `lock` keeps the settlement as it is until the transaction ends. */
export function selectSettlement(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<SettlementRow | undefined> {
  return db.row<SettlementRow>(sql`
    select * from settlements
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

/** The active reconciliation that ties a settlement or a transfer to a line of this direction. */
export function selectActiveLink(
  db: Db,
  workspaceId: string,
  id: string,
  direction: string,
): Promise<{ id: string } | undefined> {
  return db.row<{ id: string }>(sql`
    select reconciliation.id
      from reconciliations reconciliation
      join reconciliation_documents link
        on link.workspace_id = reconciliation.workspace_id and link.reconciliation_id = reconciliation.id
     where reconciliation.workspace_id = ${workspaceId} and reconciliation.status = 'active'
       and reconciliation.direction = ${direction} and (link.settlement_id = ${id} or link.document_id = ${id})
     limit 1`);
}
