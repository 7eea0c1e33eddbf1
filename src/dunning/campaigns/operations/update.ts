import { date, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { campaignOf, requireCampaignToChange, storeCampaign } from '../resource.ts';
import { requireEarlierEnd, requireNotEnded } from '../rules.ts';
import { campaignId, campaignSchema } from '../schema.ts';

export const updateCampaign = operation({
  name: 'dunning_discount_campaigns_update',
  title: 'Update discount campaign',
  summary: 'Change the name or the notes of a campaign, or make it end earlier; never its discount.',
  effect: 'write',
  scope: 'dunning.campaigns',
  hints: { idempotent: true },
  input: {
    id: campaignId(),
    name: text(100).optional(),
    notes: text(2000).nullable().optional().describe('For the team.'),
    ends_on: date().optional().describe('An earlier last day, from today on.'),
  },
  output: campaignSchema,
  async run({ id, ...given }, context) {
    const before = await requireCampaignToChange(context, id);
    if (given.ends_on !== undefined && given.ends_on !== before.ends_on) {
      requireNotEnded(before, context.today);
      requireEarlierEnd(before, given.ends_on, context.today);
    }
    const { name = before.name, notes = before.notes, ends_on = before.ends_on } = given;
    const isSame = name === before.name && notes === before.notes && ends_on === before.ends_on;
    const after = isSame ? before : await storeCampaign(context, before, { name, notes, ends_on });
    return campaignOf(after, context.today);
  },
});
