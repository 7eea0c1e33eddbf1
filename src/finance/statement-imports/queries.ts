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
import { type BookedLine, CONTENT_KEY_LENGTH } from './rules.ts';

export type ImportRow = Tables['statement_imports'];

/** How far from its first day a reference of the bank is looked for with other content. */
const REFERENCE_DAYS = 7;

export const importSorts = sortsOf({ created_at: { column: 'created_at', keyForm: 'instant' } });

export interface ImportFilter extends TimeFilters {
  account_id?: string | undefined;
  status?: string | undefined;
}

export function selectImports(
  db: Db,
  workspaceId: string,
  filter: ImportFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<ImportRow[]> {
  return db.rows<ImportRow>(sql`
    select * from statement_imports
     where workspace_id = ${workspaceId}
       ${all(
         filter.account_id !== undefined && sql`account_id = ${filter.account_id}`,
         filter.status !== undefined && sql`status = ${filter.status}`,
       )}
       ${timeFilters(filter, 'statement_imports')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectImport(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<ImportRow | undefined> {
  return db.row<ImportRow>(sql`
    select * from statement_imports
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

/** The import of this very file into the account, unless it was taken back. */
export function selectImportOfFile(
  db: Db,
  workspaceId: string,
  accountId: string,
  sha256: string,
): Promise<ImportRow | undefined> {
  return db.row<ImportRow>(sql`
    select * from statement_imports
     where workspace_id = ${workspaceId} and account_id = ${accountId} and file_sha256 = ${sha256}
       and status = 'processed'`);
}

/**
 * Imported lines of the account with the content of one of ours, and those near its days with one of our references.
 * The lists are joined, not compared with `any`: a remembered plan would go through them anew for every row.
 */
export function selectBooked(
  db: Db,
  workspaceId: string,
  accountId: string,
  days: { from: CivilDate; to: CivilDate },
  contents: readonly string[],
  references: readonly string[],
): Promise<BookedLine[]> {
  return db.rows<BookedLine>(sql`
    select id, dedup_key, bank_reference from financial_transactions
     where workspace_id = ${workspaceId} and account_id = ${accountId} and dedup_key is not null
       and date between ${days.from}::date - ${REFERENCE_DAYS}::integer and ${days.to}::date + ${REFERENCE_DAYS}::integer
       and (left(dedup_key, ${CONTENT_KEY_LENGTH}::integer) in (select unnest(${contents}::text[]))
            or bank_reference in (select unnest(${references}::text[])))
     order by id`);
}

export function insertImport(
  db: Db,
  row: Omit<ImportRow, 'created_at' | 'updated_at' | 'version' | 'revert_reason'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into statement_imports (workspace_id, id, account_id, file_name, file_sha256, format, period_from, period_to,
                                   read_count, created_count, duplicate_count, skipped_count, skipped, skipped_reasons,
                                   warnings, closing_balance_cents, closing_date, column_map, balance_id, status,
                                   created_by, created_at, updated_at)
    values (${row.workspace_id}, ${row.id}, ${row.account_id}, ${row.file_name}, ${row.file_sha256}, ${row.format},
            ${row.period_from}, ${row.period_to}, ${row.read_count}, ${row.created_count}, ${row.duplicate_count},
            ${row.skipped_count}, ${JSON.stringify(row.skipped)}::jsonb, ${JSON.stringify(row.skipped_reasons)}::jsonb,
            ${JSON.stringify(row.warnings)}::jsonb, ${row.closing_balance_cents}, ${row.closing_date},
            ${row.column_map === null ? null : JSON.stringify(row.column_map)}::jsonb, ${row.balance_id},
            ${row.status}, ${row.created_by}, ${now}, ${now})`);
}

export function updateImport(db: Db, row: ImportRow, now: Date): Promise<number> {
  return db.run(sql`
    update statement_imports
       set created_count = ${row.created_count}, duplicate_count = ${row.duplicate_count},
           skipped_count = ${row.skipped_count}, skipped = ${JSON.stringify(row.skipped)}::jsonb,
           skipped_reasons = ${JSON.stringify(row.skipped_reasons)}::jsonb, status = ${row.status},
           balance_id = ${row.balance_id}, revert_reason = ${row.revert_reason},
           updated_at = ${now}, version = version + 1
     where workspace_id = ${row.workspace_id} and id = ${row.id}`);
}

/** What the lines of one batch have in common. */
export interface BatchHead {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly importId: string;
  readonly userId: string;
  readonly now: Date;
}

export type NewLine = Pick<
  Tables['financial_transactions'],
  | 'id'
  | 'date'
  | 'direction'
  | 'amount_cents'
  | 'description'
  | 'bank_reference'
  | 'document_number'
  | 'counterparty_name'
  | 'counterparty_document'
  | 'end_to_end_id'
  | 'dedup_key'
  | 'is_suspect'
  | 'category_id'
  | 'person_id'
  | 'cost_centers'
  | 'notes'
  | 'classified_by'
  | 'search_text'
>;

/** One statement for a whole batch, as one value: how many lines there are changes nothing about its text. */
export function insertLines(db: Db, head: BatchHead, lines: readonly NewLine[]): Promise<number> {
  return db.run(sql`
    insert into financial_transactions (workspace_id, account_id, import_id, source, created_by, created_at, updated_at,
                                        id, date, direction, amount_cents, description, bank_reference, document_number,
                                        counterparty_name, counterparty_document, end_to_end_id, dedup_key, is_suspect,
                                        category_id, person_id, cost_centers, notes, classified_by, search_text)
    select ${head.workspaceId}::uuid, ${head.accountId}::uuid, ${head.importId}::uuid, 'import', ${head.userId}::uuid,
           ${head.now}::timestamptz, ${head.now}::timestamptz,
           id, date, direction, amount_cents, description, bank_reference, document_number,
           counterparty_name, counterparty_document, end_to_end_id, dedup_key, is_suspect,
           category_id, person_id, cost_centers, notes, classified_by, search_text
      from json_to_recordset(${JSON.stringify(lines)}::json) as line (
             id uuid, date date, direction text, amount_cents bigint, description text, bank_reference text,
             document_number text, counterparty_name text, counterparty_document text, end_to_end_id text,
             dedup_key text, is_suspect boolean, category_id uuid, person_id uuid, cost_centers jsonb, notes text,
             classified_by text, search_text text)`);
}

export interface ImportTotals {
  readonly lines: number;
  readonly credit_cents: Cents;
  readonly debit_cents: Cents;
  readonly first_date: CivilDate | null;
  /** Lines that a person classified or annotated. */
  readonly touched: number;
}

/** What taking the import back takes away. */
export async function selectTotals(db: Db, workspaceId: string, importId: string): Promise<ImportTotals> {
  const row = await db.row<ImportTotals>(sql`
    select count(*) as lines, min(date) as first_date,
           coalesce(sum(amount_cents) filter (where direction = 'credit'), 0)::bigint as credit_cents,
           coalesce(sum(amount_cents) filter (where direction = 'debit'), 0)::bigint as debit_cents,
           count(*) filter (where classified_by = 'person' or notes is not null) as touched
      from financial_transactions
     where workspace_id = ${workspaceId} and import_id = ${importId}`);
  return row!;
}

/** A line of the import that is reconciled, even in part, or whose place another entry of ours gave up. */
export function selectReconciledLine(
  db: Db,
  workspaceId: string,
  importId: string,
): Promise<{ id: string } | undefined> {
  return db.row<{ id: string }>(sql`
    select line.id from financial_transactions line
     where line.workspace_id = ${workspaceId} and line.import_id = ${importId}
       and (line.reconciled_cents > 0
            or exists (select from financial_transactions own
                        where own.workspace_id = ${workspaceId} and own.superseded_by = line.id))
     order by line.date, line.id limit 1`);
}

/** Records that stand on a line of the import, at most five: transfers it is a leg of, and others that name it. */
export function selectUsers(
  db: Db,
  workspaceId: string,
  importId: string,
): Promise<{ kind: string; id: string }[]> {
  return db.rows(sql`
    with line as materialized (
      select id, transfer_id from financial_transactions
       where workspace_id = ${workspaceId} and import_id = ${importId}
    )
    select 'transfer' as kind, transfer_id as id from line where transfer_id is not null
    union
    select 'transfer', id from transfers
     where workspace_id = ${workspaceId}
       and (debit_transaction_id in (select id from line) or credit_transaction_id in (select id from line))
    union
    select 'settlement', id from settlements
     where workspace_id = ${workspaceId} and transaction_id in (select id from line)
    union
    select 'duplicate_receipt', id from duplicate_receipts
     where workspace_id = ${workspaceId} and transaction_id in (select id from line)
    limit 5`);
}

/** Some of the lines; call again until none is left. */
export function deleteLines(db: Db, workspaceId: string, importId: string, count: number): Promise<number> {
  return db.run(sql`
    delete from financial_transactions
     where workspace_id = ${workspaceId} and id in (
       select id from financial_transactions
        where workspace_id = ${workspaceId} and import_id = ${importId} limit ${count})`);
}
