/** Decisions about payables: values in, values out. */

import { type DebtColumnsEdited, differs, type Touched, touchedBy } from '../debts/index.ts';
import type { ApprovalStatus } from './schema.ts';

/**
 * The approval after amount, supplier or payment details changed: it starts again (MODEL §14, invariant 11). A bill
 * that needed approval keeps needing it, so that lowering the amount is no way around a refusal.
 */
export function approvalAfterChange(before: ApprovalStatus, isNeeded: boolean): ApprovalStatus {
  return before === 'not_required' && !isNeeded ? 'not_required' : 'pending';
}

/** What a change of a payable touches. */
export interface PayableTouched extends Touched {
  /** Money or how it is paid: fixed while an order is live, and approved anew. */
  readonly payment: boolean;
}

type Editable = DebtColumnsEdited & { readonly payment_details: unknown };

/** What differs between a payable and its changed form. */
export function payableTouchedBy(before: Editable, after: Editable): PayableTouched {
  const touched = touchedBy(before, after);
  const details = differs(before, after, ['payment_details']);
  return {
    ...touched,
    identity: touched.identity || details,
    // Terms too: a fine added after the approval would be paid without one.
    payment: touched.money || touched.terms || details,
  };
}
