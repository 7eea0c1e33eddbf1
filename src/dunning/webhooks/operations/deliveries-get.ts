import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { deliveryOf, requireDelivery } from '../resource.ts';
import { deliverySchema } from '../schema.ts';

export const getDelivery = operation({
  name: 'dunning_webhook_deliveries_get',
  title: 'Get webhook delivery',
  summary: 'One delivery: the body that is sent, and each attempt with what came back.',
  effect: 'read',
  scope: 'dunning.webhooks',
  input: { id: id('the delivery') },
  output: deliverySchema,
  async run(input, context) {
    return deliveryOf(await requireDelivery(context, input.id));
  },
});
