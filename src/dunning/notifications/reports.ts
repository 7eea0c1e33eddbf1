/** What carriers report of messages they took: late, twice, in any order. */

import { attempt } from '../../core/attempt.ts';
import { parseId } from '../../core/ids.ts';
import type { WriteContext } from '../../core/operation.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { DeliveryReport } from '../../gateways/messages/port.ts';
import { markContact } from '../people/index.ts';
import { type NotificationRow, selectReported } from './queries.ts';
import { changeNotifications } from './resource.ts';
import { afterReports, type Delivery, isSameDelivery } from './rules.ts';
import type { MessageStatus } from './schema.ts';
import { insertTrail, type KnownReport, selectKnownReports } from './trail-queries.ts';

const DETAIL_MAX = 300;
const REPORT_ID_MAX = 200;

/**
 * Records reports and moves the messages they tell of, never backwards. Gives how many told something new, and how many
 * are of messages that the organization does not have, or whose sending is not recorded yet.
 */
export async function applyReports(
  context: WriteContext,
  provider: string,
  reports: readonly DeliveryReport[],
): Promise<{ applied: number; unknown: number }> {
  const { db, organizationId } = context;
  const keys = reports.flatMap(({ key }) => (key === null ? [] : (parseId(key) ?? [])));
  const providerIds = reports.flatMap(({ providerId }) => providerId ?? []);
  const rows = await selectReported(db, organizationId, provider, keys, providerIds);
  const known = await selectKnownReports(
    db,
    organizationId,
    rows.map(({ id }) => id),
  );
  const told = new Set(known.map(({ notification_id, report_id }) => `${notification_id}/${report_id}`));
  const fresh = new Map<string, DeliveryReport[]>(rows.map(({ id }) => [id, []]));
  const { rowOf } = finderOf(rows);
  let unknown = 0;
  for (const report of reports) {
    const row = rowOf(report);
    if (row === undefined) unknown += 1;
    else if (!told.has(`${row.id}/${reportIdOf(report)}`)) {
      told.add(`${row.id}/${reportIdOf(report)}`);
      fresh.get(row.id)!.push({ ...report, at: withinItsLife(report.at, row, context.now) });
    }
  }
  await follow(
    context,
    rows,
    Map.groupBy(known, ({ notification_id }) => notification_id),
    fresh,
  );
  return { applied: [...fresh.values()].flat().length, unknown };
}

/**
 * Clocks of others are wrong at times. Nothing arrives before it was handed over, or after it was told of: the days that
 * run from a delivery must not begin earlier than the message left.
 */
function withinItsLife(at: Date, row: NotificationRow, now: Date): Date {
  const handedOver = row.claimed_at ?? row.sent_at ?? row.queued_at ?? row.created_at;
  const earliest = Math.min(Date.parse(handedOver), now.getTime());
  return new Date(Math.min(Math.max(at.getTime(), earliest), now.getTime()));
}

function finderOf(rows: readonly NotificationRow[]) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byProviderId = new Map(rows.map((row) => [row.provider_id, row]));
  const rowOf = ({ key, providerId }: DeliveryReport): NotificationRow | undefined =>
    (key === null ? undefined : byId.get(key.toLowerCase())) ??
    (providerId === null ? undefined : byProviderId.get(providerId));
  return { rowOf };
}

async function follow(
  context: WriteContext,
  rows: readonly NotificationRow[],
  known: ReadonlyMap<string, readonly KnownReport[]>,
  fresh: ReadonlyMap<string, readonly DeliveryReport[]>,
): Promise<void> {
  const changes = rows.flatMap((before) => {
    const news = (fresh.get(before.id) ?? []).map(({ status, at }) => ({ status, at: at.toISOString() }));
    if (news.length === 0 || isUnsent(before)) return [];
    const told = (known.get(before.id) ?? []).map(({ status, at }) => ({
      status: status as DeliveryReport['status'],
      at,
    }));
    const delivery = deliveryOf(before);
    const next = afterReports(delivery, [...told, ...news]);
    return isSameDelivery(delivery, next) ? [] : [{ before, after: rowAfter(before, next) }];
  });
  await insertTrail(
    context.db,
    context.organizationId,
    rows.flatMap(({ id }) =>
      (fresh.get(id) ?? [])
        .toSorted((left, right) => left.at.getTime() - right.at.getTime())
        .map((report) => ({
          notificationId: id,
          at: report.at.toISOString(),
          status: report.status,
          detail: report.detail === null ? null : cleanOutsideText(report.detail, DETAIL_MAX),
          reportId: reportIdOf(report),
        })),
    ),
  );
  await changeNotifications(context, changes);
  for (const change of changes.toSorted(byPerson)) await markReached(context, change);
}

/** What arrived proves the contact; what bounced ends it. */
async function markReached(
  context: WriteContext,
  { before, after }: { before: NotificationRow; after: NotificationRow },
): Promise<void> {
  const { contact_id: contactId, status, delivered_at: deliveredAt } = after;
  if (contactId === null || before.status === status) return;
  const mark =
    status === 'bounced'
      ? ({ validity: 'bounced' } as const)
      : deliveredAt !== null && ({ validity: 'valid', deliveredAt } as const);
  // The contact may have been removed since; the report counts all the same.
  if (mark) await attempt(context, (inner) => markContact(inner, contactId, mark));
}

function rowAfter(
  row: NotificationRow,
  { status, reason, sentAt, deliveredAt, readAt }: Delivery,
): NotificationRow {
  return {
    ...row,
    status,
    status_reason: reason,
    sent_at: sentAt,
    delivered_at: deliveredAt,
    read_at: readAt,
    ...(row.status !== status && { claimed_at: null }),
  };
}

function deliveryOf(row: NotificationRow): Delivery {
  return {
    status: row.status as MessageStatus,
    reason: row.status_reason,
    sentAt: isoOf(row.sent_at),
    deliveredAt: isoOf(row.delivered_at),
    readAt: isoOf(row.read_at),
  };
}

/** In the form that reports have. */
function isoOf(instant: string | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

/** Called off before it was sent: no report can be of it. */
function isUnsent({ status }: NotificationRow): boolean {
  return status === 'canceled' || status === 'skipped';
}

/** Contacts are locked in one order, so that nobody waits in a circle. */
function byPerson(left: { before: NotificationRow }, right: { before: NotificationRow }): number {
  return left.before.person_id < right.before.person_id ? -1 : 1;
}

function reportIdOf({ reportId }: DeliveryReport): string {
  return reportId.slice(0, REPORT_ID_MAX);
}
