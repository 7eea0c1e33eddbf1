import { outside } from '../../../core/facts.ts';
import { text } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { endFacts } from '../facts.ts';
import { selectResults } from '../queries.ts';
import { campaignOf, requireCampaignToChange, storeCampaign } from '../resource.ts';
import { requireNotEnded } from '../rules.ts';
import { campaignId, campaignSchema } from '../schema.ts';

export const endCampaign = operation({
  name: 'dunning_discount_campaigns_end',
  title: 'End discount campaign',
  titlePortuguese: 'Encerrar campanha de desconto',
  summary: 'End a campaign now. Accepted agreements, and proposals already sent, keep their terms.',
  effect: 'destructive',
  scope: 'dunning.campaigns',
  input: { id: campaignId(), reason: text(500) },
  output: campaignSchema,
  async question(input, context) {
    const campaign = await prepare(input.id, context);
    const results = (await selectResults(context.db, context.organizationId, campaign.id))!;
    return [...endFacts(campaign, results), outside('reason', 'Motivo', 'Reason', input.reason)];
  },
  async run(input, context) {
    const before = await prepare(input.id, context);
    const ended = { ended_at: context.now.toISOString(), ended_reason: input.reason };
    return campaignOf(await storeCampaign(context, before, ended), context.today);
  },
});

async function prepare(id: string, context: Context) {
  const campaign = await requireCampaignToChange(context, id);
  requireNotEnded(campaign, context.today);
  return campaign;
}
