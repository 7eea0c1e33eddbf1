/**
 * What is owed on a document on a date, replayed from its face value, its terms and its payments. Three figures
 * stay apart: the face value, the open principal, and the amount due on the date.
 */

import type { InterestFrom, Terms } from './accruals.ts';
import {
  adjustedDueDateOf,
  discountOn,
  fineOf,
  interestDenominator,
  interestNumerator,
  interestStart,
  lastFreeDay,
} from './accruals.ts';
import type { CivilDate } from './dates.ts';
import { daysBetween } from './dates.ts';
import type { Cents } from './money.ts';
import { roundHalfUp } from './money.ts';

export interface TermsPayment {
  /** The date it counts from; see `effectivePaymentDay`. */
  readonly on: CivilDate;
  /** Money that moved. Reversed payments are not passed in. */
  readonly amount: Cents;
  /**
   * The parts, when the person settling stated them; `amount = principal - discount + interest + fine`. Fine or
   * interest beyond what accrued is asked and paid at once. A waiver is a discount against the part it waives.
   */
  readonly components?: PaymentComponents;
}

export interface PaymentComponents {
  /** Face value extinguished, discount included. */
  readonly principal: Cents;
  readonly discount: Cents;
  readonly interest: Cents;
  readonly fine: Cents;
}

/** `amount = principal - discount + interest + fine + excess`; the excess is a credit of the payer. */
export interface PaymentAllocation extends PaymentComponents {
  readonly excess: Cents;
}

/** The order of a partial payment. Interest goes before capital (Civil Code art. 354); the fine's place is open. */
export type AllocationOrder =
  | 'interest_fine_principal'
  | 'fine_interest_principal'
  | 'interest_principal_fine';

export interface AmountsQuestion {
  /** Face value. */
  readonly amount: Cents;
  readonly abatement?: Cents;
  /** Total withheld at source; for payables only, where it reduces what the supplier is paid. */
  readonly withholdings?: Cents;
  readonly dueDate: CivilDate;
  readonly terms: Terms;
  /** In any order; those after `on` are left out. Payments of one date count in the order given. */
  readonly payments?: readonly TermsPayment[];
  readonly on: CivilDate;
  readonly interestFrom?: InterestFrom;
  readonly allocationOrder?: AllocationOrder;
}

/** All amounts in centavos; `amountDue = base - discount + fine + interest - paid`, never negative. */
export interface Amounts {
  readonly base: Cents;
  /** Taken so far, and what a full payment on the date would still take. */
  readonly discount: Cents;
  /** Charged so far, paid or not. */
  readonly fine: Cents;
  /** Accrued or asked so far over all stretches, paid or not. */
  readonly interest: Cents;
  /** Received and used; what is in `excess` is not in it. */
  readonly paid: Cents;
  readonly excess: Cents;
  readonly openPrincipal: Cents;
  readonly unpaidFine: Cents;
  readonly unpaidInterest: Cents;
  /** The part of `discount` still on offer; `amountDue = openPrincipal - it + unpaidFine + unpaidInterest`. */
  readonly discountOnOffer: Cents;
  readonly amountDue: Cents;
  readonly adjustedDueDate: CivilDate;
  /** Calendar days counted as interest counts them; 0 up to the adjusted due date or when nothing is due. */
  readonly daysLate: number;
  /** One for each payment given, in the order given; zeros for those after `on`. */
  readonly allocations: readonly PaymentAllocation[];
}

const NOTHING: PaymentAllocation = { principal: 0, discount: 0, interest: 0, fine: 0, excess: 0 };

/**
 * What is owed on a date. Discount up to its limit date; nothing added up to the adjusted due date and its grace;
 * then the fine once and simple interest, counted from the original due date unless `interestFrom` says otherwise,
 * on the principal still open. Principal paid in time bears none, unpaid interest bears none.
 * Throws `RangeError` on negative or broken amounts, on an abatement above the face value, and on components that
 * do not add up.
 */
export function amountsAt(question: AmountsQuestion): Amounts {
  const ledger = openLedger(question);
  const payments = question.payments ?? [];
  const allocations: PaymentAllocation[] = payments.map(() => NOTHING);
  const inTimeOrder = payments
    .map((payment, index) => ({ payment, index }))
    .filter(({ payment }) => payment.on <= question.on)
    .sort((left, right) => daysBetween(right.payment.on, left.payment.on) || left.index - right.index);
  for (const { payment, index } of inTimeOrder) {
    accrue(ledger, question, payment.on);
    const allocation = allocate(ledger, question, payment);
    allocations[index] = allocation;
    take(ledger, question, payment, allocation);
  }
  accrue(ledger, question, question.on);
  return summary(ledger, question, allocations);
}

/** The running state of one replay; every figure in centavos except the exact interest. */
interface Ledger {
  readonly base: Cents;
  readonly freeUntil: CivilDate;
  accruedUntil: CivilDate;
  exactInterest: bigint;
  /** Interest stated in a payment beyond what had accrued. */
  askedInterest: Cents;
  isFineCharged: boolean;
  fine: Cents;
  paidFine: Cents;
  paidInterest: Cents;
  openPrincipal: Cents;
  discount: Cents;
  paid: Cents;
  excess: Cents;
}

function openLedger(question: AmountsQuestion): Ledger {
  const { amount, abatement = 0, withholdings = 0, dueDate, terms, interestFrom = 'original' } = question;
  const base = requireNotNegative(
    requireNotNegative(amount) - requireNotNegative(abatement) - requireNotNegative(withholdings),
  );
  return {
    base,
    freeUntil: lastFreeDay(dueDate, requireNotNegative(terms.graceDays)),
    accruedUntil: interestStart(dueDate, terms.interest, interestFrom),
    exactInterest: 0n,
    askedInterest: 0,
    isFineCharged: false,
    fine: 0,
    paidFine: 0,
    paidInterest: 0,
    openPrincipal: base,
    discount: 0,
    paid: 0,
    excess: 0,
  };
}

