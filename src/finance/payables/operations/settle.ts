import { failArgument } from '../../../core/errors.ts';
import { id, money } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireAttachment } from '../../attachments/index.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { requireDebtAndAccount } from '../../debt-records/index.ts';
import { requireActive, requireStatus, settlementArguments } from '../../debts/index.ts';
import { requireNoLiveOrder } from '../orders.ts';
import { payableKind, payableOf, requirePayable, settlementOf } from '../resource.ts';
import { settledSchema } from '../schema.ts';
import { settlePayable as settle } from '../settle.ts';

export const settlePayable = operation({
  name: 'finance_payables_settle',
  title: 'Settle payable',
  summary: 'Record a payment made outside. Without parts, interest and fine due are covered first.',
  effect: 'write',
  scope: 'finance.payables',
  dryRun: true,
  input: {
    id: id('the payable'),
    account_id: id('the account it was paid from'),
    amount: money().describe('Money that left the account: principal - discount + interest + fine.'),
    ...settlementArguments,
    receipt_attachment_id: id('the receipt, an attachment').optional(),
  },
  output: settledSchema,
  async run({ id: payableId, account_id, paid_at, receipt_attachment_id, ...given }, context) {
    if (paid_at > context.today) failArgument('paid_at', 'a date not after today');
    const found = await requireDebtAndAccount(context, payableKind, payableId, account_id);
    requireStatus(found.debt.status, ['open', 'partially_paid']);
    // An order on its way would pay the bill a second time.
    await requireNoLiveOrder(context, payableId);
    requireOpenBooks(found.company, paid_at);
    requireActive(found.account, 'financial_account');
    if (receipt_attachment_id !== undefined) await requireAttachment(context, receipt_attachment_id);
    const { amount, method, principal, discount, interest, fine } = given;
    const settlement = await settle(context, found.debt, {
      account: found.account,
      paidAt: paid_at,
      ...{ amount, method, principal, discount, interest, fine },
      receiptAttachmentId: receipt_attachment_id,
      transactionSource: 'settlement',
    });
    const after = await requirePayable(context, payableId);
    return { payable: payableOf(after, context), settlement: settlementOf(settlement) };
  },
});
