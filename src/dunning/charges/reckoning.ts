/** What a charge is worth on a date, from its terms and all that counts for it. Pure; amounts in centavos. */

import type { InterestFrom, Terms } from '../../core/accruals.ts';
import { interestNumerator, interestStart, lastFreeDay, NO_TERMS } from '../../core/accruals.ts';
import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import {
  type AllocationOrder,
  type Amounts,
  amountsAt,
  type PaymentAllocation,
  type TermsPayment,
} from '../../core/terms.ts';

/** How fine and interest are reckoned where the terms do not say: the settings of the organization. */
export interface Ways {
  readonly interestFrom: InterestFrom;
  readonly allocationOrder: AllocationOrder;
}

/** Terms as a charge keeps them: with the ways of the day it was made, so that new settings change nothing old. */
export type StoredTerms = Terms & Partial<Ways>;

/** What the amounts of a charge follow from, besides what was paid. */
export interface Owed {
  readonly amount_cents: Cents;
  readonly abatement_cents: Cents;
  readonly due_date: CivilDate;
  readonly terms: unknown;
  readonly status: string;
}

/** Money that counts for a charge: a payment of its own, or what an agreement's payments are worth on it. */
export interface Entry {
  /** Null for what comes from an agreement. */
  readonly payment_id: string | null;
  /** What a completed agreement gives up on that day of whatever is left, after all else of the day. */
  readonly discount_cents: Cents;
  readonly paid_on: CivilDate;
  /** The day it counts from. */
  readonly effective_on: CivilDate;
  readonly amount_cents: Cents;
}

/** Where the replay stands after the last entry: what sums over many charges start from. */
export interface Ledger {
  /** The day the last entry counts from. */
  readonly on: CivilDate;
  /** Interest so far as the numerator of a fraction of a centavo, as text: it may be beyond the safe integers. */
  readonly exact: string;
  readonly accruedUntil: CivilDate;
  readonly isFined: boolean;
  readonly unpaidFine: Cents;
  readonly paidInterest: Cents;
  /** Discount taken so far. */
  readonly discount: Cents;
}

export interface Replay {
  /** As of the last entry, or of the due date without any. */
  readonly amounts: Amounts;
  /** One for each entry, in their order. */
  readonly allocations: readonly PaymentAllocation[];
  /** Null before any entry. */
  readonly ledger: Ledger | null;
  /** Nothing is left to pay. */
  readonly isSettled: boolean;
}

/**
 * What is owed on a date. Entries count once they were paid; one that counts from a later day (a boleto paid on a
 * Saturday counts on Monday) moves the reckoning to that day. Nothing is due on a canceled charge.
 */
export function owedOn(owed: Owed, entries: readonly Entry[], on: CivilDate, ways: Ways): Amounts {
  const counted = entries.filter(({ paid_on }) => paid_on <= on);
  const at = counted.reduce((last, { effective_on }) => laterOf(last, effective_on), on);
  const amounts = reckoned(owed, counted, at, ways);
  return owed.status === 'canceled' ? { ...amounts, amountDue: 0, discountOnOffer: 0, daysLate: 0 } : amounts;
}

/** The whole history of a charge: how each entry is used and what stands after the last one. */
export function replayOf(owed: Owed, entries: readonly Entry[], ways: Ways): Replay {
  const last = entries.at(-1)?.effective_on;
  const amounts = reckoned(owed, entries, last ?? owed.due_date, ways);
  const { openPrincipal, unpaidFine, unpaidInterest, allocations } = amounts;
  const isAnythingLeft = openPrincipal > 0 || unpaidFine > 0 || unpaidInterest > 0;
  return {
    amounts,
    allocations,
    ledger: last === undefined ? null : ledgerAfter(owed, entries, amounts, ways),
    isSettled: !isAnythingLeft && (entries.length > 0 || amounts.base === 0),
  };
}

/** Entries in the order in which they count: by their days, of one day what is given up last. */
export function inOrder<Row extends Entry>(entries: readonly Row[]): Row[] {
  return entries.toSorted(
    (left, right) =>
      compare(left.effective_on, right.effective_on) ||
      Number(left.discount_cents > 0) - Number(right.discount_cents > 0),
  );
}

