import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { disputeSorts, selectDisputes } from '../queries.ts';
import { disputeOf } from '../resource.ts';
import { disputeSchema, disputeStatuses } from '../schema.ts';

export const listDisputes = operation({
  name: 'dunning_disputes_list',
  title: 'List disputes',
  summary: 'Charges that debtors contest, newest first.',
  effect: 'read',
  scope: 'dunning.disputes',
  input: {
    status: z.enum(disputeStatuses).optional(),
    person_id: id('the debtor').optional(),
    charge_id: id('the charge').optional(),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(disputeSchema),
  async run(input, { db, organizationId }) {
    const sort = disputeSorts[input.sort]!;
    const found = await selectDisputes(db, organizationId, input, {
      sort,
      position: decodeCursor(sort, input.cursor),
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(disputeOf), next_cursor: page.next_cursor };
  },
});
