import type { AuditEvent } from '../../core/ports.ts';
import type { EventRow } from './queries.ts';
import { shownChanges } from './rules.ts';
import type { Event } from './schema.ts';

/** The event as it was hashed. */
export function eventBodyOf(row: Pick<EventRow, 'body'>): AuditEvent {
  return JSON.parse(row.body);
}

/** The public record of a row; changes of the record that was asked for come first. */
export function eventOf(row: EventRow, askedFor: string | undefined): Event {
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
