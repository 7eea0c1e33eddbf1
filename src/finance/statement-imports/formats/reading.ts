/** What reading a statement file gives, whatever its format. */

import type { CivilDate } from '../../../core/dates.ts';
import { fail } from '../../../core/errors.ts';
import type { Cents } from '../../../core/money.ts';
import type { BankStatementLine } from '../../../gateways/bank/port.ts';

export const statementFormats = ['ofx', 'csv', 'cnab240'] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** Why a line of the file was not taken. */
export const skipReasons = [
  'balance',
  'bad_date',
  'bad_amount',
  'zero_amount',
  'before_opening',
  'books_closed',
  'after_today',
  'probable_duplicate',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** A movement as the file tells it. `line` is unique in the file and grows with it. */
export interface StatementLine extends BankStatementLine {
  readonly line: number;
}

export interface SkippedLine {
  readonly line: number;
  readonly reason: SkipReason;
}

export interface StatedBalance {
  readonly date: CivilDate;
  /** Negative when overdrawn. */
  readonly amount: Cents;
}

/** Whose statement it is, as the file says; null where it says nothing. */
export interface StatedAccount {
  readonly bankCode: string | null;
  readonly agency: string | null;
  readonly number: string | null;
  readonly currency: string | null;
}

/** The pieces of a statement in the order of the file; a file may hold the statements of several accounts. */
export type Piece =
  | { readonly kind: 'account'; readonly account: StatedAccount }
  | { readonly kind: 'line'; readonly line: StatementLine }
  | { readonly kind: 'skipped'; readonly line: number; readonly reason: SkipReason }
  | { readonly kind: 'opening' | 'closing'; readonly balance: StatedBalance }
  | { readonly kind: 'columns'; readonly columns: ColumnReading };

/** How the columns of a CSV file were read. */
export interface ColumnReading {
  readonly delimiter: string;
  readonly date_format: 'dmy' | 'mdy' | 'ymd';
  readonly decimal: ',' | '.';
  readonly columns: {
    readonly field: ColumnField;
    /** From 1. */
    readonly position: number;
    readonly header: string | null;
  }[];
}

export const columnFields = [
  'date',
  'description',
  'amount',
  'credit',
  'debit',
  'direction',
  'document',
  'balance',
  'reference',
] as const;
export type ColumnField = (typeof columnFields)[number];

/** One statement of a file. */
export interface Statement {
  readonly account: StatedAccount | null;
  readonly lines: StatementLine[];
  readonly skipped: SkippedLine[];
  opening: StatedBalance | null;
  closing: StatedBalance | null;
}

export interface StatementFile {
  readonly format: StatementFormat;
  readonly statements: readonly Statement[];
  readonly columns: ColumnReading | null;
}

/** The file is broken at this line and nothing of it is taken. `reason` is a sentence of ours. */
export function failBroken(line: number, reason: string): never {
  fail('invalid_argument', { path: 'file.content_base64', expected: 'a whole statement file', line, reason });
}

/** The file is of another kind than can be read here, or than the caller says. */
export function failUnsupported(
  reason: string,
  expected: readonly string[] = ['an OFX statement', 'a CSV statement', 'a CNAB 240 statement'],
): never {
  fail('unsupported_file', { expected, reason });
}
