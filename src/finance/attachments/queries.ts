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
import type { AttachmentKind, LinkKind } from './schema.ts';

export type AttachmentRow = Tables['attachments'];

export interface Link {
  readonly kind: LinkKind;
  readonly id: string;
}

export type LinkedAttachmentRow = AttachmentRow & { readonly links: readonly Link[] };

/** Where each kind of record is kept. */
const tableOf: Readonly<Record<LinkKind, string>> = {
  payable: 'payables',
  payment: 'payments',
  settlement: 'settlements',
  person: 'people',
  company: 'companies',
  financial_transaction: 'financial_transactions',
  fiscal_document: 'fiscal_documents',
  receivable: 'receivables',
  charge: 'charges',
  transfer: 'transfers',
  statement_import: 'statement_imports',
  bank_return: 'bank_returns',
  dda_boleto: 'dda_boletos',
};

export const attachmentSorts = sortsOf({ created_at: { column: 'created_at', keyForm: 'instant' } });

export interface AttachmentFilter extends TimeFilters {
  linked_to?: Link | undefined;
  kind?: AttachmentKind | undefined;
}

const links = raw(`(
  select coalesce(jsonb_agg(jsonb_build_object('kind', link.record_kind, 'id', link.record_id)
                            order by link.created_at, link.record_kind, link.record_id), '[]')
    from attachment_links link
   where link.workspace_id = attachments.workspace_id and link.attachment_id = attachments.id) as links`);

export function selectAttachments(
  db: Db,
  workspaceId: string,
  filter: AttachmentFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<LinkedAttachmentRow[]> {
  const { linked_to: record } = filter;
  return db.rows<LinkedAttachmentRow>(sql`
    select attachments.*, ${links} from attachments
     where workspace_id = ${workspaceId}
       ${all(
         filter.kind !== undefined && sql`kind = ${filter.kind}`,
         record !== undefined &&
           sql`id in (select attachment_id from attachment_links
                       where workspace_id = ${workspaceId} and record_kind = ${record.kind} and record_id = ${record.id})`,
       )}
       ${timeFilters(filter, 'attachments')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** `lock` keeps the row as it is, and new references to it away, until the transaction ends. */
export function selectAttachment(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<LinkedAttachmentRow | undefined> {
  return db.row<LinkedAttachmentRow>(sql`
    select attachments.*, ${links} from attachments
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

export function selectAttachmentsOf(
  db: Db,
  workspaceId: string,
  record: Link,
): Promise<Pick<AttachmentRow, 'id' | 'file_name' | 'content_type'>[]> {
  return db.rows(sql`
    select a.id, a.file_name, a.content_type
      from attachment_links link
      join attachments a on a.workspace_id = link.workspace_id and a.id = link.attachment_id
     where link.workspace_id = ${workspaceId} and link.record_kind = ${record.kind} and link.record_id = ${record.id}
     order by link.created_at, a.id
     limit 100`);
}

export async function selectContent(db: Db, workspaceId: string, id: string): Promise<Buffer | undefined> {
  const row = await db.row<{ bytes: Buffer }>(sql`
    select bytes from attachment_contents where workspace_id = ${workspaceId} and attachment_id = ${id}`);
  return row?.bytes;
}

export async function selectRecordExists(db: Db, workspaceId: string, record: Link): Promise<boolean> {
  const row = await db.row<{ exists: boolean }>(sql`
    select exists(select from ${raw(tableOf[record.kind])}
                   where workspace_id = ${workspaceId} and id = ${record.id})`);
  return row!.exists;
}

export async function selectRecentAttachmentIds(
  db: Db,
  workspaceId: string,
  typed: string,
): Promise<string[]> {
  return (await db.rows<{ id: string }>(recentIds('attachments', workspaceId, typed))).map(({ id }) => id);
}

/** Row and bytes in one statement. */
export async function insertAttachment(db: Db, row: AttachmentRow, bytes: Buffer): Promise<void> {
  await db.run(sql`
    with attachment as (
      insert into attachments (workspace_id, id, file_name, content_type, size_bytes, sha256, kind,
                               created_by, created_at, updated_at)
      values (${row.workspace_id}, ${row.id}, ${row.file_name}, ${row.content_type}, ${row.size_bytes},
              ${row.sha256}, ${row.kind}, ${row.created_by}, ${row.created_at}, ${row.updated_at})
      returning workspace_id, id
    )
    insert into attachment_contents (workspace_id, attachment_id, bytes)
    select workspace_id, id, ${bytes}::bytea from attachment`);
}

/** 0 when there was no such link. */
export function deleteLink(db: Db, workspaceId: string, attachmentId: string, record: Link): Promise<number> {
  return db.run(sql`
    delete from attachment_links
     where workspace_id = ${workspaceId} and attachment_id = ${attachmentId}
       and record_kind = ${record.kind} and record_id = ${record.id}`);
}

/** 0 when the link was there already; otherwise the attachment counts as changed. */
export function insertLink(
  db: Db,
  workspaceId: string,
  attachmentId: string,
  record: Link,
  now: Date,
): Promise<number> {
  return db.run(sql`
    with link as (
      insert into attachment_links (workspace_id, attachment_id, record_kind, record_id, created_at)
      values (${workspaceId}, ${attachmentId}, ${record.kind}, ${record.id}, ${now})
      on conflict do nothing
      returning attachment_id
    )
    update attachments set updated_at = ${now}
     where workspace_id = ${workspaceId} and id = (select attachment_id from link)`);
}

/** Bytes and links go with it. */
export function deleteAttachment(db: Db, workspaceId: string, id: string): Promise<number> {
  return db.run(sql`delete from attachments where workspace_id = ${workspaceId} and id = ${id}`);
}

export type UploadLinkRow = Tables['upload_links'];

export function insertUploadLink(
  db: Db,
  row: Omit<UploadLinkRow, 'used_at' | 'attachment_id'>,
): Promise<number> {
  return db.run(sql`
    insert into upload_links (workspace_id, id, secret_hash, file_name, kind, link, user_id, token_id, expires_at,
                              created_at)
    values (${row.workspace_id}, ${row.id}, ${row.secret_hash}, ${row.file_name}, ${row.kind},
            ${row.link === null ? null : JSON.stringify(row.link)}::jsonb, ${row.user_id}, ${row.token_id},
            ${row.expires_at}, ${row.created_at})`);
}

/** `lock` makes a second use of the link wait for the first. */
export function selectUploadLink(
  db: Db,
  workspaceId: string,
  id: string,
  lock: boolean,
): Promise<UploadLinkRow | undefined> {
  return db.row<UploadLinkRow>(sql`
    select * from upload_links
     where workspace_id = ${workspaceId} and id = ${id} ${raw(lock ? 'for update' : '')}`);
}

export function updateUploadLinkUsed(
  db: Db,
  workspaceId: string,
  id: string,
  attachmentId: string,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update upload_links set used_at = ${now}, attachment_id = ${attachmentId}
     where workspace_id = ${workspaceId} and id = ${id}`);
}
