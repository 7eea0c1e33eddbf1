/** OFX statements made for tests. */

import { formatMoney } from '../../src/core/money.ts';

export interface OfxLine {
  readonly on: string;
  /** Centavos, negative for debits. */
  readonly cents: number;
  readonly memo: string;
  readonly id?: string;
}

/** A statement of OFX 1.x, as banks in Brazil write it: SGML without end tags, Windows-1252. */
export function ofxStatement(
  account: { readonly bankCode: string; readonly number: string },
  lines: readonly OfxLine[],
  closing: { readonly on: string; readonly cents: number },
): Buffer {
  const day = (date: string) => `${date.replaceAll('-', '')}120000[-3:BRT]`;
  const transactions = lines.map(
    ({ on, cents, memo, id }, index) =>
      `<STMTTRN>\n<TRNTYPE>${cents < 0 ? 'DEBIT' : 'CREDIT'}\n<DTPOSTED>${day(on)}\n<TRNAMT>${formatMoney(cents)}\n` +
      `<FITID>${id ?? `${on.replaceAll('-', '')}${index}`}\n<MEMO>${memo}\n</STMTTRN>`,
  );
  return Buffer.from(
    [
      'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE',
      'OLDFILEUID:NONE\nNEWFILEUID:NONE\n',
      '<OFX>\n<BANKMSGSRSV1>\n<STMTTRNRS>\n<STMTRS>\n<CURDEF>BRL',
      `<BANKACCTFROM>\n<BANKID>${account.bankCode}\n<ACCTID>${account.number}\n<ACCTTYPE>CHECKING\n</BANKACCTFROM>`,
      `<BANKTRANLIST>\n<DTSTART>${day(lines[0]!.on)}\n<DTEND>${day(closing.on)}`,
      ...transactions,
      '</BANKTRANLIST>',
      `<LEDGERBAL>\n<BALAMT>${formatMoney(closing.cents)}\n<DTASOF>${day(closing.on)}\n</LEDGERBAL>`,
      '</STMTRS>\n</STMTTRNRS>\n</BANKMSGSRSV1>\n</OFX>\n',
    ].join('\n'),
    'latin1',
  );
}
