import { z } from 'zod';
import { id, listArguments, listOutput, moneyText, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { searchPattern } from '../../../db/listing.ts';
import { accountSorts, selectAccounts, selectBookBalances } from '../queries.ts';
import { accountOf } from '../resource.ts';
import { accountKind, accountWithBalanceSchema } from '../schema.ts';

export const listAccounts = operation({
  name: 'finance_financial_accounts_list',
  title: 'List financial accounts',
  summary: 'Bank, payment, cash, card and investment accounts with their book balances today.',
  effect: 'read',
  scope: 'finance.financial_accounts',
  input: {
    company_id: id('the company').optional(),
    kind: accountKind.optional(),
    active: z.boolean().optional(),
    search: text(100).optional().describe('Name or account number.'),
    sort: z.enum(['name', '-name', 'created_at', '-created_at']).default('name'),
    ...listArguments,
  },
  output: listOutput(accountWithBalanceSchema),
  async run(input, { db, workspaceId, today }) {
    const sort = accountSorts[input.sort]!;
    const search = input.search === undefined ? undefined : searchPattern(input.search);
    const found = await selectAccounts(
      db,
      workspaceId,
      { ...input, search },
      { sort, position: decodeCursor(sort, input.cursor), limit: input.limit },
    );
    const page = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('name') ? row.name : row.created_at,
      id: row.id,
    }));
    const ids = page.rows.map((row) => row.id);
    const balances = await selectBookBalances(db, workspaceId, ids, today);
    return {
      items: page.rows.map((row) => ({ ...accountOf(row), book_balance: moneyText(balances.get(row.id)!) })),
      next_cursor: page.next_cursor,
    };
  },
});
