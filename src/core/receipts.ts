/** One receipt over several documents of the same payer. */

import type { CivilDate } from './dates.ts';
import { daysBetween } from './dates.ts';
import type { Cents } from './money.ts';

export interface ReceiptDocument {
  readonly id: string;
  readonly dueDate: CivilDate;
  /** What is still due on the day of the receipt, never the face value. */
  readonly amountDue: Cents;
}

export interface ReceiptAllocation {
  /** Oldest first, only documents that get something. */
  readonly parts: readonly { readonly id: string; readonly amount: Cents }[];
  /** What no document needed: a credit of the payer. */
  readonly credit: Cents;
}

/**
 * Spreads one receipt over several documents, oldest due date first (then in the order given), each up to what is
 * still due on it. The parts and the credit add up to the receipt. Throws `RangeError` on negative amounts.
 */
export function allocateReceipt(receipt: Cents, documents: readonly ReceiptDocument[]): ReceiptAllocation {
  let credit = requireNotNegative(receipt);
  const parts: { id: string; amount: Cents }[] = [];
  for (const { id, amountDue } of documents.toSorted((left, right) =>
    daysBetween(right.dueDate, left.dueDate),
  )) {
    const amount = Math.min(credit, requireNotNegative(amountDue));
    if (amount === 0) continue;
    parts.push({ id, amount });
    credit -= amount;
  }
  return { parts, credit };
}

function requireNotNegative(cents: Cents): Cents {
  if (!Number.isSafeInteger(cents) || cents < 0)
    throw new RangeError(`${cents} is not a whole number from 0 up.`);
  return cents;
}
