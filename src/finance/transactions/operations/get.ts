import { id, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireAccount } from '../../accounts/index.ts';
import {
  type ReconciledPart,
  selectReconciledParts,
  selectSuperseded,
  selectTransfer,
} from '../link-queries.ts';
import { requireTransaction, transactionOf } from '../resource.ts';
import { isReconciled } from '../rules.ts';
import { transactionDetailSchema } from '../schema.ts';

export const getTransaction = operation({
  name: 'finance_financial_transactions_get',
  title: 'Get financial transaction',
  summary: 'One entry with its reconciliations, its transfer, and what took whose place.',
  effect: 'read',
  scope: 'finance.financial_transactions',
  input: { id: id('the entry') },
  output: transactionDetailSchema,
  async run(input, context) {
    const { db, workspaceId } = context;
    const row = await requireTransaction(context, input.id);
    const account = await requireAccount(context, row.account_id);
    const parts = await selectReconciledParts(db, workspaceId, row.id);
    const transfer = row.transfer_id === null ? null : await selectTransfer(db, workspaceId, row.transfer_id);
    return {
      ...transactionOf(row),
      company_id: account.company_id,
      currency: 'BRL' as const,
      open_amount: moneyText(isReconciled(row) ? 0 : row.amount_cents - row.reconciled_cents),
      reconciliations: parts.map(reconciliationOf),
      supersedes: await selectSuperseded(db, workspaceId, row.id),
      transfer:
        transfer === null
          ? null
          : {
              id: transfer.id,
              status: transfer.status,
              from_account_id: transfer.from_account_id,
              to_account_id: transfer.to_account_id,
              other_transaction_id:
                transfer.debit_transaction_id === row.id
                  ? transfer.credit_transaction_id
                  : transfer.debit_transaction_id,
            },
    };
  },
});

function reconciliationOf(part: ReconciledPart) {
  return {
    id: part.id,
    amount: moneyText(part.amount_cents),
    origin: part.origin,
    status: part.status as 'active' | 'undone',
    created_at: part.created_at,
  };
}
