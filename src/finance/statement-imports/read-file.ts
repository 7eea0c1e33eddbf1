/** From the bytes of a file to the statement in it. */

import { setImmediate as pause } from 'node:timers/promises';
import { isCnab240, readCnab240 } from './formats/cnab240.ts';
import { readCsv } from './formats/csv.ts';
import { type ColumnMap, delimiterOf } from './formats/csv-columns.ts';
import { readOfx } from './formats/ofx.ts';
import {
  type ColumnReading,
  failUnsupported,
  type Piece,
  type StatedAccount,
  type Statement,
  type StatementFile,
  type StatementFormat,
} from './formats/reading.ts';
import { decodeStatement } from './formats/texts.ts';

/** Work on many lines lets others on after this many. */
export const LINES_IN_A_ROW = 2_000;

const HEAD_BYTES = 4_096;

/** What PDF, ZIP (newer spreadsheets), older spreadsheets, images and rich text begin with, in Latin-1. */
const OTHER_KINDS = [
  '%PDF-',
  'PK\u0003\u0004',
  '\u00d0\u00cf\u0011\u00e0',
  '\u0089PNG',
  '\u00ff\u00d8\u00ff',
  'GIF8',
  '{\\rtf',
];
/** C0 controls that no text file has; UTF-16 with its mark is told apart before. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\x00-\x08\x0e-\x19\x1b-\x1f]/;

/**
 * Reads a whole file. The format is decided from the bytes; the one given only confirms it. Fails with
 * `unsupported_file`, or with `invalid_argument` when the file is broken: then nothing of it may be taken.
 */
export async function readStatementFile(
  bytes: Buffer,
  given: { format?: StatementFormat | undefined; columnMap?: ColumnMap | undefined },
): Promise<StatementFile> {
  const format = formatOf(bytes);
  if (given.format !== undefined && given.format !== format) {
    failUnsupported(`The file is of the format ${format}.`, [given.format]);
  }
  const statements: Statement[] = [];
  let columns: ColumnReading | null = null;
  let pieces = 0;
  for await (const piece of piecesOf(format, bytes, given.columnMap)) {
    if (piece.kind === 'columns') columns = piece.columns;
    else addTo(statements, piece);
    pieces += 1;
    if (pieces % LINES_IN_A_ROW === 0) await pause();
  }
  return { format, statements, columns };
}

/** The format of a file, from its bytes alone. Fails with `unsupported_file`. */
export function formatOf(bytes: Buffer): StatementFormat {
  const head = bytes.subarray(0, HEAD_BYTES).toString('latin1');
  if (OTHER_KINDS.some((start) => head.startsWith(start)))
    failUnsupported('The file is not a statement as text.');
  if (isCnab240(bytes)) return 'cnab240';
  const isWide = head.startsWith('\xff\xfe');
  if (!isWide && CONTROLS.test(head)) failUnsupported('The file is not a statement as text.');
  const text = decodeStatement(bytes.subarray(0, HEAD_BYTES));
  if (/OFXHEADER|<\?OFX|<OFX>/i.test(text)) return 'ofx';
  if (/^\s*</.test(text) || !text.includes(delimiterOf(text))) {
    failUnsupported('The file is neither OFX nor CNAB 240, and no column separator was found in it.');
  }
  return 'csv';
}

function piecesOf(
  format: StatementFormat,
  bytes: Buffer,
  columnMap: ColumnMap | undefined,
): Iterable<Piece> | AsyncIterable<Piece> {
  if (format === 'cnab240') return readCnab240(bytes);
  const text = decodeStatement(bytes);
  return format === 'ofx' ? readOfx(text) : readCsv(text, columnMap);
}

function addTo(statements: Statement[], piece: Exclude<Piece, { kind: 'columns' }>): void {
  if (piece.kind === 'account') {
    // A statement is announced by its tag first and by its account after that.
    if (isUnnamed(statements.at(-1))) statements.pop();
    statements.push(emptyStatement(piece.account));
    return;
  }
  if (statements.length === 0) statements.push(emptyStatement(null));
  const statement = statements.at(-1)!;
  switch (piece.kind) {
    case 'line':
      statement.lines.push(piece.line);
      break;
    case 'skipped':
      statement.skipped.push({ line: piece.line, reason: piece.reason });
      break;
    case 'opening':
    case 'closing':
      statement[piece.kind] = { date: piece.balance.date, amount: piece.balance.amount };
  }
}

function emptyStatement(account: StatedAccount | null): Statement {
  return { account, lines: [], skipped: [], opening: null, closing: null };
}

function isUnnamed(statement: Statement | undefined): boolean {
  return statement?.account?.number === null && statement.lines.length + statement.skipped.length === 0;
}
