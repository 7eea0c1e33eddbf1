/** What payments of installments are worth on the charges of the agreement: values in, values out. */

import { type CivilDate, daysBetween } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import { allocateReceipt } from '../../core/receipts.ts';
import { dueOf, type Share } from './figures.ts';

/** Money that came in for an installment, without what nobody owed. */
export interface Receipt {
  readonly id: string;
  /** The day it counts from. */
  readonly on: CivilDate;
  readonly cents: Cents;
}

export interface Credit {
  readonly chargeId: string;
  readonly paymentId: string;
  readonly on: CivilDate;
  readonly cents: Cents;
}

/** A charge with what is due on it on a day, given what was credited to it so far. */
export interface Debt {
  readonly chargeId: string;
  readonly dueDate: CivilDate;
  readonly dueOn: (on: CivilDate, credits: readonly Credit[]) => Cents;
}

/**
 * A completed agreement: every payment goes to the charge that is due first, as far as the agreement let it be paid.
 * The credits of a charge add up to its debt less its part of the discount.
 */
export function creditsOfCompletion(
  shares: readonly (Share & { readonly dueDate: CivilDate })[],
  receipts: readonly Receipt[],
): Credit[] {
  const debts = shares.map((share): Debt => {
    const negotiated = dueOf(share) - share.discount;
    return {
      chargeId: share.chargeId,
      dueDate: share.dueDate,
      dueOn: (_on, credits) => negotiated - creditedTo(share.chargeId, credits),
    };
  });
  return creditsOf(debts, receipts);
}

/**
 * An agreement that ended early: every payment goes to the charge that is due first, as far as something is due on it on
 * the day of the payment, without any discount of the agreement (MODEL §14.20). Whatever no charge needs stays with the
 * one due last, where it shows as excess: no centavo is lost or counted twice.
 */
export function creditsOf(debts: readonly Debt[], receipts: readonly Receipt[]): Credit[] {
  const credits: Credit[] = [];
  for (const { id: paymentId, on, cents } of inTimeOrder(receipts)) {
    const documents = debts.map(({ chargeId, dueDate, dueOn }) => ({
      id: chargeId,
      dueDate,
      amountDue: dueOn(on, ofCharge(chargeId, credits)),
    }));
    const { parts, credit: left } = allocateReceipt(cents, documents);
    const last = lastDue(debts);
    const amounts = new Map(parts.map(({ id, amount }) => [id, amount]));
    if (left > 0) amounts.set(last, (amounts.get(last) ?? 0) + left);
    for (const [chargeId, amount] of amounts) credits.push({ chargeId, paymentId, on, cents: amount });
  }
  return credits;
}

/** By the day they count from; of one day in the order they were recorded. */
export function inTimeOrder<Dated extends { readonly on: CivilDate }>(receipts: readonly Dated[]): Dated[] {
  return receipts.toSorted((left, right) => daysBetween(right.on, left.on));
}

function ofCharge(chargeId: string, credits: readonly Credit[]): Credit[] {
  return credits.filter((credit) => credit.chargeId === chargeId);
}

function creditedTo(chargeId: string, credits: readonly Credit[]): Cents {
  return ofCharge(chargeId, credits).reduce((sum, { cents }) => sum + cents, 0);
}

function lastDue(debts: readonly Debt[]): string {
  return debts.toSorted((left, right) => daysBetween(right.dueDate, left.dueDate)).at(-1)!.chargeId;
}
