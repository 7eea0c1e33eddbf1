/** From a charge of ours to a Pix charge at Kobana; what its API cannot say is refused, never left out. */

import { createHash } from 'node:crypto';
import { adjustedDueDateOf, type Discount, type Interest, type Terms } from '../../../core/accruals.ts';
import { addDays, daysBetween } from '../../../core/dates.ts';
import { formatPercent, type Percent } from '../../../core/money.ts';
import type { ChargeRequest } from '../port.ts';
import type { Impossible } from './requests.ts';
import { reaisOf } from './values.ts';

const MESSAGE_MAX = 140;
const DISCOUNTS_MAX = 3;
const DAYS_AFTER_DUE_MAX = 365;
const TXID_LENGTH = 32;
/** Brazil keeps this offset since it gave up daylight saving in 2019. */
const END_OF_DAY = 'T23:59:59-03:00';

/** Numbers of the kinds of interest, by unit and by the days that count. */
const interestTypes: Readonly<
  Record<Exclude<Interest['kind'], 'none'>, { calendar: number; business: number }>
> = {
  fixed_per_day: { calendar: 1, business: 5 },
  percent_per_day: { calendar: 2, business: 6 },
  percent_per_month: { calendar: 3, business: 7 },
  percent_per_year: { calendar: 4, business: 8 },
};

const discountTypes = { fixed: 1, percent: 2, fixed_per_day: 3, percent_per_day: 5 } as const;
const discountPlaces = ['discount', 'discount_second', 'discount_third'] as const;

/** Whether a request can be a charge at Kobana at all, before anything is asked. */
export function impossibleCharge(request: ChargeRequest): Impossible | undefined {
  const { methods, payer, terms, dueDate, validDaysAfterDue } = request;
  if (methods.includes('boleto')) {
    return { impossible: 'boletos are not issued through this connection to Kobana; ask for Pix alone' };
  }
  if (payer.documentNumber === null && hasTerms(terms)) {
    return { impossible: 'a Pix with discount, fine or interest needs the CPF or CNPJ of the customer' };
  }
  if (terms !== null && terms.graceDays > 0 && (terms.fine !== null || terms.interest.kind !== 'none')) {
    return { impossible: 'a Pix at Kobana knows no days of grace' };
  }
  if (daysBetween(dueDate, lastDayOf(dueDate, validDaysAfterDue)) > DAYS_AFTER_DUE_MAX) {
    return { impossible: `a Pix can be paid ${DAYS_AFTER_DUE_MAX} days after its due date at most` };
  }
  return terms === null ? undefined : impossibleDiscounts(terms.discounts, dueDate);
}

/** The body that creates the charge on this Pix account. */
export function chargeBody(request: ChargeRequest, pixAccountUid: string): object {
  const { payer, dueDate, validDaysAfterDue, description } = request;
  const lastDay = lastDayOf(dueDate, validDaysAfterDue);
  const common = {
    amount: reaisOf(request.amount),
    pix_account_uid: pixAccountUid,
    external_id: request.idempotencyKey,
    txid: txidOf(request.idempotencyKey),
    message: Array.from(description).slice(0, MESSAGE_MAX).join(''),
  };
  // Without a payer there is no charge with a due date: it can be paid until its last day and never after.
  if (payer.documentNumber === null) {
    return { ...common, registration_kind: 'instant', expire_at: lastDay + END_OF_DAY };
  }
  const daysAfterDue = daysBetween(dueDate, lastDay);
  return {
    ...common,
    registration_kind: 'billing',
    expire_at: dueDate + END_OF_DAY,
    ...(daysAfterDue > 0 && { revoke_days: daysAfterDue }),
    payer: { name: payer.name, document_number: payer.documentNumber },
    ...termsOf(request.terms, dueDate, daysAfterDue > 0),
  };
}

/** The id under which the charge is found again: letters and digits made of our key. */
export function txidOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, TXID_LENGTH);
}

function lastDayOf(dueDate: string, validDaysAfterDue: number): string {
  return addDays(adjustedDueDateOf(dueDate), validDaysAfterDue);
}

function hasTerms(terms: Terms | null): boolean {
  return (
    terms !== null && (terms.discounts.length > 0 || terms.fine !== null || terms.interest.kind !== 'none')
  );
}

function impossibleDiscounts(discounts: readonly Discount[], dueDate: string): Impossible | undefined {
  const kinds = new Set(discounts.map(({ kind }) => kind));
  const isPerDay = kinds.has('fixed_per_day') || kinds.has('percent_per_day');
  if (kinds.size > 1 || discounts.length > (isPerDay ? 1 : DISCOUNTS_MAX)) {
    return { impossible: 'a Pix at Kobana takes up to three discounts of one kind, or one by days' };
  }
  const isCutShort = ({ until }: Discount) =>
    until !== undefined && (isPerDay ? until < dueDate : until > dueDate);
  return discounts.some(isCutShort)
    ? { impossible: 'a discount of a Pix at Kobana ends by its due date, one by days on it' }
    : undefined;
}

function termsOf(terms: Terms | null, dueDate: string, isPayableLate: boolean): object {
  if (terms === null) return {};
  return {
    ...discountsOf(terms.discounts, dueDate),
    // The API refuses fine and interest on what can never be paid late.
    ...(isPayableLate && { ...fineOf(terms.fine), ...interestOf(terms.interest) }),
  };
}

function fineOf(fine: Terms['fine']): object {
  if (fine === null) return {};
  return fine.kind === 'fixed'
    ? { fine_type: 1, fine_amount: reaisOf(fine.cents) }
    : { fine_type: 2, fine_percentage: percentNumber(fine.percent) };
}

function interestOf(interest: Interest): object {
  if (interest.kind === 'none') return {};
  const interest_type = interestTypes[interest.kind][interest.days];
  return interest.kind === 'fixed_per_day'
    ? { interest_type, interest_amount: reaisOf(interest.cents) }
    : { interest_type, interest_percentage: percentNumber(interest.percent) };
}

function discountsOf(discounts: readonly Discount[], dueDate: string): object {
  const [first] = discounts;
  if (first === undefined) return {};
  const isBusiness = 'days' in first && first.days === 'business';
  const fields: Record<string, number> = { discount_type: discountTypes[first.kind] + (isBusiness ? 1 : 0) };
  for (const [index, discount] of discounts.entries()) {
    const place = discountPlaces[index]!;
    if ('cents' in discount) fields[`${place}_amount`] = reaisOf(discount.cents);
    else fields[`${place}_percentage`] = percentNumber(discount.percent);
    if (!('days' in discount)) fields[`${place}_days`] = daysBetween(discount.until, dueDate);
  }
  return fields;
}

function percentNumber(percent: Percent): number {
  return Number(formatPercent(percent));
}
