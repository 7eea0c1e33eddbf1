/** CSV statements: any delimiter, preamble above the header, amounts in one column or in two. */

import { type CsvError, parse } from 'csv-parse';
import type { Cents } from '../../../core/money.ts';
import { plainLetters } from '../../../core/text.ts';
import { csvCents } from './amounts.ts';
import { type ColumnMap, type CsvPlan, type CsvRecord, csvPlanOf, delimiterOf } from './csv-columns.ts';
import { csvDate } from './dates.ts';
import { type ColumnField, failBroken, failUnsupported, type Piece, type StatedBalance } from './reading.ts';
import { codeOf, descriptionOf, endToEndIdOf, isBalanceRow } from './texts.ts';

/** What the columns are decided from. */
const SAMPLE_ROWS = 1_000;
const RECORD_LENGTH_MAX = 65_536;
/** How much text is handed to the parser at a time. */
const CHUNK_LENGTH = 65_536;

const CREDIT_WORDS = new Set(['c', 'cr', 'credito', 'credit', 'entrada', 'deposito', 'in']);
const DEBIT_WORDS = new Set(['d', 'db', 'dr', 'debito', 'debit', 'saida', 'saque', 'out']);

/** Fails with `invalid_argument` for a file that is broken, and with `unsupported_file` without a line of a statement. */
export async function* readCsv(text: string, map: ColumnMap | undefined): AsyncGenerator<Piece> {
  const delimiter = delimiterOf(text);
  const sample: CsvRecord[] = [];
  const closing = new ClosingBalance();
  let plan: CsvPlan | undefined;
  let lines = 0;
  const read = function* (records: readonly CsvRecord[], reading: CsvPlan): Generator<Piece> {
    for (const record of records) {
      const piece = pieceOf(record, reading);
      if (piece === null) continue;
      if (piece.kind === 'line') {
        lines += 1;
        closing.see(piece.line, balanceIn(record, reading));
      }
      yield piece;
    }
  };
  for await (const record of recordsOf(text, delimiter)) {
    if (plan === undefined) {
      sample.push(record);
      if (sample.length < SAMPLE_ROWS) continue;
    }
    const records = plan === undefined ? sample : [record];
    plan ??= csvPlanOf(delimiter, sample, map);
    yield* read(records, plan);
  }
  if (plan === undefined) {
    plan = csvPlanOf(delimiter, sample, map);
    yield* read(sample, plan);
  }
  if (lines === 0)
    failUnsupported('No line of this CSV file has a date and an amount in the columns that were read.');
  const { at: _at, headerLine: _headerLine, ...columns } = plan;
  yield { kind: 'columns', columns };
  const balance = closing.balance();
  if (balance !== null) yield { kind: 'closing', balance };
}

async function* recordsOf(text: string, delimiter: string): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter,
    info: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_LENGTH_MAX,
  });
  feed(parser, text);
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      yield { cells: record, line: info.lines };
    }
  } catch (error) {
    if (!isCsvError(error)) throw error;
    const line = typeof error['lines'] === 'number' ? error['lines'] : 1;
    failBroken(line, 'A quote is not closed, or a record is too long.');
  }
}

/** Hands the text over as the parser takes it, so that neither side holds much more than it needs. */
function feed(parser: ReturnType<typeof parse>, text: string): void {
  let at = 0;
  const more = (): void => {
    while (at < text.length) {
      const chunk = text.slice(at, at + CHUNK_LENGTH);
      at += chunk.length;
      if (!parser.write(chunk)) return void parser.once('drain', more);
    }
    parser.end();
  };
  more();
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('CSV_');
}

/** Null for the header and what is above it. */
function pieceOf(record: CsvRecord, plan: CsvPlan): Piece | null {
  const { line } = record;
  if (line <= plan.headerLine) return null;
  const cell = (field: ColumnField) => record.cells[plan.at[field] ?? -1] ?? '';
  const description = descriptionOf(cell('description'));
  if (isBalanceRow(description)) return { kind: 'skipped', line, reason: 'balance' };
  const date = csvDate(cell('date'), plan.date_format);
  if (date === null) return { kind: 'skipped', line, reason: 'bad_date' };
  const cents = amountIn(record, plan);
  if (cents === null) return { kind: 'skipped', line, reason: 'bad_amount' };
  if (cents === 0) return { kind: 'skipped', line, reason: 'zero_amount' };
  const reference = codeOf(cell('reference'));
  const documentNumber = codeOf(cell('document'));
  return {
    kind: 'line',
    line: {
      line,
      date,
      direction: cents > 0 ? 'credit' : 'debit',
      amount: Math.abs(cents),
      description,
      reference,
      documentNumber,
      counterparty: null,
      endToEndId: endToEndIdOf(description, reference, documentNumber),
    },
  };
}

/** Signed centavos. Of two columns one is filled, or the other is zero; a column of words may give the sign. */
function amountIn(record: CsvRecord, plan: CsvPlan): Cents | null {
  const { at, decimal } = plan;
  const read = (index: number | undefined): Cents | null => {
    const text = record.cells[index ?? -1]?.trim() ?? '';
    return text === '' || text === '-' ? 0 : csvCents(text, decimal);
  };
  if (at.amount !== undefined) {
    const text = record.cells[at.amount]?.trim() ?? '';
    const amount = text === '' ? null : csvCents(text, decimal);
    const word = plainLetters(record.cells[at.direction ?? -1] ?? '').trim();
    if (amount === null || amount === 0) return amount;
    if (DEBIT_WORDS.has(word)) return -Math.abs(amount);
    return CREDIT_WORDS.has(word) ? Math.abs(amount) : amount;
  }
  const [credit, debit] = [read(at.credit), read(at.debit)];
  if (credit === null || debit === null || (credit !== 0 && debit !== 0)) return null;
  return credit !== 0 ? Math.abs(credit) : debit === 0 ? 0 : -Math.abs(debit);
}

function balanceIn(record: CsvRecord, { at, decimal }: CsvPlan): Cents | null {
  return at.balance === undefined ? null : csvCents(record.cells[at.balance] ?? '', decimal);
}

interface Seen extends StatedBalance {
  readonly movement: Cents;
}

/**
 * The balance after the last movement, from a column of running balances. Files run either way: by their dates, or
 * within one day by which of two neighbouring balances the movement leads to.
 */
class ClosingBalance {
  #first: Seen | undefined;
  #second: Seen | undefined;
  #last: Seen | undefined;

  see(line: { date: string; direction: string; amount: Cents }, balance: Cents | null): void {
    if (balance === null) return;
    const movement = line.direction === 'credit' ? line.amount : -line.amount;
    const seen = { date: line.date, amount: balance, movement };
    if (this.#first !== undefined) this.#second ??= seen;
    this.#first ??= seen;
    this.#last = seen;
  }

  balance(): StatedBalance | null {
    const [first, second, last] = [this.#first, this.#second ?? this.#first, this.#last];
    if (first === undefined || second === undefined || last === undefined) return null;
    if (first === last) return first;
    if (first.date !== last.date) return first.date < last.date ? last : first;
    if (first.amount + second.movement === second.amount) return last;
    return second.amount + first.movement === first.amount ? first : null;
  }
}
