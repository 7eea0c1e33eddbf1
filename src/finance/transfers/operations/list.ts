import { z } from 'zod';
import { date, id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { selectTransfers, transferSorts } from '../queries.ts';
import { transferOf } from '../resource.ts';
import { transferSchema, transferStatuses } from '../schema.ts';

export const listTransfers = operation({
  name: 'finance_transfers_list',
  title: 'List transfers',
  summary: 'Transfers between own accounts, newest first unless sorted otherwise.',
  effect: 'read',
  scope: 'finance.transfers',
  input: {
    account_id: id('the account on either side').optional(),
    status: z.enum(transferStatuses).optional(),
    date_from: date().optional().describe('The day it is for, from this one on.'),
    date_to: date().optional().describe('The day it is for, up to this one.'),
    sort: z.enum(['date', '-date', 'created_at', '-created_at']).default('-date'),
    ...listArguments,
  },
  output: listOutput(transferSchema),
  async run(input, { db, workspaceId }) {
    const sort = transferSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectTransfers(db, workspaceId, input, { sort, position, limit: input.limit });
    const isByDate = input.sort.endsWith('date');
    const page = pageOf(found, input.limit, sort, (row) => ({
      key: isByDate ? row.scheduled_for : row.created_at,
      id: row.id,
    }));
    return { items: page.rows.map(transferOf), next_cursor: page.next_cursor };
  },
});
