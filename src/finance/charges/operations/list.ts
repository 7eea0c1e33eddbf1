import { z } from 'zod';
import { date, id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { chargeSorts, selectCharges } from '../queries.ts';
import { chargeOf } from '../resource.ts';
import { lastOverdueDueDate } from '../rules.ts';
import { chargeSchema, chargeStatuses } from '../schema.ts';

const sorts = ['created_at', '-created_at', 'due_date', '-due_date'] as const;

export const listCharges = operation({
  name: 'finance_charges_list',
  title: 'List charges',
  summary: 'Boletos and Pix charges issued to customers, newest first.',
  effect: 'read',
  scope: 'finance.charges',
  input: {
    status: z.enum(chargeStatuses).optional(),
    receivable_id: id('the receivable').optional(),
    person_id: id('the customer').optional(),
    account_id: id('the account that receives').optional(),
    due_from: date().optional(),
    due_to: date().optional(),
    sort: z.enum(sorts).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(chargeSchema),
  async run(input, { db, workspaceId, today }) {
    const sort = chargeSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const page = { sort, position, limit: input.limit };
    const found = await selectCharges(db, workspaceId, input, lastOverdueDueDate(today), page);
    const { rows, next_cursor } = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('due_date') ? row.due_date : row.created_at,
      id: row.id,
    }));
    return { items: rows.map((row) => chargeOf(row, today)), next_cursor };
  },
});
