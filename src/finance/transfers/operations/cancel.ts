import { id, text } from '../../../core/fields.ts';
import { type Context, operation, type WriteContext } from '../../../core/operation.ts';
import { isUnsent, queueCancel } from '../../bank-commands/index.ts';
import { requireOpenBooks } from '../../companies/index.ts';
import { requireSides, type Side } from '../accounts.ts';
import { cancelFacts } from '../facts.ts';
import { removeLegs, requireLegs, unlinkTransfer } from '../legs.ts';
import type { TransferRow } from '../queries.ts';
import { requireTransfer, storeTransfer, transferOf } from '../resource.ts';
import { type Cancellation, cancellationOf } from '../rules.ts';
import { transferSchema } from '../schema.ts';
import { transferSubject } from '../subject.ts';

export const cancelTransfer = operation({
  name: 'finance_transfers_cancel',
  title: 'Cancel transfer',
  titlePortuguese: 'Cancelar transferência',
  summary:
    'Call off a transfer the bank has not made, take back one entered by hand, or unlink two linked lines.',
  effect: 'destructive',
  scope: 'finance.transfers',
  alsoScopes: ['finance.transfers.send'],
  hints: { openWorld: true },
  input: { id: id('the transfer'), reason: text(500) },
  output: transferSchema,
  async question(input, context) {
    const { transfer, sides, cancellation } = await prepare(input.id, context);
    const reading = { ...context, isWriting: false };
    const neverLeft = cancellation === 'order' && (await isUnsent(reading, transferSubject, transfer));
    return cancelFacts(transfer, sides, cancellation, neverLeft);
  },
  async run(input, context) {
    const { transfer, cancellation } = await prepare(input.id, context);
    const asked = { ...transfer, cancel_reason: input.reason };
    if (cancellation === 'order') return transferOf(await callOff(context, transfer, asked));
    const legs = await requireLegs(context, transfer);
    const canceled = await storeTransfer(context, transfer, {
      ...asked,
      status: 'canceled',
      debit_transaction_id: null,
      credit_transaction_id: null,
    });
    if (cancellation === 'link') await unlinkTransfer(context, legs);
    else await removeLegs(context, legs);
    return transferOf(canceled);
  },
});

async function callOff(
  context: WriteContext,
  transfer: TransferRow,
  withReason: TransferRow,
): Promise<TransferRow> {
  const asked = { ...withReason, cancel_requested_at: context.now.toISOString() };
  const outcome = await queueCancel(context, transferSubject, asked);
  if (outcome === 'asked') return storeTransfer(context, transfer, asked);
  return requireTransfer(context, transfer.id);
}

/** Everything that would refuse the cancellation. */
async function prepare(
  transferId: string,
  context: Context,
): Promise<{ transfer: TransferRow; sides: { from: Side; to: Side }; cancellation: Cancellation }> {
  const reading = { ...context, isWriting: false };
  const found = await requireTransfer(reading, transferId);
  // An order that was not made yet is in no books, so its accounts are only shown.
  const isBooked = cancellationOf(found) !== 'order';
  const sides = await requireSides(isBooked ? context : reading, found.from_account_id, found.to_account_id);
  const transfer = await requireTransfer(context, transferId);
  const cancellation = cancellationOf(transfer);
  if (isBooked) {
    const legs = await requireLegs(context, transfer);
    for (const { account, company } of [sides.from, sides.to]) {
      const dates = legs.filter(({ account_id }) => account_id === account.id).map(({ date }) => date);
      requireOpenBooks(company, ...dates);
    }
  }
  return { transfer, sides, cancellation };
}
