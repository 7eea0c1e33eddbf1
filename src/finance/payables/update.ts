/** The one way a payable is changed by a person, alone or with others. */

import type { WriteContext } from '../../core/operation.ts';
import { isApprovalNeeded, paymentRulesOf } from '../approval-settings/index.ts';
import {
  changeDebt,
  checkChange,
  editedDebt,
  requireDebtInOrder,
  requireStillUnique,
} from '../debt-records/index.ts';
import { baseOf, type DebtChanges } from '../debts/index.ts';
import { requireNoLiveOrder } from './orders.ts';
import {
  barcodeOf,
  type PaymentDetails,
  type PaymentDetailsInput,
  readPaymentDetails,
  requireMatchingAmount,
} from './payment-details.ts';
import { type PayableRow, payableKind } from './resource.ts';
import { approvalAfterChange, type PayableTouched, payableTouchedBy } from './rules.ts';
import type { ApprovalStatus } from './schema.ts';

export interface PayableChanges extends DebtChanges {
  readonly payment_details?: PaymentDetailsInput | null | undefined;
}

/** Changes what was given, after every check, and gives the row as it is then. */
export async function changePayable(
  context: WriteContext,
  id: string,
  given: PayableChanges,
  allowedDuplicate?: string,
): Promise<PayableRow> {
  const { debt: before, company } = await requireDebtInOrder(context, payableKind, id);
  const edited = editedPayable(before, given, context.today);
  const touched = payableTouchedBy(before, edited);
  await checkChange(context, payableKind, { before, edited, touched, company });
  if (touched.payment) {
    await requireNoLiveOrder(context, id);
    requireCodeOfAmount(edited);
  }
  if (touched.identity) {
    const barcode = barcodeOf(detailsOf(edited));
    await requireStillUnique(context, payableKind, edited, { barcode, allowed: allowedDuplicate });
  }
  return changeDebt(context, payableKind, before, await withApproval(context, edited, touched));
}

function editedPayable(before: PayableRow, given: PayableChanges, today: string): PayableRow {
  const { payment_details: details, ...common } = given;
  const edited = editedDebt(before, common);
  if (details === undefined) return edited;
  return { ...edited, payment_details: details === null ? null : readPaymentDetails(details, today) };
}

function requireCodeOfAmount(edited: PayableRow): void {
  const base = baseOf(edited);
  requireMatchingAmount(detailsOf(edited), edited.amount_cents, base, base - edited.settled_cents);
}

/** What is paid, to whom or how has changed: whoever approved it approved something else. */
async function withApproval(
  context: WriteContext,
  edited: PayableRow,
  touched: PayableTouched,
): Promise<PayableRow> {
  if (!touched.payment) return edited;
  const rules = await paymentRulesOf(context, edited.company_id);
  const isNeeded = isApprovalNeeded(rules, edited.amount_cents);
  return {
    ...edited,
    approval_status: approvalAfterChange(edited.approval_status as ApprovalStatus, isNeeded),
    approval_by: null,
    approval_at: null,
    approval_reason: null,
  };
}

function detailsOf(row: PayableRow): PaymentDetails | null {
  return row.payment_details as PaymentDetails | null;
}
