import { z } from 'zod';
import { id, listArguments, listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { deliverySorts, selectDeliveries } from '../delivery-queries.ts';
import { deliveryItemOf } from '../resource.ts';
import { deliveryItemSchema, deliveryStatus } from '../schema.ts';

export const listDeliveries = operation({
  name: 'dunning_webhook_deliveries_list',
  title: 'List webhook deliveries',
  summary: 'What was told to webhooks and whether it arrived; kept for 90 days.',
  effect: 'read',
  scope: 'dunning.webhooks',
  input: {
    webhook_id: id('the webhook').optional(),
    event: text(60).optional().describe('One code, such as "charge.paid".'),
    status: deliveryStatus.optional(),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(deliveryItemSchema),
  async run(input, { db, organizationId }) {
    const sort = deliverySorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectDeliveries(db, organizationId, input, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(deliveryItemOf), next_cursor: page.next_cursor };
  },
});
