/** The one way a payment reaches a payable: recorded by a person, or confirmed by a bank. */

import { effectivePaymentDay } from '../../core/accruals.ts';
import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { postTransaction } from '../accounts/index.ts';
import type { PayableRow } from './queries.ts';
import { openCentsOf, recordedPayable, requirePayable, settlementOf } from './resource.ts';
import {
  type Paid,
  requireStatus,
  type StatedParts,
  settlementParts,
  statusAfterSettlement,
} from './rules.ts';
import type { SettlementMethod } from './schema.ts';
import { insertSettlement, type SettlementRow, selectSettlements } from './settlement-queries.ts';
import { updatePayable } from './write-queries.ts';

export interface SettlementDraft extends StatedParts {
  /** As `requireAccount` gave it in this transaction. */
  readonly account: Tables['financial_accounts'];
  readonly paidAt: CivilDate;
  /** Money that moved, in centavos, greater than zero. */
  readonly amount: Cents;
  readonly method: SettlementMethod;
  readonly receiptAttachmentId?: string | null | undefined;
  /** The confirmed payment order; each settles once. */
  readonly paymentId?: string | undefined;
  /** `payment`: a bank moved the money already, so an amount beyond what is due is kept as interest. */
  readonly transactionSource: 'settlement' | 'payment';
  /** The line of a statement that is this payment (null: several are). Nothing is posted then. */
  readonly bankLine?: { readonly id: string | null } | undefined;
}

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
  const { db, workspaceId, now } = context;
  requireStatus(payable.status, ['open', 'partially_paid']);
  const effective = (await selectSettlements(db, workspaceId, payable.id)).filter(isEffective);
  const again = effective.find(({ payment_id }) => payment_id !== null && payment_id === draft.paymentId);
  if (again !== undefined) fail('duplicate', { kind: 'settlement', of: again.id });
  const parts = settlementParts({
    debt: payable,
    openCents: openCentsOf(payable),
    settlements: effective.map(paidOf),
    amount: draft.amount,
    stated: {
      principal: draft.principal,
      discount: draft.discount,
      interest: draft.interest,
      fine: draft.fine,
    },
    on: effectivePaymentDay(draft.method, draft.paidAt),
    surplus: draft.transactionSource === 'payment' ? 'interest' : 'refused',
  });
  const transactionId =
    draft.bankLine === undefined
      ? await postTransaction(context, {
          account: draft.account,
          date: draft.paidAt,
          direction: 'debit',
          amount: draft.amount,
          description: payable.description,
          source: draft.transactionSource,
          categoryId: payable.category_id,
          personId: payable.person_id,
        })
      : draft.bankLine.id;
  const settlement = await insertSettlement(
    db,
    {
      workspace_id: workspaceId,
      id: context.newId(),
      payable_id: payable.id,
      receivable_id: null,
      charge_id: null,
      external_id: null,
      fee_cents: 0,
      account_id: draft.account.id,
      transaction_id: transactionId,
      payment_id: draft.paymentId ?? null,
      paid_at: draft.paidAt,
      amount_cents: draft.amount,
      principal_cents: parts.principal,
      discount_cents: parts.discount,
      interest_cents: parts.interest,
      fine_cents: parts.fine,
      method: draft.method,
      receipt_attachment_id: draft.receiptAttachmentId ?? null,
      status: 'effective',
      reversed_reason: null,
      created_by: context.caller.user.id,
    },
    now,
  );
  context.changed('settlement', settlement.id, null, settlementOf(settlement));
  await moveSettled(context, payable, parts.principal, effective.length + 1);
  return settlement;
}

/** Adds principal to (or, negative, takes it from) what is settled, moves the state and records the change. */
export async function moveSettled(
  context: WriteContext,
  payable: PayableRow,
  principal: Cents,
  effectiveSettlements: number,
): Promise<PayableRow> {
  const status = statusAfterSettlement(openCentsOf(payable) - principal, effectiveSettlements);
  const settled = { ...payable, status, settled_cents: payable.settled_cents + principal };
  await updatePayable(context.db, settled, context.now);
  const after = await requirePayable(context, payable.id);
  context.changed('payable', payable.id, recordedPayable(payable, context), recordedPayable(after, context));
  return after;
}

/** What amounts are computed from. */
export function paidOf(row: SettlementRow): Paid {
  return {
    paid_at: row.paid_at,
    amount: row.amount_cents,
    principal: row.principal_cents,
    discount: row.discount_cents,
    interest: row.interest_cents,
    fine: row.fine_cents,
  };
}

export function isEffective(row: SettlementRow): boolean {
  return row.status === 'effective';
}
