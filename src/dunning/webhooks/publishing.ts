/** Tells webhooks what the audit chain says. */

import type { WriteContext } from '../../core/operation.ts';
import type { AuditEvent } from '../../core/ports.ts';
import type { Sql } from '../../db/sql.ts';
import { codesOf, type EventCode, kindOf, subscriptionsTo } from './codes.ts';
import {
  insertChargeDeliveries,
  insertDeliveries,
  type Listener,
  lockPublished,
  type NewDelivery,
  selectEventsAfter,
  selectListeners,
  updatePublished,
} from './queries.ts';
import { deliverJob } from './resource.ts';
import { bodyOf } from './rules.ts';

/** One of them may have changed hundreds of records. */
const EVENTS_AT_ONCE = 50;

/**
 * Tells the next events of the chain, each once to each webhook that subscribes, in one transaction with how far it
 * came. Gives whether there may be more.
 */
export async function publishNext(context: WriteContext): Promise<boolean> {
  const { db, organizationId, now } = context;
  const position = await lockPublished(db, organizationId);
  const events = await selectEventsAfter(db, organizationId, position, EVENTS_AT_ONCE);
  const last = events.at(-1);
  if (last === undefined) return false;
  const listeners = await selectListeners(db, organizationId);
  const deliveries = events.flatMap(({ body }) => deliveriesOf(context, JSON.parse(body), listeners));
  if (deliveries.length > 0) {
    await insertDeliveries(db, organizationId, deliveries, now);
    context.enqueue(deliverJob(organizationId));
  }
  await updatePublished(db, organizationId, last.position);
  return events.length === EVENTS_AT_ONCE;
}

/**
 * Tells of one event of many charges, of which the chain has only the count. `ids` are of charges that are changed
 * already, as a list or as a select. Costs one statement, and nothing where nobody subscribes.
 */
export async function publishCharges(
  context: WriteContext,
  code: Extract<EventCode, `charge.${string}`>,
  ids: Sql | readonly string[],
): Promise<void> {
  const { db, organizationId, now } = context;
  const told = { event: code, subscriptions: subscriptionsTo(code), ids, now };
  if ((await insertChargeDeliveries(db, organizationId, told)) > 0)
    context.enqueue(deliverJob(organizationId));
}

/** What happened before somebody listened is not for their ears. */
function deliveriesOf(
  context: WriteContext,
  event: AuditEvent,
  listeners: readonly Listener[],
): NewDelivery[] {
  const at = new Date(event.at);
  const present = listeners.filter(({ created_at }) => new Date(created_at) <= at);
  return event.changes.flatMap((change, index) =>
    codesOf(change).flatMap((code) => {
      const interested = present.filter(({ events }) =>
        subscriptionsTo(code).some((pattern) => events.includes(pattern)),
      );
      if (interested.length === 0) return [];
      const eventKey = `${event.id}.${index}.${code}`;
      const body = bodyOf({
        id: eventKey,
        event: code,
        at: event.at,
        organizationId: context.organizationId,
        resource: { type: kindOf(code), id: change.id },
        data: change.after ?? change.before,
      });
      return interested.map((listener) => ({
        id: context.newId(),
        webhookId: listener.id,
        event: code,
        eventKey,
        resourceKind: kindOf(code),
        resourceId: change.id,
        body,
      }));
    }),
  );
}
