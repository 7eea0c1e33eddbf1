/** The statement of FEBRABAN's CNAB 240 (service 04, segment E). */

import {
  type CnabRecord,
  cnabCents,
  cnabDate,
  cnabRecords,
  cnabField as field,
} from '../../../core/documents/cnab.ts';
import {
  failBroken,
  failUnsupported,
  type Piece,
  type StatedAccount,
  type StatedBalance,
} from './reading.ts';
import { codeOf, descriptionOf, endToEndIdOf, isBalanceRow } from './texts.ts';

const RECORD_LENGTH = 240;

/** True when the bytes begin as the header of a CNAB 240 file does: bank, batch 0000, record 0. */
export function isCnab240(bytes: Buffer): boolean {
  const end = bytes.indexOf('\n');
  const length = end === -1 ? bytes.length : bytes[end - 1] === 0x0d ? end - 1 : end;
  return (
    /^\d{3}00000$/.test(bytes.subarray(0, 8).toString('latin1')) &&
    length >= RECORD_LENGTH &&
    length <= RECORD_LENGTH + 20
  );
}

/** Fails with `unsupported_file` without a statement in it, and with `invalid_argument` when it is not whole. */
export function* readCnab240(bytes: Buffer): Generator<Piece> {
  let isInStatement = false;
  let statements = 0;
  let isWhole = false;
  let last = 0;
  for (const { text: record, line } of wholeRecords(bytes)) {
    last = line;
    const type = field(record, 8, 8);
    if (type === '1') {
      isInStatement = field(record, 9, 9) === 'E' && field(record, 10, 11) === '04';
      if (!isInStatement) continue;
      statements += 1;
      yield { kind: 'account', account: accountOf(record) };
    }
    if (isInStatement && (type === '1' || type === '5')) {
      const balance = balanceOf(record);
      if (balance !== null) yield { kind: type === '1' ? 'opening' : 'closing', balance };
    }
    if (isInStatement && type === '3' && field(record, 14, 14) === 'E') yield movementOf(record, line);
    if (type === '5') isInStatement = false;
    if (type === '9') {
      isWhole = true;
      break;
    }
  }
  if (!isWhole) failBroken(last, 'The file ends before its trailer, record 9.');
  if (statements === 0)
    failUnsupported('The file is CNAB 240 but holds no statement (service 04, segment E).');
}

/** Fails on the first record of another length. */
function* wholeRecords(bytes: Buffer): Generator<CnabRecord> {
  for (const record of cnabRecords(bytes, RECORD_LENGTH)) {
    const { text, line } = record;
    if (text.length !== RECORD_LENGTH) failBroken(line, `The record has ${text.length} characters, not 240.`);
    yield record;
  }
}

function accountOf(record: string): StatedAccount {
  const digit = field(record, 71, 71).trim();
  return {
    bankCode: field(record, 1, 3),
    currency: null,
    agency: codeOf(field(record, 53, 57)),
    number: codeOf(`${field(record, 59, 70).trim()}${digit}`),
  };
}

function balanceOf(record: string): StatedBalance | null {
  const date = cnabDate(field(record, 143, 150));
  const amount = cnabCents(field(record, 151, 168));
  if (date == null || amount === null) return null;
  return { date, amount: field(record, 169, 169) === 'D' && amount !== 0 ? -amount : amount };
}

function movementOf(record: string, line: number): Piece {
  const description = descriptionOf(field(record, 177, 201));
  if (isBalanceRow(description)) return { kind: 'skipped', line, reason: 'balance' };
  const date = cnabDate(field(record, 143, 150));
  if (date == null) return { kind: 'skipped', line, reason: 'bad_date' };
  const amount = cnabCents(field(record, 151, 168));
  const sign = field(record, 169, 169);
  if (amount === null || (sign !== 'D' && sign !== 'C'))
    return { kind: 'skipped', line, reason: 'bad_amount' };
  if (amount === 0) return { kind: 'skipped', line, reason: 'zero_amount' };
  const documentNumber = codeOf(field(record, 202, 240));
  return {
    kind: 'line',
    line: {
      line,
      date,
      direction: sign === 'C' ? 'credit' : 'debit',
      amount,
      description,
      reference: null,
      documentNumber,
      counterparty: null,
      endToEndId: endToEndIdOf(documentNumber),
    },
  };
}
