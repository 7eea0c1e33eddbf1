import { createHash } from 'node:crypto';
import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { ResourceFile } from '../../core/surfaces.ts';
import {
  type AttachmentRow,
  insertAttachment,
  insertLink,
  type Link,
  type LinkedAttachmentRow,
  selectAttachment,
  selectAttachmentsOf,
  selectContent,
  selectRecentAttachmentIds,
  selectRecordExists,
} from './queries.ts';
import { cleanFileName, contentTypeOf, FILE_BYTES_MAX } from './rules.ts';
import type { Attachment, AttachmentKind, LinkKind } from './schema.ts';

/** The public record of a row. */
export function attachmentOf(row: LinkedAttachmentRow): Attachment {
  return {
    id: row.id,
    file_name: row.file_name,
    content_type: row.content_type,
    size: row.size_bytes,
    sha256: row.sha256,
    kind: row.kind as AttachmentKind,
    links: [...row.links],
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** The attachment of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireAttachment(context: Context, id: string): Promise<LinkedAttachmentRow> {
  const row = await selectAttachment(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'attachment', id });
}

/** Files linked to a record, oldest link first, at most 100. */
export function attachmentsOf(
  context: Context,
  kind: LinkKind,
  id: string,
): Promise<Pick<AttachmentRow, 'id' | 'file_name' | 'content_type'>[]> {
  return selectAttachmentsOf(context.db, context.workspaceId, { kind, id });
}

/**
 * Stores a file in the transaction of the operation: name cleaned, type decided from the bytes, SHA-256 computed.
 * The record of `link` is taken as existing; it may be written later in the same transaction.
 * Fails with `file_too_large` above 10 MiB.
 */
export async function storeAttachment(
  context: WriteContext,
  file: { name: string; bytes: Buffer; kind: AttachmentKind; link?: Link; alsoLinked?: readonly Link[] },
): Promise<LinkedAttachmentRow> {
  const { bytes, link, alsoLinked = [] } = file;
  if (bytes.length > FILE_BYTES_MAX) fail('file_too_large', { size: bytes.length, limit: FILE_BYTES_MAX });
  const at = context.now.toISOString();
  const id = context.newId();
  const row: AttachmentRow = {
    workspace_id: context.workspaceId,
    id,
    file_name: cleanFileName(file.name),
    content_type: contentTypeOf(bytes),
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    kind: file.kind,
    created_by: context.caller.user.id,
    created_at: at,
    updated_at: at,
  };
  await insertAttachment(context.db, row, bytes);
  for (const record of link === undefined ? alsoLinked : [link, ...alsoLinked]) {
    await insertLink(context.db, context.workspaceId, id, record, context.now);
  }
  const stored = await requireAttachment(context, id);
  context.changed('attachment', id, null, attachmentOf(stored));
  return stored;
}

/** Fails with `not_found` for a record that is not in this workspace. */
export async function requireRecord(context: Context, record: Link): Promise<void> {
  const exists = await selectRecordExists(context.db, context.workspaceId, record);
  if (!exists) fail('not_found', { kind: record.kind, id: record.id });
}

/** The bytes of a file under its stored type. Fails with `attachment_unavailable` when they are gone. */
export async function readAttachmentFile(context: Context, id: string): Promise<ResourceFile> {
  const row = await requireAttachment(context, id);
  const bytes = await selectContent(context.db, context.workspaceId, id);
  if (bytes === undefined) fail('attachment_unavailable', { id });
  return { bytes, contentType: row.content_type };
}

export function suggestAttachmentIds(context: Context, typed: string): Promise<string[]> {
  return selectRecentAttachmentIds(context.db, context.workspaceId, typed);
}
