import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  recentIds,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

export type FiscalDocumentRow = Tables['fiscal_documents'];

export type BillRow = Pick<
  Tables['payables'],
  'id' | 'description' | 'amount_cents' | 'due_date' | 'status' | 'needs_review'
>;

export const fiscalDocumentSorts = sortsOf({ issued_at: { column: 'issued_at', keyForm: 'instant' } });

export interface FiscalDocumentFilter extends TimeFilters {
  kind?: string | undefined;
  company_id?: string | undefined;
  person_id?: string | undefined;
  status?: string | undefined;
  issued_from?: string | undefined;
  issued_to?: string | undefined;
  access_key?: string | undefined;
}

export function selectFiscalDocuments(
  db: Db,
  workspaceId: string,
  filter: FiscalDocumentFilter,
  timeZone: string,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<FiscalDocumentRow[]> {
  const { issued_from: from, issued_to: to } = filter;
  return db.rows<FiscalDocumentRow>(sql`
    select * from fiscal_documents
     where workspace_id = ${workspaceId}
       ${all(
         filter.kind !== undefined && sql`kind = ${filter.kind}`,
         filter.company_id !== undefined && sql`company_id = ${filter.company_id}`,
         filter.person_id !== undefined && sql`person_id = ${filter.person_id}`,
         filter.status !== undefined && sql`status = ${filter.status}`,
         filter.access_key !== undefined && sql`access_key = ${filter.access_key}`,
         // Whole days of the calendar where the workspace is, not of UTC.
         from !== undefined && sql`issued_at >= ${from}::date::timestamp at time zone ${timeZone}`,
         to !== undefined && sql`issued_at < (${to}::date + 1)::timestamp at time zone ${timeZone}`,
       )}
       ${timeFilters(filter, 'fiscal_documents')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** `lock` keeps the row as it is until the transaction ends. */
export function selectFiscalDocument(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<FiscalDocumentRow | undefined> {
  return db.row<FiscalDocumentRow>(sql`
    select * from fiscal_documents
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

export function selectFiscalDocumentByKey(
  db: Db,
  workspaceId: string,
  accessKey: string,
  lock: boolean,
): Promise<FiscalDocumentRow | undefined> {
  return db.row<FiscalDocumentRow>(sql`
    select * from fiscal_documents
     where workspace_id = ${workspaceId} and access_key = ${accessKey} ${raw(lock ? 'for update' : '')}`);
}

export async function selectRecentFiscalDocumentIds(
  db: Db,
  workspaceId: string,
  typed: string,
): Promise<string[]> {
  return (await db.rows<{ id: string }>(recentIds('fiscal_documents', workspaceId, typed))).map(
    ({ id }) => id,
  );
}

/** The bills of a document, by due date; at most 200. */
export function selectBillsOf(db: Db, workspaceId: string, documentId: string): Promise<BillRow[]> {
  return db.rows<BillRow>(sql`
    select id, description, amount_cents, due_date, status, needs_review from payables
     where workspace_id = ${workspaceId} and fiscal_document_id = ${documentId}
     order by due_date, id
     limit 200`);
}

/** Locks the bills of a document in the order of their ids, so that two writers never wait for each other. */
export function selectBillIdsForUpdate(
  db: Db,
  workspaceId: string,
  documentId: string,
): Promise<{ id: string; status: string }[]> {
  return db.rows(sql`
    select id, status from payables
     where workspace_id = ${workspaceId} and fiscal_document_id = ${documentId}
     order by id
       for update`);
}

export type NewFiscalDocument = Omit<FiscalDocumentRow, 'updated_at' | 'version' | 'notes'>;

/** 0 when a document with this access key is there already, also one that somebody else just imported. */
export function insertFiscalDocument(db: Db, row: NewFiscalDocument): Promise<number> {
  return db.run(sql`
    insert into fiscal_documents (
      workspace_id, id, kind, access_key, number, series, issued_at, issuer_document, issuer_name,
      recipient_document, recipient_name, total_cents, net_cents, withholdings, installments,
      authorization_protocol, authorization_status, warnings, status, company_id, person_id,
      xml_attachment_id, created_by, created_at, updated_at)
    values (
      ${row.workspace_id}, ${row.id}, ${row.kind}, ${row.access_key}, ${row.number}, ${row.series},
      ${row.issued_at}, ${row.issuer_document}, ${row.issuer_name}, ${row.recipient_document},
      ${row.recipient_name}, ${row.total_cents}, ${row.net_cents}, ${JSON.stringify(row.withholdings)}::jsonb,
      ${JSON.stringify(row.installments)}::jsonb, ${row.authorization_protocol}, ${row.authorization_status},
      ${JSON.stringify(row.warnings)}::jsonb, ${row.status}, ${row.company_id}, ${row.person_id},
      ${row.xml_attachment_id}, ${row.created_by}, ${row.created_at}, ${row.created_at})
    on conflict (workspace_id, access_key) do nothing`);
}

export function updateFiscalDocument(
  db: Db,
  row: Pick<FiscalDocumentRow, 'workspace_id' | 'id' | 'status' | 'company_id' | 'person_id' | 'notes'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update fiscal_documents
       set status = ${row.status}, company_id = ${row.company_id}, person_id = ${row.person_id},
           notes = ${row.notes}, updated_at = ${now}, version = version + 1
     where workspace_id = ${row.workspace_id} and id = ${row.id}`);
}

/** The file stays; only its ties to the document go. */
export async function deleteFiscalDocument(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.run(sql`
    delete from attachment_links
     where workspace_id = ${workspaceId} and record_kind = 'fiscal_document' and record_id = ${id}`);
  await db.run(sql`delete from fiscal_documents where workspace_id = ${workspaceId} and id = ${id}`);
}

export function updateBillDocument(
  db: Db,
  workspaceId: string,
  payableId: string,
  documentId: string,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update payables set fiscal_document_id = ${documentId}, updated_at = ${now}, version = version + 1
     where workspace_id = ${workspaceId} and id = ${payableId}`);
}

export function updateBillNeedsReview(
  db: Db,
  workspaceId: string,
  payableId: string,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update payables set needs_review = true, updated_at = ${now}, version = version + 1
     where workspace_id = ${workspaceId} and id = ${payableId}`);
}
