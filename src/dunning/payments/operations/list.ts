import { z } from 'zod';
import { date, id, listArguments, listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import {
  paymentKinds,
  paymentMethods,
  paymentOf,
  paymentSchema,
  paymentStatuses,
} from '../../charges/index.ts';
import { paymentRowSorts, selectPaymentPage } from '../queries.ts';

const sorts = ['paid_at', '-paid_at', 'created_at', '-created_at'] as const;

export const listPayments = operation({
  name: 'dunning_payments_list',
  title: 'List payments',
  summary: 'Payments received, the latest first, with how each was used.',
  effect: 'read',
  scope: 'dunning.charges',
  input: {
    charge_id: id('the charge').optional(),
    agreement_id: id('the agreement').optional(),
    person_id: id('the debtor').optional(),
    paid_from: date().optional().describe("By the debtor's day."),
    paid_to: date().optional(),
    method: z.enum(paymentMethods).optional(),
    status: z.enum(paymentStatuses).optional(),
    kind: z.enum(paymentKinds).optional(),
    needs_refund: z.boolean().optional().describe('Duplicates, and payments of more than was due.'),
    external_id: text(100).optional().describe('Your own id.'),
    sort: z.enum(sorts).default('-paid_at'),
    ...listArguments,
  },
  output: listOutput(paymentSchema),
  async run({ sort: name, cursor, limit, ...filter }, context) {
    const sort = paymentRowSorts[name]!;
    const position = decodeCursor(sort, cursor);
    const found = await selectPaymentPage(context.db, context.organizationId, filter, {
      sort,
      position,
      limit,
    });
    const { rows, next_cursor } = pageOf(found, limit, sort, (row) => ({
      key: name.endsWith('paid_at') ? row.paid_on : row.created_at,
      id: row.id,
    }));
    return { items: rows.map(paymentOf), next_cursor };
  },
});
