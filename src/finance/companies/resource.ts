import { cnpjRoot } from '../../core/documents/tax-id.ts';
import { fail } from '../../core/errors.ts';
import type { Context } from '../../core/operation.ts';
import {
  type CompanyRow,
  selectCompaniesOfRoot,
  selectCompany,
  selectCompanyByDocument,
  selectRecentCompanyIds,
} from './queries.ts';
import type { Company } from './schema.ts';

/** The public record of a row. */
export function companyOf(row: CompanyRow): Company {
  return {
    id: row.id,
    document_number: row.document_number,
    legal_name: row.legal_name,
    trade_name: row.trade_name,
    parent_id: row.parent_id,
    state_registration: row.state_registration,
    address: row.address as Company['address'],
    books_closed_until: row.books_closed_until,
    active: row.active,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The company of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireCompany(context: Context, id: string): Promise<CompanyRow> {
  const row = await selectCompany(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'company', id });
}

/** The company with this CNPJ in the workspace of the call, if there is one. */
export function findCompanyByDocument(
  context: Context,
  documentNumber: string,
): Promise<CompanyRow | undefined> {
  return selectCompanyByDocument(context.db, context.workspaceId, documentNumber);
}

/** The company that one with this CNPJ is a branch of: of the same root, and no branch itself. */
export async function findHeadOffice(
  context: Context,
  documentNumber: string,
): Promise<CompanyRow | undefined> {
  const root = cnpjRoot(documentNumber)!;
  const [head] = await selectCompaniesOfRoot(context.db, context.workspaceId, root);
  return head;
}

export function suggestCompanyIds(context: Context, typed: string): Promise<string[]> {
  return selectRecentCompanyIds(context.db, context.workspaceId, typed);
}
