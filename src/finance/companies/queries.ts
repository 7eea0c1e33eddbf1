import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  plainText,
  recentIds,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

export type CompanyRow = Tables['companies'];

export const companySorts = sortsOf({
  legal_name: { column: 'legal_name', keyForm: 'text' },
  created_at: { column: 'created_at', keyForm: 'instant' },
});

export interface CompanyFilter extends TimeFilters {
  search?: string | undefined;
  active?: boolean | undefined;
}

export function selectCompanies(
  db: Db,
  workspaceId: string,
  filter: CompanyFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<CompanyRow[]> {
  return db.rows<CompanyRow>(sql`
    select * from companies
     where workspace_id = ${workspaceId}
       ${all(
         filter.active !== undefined && sql`active = ${filter.active}`,
         filter.search !== undefined &&
           sql`${plainText("legal_name || ' ' || coalesce(trade_name, '') || ' ' || document_number")} like ${filter.search}`,
       )}
       ${timeFilters(filter, 'companies')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectCompany(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<CompanyRow | undefined> {
  return db.row<CompanyRow>(sql`
    select * from companies where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

export function selectCompanyByDocument(
  db: Db,
  workspaceId: string,
  documentNumber: string,
): Promise<CompanyRow | undefined> {
  return db.row<CompanyRow>(sql`
    select * from companies where workspace_id = ${workspaceId} and document_number = ${documentNumber}`);
}

export async function selectRecentCompanyIds(db: Db, workspaceId: string, typed: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(recentIds('companies', workspaceId, typed))).map(({ id }) => id);
}

/** Companies of the workspace whose CNPJ starts with this root, the head office first (order 0001). */
export function selectCompaniesOfRoot(db: Db, workspaceId: string, root: string): Promise<CompanyRow[]> {
  return db.rows<CompanyRow>(sql`
    select * from companies
     where workspace_id = ${workspaceId} and left(document_number, ${root.length}::integer) = ${root}
     order by (parent_id is null) desc, substr(document_number, 9, 4), id`);
}

/** Whoever adds a company waits here, so that two calls do not add the same one. */
export function lockCompanyDocuments(db: Db, workspaceId: string): Promise<number> {
  return db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`companies/${workspaceId}`}, 0))`);
}

export function insertCompany(
  db: Db,
  company: Omit<CompanyRow, 'books_closed_until' | 'active' | 'created_at' | 'updated_at' | 'version'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into companies (workspace_id, id, document_number, legal_name, trade_name, parent_id,
                           state_registration, address, created_by, created_at, updated_at)
    values (${company.workspace_id}, ${company.id}, ${company.document_number}, ${company.legal_name},
            ${company.trade_name}, ${company.parent_id}, ${company.state_registration},
            ${company.address === null ? null : JSON.stringify(company.address)}::jsonb, ${company.created_by},
            ${now}, ${now})`);
}

export function updateCompany(db: Db, company: CompanyRow, now: Date): Promise<number> {
  return db.run(sql`
    update companies
       set legal_name = ${company.legal_name}, trade_name = ${company.trade_name},
           state_registration = ${company.state_registration}, address = ${JSON.stringify(company.address)}::jsonb,
           books_closed_until = ${company.books_closed_until}, active = ${company.active},
           updated_at = ${now}, version = version + 1
     where workspace_id = ${company.workspace_id} and id = ${company.id}`);
}
