import { z } from 'zod';
import { ours } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { updateWebhookRow } from '../queries.ts';
import { requireWebhook, webhookFacts, webhookOf } from '../resource.ts';
import { newSecret } from '../rules.ts';
import { secretOut, webhookSchema } from '../schema.ts';

const GRACE_HOURS_MAX = 24;

export const rotateSecret = operation({
  name: 'dunning_webhooks_rotate_secret',
  title: 'Rotate webhook secret',
  titlePortuguese: 'Trocar o segredo do webhook',
  summary:
    'Make a new secret, shown once. During the grace both secrets sign; with 0 hours the old one ends now.',
  effect: 'destructive',
  scope: 'dunning.webhooks',
  onceOnly: ['secret'],
  input: {
    id: id('the webhook'),
    grace_hours: z
      .int()
      .min(0)
      .max(GRACE_HOURS_MAX)
      .default(GRACE_HOURS_MAX)
      .describe('How long the old secret signs too.'),
  },
  output: z.object({ webhook: webhookSchema, secret: secretOut }),
  async question(input, context) {
    const hours = input.grace_hours;
    return [
      ...webhookFacts(await requireWebhook(context, input.id)),
      ours('grace', 'O segredo atual ainda assina por', 'The present secret signs for', {
        'pt-BR': hours === 0 ? 'nenhum tempo' : `${hours} h`,
        en: hours === 0 ? 'no time' : `${hours} h`,
      }),
    ];
  },
  async run(input, context) {
    const before = await requireWebhook(context, input.id);
    const secret = newSecret();
    const hasGrace = input.grace_hours > 0;
    const until = new Date(context.now.getTime() + input.grace_hours * 3_600_000);
    await updateWebhookRow(
      context.db,
      {
        ...before,
        secret,
        previous_secret: hasGrace ? before.secret : null,
        previous_until: hasGrace ? until.toISOString() : null,
      },
      context.now,
    );
    const webhook = webhookOf(await requireWebhook(context, input.id));
    context.changed('webhook', webhook.id, webhookOf(before), webhook);
    return { webhook, secret };
  },
});
