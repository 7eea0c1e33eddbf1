import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { protestSorts, selectProtests } from '../queries.ts';
import { protestOf } from '../resource.ts';
import { protestSchema, protestStatuses } from '../schema.ts';

export const listProtests = operation({
  name: 'dunning_protests_list',
  title: 'List protests',
  summary: 'Titles at notary offices, newest first; those with status `pending` wait for approval.',
  effect: 'read',
  scope: 'dunning.legal',
  input: {
    status: z.enum(protestStatuses).optional(),
    person_id: id('the debtor').optional(),
    charge_id: id('the charge').optional(),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(protestSchema),
  async run(input, { db, organizationId }) {
    const sort = protestSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectProtests(db, organizationId, input, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(protestOf), next_cursor: page.next_cursor };
  },
});
