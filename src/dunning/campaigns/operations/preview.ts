import { operation } from '../../../core/operation.ts';
import { shownReach } from '../reach.ts';
import { conditionsOf, tiersOf } from '../rules.ts';
import { conditionsArgument, reachSchema, tiersArgument } from '../schema.ts';

export const previewCampaign = operation({
  name: 'dunning_discount_campaigns_preview',
  title: 'Preview discount campaign',
  summary: 'Which charges a campaign would reach today, and what it would cost at most; nothing is kept.',
  effect: 'read',
  scope: 'dunning.campaigns',
  input: { conditions: conditionsArgument, tiers: tiersArgument },
  output: reachSchema,
  run(input, context) {
    return shownReach(context, conditionsOf(input.conditions), tiersOf(input.tiers));
  },
});
