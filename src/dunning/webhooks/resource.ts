import { fail } from '../../core/errors.ts';
import { outside } from '../../core/facts.ts';
import type { Context, Fact, WriteContext } from '../../core/operation.ts';
import type { Job } from '../../core/ports.ts';
import { type DeliveryRow, selectDelivery } from './delivery-queries.ts';
import { insertDeliveries, selectWebhook, type WebhookRow } from './queries.ts';
import { bodyOf } from './rules.ts';
import { type Delivery, type DeliveryItem, deliveryStatus, type Webhook } from './schema.ts';

export const DELIVER_TASK = 'dunning_deliver_webhooks';

/** The public record of a row: the secrets are no part of it. */
export function webhookOf(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    active: row.active,
    previous_secret_until: row.previous_until,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

export function deliveryItemOf(row: DeliveryRow): DeliveryItem {
  const last = row.attempts.at(-1);
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event: row.event,
    resource:
      row.resource_kind === null || row.resource_id === null
        ? null
        : { type: row.resource_kind, id: row.resource_id },
    status: deliveryStatus.parse(row.status),
    attempts_count: last?.number ?? 0,
    last_status_code: last?.status_code ?? null,
    last_error: last?.error ?? null,
    next_attempt_at: row.next_attempt_at,
    delivered_at: row.delivered_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    ...deliveryItemOf(row),
    body: row.payload === '' ? null : row.payload,
    attempts: [...row.attempts],
  };
}

/** The webhook of this organization, locked when writing. Fails with `not_found`. */
export async function requireWebhook(context: Context, id: string): Promise<WebhookRow> {
  const row = await selectWebhook(context.db, context.organizationId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'webhook', id });
}

/** Fails with `invalid_state` for one that is switched off: nothing is sent to it. */
export async function requireActiveWebhook(context: Context, id: string): Promise<WebhookRow> {
  const row = await requireWebhook(context, id);
  if (!row.active) fail('invalid_state', { from: 'inactive', allowed: ['active'] });
  return row;
}

/** The delivery of this organization, locked when writing. Fails with `not_found`. */
export async function requireDelivery(context: Context, id: string): Promise<DeliveryRow> {
  const row = await selectDelivery(context.db, context.organizationId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'delivery', id });
}

export function webhookFacts(row: WebhookRow): Fact[] {
  return [
    outside('url', 'Endereço', 'Address', row.url),
    ...(row.description === null
      ? []
      : [outside('description', 'Descrição', 'Description', row.description)]),
  ];
}

/** Sends what is due, now or at the given time; one run for each minute is enough. */
export function deliverJob(organizationId: string, runAt?: Date): Job {
  const minute = runAt === undefined ? 'now' : runAt.toISOString().slice(0, 16);
  return {
    task: DELIVER_TASK,
    payload: { organizationId },
    key: `${DELIVER_TASK}/${organizationId}/${minute}`,
    ...(runAt !== undefined && { runAt }),
  };
}

/** Queues a call that tells of nothing but the webhook itself. */
export async function queuePing(
  context: WriteContext,
  webhook: WebhookRow,
  event: string,
): Promise<DeliveryRow> {
  const { organizationId, now } = context;
  const id = context.newId();
  const body = bodyOf({
    id: `${event}.${id}`,
    event,
    at: now.toISOString(),
    organizationId,
    resource: { type: 'webhook', id: webhook.id },
    data: webhookOf(webhook),
  });
  const ping = {
    id,
    webhookId: webhook.id,
    event,
    eventKey: `${event}.${id}`,
    resourceKind: 'webhook',
    resourceId: webhook.id,
    body,
  };
  await insertDeliveries(context.db, organizationId, [ping], now);
  context.enqueue(deliverJob(organizationId));
  return requireDelivery(context, id);
}
