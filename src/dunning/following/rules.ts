/** What each side of a linked debt still has to be told by the other. Pure. */

import type { Cents } from '../../core/money.ts';

/** Receipts and payments are known on the other side under a name that says where they come from. */
const FROM_FINANCE = 'finance:';
const FROM_DUNNING = 'dunning:';

export interface FinanceReceipt {
  readonly id: string;
  readonly status: string;
  readonly external_id: string | null;
}

export interface DunningPayment {
  readonly id: string;
  readonly status: string;
  readonly external_id: string | null;
  /** What of it went into the charge; a duplicate has nothing to settle. */
  readonly usedCents: Cents;
}

export const nameOfReceipt = (id: string) => `${FROM_FINANCE}${id}`;
export const nameOfPayment = (id: string) => `${FROM_DUNNING}${id}`;

/** Receipts that finance recorded or took back, and the charge does not know of. */
export function newsForDunning<Receipt extends FinanceReceipt, Payment extends DunningPayment>(
  receipts: readonly Receipt[],
  payments: readonly Payment[],
): { readonly toRecord: readonly Receipt[]; readonly toReverse: readonly Payment[] } {
  const known = new Map(payments.map((payment) => [payment.external_id, payment]));
  const own = receipts.filter(({ external_id }) => external_id?.startsWith(FROM_DUNNING) !== true);
  return {
    toRecord: own.filter(({ id, status }) => status === 'effective' && !known.has(nameOfReceipt(id))),
    toReverse: own.flatMap(({ id, status }) => {
      const payment = known.get(nameOfReceipt(id));
      return status === 'reversed' && payment?.status === 'confirmed' ? [payment] : [];
    }),
  };
}

/** Payments that dunning recorded or took back, and the receivable does not know of. */
export function newsForFinance<Receipt extends FinanceReceipt, Payment extends DunningPayment>(
  receipts: readonly Receipt[],
  payments: readonly Payment[],
): { readonly toSettle: readonly Payment[]; readonly toReverse: readonly Payment[] } {
  const known = new Map(receipts.map((receipt) => [receipt.external_id, receipt]));
  const own = payments.filter(
    ({ external_id, usedCents }) => external_id?.startsWith(FROM_FINANCE) !== true && usedCents > 0,
  );
  return {
    toSettle: own.filter(({ id, status }) => status === 'confirmed' && !known.has(nameOfPayment(id))),
    toReverse: own.filter(
      ({ id, status }) => status === 'reversed' && known.get(nameOfPayment(id))?.status === 'effective',
    ),
  };
}
