import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { onDate, ours, outside } from '../../../core/facts.ts';
import { formatBrl } from '../../../core/money.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { selectReferences } from '../../../db/references.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { type AccountRow, deleteAccount as deleteRow } from '../queries.ts';
import { accountOf, requireAccountAndCompany } from '../resource.ts';
import { maskedAccount } from '../rules.ts';
import { accountId } from '../schema.ts';

export const deleteAccount = operation({
  name: 'finance_financial_accounts_delete',
  title: 'Delete financial account',
  titlePortuguese: 'Excluir conta financeira',
  summary:
    'Remove an account without entries, orders or recorded balances; others are deactivated by update.',
  effect: 'destructive',
  scope: 'finance.financial_accounts',
  input: { account_id: accountId() },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const row = await prepareDelete(input.account_id, context);
    return [
      outside('account', 'Conta', 'Account', maskedAccount(row)),
      ours('opening_balance', 'Saldo inicial', 'Opening balance', formatBrl(row.opening_balance_cents)),
      onDate('opening_date', 'Data inicial', 'Opening date', row.opening_date),
    ];
  },
  async run(input, context) {
    const row = await prepareDelete(input.account_id, context);
    await deleteRow(context.db, context.workspaceId, row.id);
    context.changed('financial_account', row.id, accountOf(row), null);
    return { id: row.id, deleted: true as const };
  },
});

/** The opening balance is an amount of the books, so its month has to be open. */
async function prepareDelete(accountIdGiven: string, context: Context): Promise<AccountRow> {
  const { account, company } = await requireAccountAndCompany(context, accountIdGiven);
  const by = await selectReferences(context.db, 'financial_accounts', context.workspaceId, account.id);
  if (by.length > 0) fail('in_use', { by });
  requireOpenBooks(company, account.opening_date);
  return account;
}
