/** Decisions about payments: values in, values out. Amounts in centavos. */

import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';

/** What a payment is recognised by when it is told again. */
export interface Told {
  readonly chargeId?: string | undefined;
  readonly installmentId?: string | undefined;
  readonly amountCents: Cents;
  readonly paidOn: CivilDate;
}

/** Whether what is told is the payment that is known by the same name. */
export function isSamePayment(
  known: {
    readonly charge_id: string | null;
    readonly installment_id: string | null;
    readonly amount_cents: Cents;
    readonly paid_on: CivilDate;
  },
  told: Told,
): boolean {
  return (
    known.charge_id === (told.chargeId ?? null) &&
    known.installment_id === (told.installmentId ?? null) &&
    known.amount_cents === told.amountCents &&
    known.paid_on === told.paidOn
  );
}

/** What of a payment went into the debt. */
export function usedCentsOf(payment: { readonly amount_cents: Cents; readonly excess_cents: Cents }): Cents {
  return payment.amount_cents - payment.excess_cents;
}

/** Fails with `invalid_state` for a payment that was reversed. */
export function requireConfirmed({ status }: { readonly status: string }): void {
  if (status !== 'confirmed') fail('invalid_state', { from: status, allowed: ['confirmed'] });
}

/** Fails with `invalid_state` for a payment that finance told of: taken back there, it is taken back here too. */
export function requireRecordedHere({ source }: { readonly source: string }): void {
  if (source === 'finance')
    fail('invalid_state', { from: 'recorded_by_finance', allowed: ['recorded_here'] });
}

/** Fails with `amount_changed` when what is due is not what somebody has seen. */
export function requireExpected(expected: Cents | undefined, actual: Cents): void {
  if (expected === undefined || expected === actual) return;
  fail('amount_changed', { expected: moneyText(expected), actual: moneyText(actual) });
}
