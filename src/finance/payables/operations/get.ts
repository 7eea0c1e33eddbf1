import { date, id, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { detailOf } from '../../debt-records/index.ts';
import { type PaymentRow, selectPaymentsOf } from '../queries.ts';
import { payableKind, payableOf, requirePayable, settlementOf } from '../resource.ts';
import { payableDetailSchema } from '../schema.ts';

export const getPayable = operation({
  name: 'finance_payables_get',
  title: 'Get payable',
  summary: 'One bill: amounts as of a date, settlements, attachments, payment orders.',
  effect: 'read',
  scope: 'finance.payables',
  input: {
    id: id('the payable'),
    as_of: date().optional().describe('The date the amounts are for; default today.'),
  },
  output: payableDetailSchema,
  async run(input, context) {
    const row = await requirePayable(context, input.id);
    const detail = await detailOf(context, payableKind, row, input.as_of ?? context.today);
    const payments = await selectPaymentsOf(context.db, context.workspaceId, row.id);
    return {
      ...payableOf(row, context),
      ...detail.fields,
      settlements: detail.settlements.map(settlementOf),
      payments: payments.map(paymentOf),
    };
  },
});

function paymentOf(row: PaymentRow) {
  return {
    id: row.id,
    account_id: row.account_id,
    kind: row.kind,
    amount: moneyText(row.amount_cents),
    scheduled_for: row.scheduled_for,
    status: row.status,
    registration_status: row.registration_status,
    created_at: row.created_at,
  };
}
