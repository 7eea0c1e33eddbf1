import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import { all, type ListSort, sortsOf } from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { empty, raw, type Sql, sql } from '../../db/sql.ts';

export type EventRow = Pick<Tables['events'], 'position' | 'at' | 'operation' | 'actor_id' | 'body'> & {
  readonly actor_name: string | null;
};

/** By time; where several are of one instant, by their place in the chain, which is what a cursor holds. */
export const eventSorts = sortsOf({ at: { column: 'at', keyForm: 'integer' } });

export interface EventFilter {
  readonly resource?: string | undefined;
  readonly id?: string | undefined;
  readonly actor?: string | undefined;
  readonly operation?: string | undefined;
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
  /** An event never changes, so that it counts as updated when it was made. */
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
  readonly updated_from?: string | undefined;
  readonly updated_to?: string | undefined;
}

/**
 * Each filter has an index that ends in time and place, so a page reads about as many lines as it shows. What an event
 * changed is looked up in `event_records`; an event that changed many records of a kind is there many times.
 */
export function selectEvents(
  db: Db,
  tenantId: string,
  filter: EventFilter,
  timeZone: string,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<EventRow[]> {
  const { direction } = page.sort;
  const order = (alias: string) =>
    raw(`order by ${alias}.at ${direction}, ${alias}.position ${direction} limit ${page.limit + 1}`);
  const found =
    filter.resource === undefined && filter.id === undefined
      ? sql`
        select e.at, e.position from events e
         where e.tenant_id = ${tenantId}
           ${all(
             filter.actor !== undefined && sql`e.actor_id = ${filter.actor}`,
             filter.operation !== undefined && sql`e.operation = ${filter.operation}`,
           )}
           ${between('e', filter, timeZone)} ${after('e', tenantId, page)}
         ${order('e')}`
      : sql`
        select distinct c.at, c.position from event_records c
          ${ofEvent(filter)}
         where c.tenant_id = ${tenantId}
           ${all(
             filter.id !== undefined && sql`c.record_id = ${filter.id}`,
             filter.resource !== undefined && sql`c.kind = ${filter.resource}`,
             filter.actor !== undefined && sql`e.actor_id = ${filter.actor}`,
             filter.operation !== undefined && sql`e.operation = ${filter.operation}`,
           )}
           ${between('c', filter, timeZone)} ${after('c', tenantId, page)}
         ${order('c')}`;
  return db.rows<EventRow>(sql`
    select e.position, e.at, e.operation, e.actor_id, e.body, actor.name as actor_name
      from (${found}) found
      join events e on e.tenant_id = ${tenantId} and e.position = found.position
      left join users actor on actor.id = e.actor_id
     order by e.at ${raw(direction)}, e.position ${raw(direction)}`);
}

/** Names of the people who said yes to events of a tenant; people are of no tenant themselves. */
export function selectApproverNames(
  db: Db,
  userIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db.rows(sql`select id, name from users where id = any(${userIds}::uuid[])`);
}

/** What clients call themselves, by the newest connection of each in the organization; those without one are left out. */
export function selectClientNames(
  db: Db,
  organizationId: string,
  clientIds: readonly string[],
): Promise<{ client_id: string; client_name: string }[]> {
  return db.rows(sql`
    select distinct on (client_id) client_id, client_name from connections
     where organization_id = ${organizationId} and client_id = any(${clientIds}::text[])
     order by client_id, created_at desc`);
}

function ofEvent({ actor, operation }: EventFilter): Sql {
  if (actor === undefined && operation === undefined) return empty;
  return sql`join events e on e.tenant_id = c.tenant_id and e.position = c.position`;
}

/** Days are civil dates of the zone. */
function between(alias: string, filter: EventFilter, timeZone: string): Sql {
  const at = raw(`${alias}.at`);
  const { date_from, date_to } = filter;
  return all(
    date_from !== undefined && sql`${at} >= ${date_from}::date::timestamp at time zone ${timeZone}`,
    date_to !== undefined && sql`${at} < (${date_to}::date + 1)::timestamp at time zone ${timeZone}`,
    ...[filter.created_from, filter.updated_from].map(
      (from) => from !== undefined && sql`${at} >= ${from}::timestamptz`,
    ),
    ...[filter.created_to, filter.updated_to].map(
      (to) => to !== undefined && sql`${at} <= ${to}::timestamptz`,
    ),
  );
}

/** The events after the one a cursor names; its time is looked up, because a cursor has room for one key. */
function after(
  alias: string,
  tenantId: string,
  { sort, position }: { sort: ListSort; position: Position | null },
): Sql {
  if (position === null) return empty;
  const columns = raw(`(${alias}.at, ${alias}.position)`);
  const comparison = raw(sort.direction === 'asc' ? '>' : '<');
  const { key } = position;
  return sql`
    and ${columns} ${comparison} (
      (select at from events where tenant_id = ${tenantId} and position = ${key}::bigint), ${key}::bigint)`;
}
