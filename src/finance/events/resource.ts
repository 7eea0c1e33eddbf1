import type { Context } from '../../core/operation.ts';
import { decodeCursor, pageOf } from '../../core/paging.ts';
import type { AuditEvent, ConfirmationRecord, Db } from '../../core/ports.ts';
import { verifyChain } from '../../db/events.ts';
import {
  type EventFilter,
  type EventRow,
  eventSorts,
  selectApproverNames,
  selectClientNames,
  selectEvents,
} from './queries.ts';
import { shownChanges, shownQuestion } from './rules.ts';
import type { Event } from './schema.ts';

export interface EventsAsked extends EventFilter {
  readonly sort: 'at' | '-at';
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A page of the chain of a tenant: a workspace, or an organization. */
export async function eventsPage(
  { db, organizationId, timeZone }: Context,
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
  const names = await namesOf(db, organizationId, page.rows.map(eventBodyOf));
  return { items: page.rows.map((row) => eventOf(row, input.id, names)), next_cursor: page.next_cursor };
}

/** Names that stand beside ids in events, as they are now. */
interface Names {
  readonly ofPerson: ReadonlyMap<string, string>;
  readonly ofClient: ReadonlyMap<string, string>;
}

async function namesOf(db: Db, organizationId: string, events: readonly AuditEvent[]): Promise<Names> {
  const approverIds = events.flatMap((event) => event.confirmation?.approval?.approvedBy ?? []);
  const people = approverIds.length === 0 ? [] : await selectApproverNames(db, approverIds);
  const clientIds = [...new Set(events.map(({ actor }) => actor.clientId))];
  const clients = clientIds.length === 0 ? [] : await selectClientNames(db, organizationId, clientIds);
  return {
    ofPerson: new Map(people.map(({ id, name }) => [id, name])),
    ofClient: new Map(clients.map(({ client_id, client_name }) => [client_id, client_name])),
  };
}

/** Checks the chain of a tenant from its first event; whoever waits hears how far it is. */
export async function chainReportOf({ db, progress }: Context, tenantId: string) {
  const { events, broken } = await verifyChain(db, tenantId, (done) => progress({ done }));
  return {
    is_whole: broken === null,
    events,
    broken: broken && { position: broken.position, problem: broken.kind },
  };
}

/** The event as it was hashed. */
function eventBodyOf(row: Pick<EventRow, 'body'>): AuditEvent {
  return JSON.parse(row.body);
}

/** The public record of a row; changes of the record that was asked for come first. */
function eventOf(row: EventRow, askedFor: string | undefined, names: Names): Event {
  const { id, actor, outcome, errorCode, confirmation, changes } = eventBodyOf(row);
  return {
    id,
    position: row.position,
    at: row.at,
    actor: {
      user_id: row.actor_id,
      name: row.actor_name,
      client_id: actor.clientId,
      client_name: names.ofClient.get(actor.clientId) ?? null,
      surface: actor.surface,
    },
    operation: row.operation,
    outcome,
    error_code: errorCode ?? null,
    is_confirmed: confirmation !== undefined,
    confirmation: confirmation === undefined ? null : confirmationOf(confirmation, names),
    ...shownChanges(changes, askedFor),
  };
}

function confirmationOf({ question, approval }: ConfirmationRecord, names: Names): Event['confirmation'] {
  if (approval === undefined) {
    return { question: shownQuestion(question), approved_by: null, approval_id: null };
  }
  const { id, approvedBy, verifiedWith } = approval;
  return {
    question: shownQuestion(question),
    approved_by: {
      user_id: approvedBy,
      name: names.ofPerson.get(approvedBy) ?? null,
      verified_with: verifiedWith,
    },
    approval_id: id,
  };
}
