import { createHash } from 'node:crypto';
import { addDays } from '../../core/dates.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';

/** Largest file there may be: 10 MiB. */
export const FILE_BYTES_MAX = 10_485_760;

export interface SampleFile {
  readonly name: string;
  readonly contentType: 'application/pdf' | 'application/xml';
  readonly kind: 'boleto' | 'invoice_xml' | 'contract';
  readonly bytes: Buffer;
}

export interface StoredFile {
  readonly attachment: NewRow<'attachments'>;
  readonly content: NewRow<'attachment_contents'>;
}

/** A file as it is kept, stored some days ago. */
export function storeFile(setting: Setting, file: SampleFile, daysAgo: number): StoredFile {
  return storeFileAt(setting, file, instantOn(addDays(setting.today, -daysAgo), setting.random));
}

export function storeFileAt(setting: Setting, file: SampleFile, createdAt: string): StoredFile {
  const attachment = {
    ...bornAt(setting, createdAt),
    file_name: file.name,
    content_type: file.contentType,
    size_bytes: file.bytes.length,
    sha256: createHash('sha256').update(file.bytes).digest('hex'),
    kind: file.kind,
    updated_at: createdAt,
  };
  return {
    attachment,
    content: { workspace_id: setting.workspaceId, attachment_id: attachment.id, bytes: file.bytes },
  };
}

export function linkFile(
  { attachment }: StoredFile,
  record: { kind: 'payable' | 'receivable' | 'charge' | 'fiscal_document'; id: string },
): NewRow<'attachment_links'> {
  return {
    workspace_id: attachment.workspace_id,
    attachment_id: attachment.id,
    record_kind: record.kind,
    record_id: record.id,
    created_at: attachment.created_at,
  };
}
