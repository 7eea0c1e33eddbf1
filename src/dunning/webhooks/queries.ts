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
import { raw, type Sql, sql } from '../../db/sql.ts';

export type WebhookRow = Tables['dunning_webhooks'];

export const webhookSorts = sortsOf({ created_at: { column: 'w.created_at', keyForm: 'instant' } });

export function selectWebhooks(
  db: Db,
  organizationId: string,
  filter: TimeFilters & { active?: boolean | undefined },
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<WebhookRow[]> {
  return db.rows<WebhookRow>(sql`
    select w.* from dunning_webhooks w
     where w.organization_id = ${organizationId}
       ${all(filter.active !== undefined && sql`w.active = ${filter.active}`)}
       ${timeFilters(filter, 'w')} ${after(page.sort, page.position, 'w.id')}
     ${orderAndLimit(page.sort, page.limit, 'w.id')}`);
}

/** Locked so that deliveries for it may still be added meanwhile. */
export function selectWebhook(
  db: Db,
  organizationId: string,
  id: string,
  isLocked: boolean,
): Promise<WebhookRow | undefined> {
  return db.row<WebhookRow>(sql`
    select * from dunning_webhooks where organization_id = ${organizationId} and id = ${id}
    ${raw(isLocked ? 'for no key update' : '')}`);
}

export async function countWebhooks(db: Db, organizationId: string): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*)::int as count from dunning_webhooks where organization_id = ${organizationId}`);
  return row!.count;
}

export async function insertWebhook(
  db: Db,
  row: Omit<WebhookRow, 'previous_secret' | 'previous_until' | 'updated_at' | 'version'>,
): Promise<void> {
  await db.run(sql`
    insert into dunning_webhooks
      (organization_id, id, url, events, description, active, secret, created_by, created_at, updated_at)
    values (${row.organization_id}, ${row.id}, ${row.url}, ${row.events}, ${row.description}, ${row.active},
            ${row.secret}, ${row.created_by}, ${row.created_at}, ${row.created_at})`);
}

/** Writes what a person may change, and the secrets. */
export async function updateWebhookRow(db: Db, row: WebhookRow, now: Date): Promise<void> {
  await db.run(sql`
    update dunning_webhooks
       set url = ${row.url}, events = ${row.events}, description = ${row.description}, active = ${row.active},
           secret = ${row.secret}, previous_secret = ${row.previous_secret}, previous_until = ${row.previous_until},
           version = version + 1, updated_at = ${now}
     where organization_id = ${row.organization_id} and id = ${row.id}`);
}

/** Its deliveries go with it. */
export async function deleteWebhookRow(db: Db, organizationId: string, id: string): Promise<void> {
  await db.run(sql`delete from dunning_webhooks where organization_id = ${organizationId} and id = ${id}`);
}

export type Listener = Pick<WebhookRow, 'id' | 'events' | 'created_at'>;

export function selectListeners(db: Db, organizationId: string): Promise<Listener[]> {
  return db.rows<Listener>(sql`
    select id, events, created_at from dunning_webhooks where organization_id = ${organizationId} and active order by id`);
}

/**
 * Begins at the end of the chain when nobody listened so far: what happened before is not told. The row waits for a
 * publication under way.
 */
export async function skipUnheard(db: Db, organizationId: string): Promise<void> {
  const head = sql`coalesce((select position from event_chains where tenant_id = ${organizationId}), 0)`;
  await db.run(sql`
    insert into dunning_published_events as told (organization_id, position)
    select ${organizationId}, ${head}
     where not exists (select from dunning_webhooks where organization_id = ${organizationId} and active)
        on conflict (organization_id) do update set position = greatest(told.position, excluded.position)`);
}

/** How far the chain is told, locked: publications of an organization wait for each other. */
export async function lockPublished(db: Db, organizationId: string): Promise<number> {
  const row = await db.row<{ position: number }>(sql`
    insert into dunning_published_events as told (organization_id, position) values (${organizationId}, 0)
        on conflict (organization_id) do update set position = told.position
    returning position`);
  return row!.position;
}

export async function updatePublished(db: Db, organizationId: string, position: number): Promise<void> {
  await db.run(sql`
    update dunning_published_events set position = ${position} where organization_id = ${organizationId}`);
}

export type ToldEvent = Pick<Tables['events'], 'position' | 'body'>;

export function selectEventsAfter(
  db: Db,
  organizationId: string,
  position: number,
  limit: number,
): Promise<ToldEvent[]> {
  return db.rows<ToldEvent>(sql`
    select position, body from events
     where tenant_id = ${organizationId} and position > ${position}
     order by position limit ${limit}`);
}

export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  readonly eventKey: string;
  readonly resourceKind: string | null;
  readonly resourceId: string | null;
  readonly body: string;
}

/** One for each webhook and event, however often it is asked for; gives how many are new. */
export function insertDeliveries(
  db: Db,
  organizationId: string,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<number> {
  const column = (name: keyof NewDelivery) => deliveries.map((delivery) => delivery[name]);
  return db.run(sql`
    insert into dunning_webhook_deliveries
      (organization_id, id, webhook_id, event, event_key, resource_kind, resource_id, payload, status,
       next_attempt_at, created_at, updated_at)
    select ${organizationId}, id, webhook_id, event, event_key, resource_kind, resource_id, body, 'pending',
           ${now}, ${now}, ${now}
      from unnest(${column('id')}::uuid[], ${column('webhookId')}::uuid[], ${column('event')}::text[],
                  ${column('eventKey')}::text[], ${column('resourceKind')}::text[], ${column('resourceId')}::uuid[],
                  ${column('body')}::text[])
           as told (id, webhook_id, event, event_key, resource_kind, resource_id, body)
        on conflict (organization_id, webhook_id, event_key) do nothing`);
}

/**
 * One event of many charges at once, told to those who subscribe; the body is made before the first attempt. A
 * charge in the same version is told of once.
 */
export function insertChargeDeliveries(
  db: Db,
  organizationId: string,
  told: { event: string; subscriptions: readonly string[]; ids: Sql | readonly string[]; now: Date },
): Promise<number> {
  const { event, subscriptions, ids, now } = told;
  const which = Array.isArray(ids) ? sql`c.id = any(${ids}::uuid[])` : sql`c.id in (${ids as Sql})`;
  return db.run(sql`
    insert into dunning_webhook_deliveries
      (organization_id, id, webhook_id, event, event_key, resource_kind, resource_id, payload, status,
       next_attempt_at, created_at, updated_at)
    select w.organization_id, uuid_v7(), w.id, ${event}, ${`${event}.`} || c.id || '.' || c.version, 'charge', c.id, '',
           'pending', ${now}, ${now}, ${now}
      from dunning_webhooks w
      join dunning_charges c on c.organization_id = w.organization_id and ${which}
     where w.organization_id = ${organizationId} and w.active and w.events && ${subscriptions}::text[]
        on conflict (organization_id, webhook_id, event_key) do nothing`);
}
