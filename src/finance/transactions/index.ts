/** Entries of financial accounts; the doors for whoever reconciles them or makes transfers of them. */

import type { Completion, ResourceDefinition } from '../../core/surfaces.ts';
import { createTransaction } from './operations/create.ts';
import { deleteTransaction } from './operations/delete.ts';
import { getTransaction } from './operations/get.ts';
import { listTransactions } from './operations/list.ts';
import { summarizeTransactions } from './operations/summary.ts';
import { updateTransaction } from './operations/update.ts';
import { suggestTransactionIds } from './resource.ts';

export type { TransactionRow } from './queries.ts';
export {
  requireTransaction,
  requireTransactionAndAccount,
  restore,
  setReconciled,
  setTransfer,
  supersede,
  transactionOf as recordedTransaction,
} from './resource.ts';
export { isReconciled } from './rules.ts';

export const transactionCompletion: Completion = {
  kind: 'records',
  operation: 'finance_financial_transactions_list',
  suggest: suggestTransactionIds,
};

export const operations = [
  listTransactions,
  getTransaction,
  createTransaction,
  updateTransaction,
  deleteTransaction,
  summarizeTransactions,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://finance/financial-transactions/{id}',
    name: 'financial_transaction',
    title: 'Financial transaction',
    description: 'An entry of a financial account.',
    mimeType: 'application/json',
    operation: 'finance_financial_transactions_get',
    variable: 'uuid',
    completion: transactionCompletion,
    ttlMs: 0,
  },
];
