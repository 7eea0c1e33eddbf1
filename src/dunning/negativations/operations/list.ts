import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { negativationSorts, selectNegativations } from '../queries.ts';
import { negativationOf } from '../resource.ts';
import { bureaus, negativationSchema, negativationStatuses } from '../schema.ts';

export const listNegativations = operation({
  name: 'dunning_negativations_list',
  title: 'List credit-bureau reports',
  summary: 'Reports of debts to credit bureaus, newest first; those with status `pending` wait for approval.',
  effect: 'read',
  scope: 'dunning.legal',
  input: {
    status: z.enum(negativationStatuses).optional(),
    bureau: z.enum(bureaus).optional().describe('Credit bureau.'),
    person_id: id('the debtor').optional(),
    charge_id: id('the charge').optional(),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(negativationSchema),
  async run(input, { db, organizationId }) {
    const sort = negativationSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectNegativations(db, organizationId, input, {
      sort,
      position,
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(negativationOf), next_cursor: page.next_cursor };
  },
});
