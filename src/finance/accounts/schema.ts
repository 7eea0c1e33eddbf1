import { z } from 'zod';
import { id, moneyOut } from '../../core/fields.ts';
import { cleanText } from '../schema.ts';

const bankCodeForm = 'the bank code, three digits such as "341"';
const agencyForm =
  'the branch number, with its check digit after a hyphen where it has one, such as "1234" or "1234-5"';
const numberForm = 'the account number without its check digit, 1 to 20 digits';
const digitForm = 'the check digit of the account, one or two digits or capital letters';

export const accountKind = z.enum(['checking', 'savings', 'payment', 'cash', 'card', 'investment']);

/** The argument every tool of one account takes. */
export const accountId = () => id('the financial account');

/** What `create` and `update` take alike; the bank's own data are absent for cash. */
export const accountFields = {
  name: cleanText(100).describe('Unique in the workspace.'),
  kind: accountKind,
  bank_code: formOf(/^\d{3}$/, bankCodeForm),
  agency: formOf(/^\d{1,6}(-[\dX])?$/, agencyForm),
  number: formOf(/^\d{1,20}$/, numberForm),
  digit: formOf(/^[\dA-Z]{1,2}$/, digitForm),
};

export const accountSchema = z
  .object({
    id: z.string(),
    company_id: z.string(),
    name: z.string(),
    kind: accountKind,
    bank_code: z.string().nullable(),
    agency: z.string().nullable(),
    number: z.string().nullable(),
    digit: z.string().nullable(),
    opening_balance: moneyOut(),
    opening_date: z.string(),
    active: z.boolean(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
  })
  .meta({ id: 'financial_account', description: 'A bank, payment, cash, card or investment account.' });

export type Account = z.infer<typeof accountSchema>;

export const accountWithBalanceSchema = accountSchema
  .extend({
    book_balance: moneyOut().describe('Opening balance plus credits minus debits up to today.'),
  })
  .meta({ id: 'financial_account_with_balance', description: 'An account with its book balance today.' });

export const balanceSchema = z
  .object({
    id: z.string(),
    account_id: z.string(),
    amount: moneyOut().describe('The whole balance, the blocked part included.'),
    blocked_amount: moneyOut(),
    as_of: z.string().describe('The instant the balance is of.'),
    source: z.enum(['bank', 'statement', 'manual']),
    created_at: z.string(),
  })
  .meta({
    id: 'financial_account_balance',
    description: 'A balance as somebody outside the books reported it. It never changes the books.',
  });

export type Balance = z.infer<typeof balanceSchema>;

/** An entry of an account, as posting it gives it back. */
export const postedTransactionSchema = z.object({
  id: z.string(),
  account_id: z.string(),
  date: z.string(),
  direction: z.enum(['credit', 'debit']),
  amount: moneyOut(),
  description: z.string(),
  category_id: z.string().nullable(),
  person_id: z.string().nullable(),
  source: z.enum(['manual', 'import', 'payment', 'settlement', 'transfer', 'adjustment']),
  created_at: z.string(),
  version: z.int(),
});

export type PostedTransaction = z.infer<typeof postedTransactionSchema>;

function formOf(pattern: RegExp, error: string) {
  return z.string({ error }).regex(pattern, { error });
}
