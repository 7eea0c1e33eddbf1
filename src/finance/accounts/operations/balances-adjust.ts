import { z } from 'zod';
import type { CivilDate } from '../../../core/dates.ts';
import { onDate, ours, outside } from '../../../core/facts.ts';
import { date, id, moneyOut, moneyText, signedMoney } from '../../../core/fields.ts';
import { type Cents, formatBrl } from '../../../core/money.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { requireLeafCategory } from '../../categories/index.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { cleanText } from '../../schema.ts';
import { selectTransaction } from '../queries.ts';
import {
  bookBalanceOf,
  postedTransactionOf,
  postTransaction,
  requireAccountAndCompany,
} from '../resource.ts';
import {
  adjustmentOf,
  categoryKindOf,
  type Direction,
  maskedAccount,
  requireActive,
  requireAdjustableDate,
} from '../rules.ts';
import { accountId, postedTransactionSchema } from '../schema.ts';

const effects = {
  credit: { 'pt-BR': 'crédito: o saldo contábil aumenta', en: 'credit: the book balance rises' },
  debit: { 'pt-BR': 'débito: o saldo contábil diminui', en: 'debit: the book balance falls' },
} as const satisfies Record<Direction, object>;

export const adjustBalance = operation({
  name: 'finance_financial_account_balances_adjust',
  title: 'Adjust book balance',
  titlePortuguese: 'Ajustar saldo contábil',
  summary: 'Post the entry that makes the book balance of a day equal a stated balance.',
  effect: 'destructive',
  scope: 'finance.financial_accounts',
  input: {
    account_id: accountId(),
    target_balance: signedMoney().describe('The book balance to reach; negative when overdrawn.'),
    as_of: date().describe('The day at whose end the balance is reached; the entry has this date.'),
    category_id: id('the category').describe(
      'A leaf: of income when the balance rises, of expense when it falls.',
    ),
    reason: cleanText(300).describe('Becomes the description of the entry.'),
  },
  output: z.object({
    transaction: postedTransactionSchema,
    book_balance: moneyOut().describe('At the end of that day, with the entry.'),
  }),
  async question(input, context) {
    const { account, category, book, direction, amount } = await prepareAdjustment(input, context);
    const money = formatBrl(amount);
    return [
      outside('account', 'Conta', 'Account', maskedAccount(account)),
      onDate('date', 'Data do lançamento', 'Date of the entry', input.as_of),
      ours(
        'book_balance',
        'Saldo contábil nessa data, como está agora',
        'Book balance of that day, as it is now',
        formatBrl(book),
      ),
      ours(
        'target_balance',
        'Saldo depois do ajuste',
        'Balance after the adjustment',
        formatBrl(input.target_balance),
      ),
      {
        ...ours('difference', 'Diferença a lançar', 'Difference to post', {
          'pt-BR': `${money} (${effects[direction]['pt-BR']})`,
          en: `${money} (${effects[direction].en})`,
        }),
        movesCents: amount,
      },
      outside('category', 'Categoria', 'Category', category.name),
    ];
  },
  async run(input, context) {
    const { account, category, direction, amount } = await prepareAdjustment(input, context);
    const transactionId = await postTransaction(context, {
      account,
      date: input.as_of,
      direction,
      amount,
      description: input.reason,
      source: 'adjustment',
      categoryId: category.id,
    });
    const row = await selectTransaction(context.db, context.workspaceId, transactionId, false);
    return {
      transaction: postedTransactionOf(row!),
      book_balance: moneyText(await bookBalanceOf(context, account, input.as_of)),
    };
  },
});

/** Everything that would refuse the adjustment, before the question and again before the entry. */
async function prepareAdjustment(
  input: { account_id: string; target_balance: Cents; as_of: CivilDate; category_id: string },
  context: Context,
) {
  const { account, company } = await requireAccountAndCompany(context, input.account_id);
  requireActive(account, 'financial_account');
  requireAdjustableDate(account, input.as_of, context.today);
  requireOpenBooks(company, input.as_of);
  const book = await bookBalanceOf(context, account, input.as_of);
  const { direction, amount } = adjustmentOf(book, input.target_balance);
  const category = await requireLeafCategory(context, input.category_id, categoryKindOf[direction]);
  return { account, category, book, direction, amount };
}
