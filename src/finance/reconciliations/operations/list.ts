import { z } from 'zod';
import { date, id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { reconciliationSorts, selectReconciliations } from '../queries.ts';
import { reconciliationOf } from '../resource.ts';
import { reconciliationSchema, reconciliationStatuses } from '../schema.ts';

export const listReconciliations = operation({
  name: 'finance_reconciliations_list',
  title: 'List reconciliations',
  summary: 'Lines of statements and the documents they are tied to, newest first.',
  effect: 'read',
  scope: 'finance.reconciliations',
  input: {
    account_id: id('the account').optional(),
    document_id: id('a payable, receivable, settlement or transfer').optional(),
    transaction_id: id('a line').optional(),
    status: z.enum(reconciliationStatuses).optional(),
    date_from: date().optional().describe('With a line of this day or later.'),
    date_to: date().optional().describe('With a line of this day or earlier.'),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(reconciliationSchema),
  async run(input, { db, workspaceId }) {
    const sort = reconciliationSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectReconciliations(db, workspaceId, input, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(reconciliationOf), next_cursor: page.next_cursor };
  },
});
