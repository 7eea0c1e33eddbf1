import { z } from 'zod';
import { listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { campaignSorts, selectCampaigns } from '../queries.ts';
import { campaignOf } from '../resource.ts';
import { campaignSchema, campaignStatuses } from '../schema.ts';

export const listCampaigns = operation({
  name: 'dunning_discount_campaigns_list',
  title: 'List discount campaigns',
  summary: 'Discount campaigns, newest first.',
  effect: 'read',
  scope: 'dunning.campaigns',
  input: {
    status: z.enum(campaignStatuses).optional(),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(campaignSchema),
  async run(input, { db, organizationId, today }) {
    const sort = campaignSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const { limit } = input;
    const found = await selectCampaigns(db, organizationId, input, today, { sort, position, limit });
    const page = pageOf(found, limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map((row) => campaignOf(row, today)), next_cursor: page.next_cursor };
  },
});
