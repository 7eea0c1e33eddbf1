import { z } from 'zod';
import { listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { selectWebhooks, webhookSorts } from '../queries.ts';
import { webhookOf } from '../resource.ts';
import { webhookSchema } from '../schema.ts';

export const listWebhooks = operation({
  name: 'dunning_webhooks_list',
  title: 'List webhooks',
  summary: 'The addresses that are told what happens; their secrets are never shown.',
  effect: 'read',
  scope: 'dunning.webhooks',
  input: {
    active: z.boolean().optional(),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(webhookSchema),
  async run(input, { db, organizationId }) {
    const sort = webhookSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectWebhooks(db, organizationId, input, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(webhookOf), next_cursor: page.next_cursor };
  },
});
