import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { amountsOfMany, chargeItemOf, chargeItemSchema, requireCharges } from '../../charges/index.ts';
import { reachSorts, selectReached } from '../reach-queries.ts';
import { requireCampaign } from '../resource.ts';

const { cursor, limit } = listArguments;

export const listCampaignCharges = operation({
  name: 'dunning_discount_campaign_charges_list',
  title: 'List charges of a campaign',
  summary: 'Charges that may have the discount of a campaign today, due first unless sorted otherwise.',
  effect: 'read',
  scope: 'dunning.campaigns',
  input: {
    campaign_id: id('the discount campaign'),
    sort: z.enum(['due_date', '-due_date']).default('due_date'),
    cursor,
    limit,
  },
  output: listOutput(chargeItemSchema),
  async run(input, context) {
    const { conditions } = await requireCampaign(context, input.campaign_id);
    const { db, organizationId, today } = context;
    const sort = reachSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectReached(db, organizationId, conditions, today, {
      sort,
      position,
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.due_date, id: row.id }));
    const rows = await requireCharges(
      context,
      page.rows.map((row) => row.id),
    );
    const amounts = await amountsOfMany(context, rows);
    const items = new Map(rows.map((row) => [row.id, chargeItemOf(row, amounts.get(row.id)!)]));
    return { items: page.rows.map((row) => items.get(row.id)!), next_cursor: page.next_cursor };
  },
});
