/** Whether the amount of a line and what a record takes agree, and in which parts. */

import type { CivilDate } from '../../../core/dates.ts';
import { addDays } from '../../../core/dates.ts';
import type { Cents } from '../../../core/money.ts';
import type { Candidate, OpenLine, Parts, Settings } from './types.ts';

/** A bank credits what was paid up to this many days before. */
export const FLOAT_DAYS = 3;

/** What a bank keeps of a receipt at most: the greater of R$ 10,00 and 5 %, and never half of it. */
const FEE_CENTS = 1_000;
const FEE_SHARE = 20;

export interface Fit {
  readonly how: 'due' | 'face' | 'fee' | 'near';
  readonly parts: Parts;
  /** Line minus record. */
  readonly difference: Cents;
}

/** What a record takes when nothing but its principal is paid. */
export function principalOnly(principal: Cents): Parts {
  return { principal, discount: 0, interest: 0, fine: 0, fee: 0 };
}

/** What the parts take of a line. */
export function takenBy({ principal, discount, interest, fine, fee }: Parts): Cents {
  return principal - discount + interest + fine - fee;
}

/** The most that counts as a fee on an amount. */
export function feeMaxOf(amount: Cents): Cents {
  return Math.min(Math.floor(amount / 2), Math.max(FEE_CENTS, Math.floor(amount / FEE_SHARE)));
}

/**
 * How the record fits the line; null when it does not. The amount due counts on the line's date and the days before
 * that a bank may take; then the principal alone; then the amount less a fee, for receivables; then what is near.
 */
export function fitOf(
  line: Pick<OpenLine, 'open' | 'date'>,
  candidate: Candidate,
  settings: Settings,
  dueOn: (candidate: Candidate, date: CivilDate) => Parts = dueParts,
): Fit | null {
  const { open } = line;
  if (candidate.dueOn !== null) {
    for (let days = 0; days <= FLOAT_DAYS; days += 1) {
      const parts = dueOn(candidate, addDays(line.date, -days));
      if (takenBy(parts) === open) return { how: 'due', parts, difference: 0 };
    }
  }
  const face = principalOnly(candidate.amount);
  if (candidate.amount === open) {
    return { how: candidate.dueOn === null ? 'due' : 'face', parts: face, difference: 0 };
  }
  const due = candidate.dueOn === null ? face : dueOn(candidate, line.date);
  const missing = takenBy(due) - open;
  if (candidate.kind === 'receivable' && missing > 0 && missing <= feeMaxOf(takenBy(due))) {
    return { how: 'fee', parts: { ...due, fee: missing }, difference: 0 };
  }
  if (Math.abs(missing) <= settings.amountTolerance) return { how: 'near', parts: due, difference: -missing };
  return null;
}

/** What paying the record off takes on a date. */
export function dueParts(candidate: Candidate, date: CivilDate): Parts {
  return candidate.dueOn === null ? principalOnly(candidate.amount) : candidate.dueOn(date);
}
