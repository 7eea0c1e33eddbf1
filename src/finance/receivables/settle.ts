/** The one way money reaches a receivable: recorded by a person, confirmed by a bank, or read in a file. */

import type { WriteContext } from '../../core/operation.ts';
import { type SettlementRow, type SettlingDraft, settleDebt } from '../debt-records/index.ts';
import { type ReceivableRow, receivableKind } from './resource.ts';

/** Money that a customer paid. `amount` is what they paid; the account is credited `amount - fee`. */
export type ReceiptDraft = Omit<SettlingDraft, 'paymentId' | 'receiptAttachmentId'>;

/**
 * Settles a receivable that the caller holds locked: posts the credit, writes the settlement in its parts, moves the
 * state. Future dates and closed books are the caller's to refuse (the account's company is checked when posting).
 * Fails with `invalid_state`, `exceeds_open_amount`, `unbalanced`, or `duplicate` for an external id that settled on
 * the account already.
 */
export async function settleReceivable(
  context: WriteContext,
  receivable: ReceivableRow,
  draft: ReceiptDraft,
): Promise<SettlementRow> {
  return (await settleDebt(context, receivableKind, receivable, draft)).settlement;
}
