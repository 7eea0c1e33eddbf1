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

export function updateCompany(db: Db, company: CompanyRow, now: Date): Promise<number> {
  return db.run(sql`
    update companies
       set legal_name = ${company.legal_name}, trade_name = ${company.trade_name},
           state_registration = ${company.state_registration}, address = ${JSON.stringify(company.address)}::jsonb,
           books_closed_until = ${company.books_closed_until}, active = ${company.active},
           updated_at = ${now}, version = version + 1
     where workspace_id = ${company.workspace_id} and id = ${company.id}`);
}
