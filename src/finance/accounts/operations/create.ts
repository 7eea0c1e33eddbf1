import { date, id, signedMoney } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireCompany, requireOpenBooks } from '../../companies/index.ts';
import { insertAccount } from '../queries.ts';
import { accountOf, requireAccount, requireFreeName } from '../resource.ts';
import { requireActive, requireOpeningDate } from '../rules.ts';
import { accountFields, accountSchema } from '../schema.ts';

export const createAccount = operation({
  name: 'finance_financial_accounts_create',
  title: 'Add financial account',
  summary: 'Add an account of a company with the balance it opens with.',
  effect: 'write',
  scope: 'finance.financial_accounts',
  input: {
    company_id: id('the company'),
    name: accountFields.name,
    kind: accountFields.kind,
    bank_code: accountFields.bank_code.optional(),
    agency: accountFields.agency.optional(),
    number: accountFields.number.optional(),
    digit: accountFields.digit.optional(),
    opening_balance: signedMoney().describe('Balance before the first entry; negative when overdrawn.'),
    opening_date: date().describe('The first day of entries, not after today.'),
  },
  output: accountSchema,
  async run(input, context) {
    const company = await requireCompany(context, input.company_id);
    requireActive(company, 'company');
    requireOpeningDate(input.opening_date, context.today);
    requireOpenBooks(company, input.opening_date);
    await requireFreeName(context, input.name);
    const accountId = context.newId();
    await insertAccount(
      context.db,
      {
        workspace_id: context.workspaceId,
        id: accountId,
        company_id: company.id,
        name: input.name,
        kind: input.kind,
        bank_code: input.bank_code ?? null,
        agency: input.agency ?? null,
        number: input.number ?? null,
        digit: input.digit ?? null,
        opening_balance_cents: input.opening_balance,
        opening_date: input.opening_date,
        created_by: context.caller.user.id,
      },
      context.now,
    );
    const account = accountOf(await requireAccount(context, accountId));
    context.changed('financial_account', accountId, null, account);
    return account;
  },
});
