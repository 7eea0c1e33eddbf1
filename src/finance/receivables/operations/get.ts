import { date, id, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { detailOf } from '../../debt-records/index.ts';
import { type ChargeRow, selectChargesOf } from '../queries.ts';
import { receiptOf, receivableKind, receivableOf, requireReceivable } from '../resource.ts';
import { receivableDetailSchema } from '../schema.ts';

export const getReceivable = operation({
  name: 'finance_receivables_get',
  title: 'Get receivable',
  summary: 'One receivable: amounts as of a date, receipts, attachments, charges.',
  effect: 'read',
  scope: 'finance.receivables',
  input: {
    id: id('the receivable'),
    as_of: date().optional().describe('The date the amounts are for; default today.'),
  },
  output: receivableDetailSchema,
  async run(input, context) {
    const row = await requireReceivable(context, input.id);
    const detail = await detailOf(context, receivableKind, row, input.as_of ?? context.today);
    const charges = await selectChargesOf(context.db, context.workspaceId, row.id);
    return {
      ...receivableOf(row, context),
      ...detail.fields,
      settlements: detail.settlements.map(receiptOf),
      charges_issued: charges.map(chargeOf),
    };
  },
});

function chargeOf(row: ChargeRow) {
  return {
    id: row.id,
    account_id: row.account_id,
    methods: row.methods,
    amount: moneyText(row.amount_cents),
    due_date: row.due_date,
    status: row.status,
    registration_status: row.registration_status,
    created_at: row.created_at,
  };
}
