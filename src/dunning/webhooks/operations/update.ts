import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { failPending } from '../delivery-queries.ts';
import { skipUnheard, updateWebhookRow } from '../queries.ts';
import { requireWebhook, webhookOf } from '../resource.ts';
import { requireCallableUrl, requireSubscriptions } from '../rules.ts';
import { descriptionArgument, eventsArgument, urlArgument, webhookSchema } from '../schema.ts';

export const updateWebhook = operation({
  name: 'dunning_webhooks_update',
  title: 'Update webhook',
  summary: 'Change address, events or description, or switch it on or off; switching off fails what waits.',
  effect: 'write',
  scope: 'dunning.webhooks',
  hints: { idempotent: true },
  input: {
    id: id('the webhook'),
    url: urlArgument.optional(),
    events: eventsArgument.optional(),
    description: descriptionArgument.nullable().optional(),
    active: z.boolean().optional(),
  },
  output: webhookSchema,
  async run(input, context) {
    const { db, organizationId, now } = context;
    const before = await requireWebhook(context, input.id);
    const row = {
      ...before,
      url: input.url === undefined ? before.url : requireCallableUrl(input.url, context.testHosts),
      events: input.events === undefined ? before.events : requireSubscriptions(input.events),
      description: input.description === undefined ? before.description : input.description,
      active: input.active ?? before.active,
    };
    if (row.active && !before.active) await skipUnheard(db, organizationId);
    await updateWebhookRow(db, row, now);
    if (before.active && !row.active) {
      const attempt = {
        at: now.toISOString(),
        url: row.url,
        status_code: null,
        error: 'inactive',
        answer: null,
      };
      await failPending(db, organizationId, row.id, { ...attempt, duration_ms: 0 });
    }
    const after = webhookOf(await requireWebhook(context, input.id));
    context.changed('webhook', row.id, webhookOf(before), after);
    return after;
  },
});
