import { moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { selectLatestBalance } from '../queries.ts';
import { accountOf, balanceOf, bookBalanceOf, requireAccount } from '../resource.ts';
import { accountId, accountWithBalanceSchema, balanceSchema } from '../schema.ts';

export const getAccount = operation({
  name: 'finance_financial_accounts_get',
  title: 'Get financial account',
  summary: 'One account with its book balance today and its last recorded balance.',
  effect: 'read',
  scope: 'finance.financial_accounts',
  input: { account_id: accountId() },
  output: accountWithBalanceSchema.extend({
    last_balance: balanceSchema.nullable().describe('Null when none was ever recorded.'),
  }),
  async run(input, context) {
    const account = await requireAccount(context, input.account_id);
    const latest = await selectLatestBalance(context.db, context.workspaceId, account.id);
    return {
      ...accountOf(account),
      book_balance: moneyText(await bookBalanceOf(context, account)),
      last_balance: latest === undefined ? null : balanceOf(latest),
    };
  },
});
