import { date, id, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { attachmentsOf } from '../../attachments/index.ts';
import type { PayableRow } from '../queries.ts';
import { payableOf, requirePayable, settlementOf } from '../resource.ts';
import { amountsOf, isStillOpen } from '../rules.ts';
import { payableDetailSchema } from '../schema.ts';
import { isEffective, paidOf } from '../settle.ts';
import { type SettlementRow, selectSettlements } from '../settlement-queries.ts';
import { type PaymentRow, selectPaymentsOf } from '../write-queries.ts';

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
    const { db, workspaceId, today } = context;
    const row = await requirePayable(context, input.id);
    const settlements = await selectSettlements(db, workspaceId, row.id);
    const attachments = await attachmentsOf(context, 'payable', row.id);
    const payments = await selectPaymentsOf(db, workspaceId, row.id);
    const asOf = input.as_of ?? today;
    return {
      ...payableOf(row, context),
      currency: 'BRL' as const,
      as_of: asOf,
      amounts: shownAmounts(row, settlements, asOf),
      settlements: settlements.map(settlementOf),
      attachments,
      payments: payments.map(paymentOf),
    };
  },
});

function shownAmounts(row: PayableRow, settlements: readonly SettlementRow[], on: string) {
  const amounts = amountsOf(row, settlements.filter(isEffective).map(paidOf), on);
  // A draft or a canceled bill is owed by nobody; on a paid one nothing is asked any more once its principal is paid.
  const isOwed = isStillOpen(row.status) || (row.status === 'paid' && amounts.openPrincipal > 0);
  return {
    amount: moneyText(row.amount_cents),
    open_principal: moneyText(amounts.openPrincipal),
    discount: moneyText(amounts.discount),
    fine: moneyText(amounts.fine),
    interest: moneyText(amounts.interest),
    paid: moneyText(amounts.paid),
    amount_due: moneyText(isOwed ? amounts.amountDue : 0),
    days_late: isOwed ? amounts.daysLate : 0,
  };
}

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
