import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { date, id, money, moneyOrZero } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireAccountAndCompany } from '../../accounts/index.ts';
import { requireAttachment } from '../../attachments/index.ts';
import { requireCompany, requireOpenBooks } from '../../companies/index.ts';
import { requireNoLiveOrder } from '../orders.ts';
import { payableOf, requirePayable, settlementOf } from '../resource.ts';
import { requireActive, requireStatus } from '../rules.ts';
import { settledSchema, settlementMethods } from '../schema.ts';
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
    paid_at: date().describe('Not after today.'),
    amount: money().describe('Money that left the account: principal - discount + interest + fine.'),
    principal: moneyOrZero().optional().describe('Face value paid off, discount included.'),
    discount: moneyOrZero().optional(),
    interest: moneyOrZero().optional(),
    fine: moneyOrZero().optional(),
    method: z.enum(settlementMethods).default('other'),
    receipt_attachment_id: id('the receipt, an attachment').optional(),
  },
  output: settledSchema,
  async run(input, context) {
    if (input.paid_at > context.today) failArgument('paid_at', 'a date not after today');
    const payable = await requirePayable(context, input.id);
    requireStatus(payable.status, ['open', 'partially_paid']);
    // An order on its way would pay the bill a second time.
    await requireNoLiveOrder(context, payable.id);
    requireOpenBooks(await requireCompany(context, payable.company_id), input.paid_at);
    const { account } = await requireAccountAndCompany(context, input.account_id);
    requireActive(account, 'financial_account');
    if (input.receipt_attachment_id !== undefined) {
      await requireAttachment(context, input.receipt_attachment_id);
    }
    const settlement = await settle(context, payable, {
      account,
      paidAt: input.paid_at,
      amount: input.amount,
      principal: input.principal,
      discount: input.discount,
      interest: input.interest,
      fine: input.fine,
      method: input.method,
      receiptAttachmentId: input.receipt_attachment_id,
      transactionSource: 'settlement',
    });
    const after = await requirePayable(context, payable.id);
    return { payable: payableOf(after, context), settlement: settlementOf(settlement) };
  },
});
