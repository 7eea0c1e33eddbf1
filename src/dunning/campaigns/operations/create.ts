import { text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { startFacts } from '../facts.ts';
import { insertCampaign } from '../queries.ts';
import { reachOf } from '../reach.ts';
import { campaignOf, requireCampaign } from '../resource.ts';
import { campaignStatusOn, conditionsOf, requirePeriod, tiersOf } from '../rules.ts';
import { campaignSchema, conditionsArgument, periodArguments, tiersArgument } from '../schema.ts';

export const createCampaign = operation({
  name: 'dunning_discount_campaigns_create',
  title: 'Start discount campaign',
  titlePortuguese: 'Iniciar campanha de desconto',
  summary: 'Let agreements give a discount for a while, by tiers of installments. Debtors are told nothing.',
  effect: 'destructive',
  scope: 'dunning.campaigns',
  input: {
    name: text(100),
    notes: text(2000).optional().describe('For the team.'),
    ...periodArguments,
    conditions: conditionsArgument,
    tiers: tiersArgument,
  },
  output: campaignSchema,
  async question(input, context) {
    requirePeriod(input.starts_on, input.ends_on, context.today);
    const tiers = tiersOf(input.tiers);
    const conditions = conditionsOf(input.conditions);
    return startFacts({ ...input, conditions, tiers }, await reachOf(context, conditions, tiers));
  },
  async run(input, context) {
    const { db, organizationId, today, now } = context;
    requirePeriod(input.starts_on, input.ends_on, today);
    const id = context.newId();
    const period = { starts_on: input.starts_on, ends_on: input.ends_on, ended_at: null };
    await insertCampaign(
      db,
      {
        organization_id: organizationId,
        id,
        name: input.name,
        notes: input.notes ?? null,
        ...period,
        conditions: conditionsOf(input.conditions),
        tiers: tiersOf(input.tiers),
        status: campaignStatusOn(period, today),
        ended_reason: null,
        created_by: context.caller.user.id,
      },
      now,
    );
    const campaign = campaignOf(await requireCampaign(context, id), today);
    context.changed('campaign', id, null, campaign);
    return campaign;
  },
});
