/** Every day, campaigns begin and end by their dates. */

import { z } from 'zod';
import type { JobDefinition } from '../../core/job.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { selectTurned } from './queries.ts';
import { requireCampaignToChange, storeCampaign } from './resource.ts';
import { campaignStatusOn } from './rules.ts';

/** 00:04 in São Paulo. */
const RUN_AT = '03:04';

const payload = z.strictObject({ organizationId: z.uuid() });

/** Results show the status of the day in any case; this tells the audit chain and webhooks of it. */
const campaignsTurn: JobDefinition<z.infer<typeof payload>, DunningGateways> = {
  task: 'dunning_campaigns_turn',
  payload,
  every: { at: RUN_AT, tenant: 'organization' },
  async run({ organizationId }, context) {
    const turned = await context.read(({ db, today }) => selectTurned(db, organizationId, today));
    for (const { id } of turned) {
      await context.write(async (write) => {
        const campaign = await requireCampaignToChange(write, id);
        if (campaign.status === campaignStatusOn(campaign, write.today)) return;
        await storeCampaign(write, campaign, {});
      });
    }
  },
};

export const jobs = [campaignsTurn];
