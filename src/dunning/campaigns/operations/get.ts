import { moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { selectResults } from '../queries.ts';
import { campaignOf, requireCampaign } from '../resource.ts';
import { campaignDetailSchema, campaignId } from '../schema.ts';

export const getCampaign = operation({
  name: 'dunning_discount_campaigns_get',
  title: 'Get discount campaign',
  summary: 'One campaign with what came of it: agreements, discount given, money received.',
  effect: 'read',
  scope: 'dunning.campaigns',
  input: { id: campaignId() },
  output: campaignDetailSchema,
  async run(input, context) {
    const row = await requireCampaign(context, input.id);
    const results = (await selectResults(context.db, context.organizationId, row.id))!;
    const { original_cents, discount_cents, paid_cents, ...counts } = results;
    return {
      ...campaignOf(row, context.today),
      results: {
        ...counts,
        original_total: moneyText(original_cents),
        discount_total: moneyText(discount_cents),
        paid_total: moneyText(paid_cents),
      },
      currency: 'BRL' as const,
    };
  },
});
