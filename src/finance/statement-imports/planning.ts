/** One reading and one plan for the preview and for the import itself. */

import { createHash } from 'node:crypto';
import type { CivilDate } from '../../core/dates.ts';
import { failArgument } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import type { Tables } from '../../db/rows.ts';
import { bookBalanceOf, requireAccountAndCompany, requireActive } from '../accounts/index.ts';
import { bytesOfUpload } from '../attachments/index.ts';
import type { ColumnMap } from './formats/csv-columns.ts';
import type {
  ColumnReading,
  SkippedLine,
  SkipReason,
  StatedBalance,
  Statement,
  StatementFormat,
  StatementLine,
} from './formats/reading.ts';
import { selectBooked } from './queries.ts';
import { readStatementFile } from './read-file.ts';
import {
  inDateOrder,
  keyedLines,
  type Limits,
  type PlannedLine,
  planDays,
  sharedReferences,
  statementOf,
  wholeDays,
} from './rules.ts';
import type { Counts, Warning } from './schema.ts';

/** Lines whose like are looked for in the books at a time. */
const LINES_AT_A_TIME = 2_000;

export interface StatementInput {
  readonly account_id: string;
  readonly file: { readonly name: string; readonly content_base64: string };
  readonly format?: StatementFormat | undefined;
  readonly column_map?: ColumnMap | undefined;
  readonly accept_suspects?: readonly number[] | undefined;
  readonly accept_other_account?: boolean | undefined;
}

export interface StatementPlan {
  readonly account: Tables['financial_accounts'];
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly format: StatementFormat;
  readonly columns: ColumnReading | null;
  /** In the order of their dates. */
  readonly lines: readonly PlannedLine[];
  /** Every line that is not taken, in the order of the file. */
  readonly skipped: readonly SkippedLine[];
  readonly counts: Counts;
  readonly period: { readonly from: CivilDate; readonly to: CivilDate } | null;
  readonly closing: StatedBalance | null;
  /** What the books come to on the closing day with the new lines. */
  readonly closingInBooks: Cents | null;
  readonly warnings: readonly Warning[];
}

/**
 * Reads the file and decides every line. Fails with `file_too_large`, `unsupported_file`, `invalid_argument`,
 * `not_found` or `invalid_state`. While writing, company and account stay locked, so the plan holds until the commit.
 */
export async function planStatement(input: StatementInput, context: Context): Promise<StatementPlan> {
  const bytes = bytesOfUpload(input.file);
  const file = await readStatementFile(bytes, { format: input.format, columnMap: input.column_map });
  const { account, company } = await requireAccountAndCompany(context, input.account_id);
  requireActive(account, 'financial_account');
  const { statement, isSure } = statementOf(file.statements, account, input.accept_other_account ?? false);
  const accepted = new Set(input.accept_suspects ?? []);
  requireKnownLines(accepted, statement);
  const lines = await planLines(context, account.id, statement.lines, {
    openingDate: account.opening_date,
    booksClosedUntil: company.books_closed_until,
    today: context.today,
    accepted,
  });
  const skipped = skippedOf(statement, lines);
  const created = lines.filter(({ outcome }) => outcome === 'new').length;
  const read = statement.lines.length + statement.skipped.length;
  const closingInBooks = await closingBalanceIn(context, account, statement.closing, lines);
  return {
    account,
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    format: file.format,
    columns: file.columns,
    lines,
    skipped,
    counts: { read, created, duplicate: read - created - skipped.length, skipped: skipped.length },
    period: lines.length === 0 ? null : { from: lines[0]!.line.date, to: lines.at(-1)!.line.date },
    closing: statement.closing,
    closingInBooks,
    warnings: [...accountWarnings(statement, isSure), ...balanceWarnings(statement, closingInBooks)],
  };
}

/** How many lines were not taken for each reason. */
export function reasonsOf(skipped: readonly SkippedLine[]): Partial<Record<SkipReason, number>> {
  const counts: Partial<Record<SkipReason, number>> = {};
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

async function planLines(
  context: Context,
  accountId: string,
  lines: readonly StatementLine[],
  limits: Limits,
): Promise<PlannedLine[]> {
  const sorted = inDateOrder(lines);
  const shared = sharedReferences(sorted);
  const planned: PlannedLine[] = [];
  for (const days of wholeDays(sorted, LINES_AT_A_TIME)) {
    const keyed = keyedLines(days);
    const booked = await selectBooked(
      context.db,
      context.workspaceId,
      accountId,
      { from: days[0]!.date, to: days.at(-1)!.date },
      [...new Set(keyed.map(({ content }) => content))],
      [...new Set(days.map(({ reference }) => reference).filter((reference) => reference !== null))],
    );
    for (const line of planDays(keyed, booked, shared, limits)) planned.push(line);
  }
  return planned;
}

function requireKnownLines(accepted: ReadonlySet<number>, { lines }: Statement): void {
  if (accepted.size === 0) return;
  const known = new Set(lines.map(({ line }) => line));
  if ([...accepted].every((line) => known.has(line))) return;
  failArgument('accept_suspects', 'numbers of lines of this file, as the preview shows them');
}

function skippedOf({ skipped }: Statement, lines: readonly PlannedLine[]): SkippedLine[] {
  const planned = lines.flatMap(({ line, reason }) => (reason === null ? [] : [{ line: line.line, reason }]));
  return [...skipped, ...planned].sort((left, right) => left.line - right.line);
}

async function closingBalanceIn(
  context: Context,
  account: Tables['financial_accounts'],
  closing: StatedBalance | null,
  lines: readonly PlannedLine[],
): Promise<Cents | null> {
  if (closing === null) return null;
  const added = lines.filter(({ outcome, line }) => outcome === 'new' && line.date <= closing.date);
  return (await bookBalanceOf(context, account, closing.date)) + sumOf(added.map(({ line }) => line));
}

function sumOf(lines: readonly StatementLine[]): Cents {
  return lines.reduce((sum, { direction, amount }) => sum + (direction === 'credit' ? amount : -amount), 0);
}

function accountWarnings({ account }: Statement, isSure: boolean): Warning[] {
  if (isSure) return [];
  if (account === null || account.number === null) {
    return [{ code: 'account_not_named', message: 'The file does not say whose account it is of.' }];
  }
  return [
    { code: 'other_account', message: 'The account that the file names could not be matched with this one.' },
  ];
}

function balanceWarnings({ opening, closing, lines }: Statement, inBooks: Cents | null): Warning[] {
  const warnings: Warning[] = [];
  if (closing === null) return warnings;
  const { date } = closing;
  if (inBooks !== null && inBooks !== closing.amount) {
    warnings.push({
      code: 'balance_differs',
      message: 'On that day the books with these lines come to another balance than the bank states.',
      date,
      stated: moneyText(closing.amount),
      computed: moneyText(inBooks),
    });
  }
  const computed = opening === null ? closing.amount : opening.amount + sumOf(lines);
  if (computed !== closing.amount) {
    warnings.push({
      code: 'does_not_add_up',
      message: 'The lines of the file do not lead from its opening to its closing balance.',
      date,
      stated: moneyText(closing.amount),
      computed: moneyText(computed),
    });
  }
  return warnings;
}
