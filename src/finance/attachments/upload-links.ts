/**
 * One-time links by which a client hands over a file without carrying its bytes through the model. A link is made by
 * a person who may upload, holds for fifteen minutes, takes one file, and is worth nothing afterwards.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { fail } from '../../core/errors.ts';
import { type Operation, operation, type WriteContext } from '../../core/operation.ts';
import type { Db } from '../../core/ports.ts';
import { insertUploadLink, selectUploadLink, type UploadLinkRow, updateUploadLinkUsed } from './queries.ts';
import { attachmentOf, requireRecord, storeAttachment } from './resource.ts';
import { bytesOfUpload } from './rules.ts';
import { type AttachmentKind, attachmentSchema, type LinkKind } from './schema.ts';

const LIFE_MS = 15 * 60_000;
const SECRET_BYTES = 32;
const UUID_BYTES = 16;
const PLACE_BYTES = 3 * UUID_BYTES;

/** Where a link leads: the tenant it belongs to, its row, and the proof that it was given out. */
export interface UploadTicket {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly linkId: string;
  readonly secret: string;
}

/** Makes a link for one file of the person who asks, and gives its ticket. */
export async function createUploadLink(
  context: WriteContext,
  file: { name: string; kind: AttachmentKind; link: { kind: LinkKind; id: string } | null },
): Promise<{ ticket: string; expiresAt: string }> {
  const secret = randomBytes(SECRET_BYTES);
  const expiresAt = new Date(context.now.getTime() + LIFE_MS).toISOString();
  const id = context.newId();
  await insertUploadLink(context.db, {
    workspace_id: context.workspaceId,
    id,
    secret_hash: hashOf(secret),
    file_name: file.name,
    kind: file.kind,
    link: file.link,
    user_id: context.caller.user.id,
    token_id: context.caller.tokenId,
    expires_at: expiresAt,
    created_at: context.now.toISOString(),
  });
  context.changed('upload_link', id, null, { file_name: file.name, expires_at: expiresAt });
  const place = [context.organizationId, context.workspaceId, id].map(bytesOfUuid);
  return { ticket: Buffer.concat([...place, secret]).toString('base64url'), expiresAt };
}

/** What a ticket says; null for any other text. Nothing of it is proven before the secret is compared. */
export function readUploadTicket(text: string): UploadTicket | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== PLACE_BYTES + SECRET_BYTES || bytes.toString('base64url') !== text) return null;
  const uuid = (place: number) => uuidOf(bytes.subarray(place * UUID_BYTES, (place + 1) * UUID_BYTES));
  return {
    organizationId: uuid(0),
    workspaceId: uuid(1),
    linkId: uuid(2),
    secret: bytes.subarray(PLACE_BYTES).toString('base64url'),
  };
}

/** The connection that made the link, when the ticket is good for it now. Fails with `not_found` or `invalid_state`. */
export async function requireUploadLink(db: Db, ticket: UploadTicket, now: Date): Promise<UploadLinkRow> {
  const row = await selectUploadLink(db, ticket.workspaceId, ticket.linkId, false);
  return requireUsable(row, ticket.secret, now);
}

/**
 * Takes the file of a link. Not a tool: the server that received the bytes runs it as the person who made the link,
 * with that person's rights as they are now.
 */
export const receiveUpload: Operation = operation({
  name: 'finance_attachments_receive',
  title: 'Receive attachment',
  summary: 'Store the file sent to an upload link.',
  effect: 'write',
  scope: 'finance.attachments',
  input: {
    link_id: z.uuid().describe('The link.'),
    secret: z.string().max(100).describe('Its secret.'),
    content_base64: z.string().describe('The bytes.'),
  },
  output: attachmentSchema,
  async run(input, context) {
    const { db, workspaceId, now, caller } = context;
    const row = requireUsable(
      await selectUploadLink(db, workspaceId, input.link_id, true),
      input.secret,
      now,
    );
    if (row.user_id !== caller.user.id) fail('not_found', { kind: 'upload_link' });
    const link = row.link as { kind: LinkKind; id: string } | null;
    if (link !== null) await requireRecord(context, link);
    const stored = await storeAttachment(context, {
      name: row.file_name,
      bytes: bytesOfUpload(input),
      kind: row.kind as AttachmentKind,
      ...(link !== null && { link }),
    });
    await updateUploadLinkUsed(db, workspaceId, row.id, stored.id, now);
    return attachmentOf(stored);
  },
});

/** An expired link and one that never was are the same to whoever holds it. */
function requireUsable(row: UploadLinkRow | undefined, secret: string, now: Date): UploadLinkRow {
  const isRight =
    row !== undefined &&
    timingSafeEqual(Buffer.from(row.secret_hash), Buffer.from(hashOf(Buffer.from(secret, 'base64url'))));
  if (!isRight || Date.parse(row.expires_at) <= now.getTime()) fail('not_found', { kind: 'upload_link' });
  if (row.used_at !== null) fail('invalid_state', { from: 'used', allowed: ['unused'] });
  return row;
}

function hashOf(secret: Buffer): string {
  return createHash('sha256').update(secret).digest('hex');
}

function bytesOfUuid(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
