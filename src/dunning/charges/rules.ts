/** Decisions about what debtors owe: values in, values out. Amounts in centavos. */

import type { Terms } from '../../core/accruals.ts';
import type { CivilDate } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { type Cents, percentOf } from '../../core/money.ts';
import type { PaymentAllocation, PaymentComponents } from '../../core/terms.ts';
import {
  INTEREST_WARNING,
  isFineAboveConsumerLimit,
  type TermsWarning,
  termsWarnings,
} from '../contact-law/index.ts';

/** The years a charge may fall due in; sums in the database know the bank holidays of these. */
export const DUE_YEAR_MIN = 1980;
export const DUE_YEAR_MAX = 2099;

const HIGH_INTEREST: TermsWarning = 'interest_above_one_percent_a_month';
const DAYS_IN_MONTH = 30;

/** The state after a replay. What is not settled stays as it was; what opens again is late or not by its due date. */
export function statusAfter(
  before: { status: string; adjusted_due_date: CivilDate },
  isSettled: boolean,
  today: CivilDate,
): string {
  if (before.status === 'canceled' || before.status === 'in_agreement') return before.status;
  if (isSettled) return 'paid';
  return before.status === 'paid' ? openStatusOf(before.adjusted_due_date, today) : before.status;
}

/** `overdue` from the day after the adjusted due date (MODEL §4). */
export function openStatusOf(adjustedDueDate: CivilDate, today: CivilDate): 'pending' | 'overdue' {
  return adjustedDueDate < today ? 'overdue' : 'pending';
}

/** True from the day after the adjusted due date, whether or not the daily run has been there. */
export function isOverdue(
  charge: { status: string; adjusted_due_date: CivilDate },
  today: CivilDate,
): boolean {
  const { status, adjusted_due_date } = charge;
  return status === 'overdue' || (status === 'pending' && adjusted_due_date < today);
}

/** True while money may still be owed on the charge itself or on its agreement. */
export function isStillOpen(status: string): boolean {
  return status === 'pending' || status === 'overdue' || status === 'in_agreement';
}

/** Fails with `charge_in_agreement`, or with `invalid_state` for what is paid or canceled. */
export function requireCollectable(charge: {
  id: string;
  status: string;
  agreement_id: string | null;
}): void {
  const { id, status, agreement_id } = charge;
  if (status === 'in_agreement') fail('charge_in_agreement', { id, agreement_id });
  requireStatus(status, ['pending', 'overdue']);
}

/** Fails with `invalid_state` unless the record is in one of the states. */
export function requireStatus(from: string, allowed: readonly string[]): void {
  if (!allowed.includes(from)) fail('invalid_state', { from, allowed });
}

/** Why a charge may be held, the one that is shown first. */
export const holdReasons = ['dispute', 'agreement', 'legal', 'promise', 'manual', 'contact'] as const;

export type HoldReason = (typeof holdReasons)[number];

/** Where the rule of a charge stands, and why it waits. */
export function dunningStateOf(
  charge: { status: string; collection_rule_id: string | null; dunning_state: string },
  held: readonly string[],
): { dunning_state: string; paused_reason: string | null } {
  const hasRule = charge.collection_rule_id !== null;
  if (charge.status === 'paid' || charge.status === 'canceled') {
    return { dunning_state: hasRule ? 'completed' : 'none', paused_reason: null };
  }
  const reason = holdReasons.find((known) => held.includes(known)) ?? null;
  if (reason !== null) return { dunning_state: 'paused', paused_reason: reason };
  if (!hasRule) return { dunning_state: 'none', paused_reason: null };
  // A rule that has run out stays so until the charge opens again.
  return {
    dunning_state: charge.dunning_state === 'completed' ? 'completed' : 'active',
    paused_reason: null,
  };
}

/** Money after the adjusted due date, excess apart; null for what was paid in time (MODEL §16). */
export function recoveredOf(
  parts: PaymentComponents,
  effectiveOn: CivilDate,
  adjustedDueDate: CivilDate,
): Cents | null {
  const used = parts.principal - parts.discount + parts.interest + parts.fine;
  return effectiveOn > adjustedDueDate && used > 0 ? used : null;
}

/** Regular as far as the charge needed it; what it did not need is to be given back. */
export function kindOf({ excess }: PaymentAllocation): 'regular' | 'excess' {
  return excess > 0 ? 'excess' : 'regular';
}

/**
 * What deserves a second look and is not refused. Fails with `invalid_argument` for a fine that a consumer may not be
 * charged (MODEL §5, Limits).
 */
export function checkedTerms(
  terms: Terms | null,
  base: Cents,
  debtor: { readonly is_consumer: boolean },
): string[] {
  if (terms === null) return [];
  if (debtor.is_consumer && isFineAboveConsumerLimit(terms, base)) {
    failArgument('terms.fine', 'at most 2 % for a consumer');
  }
  const { interest } = terms;
  const isFixedHigh =
    interest.kind === 'fixed_per_day' && interest.cents * DAYS_IN_MONTH > percentOf(base, INTEREST_WARNING);
  return isFixedHigh ? [HIGH_INTEREST] : termsWarnings(terms).filter((warning) => warning === HIGH_INTEREST);
}

/** True for a charge that is done with. */
export function isClosed(status: string): boolean {
  return status === 'paid' || status === 'canceled';
}
