import { z } from 'zod';
import { date, id, money } from '../../../core/fields.ts';
import { type InputOf, operation, type WriteContext } from '../../../core/operation.ts';
import {
  categoryKindOf,
  postTransaction,
  requireAccountAndCompany,
  requireActive,
} from '../../accounts/index.ts';
import { classifierOf } from '../../automatic-rules/index.ts';
import { requireLeafCategory } from '../../categories/index.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { wholeShareOf } from '../../cost-centers/index.ts';
import { cleanText } from '../../schema.ts';
import { requirePersonInUse, requireTransaction, transactionOf } from '../resource.ts';
import { requireEntryDate } from '../rules.ts';
import { directions, transactionSchema } from '../schema.ts';

const input = {
  account_id: id('the financial account'),
  date: date().describe('Not before the opening of the account, not after today.'),
  direction: z.enum(directions).describe('Money in (credit) or out (debit).'),
  amount: money(),
  description: cleanText(300).describe('What moved the money.'),
  category_id: id('the category')
    .optional()
    .describe(
      'Default: what the automatic rules say. A leaf: of income for a credit, of expense for a debit.',
    ),
  person_id: id('the supplier or customer').optional(),
};

export const createTransaction = operation({
  name: 'finance_financial_transactions_create',
  title: 'Create financial transaction',
  summary: 'Enter by hand what moved an account, such as petty cash or a bank fee.',
  effect: 'write',
  scope: 'finance.financial_transactions',
  input,
  output: transactionSchema,
  async run(given, context) {
    const { account, company } = await requireAccountAndCompany(context, given.account_id);
    requireActive(account, 'financial_account');
    requireEntryDate(account, given.date, context.today);
    requireOpenBooks(company, given.date);
    if (given.person_id !== undefined) await requirePersonInUse(context, given.person_id);
    const transactionId = await postTransaction(context, {
      account,
      date: given.date,
      direction: given.direction,
      amount: given.amount,
      description: given.description,
      source: 'manual',
      ...(await classified(context, given)),
    });
    return transactionOf(await requireTransaction(context, transactionId));
  },
});

/** What the caller said; without a category, what the rules say about the fields left open. */
async function classified(context: WriteContext, given: InputOf<typeof input>) {
  const kind = categoryKindOf[given.direction];
  const personId = given.person_id ?? null;
  if (given.category_id !== undefined) {
    await requireLeafCategory(context, given.category_id, kind);
    return { categoryId: given.category_id, personId };
  }
  const said = (await classifierOf(context, 'transactions'))(given.description, kind);
  if (said === null) return { personId };
  return {
    categoryId: said.categoryId,
    classifiedBy: 'rule' as const,
    personId: personId ?? said.personId,
    costCenters: said.costCenterId === null ? [] : wholeShareOf(said.costCenterId),
    notes: said.notes,
  };
}
