import { failArgument } from '../../../core/errors.ts';
import { id, money, moneyOrZero } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { requireDebtAndAccount } from '../../debt-records/index.ts';
import { requireActive, requireStatus, settlementArguments } from '../../debts/index.ts';
import { receiptOf, receivableKind, receivableOf, requireReceivable } from '../resource.ts';
import { receivedSchema } from '../schema.ts';
import { settleReceivable as settle } from '../settle.ts';

export const settleReceivable = operation({
  name: 'finance_receivables_settle',
  title: 'Settle receivable',
  summary: 'Record money received elsewhere. Without parts, interest and fine due are covered first.',
  effect: 'write',
  scope: 'finance.receivables',
  dryRun: true,
  input: {
    id: id('the receivable'),
    account_id: id('the account it was received on'),
    amount: money().describe('What the customer paid: principal - discount + interest + fine.'),
    ...settlementArguments,
    fee: moneyOrZero().optional().describe('Kept by the bank: the account receives amount - fee.'),
  },
  output: receivedSchema,
  async run({ id: receivableId, account_id, paid_at, ...given }, context) {
    if (paid_at > context.today) failArgument('paid_at', 'a date not after today');
    const found = await requireDebtAndAccount(context, receivableKind, receivableId, account_id);
    requireStatus(found.debt.status, ['open', 'partially_paid']);
    requireOpenBooks(found.company, paid_at);
    // Also where the bank kept all of it, so that no entry is posted.
    requireOpenBooks(found.accountCompany, paid_at);
    requireActive(found.account, 'financial_account');
    const { amount, fee, method, principal, discount, interest, fine } = given;
    const settlement = await settle(context, found.debt, {
      account: found.account,
      paidAt: paid_at,
      ...{ amount, fee, method, principal, discount, interest, fine },
      transactionSource: 'settlement',
    });
    const after = await requireReceivable(context, receivableId);
    return { receivable: receivableOf(after, context), settlement: receiptOf(settlement) };
  },
});
