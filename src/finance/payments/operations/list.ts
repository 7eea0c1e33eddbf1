import { z } from 'zod';
import { date, id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { paymentSorts, selectPayments } from '../queries.ts';
import { paymentOf } from '../resource.ts';
import { paymentKind, paymentSchema, paymentStatus } from '../schema.ts';

export const listPayments = operation({
  name: 'finance_payments_list',
  title: 'List payments',
  summary: 'Payment orders sent to banks.',
  effect: 'read',
  scope: 'finance.payments',
  input: {
    status: paymentStatus.optional(),
    account_id: id('the account that pays').optional(),
    payable_id: id('the payable').optional(),
    kind: paymentKind.optional(),
    scheduled_from: date().optional(),
    scheduled_to: date().optional(),
    sort: z.enum(['scheduled_for', '-scheduled_for']).default('-scheduled_for'),
    ...listArguments,
  },
  output: listOutput(paymentSchema),
  async run(input, { db, workspaceId, scopes }) {
    const sort = paymentSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectPayments(db, workspaceId, input, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.scheduled_for, id: row.id }));
    return { items: page.rows.map((row) => paymentOf(row, scopes)), next_cursor: page.next_cursor };
  },
});
