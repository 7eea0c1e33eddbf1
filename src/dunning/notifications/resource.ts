import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { followCharge } from '../charges/index.ts';
import { type NotificationRow, selectNotification, updateNotifications } from './queries.ts';
import { maskedContact } from './rules.ts';
import type { Notification, NotificationDetail } from './schema.ts';
import { selectTrail } from './trail-queries.ts';

export type { NotificationRow } from './queries.ts';

/** The public record of a row, without its text. */
export function notificationOf(row: NotificationRow): Notification {
  return {
    id: row.id,
    person: { id: row.person_id, name: row.person_name },
    charge_ids: [...row.charge_ids],
    agreement_id: row.agreement_id,
    negativation_id: row.negativation_id,
    channel: row.channel as Notification['channel'],
    contact_id: row.contact_id,
    template_id: row.template_id,
    template_version: row.template_version,
    trigger: row.trigger as Notification['trigger'],
    resent_from: row.resent_from,
    scheduled_for: row.scheduled_for,
    status: row.status as Notification['status'],
    status_reason: row.status_reason,
    provider: row.provider,
    policy_version: row.policy_version,
    sent_at: row.sent_at,
    delivered_at: row.delivered_at,
    read_at: row.read_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The public record with its text and its trail. */
export async function notificationDetailOf(
  context: Context,
  row: NotificationRow,
): Promise<NotificationDetail> {
  const trail = await selectTrail(context.db, context.organizationId, row.id);
  return {
    ...notificationOf(row),
    to: row.contact_value === null ? null : maskedContact(row.contact_value),
    rendered: row.sent_at === null ? null : (row.rendered as NotificationDetail['rendered']),
    trail: trail.map(({ at, status, detail }) => ({ at, status, detail })),
  };
}

/** The message of this organization, locked when the caller is writing. Fails with `not_found`. */
export async function requireNotification(context: Context, id: string): Promise<NotificationRow> {
  const row = await selectNotification(context.db, context.organizationId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'notification', id });
}

/** Writes changed messages, which the caller holds locked, and records what changed. Gives them as they are then. */
export async function changeNotifications(
  context: WriteContext,
  changes: readonly { before: NotificationRow; after: NotificationRow }[],
): Promise<NotificationRow[]> {
  if (changes.length === 0) return [];
  const { db, organizationId, now } = context;
  const stored = changes.map(({ before, after }) => ({
    ...after,
    updated_at: now.toISOString(),
    version: before.version + 1,
  }));
  await updateNotifications(db, organizationId, stored, now);
  for (const [index, { before }] of changes.entries()) {
    const after = stored[index]!;
    context.changed('notification', before.id, notificationOf(before), notificationOf(after));
    // The report to a bureau waits for what becomes of its notice.
    const isNotice = after.negativation_id !== null && after.charge_id !== null;
    if (isNotice && before.status !== after.status) followCharge(context, after.charge_id!);
  }
  return stored;
}
