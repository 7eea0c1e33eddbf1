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
  const told = new Map(payments.map((payment) => [nameOfPayment(payment.id), payment]));
  const paymentOf = ({ id, external_id }: Receipt) =>
    known.get(nameOfReceipt(id)) ?? told.get(external_id ?? '');
  return {
    toRecord: receipts.filter(
      (receipt) =>
        isOfFinance(receipt) && receipt.status === 'effective' && !known.has(nameOfReceipt(receipt.id)),
    ),
    toReverse: receipts.flatMap((receipt) => {
      const payment = paymentOf(receipt);
      return receipt.status === 'reversed' && payment?.status === 'confirmed' ? [payment] : [];
    }),
  };
}

/**
 * True for a receivable that finance has closed with a receipt of its own while both sides know of the same money: what
 * the charge still asks for is a discount that finance gave.
 */
export function isRestGivenUp(
  receivable: { readonly status: string },
  receipts: readonly (FinanceReceipt & { readonly amount_cents: Cents })[],
  payments: readonly DunningPayment[],
): boolean {
  const received = receipts.filter(({ status }) => status === 'effective');
  const paid = payments.filter(({ status }) => status === 'confirmed');
  return (
    receivable.status === 'paid' &&
    received.some(isOfFinance) &&
    sumOf(received, ({ amount_cents }) => amount_cents) === sumOf(paid, ({ usedCents }) => usedCents)
  );
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

function isOfFinance({ external_id }: FinanceReceipt): boolean {
  return external_id?.startsWith(FROM_DUNNING) !== true;
}

function sumOf<Item>(items: readonly Item[], centsOf: (item: Item) => Cents): Cents {
  return items.reduce((sum, item) => sum + centsOf(item), 0);
}
