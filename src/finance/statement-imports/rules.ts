/** Which lines of a statement are taken, decided from the lines, the books and what a person said. */

import { hash } from 'node:crypto';
import type { CivilDate } from '../../core/dates.ts';
import { failArgument } from '../../core/errors.ts';
import { accountMatch, type OwnAccount } from './account-match.ts';
import type { SkipReason, Statement, StatementLine } from './formats/reading.ts';
import { comparedDescription } from './formats/texts.ts';

/** Digits of the digest of a line's content in its key: 96 bits. */
const CONTENT_DIGITS = 24;
const DATE_LENGTH = 10;
/** The part of a key that lines of the same content share, whatever their reference and place. */
export const CONTENT_KEY_LENGTH = DATE_LENGTH + 1 + CONTENT_DIGITS;
/** Currencies that a file may name and mean; banks write the real in ways of their own, such as "BRC". */
const FOREIGN_CURRENCIES = new Set([
  'USD',
  'EUR',
  'GBP',
  'CHF',
  'JPY',
  'CNY',
  'CAD',
  'AUD',
  'ARS',
  'UYU',
  'PYG',
  'CLP',
]);
const PLAIN_REFERENCE = /^[\w:.-]{1,64}$/;

/** A line with what tells it apart from others of the account. */
export interface KeyedLine {
  readonly line: StatementLine;
  /** Date, amount, direction and description. */
  readonly content: string;
  /** The content, the bank's reference, and the number of the line among those that are equal in both. */
  readonly key: string;
}

/** A line that the books of the account have from a statement already. */
export interface BookedLine {
  readonly id: string;
  readonly dedup_key: string;
  readonly bank_reference: string | null;
}

export interface PlannedLine {
  readonly line: StatementLine;
  readonly key: string;
  readonly outcome: 'new' | 'duplicate' | 'probable_duplicate' | 'skipped';
  /** Of a line that is skipped. */
  readonly reason: SkipReason | null;
  /** The line in the books that it repeats, certainly or probably. */
  readonly likeId: string | null;
  /** Another line has the bank's reference with other content. */
  readonly isSuspect: boolean;
}

export interface Limits {
  readonly openingDate: CivilDate;
  readonly booksClosedUntil: CivilDate | null;
  readonly today: CivilDate;
  /** Numbers of lines that a person takes although they look like others in the books. */
  readonly accepted: ReadonlySet<number>;
}

/**
 * The statement of the account in the file. Fails with `invalid_argument` when none is, or when only
 * `accept_other_account` would take the one there is.
 */
export function statementOf(
  statements: readonly Statement[],
  own: OwnAccount,
  acceptsOther: boolean,
): { statement: Statement; isSure: boolean } {
  const matched = statements.map((statement) => ({
    statement,
    match: statement.account === null ? 'unknown' : accountMatch(statement.account, own),
  }));
  const same = matched.filter(({ match }) => match === 'same');
  if (same.length > 0) {
    return { statement: inReais(joined(same.map(({ statement }) => statement))), isSure: true };
  }
  const [only] = matched;
  if (only === undefined) failArgument('file', 'a file with a statement in it');
  if (matched.length > 1) failArgument('file', 'a file that names this account among the several it holds');
  if (only.match === 'other' && !acceptsOther) {
    failArgument('file', 'a statement of this account; this one names another (see `accept_other_account`)');
  }
  return { statement: inReais(only.statement), isSure: false };
}

/** Keys for all lines of some days, those of one day in the order of the file. */
export function keyedLines(days: readonly StatementLine[]): KeyedLine[] {
  const seen = new Map<string, number>();
  return days.map((line) => {
    const content = `${line.date}.${contentDigest(line)}`;
    const equal = `${content}.${referencePart(line.reference)}`;
    const ordinal = (seen.get(equal) ?? 0) + 1;
    seen.set(equal, ordinal);
    return { line, content, key: `${equal}.${ordinal}` };
  });
}

/** References that the file itself gives to lines of different content. */
export function sharedReferences(lines: readonly StatementLine[]): ReadonlySet<string> {
  const firsts = new Map<string, StatementLine>();
  const shared = new Set<string>();
  for (const line of lines) {
    if (line.reference === null) continue;
    const first = firsts.get(line.reference);
    if (first === undefined) firsts.set(line.reference, line);
    else if (!isSameContent(first, line)) shared.add(line.reference);
  }
  return shared;
}

/**
 * What becomes of the lines of some whole days. A line whose key is in the books is a duplicate. Of the others, as
 * many look like duplicates as the books have lines of the same content that no line of the file stands for: a bank
 * that numbers its lines anew would otherwise double them, while a second movement just like the first is one more.
 */
