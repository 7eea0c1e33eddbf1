/** What the machinery has to know about a kind of record that a bank acts on. */

import type { CivilDate } from '../../core/dates.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import type { Absent, BankDesk, BankPort } from '../../gateways/bank/port.ts';

export interface BankRow {
  readonly id: string;
  /** Whether the bank has taken it. */
  readonly registration_status: string;
}

export interface BankAnswer {
  readonly status: string;
}

export interface BankSubject<Row extends BankRow, Request, Answer extends BankAnswer> {
  /** The reference in `bank_commands` is `<kind>_id`, and the payload of the asking job holds `<kind>Id`. */
  readonly kind: 'payment' | 'charge' | 'transfer';
  readonly tasks: { readonly send: string; readonly poll: string };
  /** Locked when writing: always before its commands. Fails with `not_found`. */
  require(context: Context, id: string): Promise<Row>;
  /** Without a lock. */
  find(context: Context, id: string): Promise<Row | undefined>;
  /** Whether the bank may still act on it. */
  isLive(row: Row): boolean;
  /** Our key for it at the bank, equal for every attempt. */
  submitKeyOf(row: Row): string;
  /** Our key for the request to cancel it, which is made once. */
  cancelKeyOf(row: Row): string;
  /** The account whose bank is used. */
  accountIdOf(row: Row): string;
  cancelRequestedAt(row: Row): string | null;
  /** The day it is meant for: until then the bank is asked rarely. */
  scheduledFor(row: Row): CivilDate;
  /** What the bank is told. The context only reads, so nothing here makes another writer wait. */
  requestOf(context: Context, row: Row): Promise<Request>;
  changeRegistration(context: WriteContext, row: Row, to: 'requested' | 'pending' | 'unknown'): Promise<void>;
  /**
   * It was called off before it arrived. `row` may hold what the caller of `queueCancel` has not stored yet, such as
   * the reason.
   */
  cancelUnsent(context: WriteContext, row: Row): Promise<void>;
  /** Applies an answer and gives the row after it. Answers come late, twice and out of order. */
  apply(context: WriteContext, id: string, answer: Answer | Absent): Promise<Row>;
  /** Undefined when the bank does not do this. */
  deskOf(bank: BankPort): BankDesk<Request, Answer> | undefined;
  /** It can never be sent; the reason is ours and may be shown. */
  fail(context: WriteContext, row: Row, reason: string): Promise<void>;
}

/** A subject as the machinery sees it, whatever its records are. */
export type AnySubject = BankSubject<BankRow, unknown, BankAnswer>;
