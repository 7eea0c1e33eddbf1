import { z } from 'zod';
import { ours } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { countPending } from '../delivery-queries.ts';
import { deleteWebhookRow } from '../queries.ts';
import { requireWebhook, webhookFacts, webhookOf } from '../resource.ts';

export const deleteWebhook = operation({
  name: 'dunning_webhooks_delete',
  title: 'Delete webhook',
  titlePortuguese: 'Excluir webhook',
  summary: 'Remove a webhook with its deliveries; what waits is not sent.',
  effect: 'destructive',
  scope: 'dunning.webhooks',
  input: { id: id('the webhook') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const row = await requireWebhook(context, input.id);
    const pending = await countPending(context.db, context.organizationId, row.id);
    return [
      ...webhookFacts(row),
      // Deliveries come and go by themselves.
      {
        ...ours('pending', 'Entregas que não serão feitas', 'Deliveries not made', String(pending)),
        bound: false,
      },
    ];
  },
  async run(input, context) {
    const row = await requireWebhook(context, input.id);
    await deleteWebhookRow(context.db, context.organizationId, row.id);
    context.changed('webhook', row.id, webhookOf(row), null);
    return { id: row.id, deleted: true as const };
  },
});
