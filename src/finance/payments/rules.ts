/** Decisions about payment orders, without database. */

import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { BankOrder, BankOrderStatus } from '../../gateways/bank/port.ts';

export type PaymentStatus =
  | 'pending'
  | 'awaiting_approval'
  | 'scheduled'
  | 'awaiting_funds'
  | 'processing'
  | 'confirmed'
  | 'canceled'
  | 'rejected'
  | 'failed';

export type RegistrationStatus = 'pending' | 'requested' | 'confirmed' | 'rejected' | 'failed' | 'unknown';

export type PaymentKind = BankOrder['kind'];

/** The part of an order that an answer of the bank may change. */
export interface PaymentState {
  readonly status: PaymentStatus;
  readonly registration_status: RegistrationStatus;
  readonly bank_reference: string | null;
  readonly bank_authentication: string | null;
  readonly bank_settled_on: CivilDate | null;
  readonly rejected_reason: string | null;
}

/** Orders that may still pay; a payable has at most one (MODEL §4). */
const liveStatuses: readonly PaymentStatus[] = [
  'pending',
  'awaiting_approval',
  'scheduled',
  'awaiting_funds',
  'processing',
];

/** Once the bank is processing an order it can no longer be called off (MODEL §4). */
const cancelableStatuses: readonly PaymentStatus[] = liveStatuses.slice(0, -1);

const REASON_MAX = 500;

export function isLive(status: string): boolean {
  return (liveStatuses as readonly string[]).includes(status);
}

/**
 * The order after an answer of the bank; the same object when the answer changes nothing. Answers come late, twice
 * and out of order: a live order only moves forward, a final one not at all. `absent` changes nothing.
 */
export function paymentAfterAnswer<State extends PaymentState>(
  payment: State,
  answer: BankOrderStatus,
): State {
  if (answer.status === 'absent' || !isLive(payment.status)) return payment;
  const bank_reference = payment.bank_reference ?? answer.reference;
  switch (answer.status) {
    case 'confirmed':
      return {
        ...payment,
        status: 'confirmed',
        registration_status: 'confirmed',
        bank_reference,
        bank_authentication: answer.authentication,
        bank_settled_on: answer.settledOn,
      };
    case 'rejected': {
      const registration_status = payment.registration_status === 'confirmed' ? 'confirmed' : 'rejected';
      return {
        ...payment,
        status: 'rejected',
        registration_status,
        bank_reference,
        rejected_reason: cleanOutsideText(answer.reason, REASON_MAX),
      };
    }
    case 'canceled':
      return { ...payment, status: 'canceled', registration_status: 'confirmed', bank_reference };
    default: {
      const isForward = liveStatuses.indexOf(answer.status) > liveStatuses.indexOf(payment.status);
      if (!isForward && payment.registration_status === 'confirmed') return payment;
      const status = isForward ? answer.status : payment.status;
      return { ...payment, status, registration_status: 'confirmed', bank_reference };
    }
  }
}

/** True when a final answer says something else than the final state on record: a person has to look. */
export function isContradiction(payment: PaymentState, answer: BankOrderStatus): boolean {
  const isFinal =
    answer.status === 'confirmed' || answer.status === 'rejected' || answer.status === 'canceled';
  return isFinal && !isLive(payment.status) && payment.status !== answer.status;
}

/** Fails with `invalid_state` when the order can no longer be called off, or a cancellation is on its way. */
export function requireCancelable(payment: { status: string; cancel_requested_at: string | null }): void {
  if (!(cancelableStatuses as readonly string[]).includes(payment.status)) {
    fail('invalid_state', { from: payment.status, allowed: cancelableStatuses });
  }
  if (payment.cancel_requested_at !== null) {
    fail('invalid_state', { from: 'cancel_requested', allowed: cancelableStatuses });
  }
}

/**
 * Our key for an order at the bank: equal for every attempt, different for every confirmation, since each
 * confirmation makes one payment (PROTOCOL CF-70). It tells what was confirmed: day, centavos and kind.
 */
export function orderKeyOf(payment: {
  id: string;
  scheduled_for: CivilDate;
  amount_cents: Cents;
  kind: string;
}): string {
  return `${payment.id}.${payment.scheduled_for.replaceAll('-', '')}.${payment.amount_cents}.${payment.kind}`;
}

/** How a settlement names the way the money took. */
export function methodOf(kind: string): 'boleto' | 'pix' | 'ted' {
  if (kind.startsWith('pix')) return 'pix';
  return kind === 'ted' ? 'ted' : 'boleto';
}

/** Our key for the request to cancel an order; an order is asked to be canceled once. */
export function cancelKeyOf(payment: { id: string }): string {
  return `${payment.id}.cancel`;
}

/**
 * Fails unless the payable may be paid: `invalid_state` when it is not open or was rejected, `approval_required`
 * while it waits for an approver, and also when it was approved for another place than the one given now, because
 * an approval does not survive a change of bank details (MODEL §14, invariant 11).
 */
export function requirePayableForOrder(
  payable: { status: string; approval_status: string },
  isOtherPlace: boolean,
): void {
  const { status, approval_status } = payable;
  if (status !== 'open' && status !== 'partially_paid') {
    fail('invalid_state', { from: status, allowed: ['open', 'partially_paid'] });
  }
  if (approval_status === 'rejected') {
    fail('invalid_state', { from: 'rejected', allowed: ['approved', 'not_required'] });
  }
  if (approval_status === 'pending' || (approval_status === 'approved' && isOtherPlace)) {
    fail('approval_required');
  }
}
