/** Financial accounts, their recorded balances, and the doors through which every entry reaches the books. */

import type { Completion, ResourceDefinition } from '../../core/surfaces.ts';
import { adjustBalance } from './operations/balances-adjust.ts';
import { createBalance } from './operations/balances-create.ts';
import { latestBalance } from './operations/balances-latest.ts';
import { listBalances } from './operations/balances-list.ts';
import { createAccount } from './operations/create.ts';
import { deleteAccount } from './operations/delete.ts';
import { getAccount } from './operations/get.ts';
import { listAccounts } from './operations/list.ts';
import { updateAccount } from './operations/update.ts';
import { suggestAccountIds } from './resource.ts';

export { type BankChoice, chooseBank, countBankAdapters } from './bank-choice.ts';
export {
  bookBalanceOf,
  findDefaultAccountId,
  postTransaction,
  recordStatedBalance,
  removeStatedBalance,
  removeTransaction,
  requireAccount,
  requireAccountAndCompany,
} from './resource.ts';
export { bankAccountOf, categoryKindOf, type Direction, maskedAccount, requireActive } from './rules.ts';

export const accountCompletion: Completion = {
  kind: 'records',
  operation: 'finance_financial_accounts_list',
  suggest: suggestAccountIds,
};

export const operations = [
  listAccounts,
  getAccount,
  createAccount,
  updateAccount,
  deleteAccount,
  listBalances,
  latestBalance,
  createBalance,
  adjustBalance,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://finance/financial-accounts/{account_id}',
    name: 'financial_account',
    title: 'Financial account',
    description: 'A financial account with its book balance and its last recorded balance.',
    mimeType: 'application/json',
    operation: 'finance_financial_accounts_get',
    variable: 'uuid',
    completion: accountCompletion,
    ttlMs: 0,
  },
  {
    uri: 'kobana://finance/financial-accounts/{account_id}/balances/latest',
    name: 'financial_account_balance_latest',
    title: 'Latest balance',
    description: "The account's most recent recorded balance.",
    mimeType: 'application/json',
    operation: 'finance_financial_account_balances_latest',
    variable: 'uuid',
    completion: accountCompletion,
    ttlMs: 0,
  },
];
