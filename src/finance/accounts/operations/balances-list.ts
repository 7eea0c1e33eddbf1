import { z } from 'zod';
import { date, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { balanceSorts, selectBalances } from '../queries.ts';
import { balanceOf, requireAccount } from '../resource.ts';
import { accountId, balanceSchema } from '../schema.ts';

export const listBalances = operation({
  name: 'finance_financial_account_balances_list',
  title: 'List recorded balances',
  summary: 'History of the balances recorded for an account.',
  effect: 'read',
  scope: 'finance.financial_accounts',
  input: {
    account_id: accountId(),
    date_from: date().optional().describe('First day of `as_of`, in the time zone of the workspace.'),
    date_to: date().optional().describe('Last day of `as_of`, in the time zone of the workspace.'),
    sort: z.enum(['as_of', '-as_of']).default('-as_of'),
    ...listArguments,
  },
  output: listOutput(balanceSchema),
  async run(input, context) {
    const account = await requireAccount(context, input.account_id);
    const sort = balanceSorts[input.sort]!;
    const found = await selectBalances(
      context.db,
      context.workspaceId,
      { ...input, account_id: account.id },
      context.timeZone,
      { sort, position: decodeCursor(sort, input.cursor), limit: input.limit },
    );
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.as_of, id: row.id }));
    return { items: page.rows.map(balanceOf), next_cursor: page.next_cursor };
  },
});
