import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { date, id, money } from '../../../core/fields.ts';
import { type Context, operation, type WriteContext } from '../../../core/operation.ts';
import { bookBalanceOf, requireActive } from '../../accounts/index.ts';
import { queueSubmit } from '../../bank-commands/index.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { cleanText } from '../../schema.ts';
import { requireSides, type Side } from '../accounts.ts';
import { transferFacts } from '../facts.ts';
import { postLegs } from '../legs.ts';
import { insertTransfer, type TransferRow } from '../queries.ts';
import { requireTransfer, storeTransfer, transferOf } from '../resource.ts';
import { requireAfterOpening, requireBankAccount, type TransferMethod, transferDateOf } from '../rules.ts';
import { transferMethods, transferSchema } from '../schema.ts';
import { transferSubject } from '../subject.ts';

export const createTransfer = operation({
  name: 'finance_transfers_create',
  title: 'Transfer between own accounts',
  titlePortuguese: 'Transferir entre contas próprias',
  summary:
    'Move money between two accounts of the workspace; `internal` only records it, `pix` and `ted` order it.',
  effect: 'destructive',
  scope: 'finance.transfers',
  alsoScopes: ['finance.transfers.send'],
  hints: { openWorld: true },
  input: {
    from_account_id: id('the account the money leaves'),
    to_account_id: id('the account the money reaches'),
    amount: money(),
    date: date()
      .optional()
      .describe('Default: today, for `ted` the next business day; `internal` takes no day to come.'),
    method: z.enum(transferMethods),
    description: cleanText(200).optional().describe('Becomes the description of both entries.'),
  },
  output: transferSchema,
  async question(input, context) {
    const { from, to, on } = await prepare(input, context);
    return transferFacts({
      from,
      to,
      amount: input.amount,
      date: on,
      method: input.method,
      balance: await bookBalanceOf(context, from.account),
    });
  },
  async run(input, context) {
    const { from, to, on } = await prepare(input, context);
    const isByHand = input.method === 'internal';
    const transfer = await insert(context, input, on);
    if (isByHand) {
      const legs = await postLegs(context, transfer, { from, to }, on);
      return transferOf(
        await storeTransfer(context, transfer, { ...transfer, ...legs, status: 'confirmed' }),
      );
    }
    await queueSubmit(context, transferSubject, transfer);
    return transferOf(transfer);
  },
});

interface Input {
  readonly from_account_id: string;
  readonly to_account_id: string;
  readonly amount: number;
  readonly date?: string | undefined;
  readonly method: TransferMethod;
  readonly description?: string | undefined;
}

/** Everything that would refuse the transfer; both accounts locked when writing. */
async function prepare(input: Input, context: Context): Promise<{ from: Side; to: Side; on: string }> {
  if (input.from_account_id === input.to_account_id) failArgument('to_account_id', 'another account');
  const { from, to } = await requireSides(context, input.from_account_id, input.to_account_id);
  const on = transferDateOf(input.method, input.date, context.today);
  for (const { account, company } of [from, to]) {
    requireActive(account, 'financial_account');
    requireActive(company, 'company');
    requireAfterOpening(account, on);
    requireOpenBooks(company, on);
  }
  if (input.method !== 'internal') {
    requireBankAccount('from_account_id', from.account);
    requireBankAccount('to_account_id', to.account);
  }
  return { from, to, on };
}

async function insert(context: WriteContext, input: Input, on: string): Promise<TransferRow> {
  const id = context.newId();
  await insertTransfer(
    context.db,
    {
      workspace_id: context.workspaceId,
      id,
      from_account_id: input.from_account_id,
      to_account_id: input.to_account_id,
      amount_cents: input.amount,
      method: input.method,
      scheduled_for: on,
      description: input.description ?? null,
      origin: 'ordered',
      status: 'pending',
      registration_status: input.method === 'internal' ? 'none' : 'pending',
      bank_reference: null,
      bank_settled_on: null,
      rejected_reason: null,
      cancel_reason: null,
      cancel_requested_at: null,
      debit_transaction_id: null,
      credit_transaction_id: null,
      created_by: context.caller.user.id,
    },
    context.now,
  );
  const transfer = await requireTransfer(context, id);
  context.changed('transfer', id, null, transferOf(transfer));
  return transfer;
}
