import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireWebhook, webhookOf } from '../resource.ts';
import { webhookSchema } from '../schema.ts';

export const getWebhook = operation({
  name: 'dunning_webhooks_get',
  title: 'Get webhook',
  summary: 'One webhook: its address and the events it is told of.',
  effect: 'read',
  scope: 'dunning.webhooks',
  input: { id: id('the webhook') },
  output: webhookSchema,
  async run(input, context) {
    return webhookOf(await requireWebhook(context, input.id));
  },
});
