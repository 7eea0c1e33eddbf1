import { civilDateAt } from '../../../core/dates.ts';
import { fail } from '../../../core/errors.ts';
import { moneyOut, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { selectLatestBalance } from '../queries.ts';
import { balanceOf, bookBalanceOf, requireAccount } from '../resource.ts';
import { accountId, balanceSchema } from '../schema.ts';

export const latestBalance = operation({
  name: 'finance_financial_account_balances_latest',
  title: 'Latest recorded balance',
  summary: 'The most recent recorded balance of an account, compared with the books on that day.',
  effect: 'read',
  scope: 'finance.financial_accounts',
  input: { account_id: accountId() },
  output: balanceSchema.extend({
    book_balance: moneyOut().describe('At the end of the day of `as_of` in the time zone of the workspace.'),
    difference: moneyOut().describe('`amount` minus `book_balance`: positive when the books have less.'),
  }),
  async run(input, context) {
    const account = await requireAccount(context, input.account_id);
    const latest = await selectLatestBalance(context.db, context.workspaceId, account.id);
    if (latest === undefined) {
      fail('not_found', {
        kind: 'financial_account_balance',
        account_id: account.id,
        reason: 'no_balance_recorded',
      });
    }
    const on = civilDateAt(new Date(latest.as_of), context.timeZone);
    const book = await bookBalanceOf(context, account, on);
    return {
      ...balanceOf(latest),
      book_balance: moneyText(book),
      difference: moneyText(latest.amount_cents - book),
    };
  },
});
