import { failArgument } from '../../../core/errors.ts';
import { instant, moneyOrZero, signedMoney } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { insertBalance } from '../queries.ts';
import { balanceOf, requireAccount } from '../resource.ts';
import { requireActive } from '../rules.ts';
import { accountId, balanceSchema } from '../schema.ts';

export const createBalance = operation({
  name: 'finance_financial_account_balances_create',
  title: 'Record balance',
  summary: 'Record the balance the bank reports. The books stay as they are.',
  effect: 'write',
  scope: 'finance.financial_accounts',
  input: {
    account_id: accountId(),
    amount: signedMoney().describe('The whole balance, blocked part included; negative when overdrawn.'),
    as_of: instant().describe('The instant the balance is of, not in the future.'),
    blocked_amount: moneyOrZero().optional().describe('Default "0.00".'),
  },
  output: balanceSchema,
  async run(input, context) {
    const account = await requireAccount(context, input.account_id);
    requireActive(account, 'financial_account');
    if (Date.parse(input.as_of) > context.now.getTime())
      failArgument('as_of', 'an instant that is not after now');
    const row = await insertBalance(
      context.db,
      {
        workspace_id: context.workspaceId,
        id: context.newId(),
        account_id: account.id,
        amount_cents: input.amount,
        blocked_cents: input.blocked_amount ?? 0,
        as_of: input.as_of,
        source: 'manual',
        created_by: context.caller.user.id,
      },
      context.now,
    );
    const balance = balanceOf(row);
    context.changed('financial_account_balance', row.id, null, balance);
    return balance;
  },
});
