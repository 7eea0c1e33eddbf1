import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { operation } from '../../../core/operation.ts';
import { countWebhooks, insertWebhook, skipUnheard } from '../queries.ts';
import { requireWebhook, webhookOf } from '../resource.ts';
import { newSecret, requireCallableUrl, requireSubscriptions } from '../rules.ts';
import { descriptionArgument, eventsArgument, secretOut, urlArgument, webhookSchema } from '../schema.ts';

const WEBHOOKS_MAX = 50;

export const createWebhook = operation({
  name: 'dunning_webhooks_create',
  title: 'Create webhook',
  summary:
    'Add an address to be told what happens from now on. Its secret is shown once; nothing is sent yet.',
  effect: 'write',
  scope: 'dunning.webhooks',
  onceOnly: ['secret'],
  input: {
    url: urlArgument,
    events: eventsArgument,
    description: descriptionArgument.optional(),
    active: z.boolean().default(true),
  },
  output: z.object({ webhook: webhookSchema, secret: secretOut }),
  async run(input, context) {
    const { db, organizationId, now } = context;
    const url = requireCallableUrl(input.url, context.testHosts);
    const events = requireSubscriptions(input.events);
    if ((await countWebhooks(db, organizationId)) >= WEBHOOKS_MAX) {
      failArgument(
        'url',
        `an address already in use: there are ${WEBHOOKS_MAX} webhooks, the most there can be`,
      );
    }
    await skipUnheard(db, organizationId);
    const id = context.newId();
    const secret = newSecret();
    await insertWebhook(db, {
      organization_id: organizationId,
      id,
      url,
      events,
      description: input.description ?? null,
      active: input.active,
      secret,
      created_by: context.caller.user.id,
      created_at: now.toISOString(),
    });
    const webhook = webhookOf(await requireWebhook(context, id));
    context.changed('webhook', id, null, webhook);
    return { webhook, secret };
  },
});