/** How the charge's own terms are reckoned. */
export function waysOf(terms: StoredTerms | null, settings: Ways): Ways {
  return {
    interestFrom: terms?.interestFrom ?? settings.interestFrom,
    allocationOrder: terms?.allocationOrder ?? settings.allocationOrder,
  };
}

function reckoned(owed: Owed, entries: readonly Entry[], at: CivilDate, ways: Ways): Amounts {
  const payments: TermsPayment[] = [];
  for (const { effective_on: on, amount_cents: amount, discount_cents: discount } of entries) {
    if (discount === 0) payments.push({ on, amount });
    else payments.push(waiver(ask(owed, payments, on, ways), on, discount));
  }
  return ask(owed, payments, at, ways);
}

/** A waiver is a discount against the part it waives: interest first, then the fine, then principal. */
function waiver(left: Amounts, on: CivilDate, discount: Cents): TermsPayment {
  const interest = Math.min(discount, left.unpaidInterest);
  const fine = Math.min(discount - interest, left.unpaidFine);
  const principal = Math.min(discount - interest - fine, left.openPrincipal);
  const components = { interest, fine, principal, discount: interest + fine + principal };
  return { on, amount: 0, components };
}

function ask(owed: Owed, payments: readonly TermsPayment[], on: CivilDate, settings: Ways): Amounts {
  const terms = owed.terms as StoredTerms | null;
  return amountsAt({
    amount: owed.amount_cents,
    abatement: owed.abatement_cents,
    dueDate: owed.due_date,
    terms: terms ?? NO_TERMS,
    payments,
    on,
    ...waysOf(terms, settings),
  });
}

/** A time in which one open principal bears interest. */
export interface Stretch {
  /** Days are counted after this one, up to and including the other. */
  readonly from: CivilDate;
  readonly to: CivilDate;
  readonly principal: Cents;
}

/** The stretches that `amountsAt` goes through up to a date; the first is there once the fine is owed too. */
export function stretchesOf(
  owed: Owed,
  entries: readonly Entry[],
  allocations: readonly PaymentAllocation[],
  until: CivilDate,
  settings: Ways,
): Stretch[] {
  const stored = owed.terms as StoredTerms | null;
  const { interest, graceDays } = stored ?? NO_TERMS;
  const freeUntil = lastFreeDay(owed.due_date, graceDays);
  const stretches: Stretch[] = [];
  let principal = owed.amount_cents - owed.abatement_cents;
  let from = interestStart(owed.due_date, interest, waysOf(stored, settings).interestFrom);
  const accrue = (to: CivilDate) => {
    if (to <= freeUntil || principal === 0) return;
    stretches.push({ from, to, principal });
    from = to;
  };
  for (const [index, { effective_on }] of entries.entries()) {
    accrue(effective_on);
    principal -= allocations[index]!.principal;
  }
  accrue(until);
  return stretches;
}

/** The exact interest that `amountsAt` rounds away, and what else a sum needs to go on from the last entry. */
function ledgerAfter(owed: Owed, entries: readonly Entry[], amounts: Amounts, settings: Ways): Ledger {
  const stored = owed.terms as StoredTerms | null;
  const { interest } = stored ?? NO_TERMS;
  const on = entries.at(-1)!.effective_on;
  const stretches = stretchesOf(owed, entries, amounts.allocations, on, settings);
  const exact = stretches.reduce(
    (sum, { principal, from, to }) => sum + interestNumerator(principal, interest, from, to),
    0n,
  );
  return {
    on,
    exact: exact.toString(),
    accruedUntil:
      stretches.at(-1)?.to ?? interestStart(owed.due_date, interest, waysOf(stored, settings).interestFrom),
    isFined: stretches.length > 0,
    unpaidFine: amounts.unpaidFine,
    paidInterest: amounts.interest - amounts.unpaidInterest,
    discount: amounts.discount - amounts.discountOnOffer,
  };
}

/** The later of two days. */
export function laterOf(left: CivilDate, right: CivilDate): CivilDate {
  return compare(left, right) < 0 ? right : left;
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