export function planDays(
  lines: readonly KeyedLine[],
  booked: readonly BookedLine[],
  shared: ReadonlySet<string>,
  limits: Limits,
): PlannedLine[] {
  const byKey = new Map(booked.map((row) => [row.dedup_key, row]));
  const unexplained = unexplainedBy(lines, booked);
  const contentsOf = contentsByReference(booked);
  return lines.map(({ line, content, key }) => {
    const plan = { line, key, reason: null, likeId: null, isSuspect: false };
    const equal = byKey.get(key);
    if (equal !== undefined) return { ...plan, outcome: 'duplicate', likeId: equal.id };
    const reason = outOfLimits(line.date, limits);
    if (reason !== null) return { ...plan, outcome: 'skipped', reason };
    const like = unexplained.get(content)?.shift();
    if (like !== undefined && !limits.accepted.has(line.line)) {
      return { ...plan, outcome: 'probable_duplicate', reason: 'probable_duplicate', likeId: like.id };
    }
    const isSuspect =
      line.reference !== null &&
      (shared.has(line.reference) ||
        [...(contentsOf.get(line.reference) ?? [])].some((other) => other !== content));
    return { ...plan, outcome: 'new', isSuspect };
  });
}

/** Lines in the order of their dates, cut into runs of whole days of at least so many lines. */
export function* wholeDays(sorted: readonly StatementLine[], atLeast: number): Generator<StatementLine[]> {
  for (let start = 0; start < sorted.length; ) {
    let end = Math.min(start + atLeast, sorted.length);
    while (end < sorted.length && sorted[end]!.date === sorted[end - 1]!.date) end += 1;
    yield sorted.slice(start, end);
    start = end;
  }
}

export function inDateOrder(lines: readonly StatementLine[]): StatementLine[] {
  return lines.toSorted((left, right) => (left.date < right.date ? -1 : left.date > right.date ? 1 : 0));
}

function inReais(statement: Statement): Statement {
  const currency = statement.account?.currency?.toUpperCase() ?? 'BRL';
  if (FOREIGN_CURRENCIES.has(currency)) failArgument('file', 'a statement in reais');
  return statement;
}

/** Several statements of one account in one file, such as a month each, are one. */
function joined(statements: readonly Statement[]): Statement {
  const [first, ...rest] = statements;
  if (rest.length === 0) return first!;
  const latest = statements.reduce((one, other) =>
    (other.closing?.date ?? '') >= (one.closing?.date ?? '') ? other : one,
  );
  return {
    account: first!.account,
    lines: statements.flatMap(({ lines }) => lines),
    skipped: statements.flatMap(({ skipped }) => skipped),
    opening: null,
    closing: latest.closing,
  };
}

function isSameContent(one: StatementLine, other: StatementLine): boolean {
  return (
    one.date === other.date &&
    one.amount === other.amount &&
    one.direction === other.direction &&
    comparedDescription(one.description) === comparedDescription(other.description)
  );
}

function contentDigest({ amount, direction, description }: StatementLine): string {
  const text = `${amount} ${direction} ${comparedDescription(description)}`;
  return hash('sha256', text, 'hex').slice(0, CONTENT_DIGITS);
}

/** As written where that is short and plain; otherwise its digest, marked so that no plain one can equal it. */
function referencePart(reference: string | null): string {
  if (reference === null) return '-';
  if (PLAIN_REFERENCE.test(reference) && reference !== '-') return reference;
  return `#${hash('sha256', reference, 'hex').slice(0, CONTENT_DIGITS)}`;
}

function outOfLimits(date: CivilDate, { openingDate, booksClosedUntil, today }: Limits): SkipReason | null {
  if (date < openingDate) return 'before_opening';
  if (booksClosedUntil !== null && date <= booksClosedUntil) return 'books_closed';
  return date > today ? 'after_today' : null;
}

/** Lines of the books, by content, that have no equal in the file. */
function unexplainedBy(
  lines: readonly KeyedLine[],
  booked: readonly BookedLine[],
): Map<string, BookedLine[]> {
  const explained = new Set(lines.map(({ key }) => key));
  return Map.groupBy(
    booked.filter(({ dedup_key }) => !explained.has(dedup_key)),
    contentKeyOf,
  );
}

function contentsByReference(booked: readonly BookedLine[]): Map<string, Set<string>> {
  const contents = new Map<string, Set<string>>();
  for (const row of booked) {
    if (row.bank_reference === null) continue;
    const known = contents.get(row.bank_reference);
    if (known === undefined) contents.set(row.bank_reference, new Set([contentKeyOf(row)]));
    else known.add(contentKeyOf(row));
  }
  return contents;
}

function contentKeyOf({ dedup_key }: { dedup_key: string }): string {
  return dedup_key.slice(0, CONTENT_KEY_LENGTH);
}
