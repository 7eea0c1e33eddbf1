/** What may happen to an account and its balance, decided without database or clock. */

import type { CivilDate } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { CENTS_MAX, type Cents, formatMoney } from '../../core/money.ts';
import type { BankAccount } from '../../gateways/bank/port.ts';

export type Direction = 'credit' | 'debit';

export interface Adjustment {
  readonly direction: Direction;
  /** Greater than zero. */
  readonly amount: Cents;
}

/** Digits of an account number that stay readable when it is masked. */
const DIGITS_SHOWN = 2;

const kindMarks: Readonly<Record<string, string>> = { checking: 'c/c', savings: 'c/p' };

/** Income raises a balance and expense lowers it, so that is the kind of category an entry takes. */
export const categoryKindOf = { credit: 'income', debit: 'expense' } as const;

/**
 * The account as a person recognizes it without its full number: "Main (341 ag. 1234 c/c ***56-7)", or the
 * name alone where there is no number. The name is text of the workspace, so a question quotes the whole.
 */
export function maskedAccount(account: {
  name: string;
  kind: string;
  bank_code: string | null;
  agency: string | null;
  number: string | null;
  digit: string | null;
}): string {
  const { name, kind, bank_code, agency, number, digit } = account;
  const shown = number === null || number.length <= DIGITS_SHOWN ? '' : number.slice(-DIGITS_SHOWN);
  const parts = [
    bank_code,
    agency === null ? null : `ag. ${agency}`,
    number === null ? null : `${kindMarks[kind] ?? 'conta'} ***${shown}${digit === null ? '' : `-${digit}`}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? name : `${name} (${parts.join(' ')})`;
}

/** Fails with `invalid_state` when the record, no longer in use, takes no new ones. */
export function requireActive(
  record: { active: boolean },
  kind: 'company' | 'financial_account' | 'person',
): void {
  if (!record.active) fail('invalid_state', { kind, from: 'inactive', allowed: ['active'] });
}

/** Fails with `invalid_argument` for an opening balance of a day that is still to come. */
export function requireOpeningDate(openingDate: CivilDate, today: CivilDate): void {
  if (openingDate > today) failArgument('opening_date', 'a date that is not after today');
}

/** True when the change touches what every book balance of the account rests on. */
export function isOpeningChanged(
  before: { opening_balance_cents: Cents; opening_date: CivilDate },
  after: { opening_balance_cents: Cents; opening_date: CivilDate },
): boolean {
  return (
    before.opening_balance_cents !== after.opening_balance_cents || before.opening_date !== after.opening_date
  );
}

/** Fails with `invalid_argument` unless the books of the account have a balance on that day. */
export function requireAdjustableDate(
  account: { opening_date: CivilDate },
  on: CivilDate,
  today: CivilDate,
): void {
  if (on < account.opening_date || on > today) {
    failArgument(
      'as_of',
      `a date from ${account.opening_date}, the opening of the account, to ${today}, today`,
    );
  }
}

/** The entry that turns the book balance into the target. Fails with `invalid_argument` when there is none. */
export function adjustmentOf(book: Cents, target: Cents): Adjustment {
  const difference = target - book;
  if (difference === 0) {
    failArgument('target_balance', `another amount than the book balance of that day, ${formatMoney(book)}`);
  }
  const amount = Math.abs(difference);
  if (amount > CENTS_MAX) {
    failArgument(
      'target_balance',
      `an amount at most ${formatMoney(CENTS_MAX)} away from the book balance of that day, ${formatMoney(book)}`,
    );
  }
  return { direction: difference > 0 ? 'credit' : 'debit', amount };
}

/** The account as its bank knows it. */
export function bankAccountOf(account: {
  readonly bank_code: string | null;
  readonly agency: string | null;
  readonly number: string | null;
  readonly digit: string | null;
  readonly bank_adapter_account: string | null;
}): BankAccount {
  return {
    bankCode: account.bank_code,
    agency: account.agency,
    number: account.number,
    digit: account.digit,
    providerId: account.bank_adapter_account,
  };
}
