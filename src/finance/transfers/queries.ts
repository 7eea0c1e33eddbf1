import type { CivilDate } from '../../core/dates.ts';
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
import type { TransferMethod, TransferRegistration, TransferStatus } from './rules.ts';

export type TransferRow = Tables['transfers'] & {
  method: TransferMethod;
  origin: 'ordered' | 'linked';
  status: TransferStatus;
  registration_status: TransferRegistration;
};

export const transferSorts = sortsOf({
  date: { column: 'scheduled_for', keyForm: 'date' },
  created_at: { column: 'created_at', keyForm: 'instant' },
});

export interface TransferFilter extends TimeFilters {
  account_id?: string | undefined;
  status?: string | undefined;
  date_from?: CivilDate | undefined;
  date_to?: CivilDate | undefined;
}

export function selectTransfers(
  db: Db,
  workspaceId: string,
  filter: TransferFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<TransferRow[]> {
  const { account_id: accountId } = filter;
  return db.rows<TransferRow>(sql`
    select * from transfers
     where workspace_id = ${workspaceId}
       ${all(
         accountId !== undefined && sql`(from_account_id = ${accountId} or to_account_id = ${accountId})`,
         filter.status !== undefined && sql`status = ${filter.status}`,
         filter.date_from !== undefined && sql`scheduled_for >= ${filter.date_from}::date`,
         filter.date_to !== undefined && sql`scheduled_for <= ${filter.date_to}::date`,
       )}
       ${timeFilters(filter, 'transfers')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectTransfer(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<TransferRow | undefined> {
  return db.row<TransferRow>(sql`
    select * from transfers where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

export function insertTransfer(
  db: Db,
  transfer: Omit<TransferRow, 'created_at' | 'updated_at' | 'version'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into transfers (workspace_id, id, from_account_id, to_account_id, amount_cents, method, scheduled_for,
                           description, origin, status, registration_status, debit_transaction_id,
                           credit_transaction_id, created_by, created_at, updated_at)
    values (${transfer.workspace_id}, ${transfer.id}, ${transfer.from_account_id}, ${transfer.to_account_id},
            ${transfer.amount_cents}, ${transfer.method}, ${transfer.scheduled_for}::date, ${transfer.description},
            ${transfer.origin}, ${transfer.status}, ${transfer.registration_status},
            ${transfer.debit_transaction_id}, ${transfer.credit_transaction_id}, ${transfer.created_by}, ${now},
            ${now})`);
}

/** What the bank, a cancellation, or a line that becomes a leg changes. */
export function updateTransfer(db: Db, transfer: TransferRow, now: Date): Promise<number> {
  return db.run(sql`
    update transfers
       set status = ${transfer.status}, registration_status = ${transfer.registration_status},
           bank_reference = ${transfer.bank_reference}, bank_settled_on = ${transfer.bank_settled_on}::date,
           rejected_reason = ${transfer.rejected_reason}, cancel_reason = ${transfer.cancel_reason},
           cancel_requested_at = ${transfer.cancel_requested_at}::timestamptz,
           debit_transaction_id = ${transfer.debit_transaction_id},
           credit_transaction_id = ${transfer.credit_transaction_id}, updated_at = ${now}, version = version + 1
     where workspace_id = ${transfer.workspace_id} and id = ${transfer.id}`);
}
