/** What an agreement is worth and how it is paid: values in, values out. Amounts in centavos. */

import { type CivilDate, monthlyFromAnchor } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { type Cents, formatMoney, splitCents } from '../../core/money.ts';
import type { Amounts } from '../../core/terms.ts';
import type { Allowance, Parts } from '../campaigns/index.ts';

/** A charge in an agreement: its debt on the day, and its part of the discount. */
export interface Share extends Parts {
  readonly discount: Cents;
}

export interface DraftInstallment {
  readonly dueDate: CivilDate;
  readonly amount: Cents;
}

export interface Plan {
  readonly down_payment?: Cents | undefined;
  readonly installments: number;
  readonly first_due_date: CivilDate;
}

/** What is due on a charge by its parts: a discount its own terms still offer is taken off the principal. */
export function partsOf(chargeId: string, amounts: Amounts): Parts {
  return {
    chargeId,
    principal: amounts.openPrincipal - amounts.discountOnOffer,
    interest: amounts.unpaidInterest,
    fine: amounts.unpaidFine,
  };
}

export const dueOf = ({ principal, interest, fine }: Parts): Cents => principal + interest + fine;

export const totalDueOf = (debts: readonly Parts[]): Cents =>
  debts.reduce((total, parts) => total + dueOf(parts), 0);

/**
 * Spreads a discount over the charges to the centavo: fine and interest first, in proportion, then the principal; with
 * what a campaign allows, no more of each than that. Throws `RangeError` for more than there is.
 */
export function spreadDiscount(discount: Cents, debts: readonly Parts[], allowed?: Allowance): Share[] {
  const accessories = debts.map(({ interest, fine }) => interest + fine);
  const mostOff = allowed?.charges ?? accessories.reduce((total, cents) => total + cents, 0);
  const offAccessories = Math.min(discount, mostOff);
  const first = inProportion(offAccessories, accessories);
  const second = inProportion(
    discount - offAccessories,
    debts.map(({ principal }) => principal),
  );
  return debts.map((parts, index) => ({ ...parts, discount: first[index]! + second[index]! }));
}

/**
 * Parts of a total in proportion to weights, whole centavos that add up to it, none above its weight; the centavos left
 * over go to the largest remainders. Throws `RangeError` for a total above the sum of the weights.
 */
export function inProportion(total: Cents, weights: readonly Cents[]): Cents[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (total < 0 || total > sum) throw new RangeError(`${total} cannot be spread over ${sum} centavos.`);
  if (total === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(total) * BigInt(weight));
  const parts = exact.map((numerator) => Number(numerator / BigInt(sum)));
  const left = total - parts.reduce((all, part) => all + part, 0);
  const byRemainder = exact
    .map((numerator, index) => ({ index, remainder: numerator % BigInt(sum) }))
    .toSorted((one, other) =>
      one.remainder < other.remainder ? 1 : one.remainder > other.remainder ? -1 : 0,
    );
  for (const { index } of byRemainder.slice(0, left)) parts[index]! += 1;
  return parts;
}

/**
 * The installments of a plan: a down payment on the last day to accept, then equal monthly ones, the first ones a
 * centavo more where it does not divide (559.30 in three is 186.44 + 186.43 + 186.43). Fails with `invalid_argument`
 * when the down payment leaves less than a centavo for each.
 */
export function installmentsOfPlan(plan: Plan, total: Cents, validUntil: CivilDate): DraftInstallment[] {
  const { down_payment: down = 0, installments: count, first_due_date: first } = plan;
  if (total - down < count) {
    failArgument(
      down === 0 ? 'plan.installments' : 'plan.down_payment',
      'amounts that leave at least 0.01 for each installment',
    );
  }
  const monthly = splitCents(total - down, count).map((amount, index) => ({
    dueDate: monthlyFromAnchor(first, index),
    amount,
  }));
  return down === 0 ? monthly : [{ dueDate: validUntil, amount: down }, ...monthly];
}

/**
 * Fails unless the installments add up to the total (`installments_mismatch`), their dates rise, and the first is not
 * before the last day to accept, which is not before today (`invalid_argument`; MODEL §14.12).
 */
export function requireSchedule(
  installments: readonly DraftInstallment[],
  total: Cents,
  { today, validUntil, path }: { today: CivilDate; validUntil: CivilDate; path: string },
): void {
  if (validUntil < today) failArgument('valid_until', `a date from ${today}, today, on`);
  for (const [index, { dueDate }] of installments.entries()) {
    const before = installments[index - 1]?.dueDate;
    if (before === undefined && dueDate < validUntil) {
      failArgument(path, `a first due date from ${validUntil}, the last day to accept, on`);
    }
    if (before !== undefined && dueDate <= before) failArgument(path, 'due dates that rise, no two alike');
  }
  const sum = installments.reduce((all, { amount }) => all + amount, 0);
  if (sum !== total) fail('installments_mismatch', { sum: formatMoney(sum), total: formatMoney(total) });
}

/**
 * The discount that a total leaves of a debt. Fails with `exceeds_open_amount` for more than the debt, with
 * `amount_changed` when the person saw another discount, and with `discount_not_allowed` above what the campaign allows.
 */
export function discountOf(
  debt: Cents,
  negotiated: Cents,
  { seen, allowed }: { seen?: Cents | undefined; allowed?: Allowance | undefined },
): Cents {
  if (negotiated > debt) fail('exceeds_open_amount', { open: formatMoney(debt) });
  const discount = debt - negotiated;
  if (seen !== undefined && seen !== discount) {
    fail('amount_changed', { expected: formatMoney(seen), actual: formatMoney(discount) });
  }
  if (allowed !== undefined && discount > allowed.charges + allowed.principal) {
    fail('discount_not_allowed', { allowed: formatMoney(allowed.charges + allowed.principal) });
  }
  return discount;
}
