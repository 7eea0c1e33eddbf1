import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { PING } from '../codes.ts';
import { deliveryItemOf, queuePing, requireActiveWebhook, webhookFacts } from '../resource.ts';
import { deliveryItemSchema } from '../schema.ts';

export const testWebhook = operation({
  name: 'dunning_webhooks_test',
  title: 'Test webhook',
  titlePortuguese: 'Testar webhook',
  summary: 'Send a `ping` to the address; read the delivery afterwards to see what came back.',
  effect: 'destructive',
  scope: 'dunning.webhooks',
  hints: { openWorld: true },
  input: { id: id('the webhook') },
  output: z.object({ delivery: deliveryItemSchema }),
  async question(input, context) {
    return webhookFacts(await requireActiveWebhook(context, input.id));
  },
  async run(input, context) {
    const webhook = await requireActiveWebhook(context, input.id);
    const delivery = deliveryItemOf(await queuePing(context, webhook, PING));
    context.changed('delivery', delivery.id, null, delivery);
    return { delivery };
  },
});
