/** Decisions about agreements and their installments: values in, values out. Amounts in centavos. */

import { addDays, type CivilDate, daysBetween } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import type { AgreementStatus } from './schema.ts';

export const liveStatuses: readonly AgreementStatus[] = ['accepted', 'active'];

/** An installment as far as paying it goes. */
export interface Slot {
  readonly id: string;
  readonly number: number;
  readonly amount: Cents;
  readonly paid: Cents;
  readonly paidOn: CivilDate | null;
}

/** What a payment put to use; what was too much is not in it. */
export interface UsedPayment {
  readonly installmentId: string;
  readonly cents: Cents;
  readonly paidOn: CivilDate;
}

/**
 * Fills the installment the payment names, then the other open ones in their order; what none needs is left over. An
 * installment is paid on the day of the payment that closes it.
 */
export function fillSlots(slots: readonly Slot[], payment: UsedPayment): { slots: Slot[]; left: Cents } {
  let left = payment.cents;
  const filled = new Map<string, Slot>();
  const named = (slot: Slot) => (slot.id === payment.installmentId ? 0 : 1);
  for (const slot of slots.toSorted((one, other) => named(one) - named(other) || one.number - other.number)) {
    const cents = Math.min(left, slot.amount - slot.paid);
    if (cents === 0) continue;
    left -= cents;
    const paid = slot.paid + cents;
    filled.set(slot.id, { ...slot, paid, paidOn: paid === slot.amount ? payment.paidOn : null });
  }
  return { slots: slots.map((slot) => filled.get(slot.id) ?? slot), left };
}

/**
 * The installments as these payments alone leave them, in the order they were recorded. What each put to use fits
 * without those taken out, so undoing a payment changes nothing about what the others were worth.
 */
export function replaySlots(slots: readonly Slot[], payments: readonly UsedPayment[]): Slot[] {
  const empty = slots.map((slot): Slot => ({ ...slot, paid: 0, paidOn: null }));
  return payments.reduce((state, payment) => fillSlots(state, payment).slots, empty);
}

export const isPaidUp = (slots: readonly Slot[]): boolean =>
  slots.every(({ paid, amount }) => paid === amount);

export const paidOf = (slots: readonly Slot[]): Cents => slots.reduce((sum, { paid }) => sum + paid, 0);

/** An installment that falls due on the last day to accept is a down payment: the agreement waits for it. */
export function hasDownPayment(firstDueDate: CivilDate, validUntil: CivilDate): boolean {
  return firstDueDate === validUntil;
}

/** What a live agreement is with these installments. */
export function liveStatusOf(slots: readonly Slot[], waitsForFirst: boolean): AgreementStatus {
  if (isPaidUp(slots)) return 'completed';
  return waitsForFirst && paidOf(slots) === 0 ? 'accepted' : 'active';
}

/** True once an open installment is later than the agreement allows, counted from its adjusted due date. */
export function isDefaulted(
  { status, default_after_days: allowed }: { status: AgreementStatus; default_after_days: number },
  installments: readonly { status: string; adjusted_due_date: CivilDate }[],
  today: CivilDate,
): boolean {
  const isLate = (on: CivilDate) => addDays(on, allowed) < today;
  return (
    liveStatuses.includes(status) &&
    installments.some((one) => one.status === 'open' && isLate(one.adjusted_due_date))
  );
}

/** True for a proposal whose last day is over. */
export function isLapsed(agreement: { status: string; valid_until: CivilDate }, today: CivilDate): boolean {
  return agreement.status === 'proposed' && agreement.valid_until < today;
}

/** Calendar days since the due date of an open installment; 0 up to the adjusted one. */
export function daysLateOf(
  installment: { due_date: CivilDate; adjusted_due_date: CivilDate; status: string },
  today: CivilDate,
): number {
  const isLate = installment.status === 'open' && today > installment.adjusted_due_date;
  return isLate ? daysBetween(installment.due_date, today) : 0;
}

/** Fails with `invalid_state` unless the agreement is in one of these states. */
export function requireStatus(
  agreement: { id: string; status: string },
  allowed: readonly AgreementStatus[],
): void {
  const { id, status } = agreement;
  if ((allowed as readonly string[]).includes(status)) return;
  fail('invalid_state', { kind: 'agreement', id, from: status, allowed });
}

/** Fails with `invalid_state` unless the proposal can still be accepted today. */
export function requireStanding(
  agreement: { id: string; status: string; valid_until: CivilDate },
  today: CivilDate,
): void {
  const { id } = agreement;
  requireStatus(isLapsed(agreement, today) ? { id, status: 'expired' } : agreement, ['proposed']);
}
