import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { date, signedMoney } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { selectHasTransactions, updateAccount as updateRow } from '../queries.ts';
import { accountOf, requireAccount, requireAccountAndCompany, requireFreeName } from '../resource.ts';
import { isOpeningChanged, requireOpeningDate } from '../rules.ts';
import { accountFields, accountId, accountSchema } from '../schema.ts';

export const updateAccount = operation({
  name: 'finance_financial_accounts_update',
  title: 'Update financial account',
  summary: "Change an account's data or deactivate it. The opening balance is fixed after the first entry.",
  effect: 'write',
  scope: 'finance.financial_accounts',
  hints: { idempotent: true },
  input: {
    account_id: accountId(),
    name: accountFields.name.optional(),
    kind: accountFields.kind.optional(),
    bank_code: accountFields.bank_code.nullable().optional(),
    agency: accountFields.agency.nullable().optional(),
    number: accountFields.number.nullable().optional(),
    digit: accountFields.digit.nullable().optional(),
    opening_balance: signedMoney().optional().describe('Only before the first entry.'),
    opening_date: date().optional().describe('Only before the first entry.'),
    active: z.boolean().optional(),
  },
  output: accountSchema,
  async run({ account_id, opening_balance, ...changes }, context) {
    const { account: before, company } = await requireAccountAndCompany(context, account_id);
    const opening = opening_balance === undefined ? {} : { opening_balance_cents: opening_balance };
    const changed = { ...before, ...changes, ...opening };
    if (isOpeningChanged(before, changed)) {
      if (await selectHasTransactions(context.db, context.workspaceId, account_id)) {
        fail('in_use', { kind: 'financial_account', by: ['financial_transactions'] });
      }
      requireOpeningDate(changed.opening_date, context.today);
      requireOpenBooks(company, before.opening_date, changed.opening_date);
    }
    if (changed.name !== before.name) await requireFreeName(context, changed.name);
    await updateRow(context.db, changed, context.now);
    const after = accountOf(await requireAccount(context, account_id));
    context.changed('financial_account', account_id, accountOf(before), after);
    return after;
  },
});
