import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import type { WebhookRow } from './queries.ts';
import type { Attempt } from './schema.ts';

export type DeliveryRow = Omit<Tables['dunning_webhook_deliveries'], 'attempts'> & {
  readonly attempts: readonly Attempt[];
};

export const deliverySorts = sortsOf({ created_at: { column: 'd.created_at', keyForm: 'instant' } });

export interface DeliveryFilter extends TimeFilters {
  readonly webhook_id?: string | undefined;
  readonly event?: string | undefined;
  readonly status?: string | undefined;
}

export function selectDeliveries(
  db: Db,
  organizationId: string,
  filter: DeliveryFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<DeliveryRow[]> {
  return db.rows<DeliveryRow>(sql`
    select d.* from dunning_webhook_deliveries d
     where d.organization_id = ${organizationId}
       ${all(
         filter.webhook_id !== undefined && sql`d.webhook_id = ${filter.webhook_id}`,
         filter.event !== undefined && sql`d.event = ${filter.event}`,
         filter.status !== undefined && sql`d.status = ${filter.status}`,
       )}
       ${timeFilters(filter, 'd')} ${after(page.sort, page.position, 'd.id')}
     ${orderAndLimit(page.sort, page.limit, 'd.id')}`);
}

export function selectDelivery(
  db: Db,
  organizationId: string,
  id: string,
  isLocked: boolean,
): Promise<DeliveryRow | undefined> {
  return db.row<DeliveryRow>(sql`
    select * from dunning_webhook_deliveries where organization_id = ${organizationId} and id = ${id}
    ${raw(isLocked ? 'for update' : '')}`);
}

export async function countPending(db: Db, organizationId: string, webhookId: string): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*)::int as count from dunning_webhook_deliveries
     where organization_id = ${organizationId} and webhook_id = ${webhookId} and status = 'pending'`);
  return row!.count;
}

/** What waits for a webhook that is switched off ends here: it would come all at once when that is switched on. */
export async function failPending(
  db: Db,
  organizationId: string,
  webhookId: string,
  attempt: Omit<Attempt, 'number'>,
): Promise<void> {
  await db.run(sql`
    update dunning_webhook_deliveries
       set status = 'failed', next_attempt_at = null, claimed_at = null, version = version + 1, updated_at = ${attempt.at},
           attempts = attempts || jsonb_build_array(
             ${JSON.stringify(attempt)}::jsonb || jsonb_build_object('number', jsonb_array_length(attempts) + 1))
     where organization_id = ${organizationId} and webhook_id = ${webhookId} and status = 'pending'`);
}

/** To be sent again at once, whatever became of it. */
export async function requeueDelivery(db: Db, organizationId: string, id: string, now: Date): Promise<void> {
  await db.run(sql`
    update dunning_webhook_deliveries
       set status = 'pending', next_attempt_at = ${now}, delivered_at = null, version = version + 1, updated_at = ${now}
     where organization_id = ${organizationId} and id = ${id}`);
}

export type ClaimedDelivery = Pick<
  DeliveryRow,
  'id' | 'event' | 'event_key' | 'resource_id' | 'payload' | 'created_at'
> &
  Pick<WebhookRow, 'url' | 'secret' | 'previous_secret' | 'previous_until'>;

/**
 * Takes those whose time has come. A claim that nobody finished is free again after a while, so that what a stopped
 * process had in hand is sent after all.
 */
export function claimDue(
  db: Db,
  organizationId: string,
  claim: { now: Date; staleBefore: Date; limit: number },
): Promise<ClaimedDelivery[]> {
  const { now, staleBefore, limit } = claim;
  return db.rows<ClaimedDelivery>(sql`
    update dunning_webhook_deliveries d set claimed_at = ${now}
      from (
        select id from dunning_webhook_deliveries
         where organization_id = ${organizationId} and status = 'pending' and next_attempt_at <= ${now}
           and (claimed_at is null or claimed_at < ${staleBefore})
         order by next_attempt_at limit ${limit}
           for update skip locked
      ) due, dunning_webhooks w
     where d.organization_id = ${organizationId} and d.id = due.id
       and w.organization_id = ${organizationId} and w.id = d.webhook_id
    returning d.id, d.event, d.event_key, d.resource_id, d.payload, d.created_at,
              w.url, w.secret, w.previous_secret, w.previous_until`);
}

export async function updateBody(db: Db, organizationId: string, id: string, body: string): Promise<void> {
  await db.run(sql`
    update dunning_webhook_deliveries set payload = ${body}
     where organization_id = ${organizationId} and id = ${id}`);
}

export async function updateAfterAttempt(
  db: Db,
  organizationId: string,
  delivery: Pick<DeliveryRow, 'id' | 'status' | 'attempts' | 'next_attempt_at' | 'delivered_at'>,
  now: Date,
): Promise<void> {
  await db.run(sql`
    update dunning_webhook_deliveries
       set status = ${delivery.status}, attempts = ${JSON.stringify(delivery.attempts)},
           next_attempt_at = ${delivery.next_attempt_at}, delivered_at = ${delivery.delivered_at}, claimed_at = null,
           version = version + 1, updated_at = ${now}
     where organization_id = ${organizationId} and id = ${delivery.id}`);
}

/** When the next one is due that nobody has in hand; null when none waits. */
export async function selectNextDue(db: Db, organizationId: string): Promise<string | null> {
  const row = await db.row<{ at: string | null }>(sql`
    select min(next_attempt_at) as at from dunning_webhook_deliveries
     where organization_id = ${organizationId} and status = 'pending' and claimed_at is null`);
  return row!.at;
}

/** Removes the oldest that ended before the instant; gives how many. */
export function deleteEnded(db: Db, organizationId: string, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from dunning_webhook_deliveries
     where organization_id = ${organizationId} and id in (
       select id from dunning_webhook_deliveries
        where organization_id = ${organizationId} and created_at < ${before} and status <> 'pending'
        order by created_at limit ${limit})`);
}
