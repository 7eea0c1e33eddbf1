import { z } from 'zod';
import { date, id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { promiseSorts, selectPromises } from '../queries.ts';
import { promiseOf } from '../resource.ts';
import { promiseSchema, promiseStatuses } from '../schema.ts';

export const listPromises = operation({
  name: 'dunning_payment_promises_list',
  title: 'List payment promises',
  summary: 'Promises to pay, by the day they are for.',
  effect: 'read',
  scope: 'dunning.charges',
  input: {
    status: z.enum(promiseStatuses).optional(),
    person_id: id('the debtor').optional(),
    due_from: date().optional(),
    due_to: date().optional(),
    sort: z.enum(['promised_for', '-promised_for', 'created_at', '-created_at']).default('promised_for'),
    ...listArguments,
  },
  output: listOutput(promiseSchema),
  async run(input, { db, organizationId }) {
    const sort = promiseSorts[input.sort]!;
    const found = await selectPromises(db, organizationId, input, {
      sort,
      position: decodeCursor(sort, input.cursor),
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('created_at') ? row.created_at : row.promised_for,
      id: row.id,
    }));
    return { items: page.rows.map(promiseOf), next_cursor: page.next_cursor };
  },
});
