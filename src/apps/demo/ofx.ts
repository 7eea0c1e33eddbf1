/** Statements as banks in Brazil give them out: OFX 1.x, SGML without end tags. Source: OFX 1.0.2, chapter 11. */

import type { CivilDate } from '../../core/dates.ts';
import { type Cents, formatMoney } from '../../core/money.ts';
import { plainLetters } from '../../core/text.ts';
import type { StatedMovement } from './accounts.ts';
import type { NewRow } from './setting.ts';

const HEADER = [
  'OFXHEADER:100',
  'DATA:OFXSGML',
  'VERSION:102',
  'SECURITY:NONE',
  'ENCODING:USASCII',
  'CHARSET:1252',
  'COMPRESSION:NONE',
  'OLDFILEUID:NONE',
  'NEWFILEUID:NONE',
  '',
];

/** The statement of an account; the memos are written in capitals without accents. */
export function ofxOf(
  account: NewRow<'financial_accounts'>,
  lines: readonly (StatedMovement & { readonly reference: string })[],
  closingOn: CivilDate,
  balance: Cents,
): Buffer {
  const firstOn = `${closingOn.slice(0, 8)}01`;
  const text = [
    ...HEADER,
    '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>BRL',
    `<BANKACCTFROM><BANKID>${account.bank_code}<BRANCHID>${account.agency}`,
    `<ACCTID>${account.number}${account.digit}<ACCTTYPE>CHECKING</BANKACCTFROM>`,
    `<BANKTRANLIST><DTSTART>${stampOf(firstOn)}<DTEND>${stampOf(closingOn)}`,
    ...lines.map(lineOf),
    '</BANKTRANLIST>',
    `<LEDGERBAL><BALAMT>${formatMoney(balance)}<DTASOF>${stampOf(closingOn)}</LEDGERBAL>`,
    '</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>',
    '',
  ].join('\r\n');
  return Buffer.from(text, 'latin1');
}

function lineOf({
  date,
  direction,
  amount_cents,
  memo,
  reference,
}: StatedMovement & { reference: string }): string {
  const isDebit = direction === 'debit';
  const amount = formatMoney(isDebit ? -amount_cents : amount_cents);
  const type = isDebit ? 'DEBIT' : 'CREDIT';
  const words = plainLetters(memo).toUpperCase();
  return `<STMTTRN><TRNTYPE>${type}<DTPOSTED>${stampOf(date)}<TRNAMT>${amount}<FITID>${reference}<MEMO>${words}</STMTTRN>`;
}

function stampOf(date: CivilDate): string {
  return `${date.replaceAll('-', '')}120000[-3:BRT]`;
}
