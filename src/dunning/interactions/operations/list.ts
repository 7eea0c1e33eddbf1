import { z } from 'zod';
import { id, instant, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { interactionSorts, selectInteractions } from '../queries.ts';
import { interactionOf } from '../resource.ts';
import { directions, interactionKinds, interactionSchema, outcomes } from '../schema.ts';

export const listInteractions = operation({
  name: 'dunning_interactions_list',
  title: 'List interactions',
  summary: 'Calls, replies, notes and visits, newest first.',
  effect: 'read',
  scope: 'dunning.people',
  input: {
    person_id: id('the debtor').optional(),
    charge_id: id('the charge').optional(),
    kind: z.enum(interactionKinds).optional(),
    direction: z.enum(directions).optional().describe('Who began it.'),
    outcome: z.enum(outcomes).optional().describe('What came of it.'),
    occurred_from: instant().optional().describe('Not before.'),
    occurred_to: instant().optional().describe('Not after.'),
    sort: z.enum(['occurred_at', '-occurred_at']).default('-occurred_at'),
    ...listArguments,
  },
  output: listOutput(interactionSchema),
  async run(input, { db, organizationId }) {
    const sort = interactionSorts[input.sort]!;
    const found = await selectInteractions(db, organizationId, input, {
      sort,
      position: decodeCursor(sort, input.cursor),
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.occurred_at, id: row.id }));
    return { items: page.rows.map(interactionOf), next_cursor: page.next_cursor };
  },
});
