/** The one way a payment reaches a payable: recorded by a person, or confirmed by a bank. */

import type { WriteContext } from '../../core/operation.ts';
import { type SettlementRow, type SettlingDraft, settleDebt } from '../debt-records/index.ts';
import { type PayableRow, payableKind } from './resource.ts';

export type SettlementDraft = Omit<SettlingDraft, 'fee' | 'chargeId' | 'externalId'>;

/**
 * Settles a payable that the caller holds locked: posts the debit, writes the settlement in its parts, moves the
 * state. Future dates and closed books are the caller's to refuse (the account's company is checked when posting).
 * Fails with `invalid_state`, `exceeds_open_amount`, `unbalanced`, or `duplicate` for an order that settled already.
 */
export async function settlePayable(
  context: WriteContext,
  payable: PayableRow,
  draft: SettlementDraft,
): Promise<SettlementRow> {
  return (await settleDebt(context, payableKind, payable, draft)).settlement;
}
