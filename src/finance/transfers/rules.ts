/** Decisions about transfers between own accounts: values in, values out. Amounts in centavos. */

import { nextBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { type Cents, formatMoney } from '../../core/money.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { BankOrderStatus } from '../../gateways/bank/port.ts';
import type { registrationStatuses, transferMethods, transferStatuses } from './schema.ts';

export type TransferMethod = (typeof transferMethods)[number];
export type TransferStatus = (typeof transferStatuses)[number];
export type TransferRegistration = (typeof registrationStatuses)[number];

const SCHEDULED_DAYS_MAX = 365;
const REASON_MAX = 500;

/** Kinds of accounts that a bank moves money of. */
const bankKinds: readonly string[] = ['checking', 'savings', 'payment'];

/** The part of a transfer that an answer of the bank may change. */
export interface TransferState {
  readonly status: TransferStatus;
  readonly registration_status: TransferRegistration;
  readonly bank_reference: string | null;
  readonly bank_settled_on: CivilDate | null;
  readonly rejected_reason: string | null;
}

/** True while the bank may still make it. */
export function isLive(transfer: { status: string }): boolean {
  return transfer.status === 'pending';
}

/**
 * The transfer after an answer of the bank; the same object when the answer changes nothing. Answers come late, twice
 * and out of order: a final transfer does not move any more, and `absent` says nothing.
 */
export function transferAfterAnswer<State extends TransferState>(
  transfer: State,
  answer: BankOrderStatus,
): State {
  if (answer.status === 'absent' || !isLive(transfer)) return transfer;
  const bank_reference = transfer.bank_reference ?? answer.reference;
  switch (answer.status) {
    case 'confirmed':
      return {
        ...transfer,
        status: 'confirmed',
        registration_status: 'confirmed',
        bank_reference,
        bank_settled_on: answer.settledOn,
      };
    case 'rejected':
      return {
        ...transfer,
        status: 'failed',
        registration_status: transfer.registration_status === 'confirmed' ? 'confirmed' : 'rejected',
        bank_reference,
        rejected_reason: cleanOutsideText(answer.reason, REASON_MAX),
      };
    case 'canceled':
      return { ...transfer, status: 'canceled', registration_status: 'confirmed', bank_reference };
    default:
      if (transfer.registration_status === 'confirmed') return transfer;
      return { ...transfer, registration_status: 'confirmed', bank_reference };
  }
}

const statusOfAnswer: Readonly<Record<string, TransferStatus>> = {
  confirmed: 'confirmed',
  rejected: 'failed',
  canceled: 'canceled',
};

/** True when a final answer says something else than the final state on record: a person has to look. */
export function isContradiction(transfer: TransferState, answer: BankOrderStatus): boolean {
  const said = statusOfAnswer[answer.status];
  return said !== undefined && !isLive(transfer) && transfer.status !== said;
}

/** Our key for a transfer at the bank, equal for every attempt. It tells what was confirmed: day, centavos, method. */
export function transferKeyOf(transfer: {
  id: string;
  scheduled_for: CivilDate;
  amount_cents: Cents;
  method: string;
}): string {
  const { id, scheduled_for, amount_cents, method } = transfer;
  return `${id}.${scheduled_for.replaceAll('-', '')}.${amount_cents}.${method}`;
}

/** Our key for the request to cancel it. */
export function cancelKeyOf(transfer: { id: string }): string {
  return `${transfer.id}.cancel`;
}

/**
 * The day of a transfer: as given, else today for what is entered by hand and for Pix, else the next business day.
 * Fails with `invalid_argument` for a day to come entered by hand, and for one that no bank would take.
 */
export function transferDateOf(
  method: TransferMethod,
  given: CivilDate | undefined,
  today: CivilDate,
): CivilDate {
  if (given === undefined) return method === 'ted' ? nextBusinessDay(today) : today;
  if (method === 'internal') {
    if (given > today) failArgument('date', `a date not after ${today}: nothing is moved on a day to come`);
    return given;
  }
  const last = addDays(today, SCHEDULED_DAYS_MAX);
  if (given < today || given > last) failArgument('date', `a date from ${today} to ${last}`);
  return given;
}

/** Fails with `invalid_argument` unless a bank can move money of the account, or to it. */
export function requireBankAccount(
  path: 'from_account_id' | 'to_account_id',
  account: { kind: string; bank_code: string | null; agency: string | null; number: string | null },
): void {
  if (!bankKinds.includes(account.kind)) {
    failArgument(path, `an account at a bank (${bankKinds.join(', ')}), or the method internal`);
  }
  if (account.bank_code === null || account.agency === null || account.number === null) {
    failArgument(path, 'an account whose bank, branch and number are registered, or the method internal');
  }
}

/** Fails with `invalid_argument` for a day before the books of an account begin. */
export function requireAfterOpening(account: { opening_date: CivilDate }, date: CivilDate): void {
  if (date < account.opening_date) {
    failArgument('date', `a date from ${account.opening_date}, the opening of the account, on`);
  }
}

/** How a transfer is called off, by what it is. */
export type Cancellation =
  /** The bank is asked, or it never left. */
  | 'order'
  /** The two lines of statements are let go of. */
  | 'link'
  /** Entered by hand: its two entries are taken back. */
  | 'entries';

/** Fails with `invalid_state` when it was carried out by a bank, is final, or is being called off already. */
export function cancellationOf(transfer: {
  status: string;
  origin: string;
  method: string;
  cancel_requested_at: string | null;
}): Cancellation {
  const { status, origin, method, cancel_requested_at } = transfer;
  if (status === 'pending') {
    if (cancel_requested_at === null) return 'order';
    fail('invalid_state', { from: 'cancel_requested', allowed: ['pending'] });
  }
  if (status === 'confirmed' && origin === 'linked') return 'link';
  if (status === 'confirmed' && method === 'internal') return 'entries';
  return fail('invalid_state', {
    from: status,
    allowed: ['pending', 'linked', 'internal'],
  });
}

/** An entry as far as it decides whether a bank's line can be tied to something. */
export interface Line {
  readonly id: string;
  readonly account_id: string;
  readonly direction: string;
  readonly amount_cents: Cents;
  readonly reconciled_cents: Cents;
  readonly source: string;
  readonly ignored: boolean;
  readonly transfer_id: string | null;
}

/** Entries that stand for what the bank says, and not for something of ours. */
export const lineSources: readonly string[] = ['import', 'manual'];

/**
 * Fails unless the entry is a line that can still be tied to something: `invalid_state` for an entry that another
 * record made or that is ignored, `already_reconciled` for a leg of a transfer.
 */
export function requireLine(line: Line): void {
  const { id, source, ignored, transfer_id } = line;
  const kind = 'financial_transaction';
  if (!lineSources.includes(source)) {
    fail('invalid_state', { kind, id, from: source, allowed: lineSources });
  }
  if (ignored) fail('invalid_state', { kind, id, from: 'ignored', allowed: ['counted'] });
  if (transfer_id !== null) fail('already_reconciled', { kind, id, transfer_id });
}

/** Fails unless the two lines can be one transfer: a debit and a credit of two accounts, whole and equal. */
export function requireOneTransfer(debit: Line, credit: Line): void {
  for (const [path, line, direction] of [
    ['debit_transaction_id', debit, 'debit'],
    ['credit_transaction_id', credit, 'credit'],
  ] as const) {
    requireLine(line);
    if (line.direction !== direction) failArgument(path, `a ${direction} of a statement`);
    if (line.reconciled_cents > 0) {
      fail('already_reconciled', { kind: 'financial_transaction', id: line.id });
    }
  }
  if (debit.account_id === credit.account_id) {
    failArgument('credit_transaction_id', 'a line of another account');
  }
  if (debit.amount_cents !== credit.amount_cents) {
    fail('unbalanced', {
      left: formatMoney(debit.amount_cents),
      right: formatMoney(credit.amount_cents),
      difference: formatMoney(debit.amount_cents - credit.amount_cents),
    });
  }
}
