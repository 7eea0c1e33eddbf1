import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import {
  type CommentRow,
  type DisputeRow,
  insertComment,
  selectDispute,
  selectRecentDisputeIds,
} from './queries.ts';
import type { Dispute, DisputeComment } from './schema.ts';

/** The public record of a row. */
export function disputeOf(row: DisputeRow): Dispute {
  return {
    id: row.id,
    charge_id: row.charge_id,
    person_id: row.person_id,
    person_name: row.person_name,
    charge_description: row.charge_description,
    charge_amount: moneyText(row.charge_amount_cents),
    reason: row.reason as Dispute['reason'],
    description: row.description,
    disputed_amount: row.disputed_cents === null ? null : moneyText(row.disputed_cents),
    status: row.status as Dispute['status'],
    resolution: row.resolution,
    adjusted_amount: row.adjusted_cents === null ? null : moneyText(row.adjusted_cents),
    resolved_by: row.resolved_by,
    resolved_at: row.resolved_at,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The public record of a comment. */
export function commentOf(row: CommentRow): DisputeComment {
  return {
    id: row.id,
    dispute_id: row.dispute_id,
    body: row.body,
    created_by: row.created_by,
    created_at: row.created_at,
  };
}

/** The dispute of this organization, locked when the caller is writing. Fails with `not_found`. */
export async function requireDispute(context: Context, id: string): Promise<DisputeRow> {
  const row = await selectDispute(context.db, context.organizationId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'dispute', id });
}

/** Adds to the thread of a dispute. */
export async function addComment(
  context: WriteContext,
  disputeId: string,
  body: string,
): Promise<DisputeComment> {
  const row: CommentRow = {
    organization_id: context.organizationId,
    id: context.newId(),
    dispute_id: disputeId,
    body,
    created_by: context.caller.user.id,
    created_at: context.now.toISOString(),
  };
  await insertComment(context.db, row);
  const comment = commentOf(row);
  context.changed('dispute_comment', row.id, null, comment);
  return comment;
}

export function suggestDisputeIds(context: Context, typed: string): Promise<string[]> {
  return selectRecentDisputeIds(context.db, context.organizationId, typed);
}