/** Moves the ledger to a date: the fine on the first late day, interest for each stretch of one open principal. */
function accrue(ledger: Ledger, question: AmountsQuestion, to: CivilDate): void {
  // Until the last free day nothing starts, so what is paid by then leaves the principal without interest.
  if (to <= ledger.freeUntil || ledger.openPrincipal === 0) return;
  if (!ledger.isFineCharged) {
    ledger.isFineCharged = true;
    ledger.fine += fineOf(ledger.base, question.terms.fine);
  }
  ledger.exactInterest += interestNumerator(
    ledger.openPrincipal,
    question.terms.interest,
    ledger.accruedUntil,
    to,
  );
  ledger.accruedUntil = to;
}

function allocate(ledger: Ledger, question: AmountsQuestion, payment: TermsPayment): PaymentAllocation {
  requireNotNegative(payment.amount);
  if (payment.components !== undefined) return statedAllocation(ledger, payment.amount, payment.components);
  const fine = ledger.fine - ledger.paidFine;
  const interest = interestOf(ledger, question) - ledger.paidInterest;
  const discount = discountOnOffer(ledger, question, payment.on);
  const due = ledger.openPrincipal - discount + fine + interest;
  if (payment.amount >= due) {
    return { principal: ledger.openPrincipal, discount, interest, fine, excess: payment.amount - due };
  }
  return partialAllocation(payment.amount, question.allocationOrder ?? 'interest_fine_principal', {
    // What the discount would extinguish stays open for it, or paying in two parts would lose it.
    principal: ledger.openPrincipal - discount,
    interest,
    fine,
  });
}

/** Fills each part in order. The discount on offer waits: it belongs to the payment that closes the document. */
function partialAllocation(
  amount: Cents,
  order: AllocationOrder,
  owed: { principal: Cents; interest: Cents; fine: Cents },
): PaymentAllocation {
  const filled = { principal: 0, interest: 0, fine: 0 };
  let left = amount;
  for (const part of order.split('_') as (keyof typeof filled)[]) {
    filled[part] = Math.min(left, owed[part]);
    left -= filled[part];
  }
  return { ...filled, discount: 0, excess: left };
}

/**
 * Parts as stated, except that principal already closed by an earlier-dated payment cannot be closed again: that
 * surplus undoes the discount it came from as far as no money moved for it, and is excess beyond that.
 */
function statedAllocation(ledger: Ledger, amount: Cents, stated: PaymentComponents): PaymentAllocation {
  const { principal, discount, interest, fine } = stated;
  for (const part of [principal, discount, interest, fine]) requireNotNegative(part);
  if (amount !== principal - discount + interest + fine) {
    throw new RangeError(`The parts of a payment of ${amount} centavos do not add up to it.`);
  }
  const closed = Math.min(principal, ledger.openPrincipal);
  const excess = Math.min(principal - closed, amount);
  return { principal: closed, discount: discount - (principal - closed - excess), interest, fine, excess };
}

function take(
  ledger: Ledger,
  question: AmountsQuestion,
  payment: TermsPayment,
  allocation: PaymentAllocation,
): void {
  ledger.openPrincipal -= allocation.principal;
  ledger.discount += allocation.discount;
  ledger.paidInterest += allocation.interest;
  ledger.paidFine += allocation.fine;
  ledger.paid += payment.amount - allocation.excess;
  ledger.excess += allocation.excess;
  // What a person stated beyond the accrued parts was asked for: it enters both sides at once.
  ledger.fine = Math.max(ledger.fine, ledger.paidFine);
  ledger.askedInterest += Math.max(0, ledger.paidInterest - interestOf(ledger, question));
}

function summary(ledger: Ledger, question: AmountsQuestion, allocations: PaymentAllocation[]): Amounts {
  const { base, fine, openPrincipal, paid, excess } = ledger;
  const { dueDate, on, interestFrom = 'original' } = question;
  const interest = interestOf(ledger, question);
  const onOffer = discountOnOffer(ledger, question, on);
  const discount = ledger.discount + onOffer;
  const amountDue = base - discount + fine + interest - paid;
  const adjustedDueDate = adjustedDueDateOf(dueDate);
  const countedFrom = interestFrom === 'adjusted' ? adjustedDueDate : dueDate;
  return {
    base,
    discount,
    fine,
    interest,
    paid,
    excess,
    openPrincipal,
    unpaidFine: fine - ledger.paidFine,
    unpaidInterest: interest - ledger.paidInterest,
    discountOnOffer: onOffer,
    amountDue,
    adjustedDueDate,
    daysLate: amountDue > 0 && on > adjustedDueDate ? daysBetween(countedFrom, on) : 0,
    allocations,
  };
}

/** The exact stretches are added first and rounded here only, so a payment in between moves no centavo. */
function interestOf(ledger: Ledger, { terms }: AmountsQuestion): Cents {
  return roundHalfUp(ledger.exactInterest, interestDenominator(terms.interest)) + ledger.askedInterest;
}

/** A discount given by hand uses up the one in the terms, and none is worth more than the open principal. */
function discountOnOffer(ledger: Ledger, { terms, dueDate }: AmountsQuestion, on: CivilDate): Cents {
  const agreed = discountOn(ledger.base, terms.discounts, dueDate, on);
  return Math.max(0, Math.min(agreed - ledger.discount, ledger.openPrincipal));
}

function requireNotNegative(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${value} is not a whole number from 0 up.`);
  return value;
}
