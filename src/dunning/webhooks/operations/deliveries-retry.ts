import { z } from 'zod';
import { ours } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { requeueDelivery } from '../delivery-queries.ts';
import {
  deliverJob,
  deliveryItemOf,
  requireActiveWebhook,
  requireDelivery,
  webhookFacts,
} from '../resource.ts';
import { deliveryItemSchema } from '../schema.ts';

export const retryDelivery = operation({
  name: 'dunning_webhook_deliveries_retry',
  title: 'Retry webhook delivery',
  titlePortuguese: 'Repetir entrega do webhook',
  summary: "Send a delivery again, to the webhook's present address and under the same delivery id.",
  effect: 'destructive',
  scope: 'dunning.webhooks',
  hints: { openWorld: true },
  input: { id: id('the delivery') },
  output: z.object({ delivery: deliveryItemSchema }),
  async question(input, context) {
    const { webhook, delivery } = await prepare(input.id, context);
    const { status, attempts_count } = deliveryItemOf(delivery);
    return [
      ...webhookFacts(webhook),
      ours('event', 'Evento', 'Event', delivery.event),
      ours('status', 'Situação', 'Status', {
        'pt-BR': { pending: 'pendente', delivered: 'entregue', failed: 'falhou' }[status],
        en: status,
      }),
      // A pending one may be tried meanwhile without being another delivery for that.
      { ...ours('attempts', 'Tentativas', 'Attempts', String(attempts_count)), bound: false },
    ];
  },
  async run(input, context) {
    const { delivery: before } = await prepare(input.id, context);
    await requeueDelivery(context.db, context.organizationId, before.id, context.now);
    context.enqueue(deliverJob(context.organizationId));
    const delivery = deliveryItemOf(await requireDelivery(context, before.id));
    context.changed('delivery', delivery.id, deliveryItemOf(before), delivery);
    return { delivery };
  },
});

async function prepare(deliveryId: string, context: Context) {
  const delivery = await requireDelivery(context, deliveryId);
  return { delivery, webhook: await requireActiveWebhook(context, delivery.webhook_id) };
}
