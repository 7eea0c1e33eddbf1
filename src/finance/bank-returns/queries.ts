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
import type { RecordOutcome, ReturnCounts } from './schema.ts';

export type ReturnRow = Tables['bank_returns'];
export type RecordRow = Tables['bank_return_records'];
export type CountedReturnRow = ReturnRow & { readonly counts: Partial<ReturnCounts> | null };

export const returnSorts = sortsOf({ created_at: { column: 'created_at', keyForm: 'instant' } });

const counted = raw(`bank_returns.*, (
  select jsonb_object_agg(outcome, records) from (
    select outcome, count(*) as records from bank_return_records record
     where record.workspace_id = bank_returns.workspace_id and record.bank_return_id = bank_returns.id
     group by outcome) of_outcome) as counts`);

export function selectReturns(
  db: Db,
  workspaceId: string,
  filter: TimeFilters & { account_id?: string | undefined },
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<CountedReturnRow[]> {
  const { created_from, created_to, updated_from, updated_to } = filter;
  return db.rows<CountedReturnRow>(sql`
    select ${counted} from bank_returns
     where workspace_id = ${workspaceId}
       ${all(filter.account_id !== undefined && sql`account_id = ${filter.account_id}`)}
       ${timeFilters({ created_from, created_to }, 'bank_returns')}
       ${timeFilters({ created_from: updated_from, created_to: updated_to }, 'bank_returns')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

export function selectReturn(db: Db, workspaceId: string, id: string): Promise<CountedReturnRow | undefined> {
  return db.row<CountedReturnRow>(sql`
    select ${counted} from bank_returns where workspace_id = ${workspaceId} and id = ${id}`);
}

export function selectReturnByFile(
  db: Db,
  workspaceId: string,
  accountId: string,
  sha256: string,
): Promise<CountedReturnRow | undefined> {
  return db.row<CountedReturnRow>(sql`
    select ${counted} from bank_returns
     where workspace_id = ${workspaceId} and account_id = ${accountId} and file_sha256 = ${sha256}`);
}

/** Records behind a line, in the order of the file; one more than the page. */
export function selectRecords(
  db: Db,
  workspaceId: string,
  returnId: string,
  filter: { outcome?: RecordOutcome | undefined; afterLine: number; limit: number },
): Promise<RecordRow[]> {
  return db.rows<RecordRow>(sql`
    select * from bank_return_records
     where workspace_id = ${workspaceId} and bank_return_id = ${returnId} and line > ${filter.afterLine}::integer
       ${all(filter.outcome !== undefined && sql`outcome = ${filter.outcome}`)}
     order by line limit ${filter.limit + 1}`);
}

/** Those of the keys that a record read before has, whatever came of it, unless it was refused. */
export async function selectKnownKeys(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await db.rows<{ replay_key: string }>(sql`
    select distinct replay_key from bank_return_records
     where workspace_id = ${workspaceId} and replay_key = any(${keys}::text[])
       and outcome not in ('refused', 'unknown_charge')`);
  return new Set(rows.map(({ replay_key }) => replay_key));
}

/** The account's charges by our number. */
export async function selectChargesByNumber(
  db: Db,
  workspaceId: string,
  accountId: string,
  numbers: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; number: string }>(sql`
    select charges.id, given.number
      from unnest(${numbers}::text[]) as given(number)
      join charges on charges.workspace_id = ${workspaceId} and charges.account_id = ${accountId}
       and charges.our_number = given.number`);
  return new Map(rows.map(({ id, number }) => [number, id]));
}

export function insertReturn(db: Db, row: Omit<ReturnRow, 'created_at'>, now: Date): Promise<number> {
  return db.run(sql`
    insert into bank_returns (workspace_id, id, account_id, file_name, file_sha256, layout, bank_code, agreement,
                              file_date, sequence_number, record_count, created_by, created_at)
    values (${row.workspace_id}, ${row.id}, ${row.account_id}, ${row.file_name}, ${row.file_sha256}, ${row.layout},
            ${row.bank_code}, ${row.agreement}, ${row.file_date}, ${row.sequence_number}, ${row.record_count},
            ${row.created_by}, ${now})`);
}

export function insertRecords(db: Db, rows: readonly RecordRow[]): Promise<number> {
  return db.run(sql`
    insert into bank_return_records
    select * from jsonb_populate_recordset(null::bank_return_records, ${JSON.stringify(rows)}::jsonb)`);
}
