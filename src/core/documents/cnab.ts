/**
 * The parts that files of CNAB 240 and CNAB 400 share (FEBRABAN): records of a fixed number of bytes in Latin-1.
 * They are cut by bytes before anything is decoded, because one letter of two bytes would shift all fields behind it.
 */

import { isUtf8 } from 'node:buffer';
import { type CivilDate, isCivilDate } from '../dates.ts';
import { CENTS_MAX, type Cents } from '../money.ts';

/** Some banks end the file with the end-of-file mark of DOS. */
const END_OF_FILE = '\x1a';

export interface CnabRecord {
  readonly text: string;
  /** Of the file, from 1. */
  readonly line: number;
}

/** The part of a record, counted as the layouts count: from 1, both ends included. */
export function cnabField(record: string, first: number, last: number): string {
  return record.slice(first - 1, last);
}

/**
 * The records of a file, whatever their lengths, without line ends and without the empty line at the end. A file
 * that an editor saved anew as UTF-8 has records of the right number of characters and too many bytes: it is read
 * as what it is.
 */
export function* cnabRecords(bytes: Buffer, length: 240 | 400): Generator<CnabRecord> {
  let line = 0;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf('\n', start);
    const end = found === -1 ? bytes.length : found;
    const piece = bytes.subarray(start, end);
    line += 1;
    start = end + 1;
    let text = withoutEnds(piece.toString('latin1'));
    if (text.length > length && isUtf8(piece)) text = withoutEnds(piece.toString('utf8'));
    if (text === '' && start >= bytes.length) return;
    yield { text, line };
  }
}

/** Digits with two implied decimals as centavos; null when it is not digits or above what we keep. */
export function cnabCents(text: string): Cents | null {
  if (!/^\d+$/.test(text)) return null;
  const cents = Number(text);
  return cents <= CENTS_MAX ? cents : null;
}

/**
 * `DDMMAAAA` or `DDMMAA` (of this century) as a civil date; null for zeros or spaces, which mean "none", and
 * `undefined` when it is no date at all.
 */
export function cnabDate(text: string): CivilDate | null | undefined {
  if (/^[0 ]*$/.test(text)) return null;
  const match = /^(\d\d)(\d\d)(\d{4}|\d\d)$/.exec(text);
  if (match === null) return undefined;
  const [, day, month, year = ''] = match;
  const date = `${year.length === 2 ? `20${year}` : year}-${month}-${day}`;
  return isCivilDate(date) ? date : undefined;
}

function withoutEnds(text: string): string {
  return text.replaceAll(END_OF_FILE, '').replace(/\r$/, '');
}
