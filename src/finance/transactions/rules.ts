/** What may happen to an entry of an account: values in, values out. Amounts in centavos. */

import { isDeepStrictEqual } from 'node:util';
import type { CivilDate } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { type Cents, formatMoney } from '../../core/money.ts';

interface Entry {
  readonly id: string;
  readonly account_id: string;
  readonly direction: string;
  readonly amount_cents: Cents;
  readonly reconciled_cents: Cents;
  readonly source: string;
  readonly ignored: boolean;
  readonly superseded_by: string | null;
  readonly transfer_id: string | null;
}

/**
 * True when all of the amount is reconciled (MODEL §14, invariant 3), or when the entry is a line of the bank that is a
 * leg of a transfer: it is tied to its other side then, and to nothing else.
 */
export function isReconciled(
  entry: Pick<Entry, 'amount_cents' | 'reconciled_cents' | 'transfer_id' | 'source'>,
): boolean {
  const isLinked = entry.transfer_id !== null && entry.source !== 'transfer';
  return isLinked || entry.reconciled_cents === entry.amount_cents;
}

/** Fails with `invalid_argument` for a day on which the account has no books yet, or that is still to come. */
export function requireEntryDate(
  account: { opening_date: CivilDate },
  date: CivilDate,
  today: CivilDate,
): void {
  if (date >= account.opening_date && date <= today) return;
  failArgument('date', `a date from ${account.opening_date}, the opening of the account, to ${today}, today`);
}

/**
 * Fails with `exceeds_open_amount` when more than the entry holds is to be reconciled, and with `invalid_state` when
 * more is to be reconciled of an entry that does not count.
 */
export function requireReconcilable(
  entry: Pick<Entry, 'amount_cents' | 'reconciled_cents' | 'ignored'>,
  reconciledCents: Cents,
): void {
  if (!Number.isSafeInteger(reconciledCents) || reconciledCents < 0) {
    throw new RangeError(`${reconciledCents} is not an amount.`);
  }
  if (reconciledCents > entry.amount_cents) {
    fail('exceeds_open_amount', { open: formatMoney(entry.amount_cents - entry.reconciled_cents) });
  }
  if (reconciledCents > entry.reconciled_cents && entry.ignored) {
    fail('invalid_state', { kind: 'financial_transaction', from: 'ignored', allowed: ['counted'] });
  }
}

/**
 * Fails unless the entry can be left out of the books. What is reconciled, is a leg of a transfer, or stands for a
 * settlement is undone there, never hidden here.
 */
export function requireIgnorable(
  entry: Pick<Entry, 'reconciled_cents' | 'transfer_id'>,
  settlementId: string | null,
): void {
  if (entry.reconciled_cents > 0) {
    fail('invalid_state', {
      kind: 'financial_transaction',
      from: 'reconciled',
      allowed: ['unreconciled'],
    });
  }
  if (entry.transfer_id !== null) {
    fail('invalid_state', { kind: 'transfer', id: entry.transfer_id, from: 'leg', allowed: ['no transfer'] });
  }
  if (settlementId !== null) {
    fail('invalid_state', { kind: 'settlement', id: settlementId, from: 'effective', allowed: ['reversed'] });
  }
}

/** Fails with `invalid_state` for an entry whose place a line of a statement took: undoing that brings it back. */
export function requireNotSuperseded(entry: Pick<Entry, 'superseded_by'>): void {
  if (entry.superseded_by === null) return;
  fail('invalid_state', { kind: 'financial_transaction', from: 'superseded', allowed: ['counted'] });
}

/**
 * Fails unless a line of a statement may take the place of the entry. Lines of statements stay, and an entry that was
 * ignored before could not be given back exactly as it was.
 */
export function requireSupersedable(
  entry: Entry,
  line: Pick<Entry, 'account_id' | 'direction' | 'ignored'>,
): void {
  requireNotSuperseded(entry);
  if (entry.source === 'import' || entry.ignored) {
    const from = entry.source === 'import' ? 'import' : 'ignored';
    fail('invalid_state', { kind: 'financial_transaction', id: entry.id, from, allowed: ['counted'] });
  }
  if (entry.reconciled_cents > 0) fail('already_reconciled', { kind: 'financial_transaction', id: entry.id });
  if (line.account_id !== entry.account_id || line.direction !== entry.direction || line.ignored) {
    failArgument('transactions', 'lines of the account and direction of the entry, not ignored');
  }
}

/** Fails with `invalid_state` unless a person made the entry by hand. */
export function requireManual(entry: Pick<Entry, 'source'>): void {
  if (entry.source !== 'manual') fail('invalid_state', { from: entry.source, allowed: ['manual'] });
}

const bookFields = ['category_id', 'person_id', 'cost_centers', 'ignored', 'transfer_id'] as const;

type Booked = Record<(typeof bookFields)[number], unknown>;

/** True when the change touches what the books of the month say; notes stay free in a closed month. */
export function touchesBooks(before: Booked, after: Booked): boolean {
  return bookFields.some((field) => !isDeepStrictEqual(before[field], after[field]));
}
