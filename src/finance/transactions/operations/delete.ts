import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { moves, onDate, ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { maskedAccount, removeTransaction } from '../../accounts/index.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { deleteAttachmentLinks, selectUses } from '../link-queries.ts';
import { requireTransactionAndAccount } from '../resource.ts';
import { requireManual } from '../rules.ts';
import type { directions } from '../schema.ts';

const directionWords = {
  credit: { 'pt-BR': 'crédito (entrada)', en: 'credit (money in)' },
  debit: { 'pt-BR': 'débito (saída)', en: 'debit (money out)' },
} as const satisfies Record<(typeof directions)[number], object>;

export const deleteTransaction = operation({
  name: 'finance_financial_transactions_delete',
  title: 'Delete financial transaction',
  titlePortuguese: 'Excluir lançamento manual',
  summary: 'Remove an entry made by hand that is not reconciled; the balance moves back.',
  effect: 'destructive',
  scope: 'finance.financial_transactions',
  input: { id: id('the entry') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const { account, transaction } = await prepareDelete(input, context);
    return [
      outside('account', 'Conta', 'Account', maskedAccount(account)),
      onDate('date', 'Data', 'Date', transaction.date),
      ours(
        'direction',
        'Movimento',
        'Direction',
        directionWords[transaction.direction as (typeof directions)[number]],
      ),
      moves('amount', 'Valor', 'Amount', transaction.amount_cents),
      outside('description', 'Descrição', 'Description', transaction.description),
    ];
  },
  async run(input, context) {
    const { transaction } = await prepareDelete(input, context);
    await deleteAttachmentLinks(context.db, context.workspaceId, transaction.id);
    await removeTransaction(context, transaction.id);
    return { id: transaction.id, deleted: true as const };
  },
});

/** What was reconciled once stays, so that the history of it can be read. */
async function prepareDelete(input: { id: string }, context: Context) {
  const { account, company, transaction } = await requireTransactionAndAccount(context, input.id);
  requireManual(transaction);
  if (transaction.reconciled_cents > 0) {
    fail('already_reconciled', { kind: 'financial_transaction', id: transaction.id });
  }
  const by = await selectUses(context.db, context.workspaceId, transaction.id);
  if (by.length > 0) fail('in_use', { by });
  requireOpenBooks(company, transaction.date);
  return { account, transaction };
}
