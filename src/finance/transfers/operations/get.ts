import { id, moneyText } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { requireTransaction } from '../../transactions/index.ts';
import { requireTransfer, transferOf } from '../resource.ts';
import { transferDetailSchema } from '../schema.ts';

export const getTransfer = operation({
  name: 'finance_transfers_get',
  title: 'Get transfer',
  summary: 'One transfer with its two entries and where it stands at the bank.',
  effect: 'read',
  scope: 'finance.transfers',
  input: { id: id('the transfer') },
  output: transferDetailSchema,
  async run(input, context) {
    const row = await requireTransfer(context, input.id);
    return {
      ...transferOf(row),
      debit: await legOf(context, row.debit_transaction_id),
      credit: await legOf(context, row.credit_transaction_id),
    };
  },
});

async function legOf(context: Context, transactionId: string | null) {
  if (transactionId === null) return null;
  const { id, account_id, date, amount_cents, description, source } = await requireTransaction(
    context,
    transactionId,
  );
  return { id, account_id, date, amount: moneyText(amount_cents), description, source };
}
