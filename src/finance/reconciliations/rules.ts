/** Decisions about tying lines of statements to records: values in, values out. Amounts in centavos. */

import { fail, failArgument } from '../../core/errors.ts';
import { type Cents, formatMoney } from '../../core/money.ts';
import { takenBy } from './matching/fit.ts';
import type { Direction, Parts } from './matching/types.ts';
import type { DocumentKind } from './schema.ts';

/** What a person, or a suggestion, wants tied together. */
export interface ReconciliationRequest {
  readonly transactions: readonly { readonly id: string; readonly amount: Cents }[];
  readonly documents: readonly DocumentRequest[];
}

export interface DocumentRequest extends Partial<{ readonly [Part in keyof Parts]: Cents | undefined }> {
  readonly kind: DocumentKind;
  readonly id: string;
}

const partNames = ['principal', 'discount', 'interest', 'fine', 'fee'] as const;

/** The direction of the lines that a document of the kind is paid by; null where it has one of its own. */
const directionOfKind: Readonly<Record<DocumentKind, Direction | null>> = {
  payable: 'debit',
  receivable: 'credit',
  settlement: null,
  transfer: null,
};

/**
 * Fails with `invalid_argument` for what no record can make right: a line or document given twice, parts for something
 * whose amount is on record, a fee on a payable, a transfer beside anything else.
 */
export function requireSound({ transactions, documents }: ReconciliationRequest): void {
  requireDistinct(transactions, 'transactions');
  requireDistinct(documents, 'documents');
  for (const [index, document] of documents.entries()) {
    const { kind } = document;
    const isRecorded = kind === 'settlement' || kind === 'transfer';
    const stated = partNames.find((name) => document[name] !== undefined);
    if (isRecorded && stated !== undefined) {
      failArgument(`documents.${index}.${stated}`, `nothing: the amount of a ${kind} is on record`);
    }
    if (kind === 'payable' && (document.fee ?? 0) > 0) {
      failArgument(`documents.${index}.fee`, 'nothing for a payable: a fee is a payable of its own');
    }
  }
  const hasTransfer = documents.some(({ kind }) => kind === 'transfer');
  if (hasTransfer && (documents.length > 1 || transactions.length > 1)) {
    failArgument('documents', 'one transfer alone, with one line');
  }
}

/** A line as far as it decides whether it can be reconciled. */
export interface ReconcilableLine {
  readonly id: string;
  readonly account_id: string;
  readonly direction: string;
  readonly amount_cents: Cents;
  readonly reconciled_cents: Cents;
}

/** Fails with `already_reconciled` for a full line and with `exceeds_open_amount` for more than its rest. */
export function requireRest(line: ReconcilableLine, amount: Cents): void {
  const rest = line.amount_cents - line.reconciled_cents;
  if (rest === 0) fail('already_reconciled', { kind: 'financial_transaction', id: line.id });
  if (amount > rest) {
    fail('exceeds_open_amount', { kind: 'financial_transaction', id: line.id, open: formatMoney(rest) });
  }
}

/** The account and direction of all lines. Fails with `invalid_argument` when they differ. */
export function sideOf(lines: readonly ReconcilableLine[]): { accountId: string; direction: Direction } {
  const [first] = lines;
  for (const { account_id, direction } of lines) {
    if (account_id !== first!.account_id) failArgument('transactions', 'lines of one account');
    if (direction !== first!.direction) failArgument('transactions', 'lines of one direction');
  }
  return { accountId: first!.account_id, direction: first!.direction as Direction };
}

/** Fails with `invalid_argument` when lines of the direction cannot be about the document. */
export function requireDirection(
  index: number,
  kind: DocumentKind,
  own: Direction | null,
  of: Direction,
): void {
  const needed = directionOfKind[kind] ?? own;
  if (needed !== of) failArgument(`documents.${index}.kind`, `what a ${of} pays, not a ${needed}`);
}

/**
 * The parts of a document still to be settled: what is not stated of the principal is all that is open. Fails with
 * `exceeds_open_amount`, and with `unbalanced` when nothing or less than nothing is left of the money.
 */
export function partsOf(request: DocumentRequest, openCents: Cents): Parts {
  const { principal = openCents, discount = 0, interest = 0, fine = 0, fee = 0 } = request;
  if (principal > openCents) fail('exceeds_open_amount', { id: request.id, open: formatMoney(openCents) });
  const parts = { principal, discount, interest, fine, fee };
  const taken = takenBy(parts);
  if (discount > principal || taken <= 0) {
    fail('unbalanced', {
      id: request.id,
      left: formatMoney(principal + interest + fine),
      right: formatMoney(discount + fee),
    });
  }
  return parts;
}

/** Fails with `unbalanced` unless both sides are the same to the centavo (MODEL §14, invariant 4). */
export function requireBalance(lines: readonly Cents[], taken: readonly Cents[]): Cents {
  const left = lines.reduce((sum, amount) => sum + amount, 0);
  const right = taken.reduce((sum, amount) => sum + amount, 0);
  if (left !== right) {
    fail('unbalanced', {
      left: formatMoney(left),
      right: formatMoney(right),
      difference: formatMoney(left - right),
    });
  }
  return left;
}

/** Fails with `invalid_state` unless the reconciliation can still be undone. */
export function requireActive(reconciliation: { status: string }): void {
  if (reconciliation.status !== 'active') {
    fail('invalid_state', { from: reconciliation.status, allowed: ['active'] });
  }
}

function requireDistinct(items: readonly { readonly id: string }[], path: string): void {
  const known = new Set<string>();
  for (const [index, { id }] of items.entries()) {
    if (known.has(id)) failArgument(`${path}.${index}.id`, 'each one once');
    known.add(id);
  }
}
