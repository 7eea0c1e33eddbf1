import type { Context } from '../../core/operation.ts';
import { decodeCursor, pageOf } from '../../core/paging.ts';
import type { AuditEvent } from '../../core/ports.ts';
import { type EventFilter, type EventRow, eventSorts, selectEvents } from './queries.ts';
import { shownChanges } from './rules.ts';
import type { Event } from './schema.ts';

export interface EventsAsked extends EventFilter {
  readonly sort: 'at' | '-at';
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A page of the chain of a tenant: a workspace, or an organization. */
export async function eventsPage(
  { db, timeZone }: Context,
  tenantId: string,
  input: EventsAsked,
): Promise<{ items: Event[]; next_cursor: string | null }> {
  const sort = eventSorts[input.sort]!;
  const position = decodeCursor(sort, input.cursor);
  const found = await selectEvents(db, tenantId, input, timeZone, { sort, position, limit: input.limit });
  const page = pageOf(found, input.limit, sort, (row) => ({
    key: String(row.position),
    id: eventBodyOf(row).id,
  }));
  return { items: page.rows.map((row) => eventOf(row, input.id)), next_cursor: page.next_cursor };
}

/** The event as it was hashed. */
function eventBodyOf(row: Pick<EventRow, 'body'>): AuditEvent {
  return JSON.parse(row.body);
}

/** The public record of a row; changes of the record that was asked for come first. */
function eventOf(row: EventRow, askedFor: string | undefined): Event {
  const { id, actor, outcome, errorCode, confirmation, changes } = eventBodyOf(row);
  return {
    id,
    position: row.position,
    at: row.at,
    actor: {
      user_id: row.actor_id,
      name: row.actor_name,
      client_id: actor.clientId,
      surface: actor.surface,
    },
    operation: row.operation,
    outcome,
    error_code: errorCode ?? null,
    is_confirmed: confirmation !== undefined,
    ...shownChanges(changes, askedFor),
  };
}
