/** Statement files for tests, and calls that bring them in. */

import { readFileSync } from 'node:fs';
import type { Who, World } from './world.ts';

/** A movement to be written into a file; amounts are signed reais such as "-10.00". */
export interface Movement {
  readonly date: string;
  readonly amount: string;
  readonly text: string;
  readonly reference?: string;
}

export function statementFixture(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/statements/${name}`, import.meta.url));
}

/** An OFX file of account 1234556-7 at bank 341, as `createAccount` makes them. */
export function ofxOf(
  movements: readonly Movement[],
  more: { account?: string; closing?: { date: string; amount: string } } = {},
): Buffer {
  const compact = (date: string) => date.replaceAll('-', '');
  const lines = movements.map(
    ({ date, amount, text, reference }) =>
      `<STMTTRN><DTPOSTED>${compact(date)}<TRNAMT>${amount}<FITID>${reference ?? ''}<MEMO>${text}</STMTTRN>\n`,
  );
  const closing =
    more.closing === undefined
      ? ''
      : `<LEDGERBAL><BALAMT>${more.closing.amount}<DTASOF>${compact(more.closing.date)}</LEDGERBAL>`;
  return Buffer.from(
    `OFXHEADER:100\n\n<OFX><STMTRS><BANKACCTFROM><BANKID>341<ACCTID>${more.account ?? '1234556-7'}</BANKACCTFROM>` +
      `<BANKTRANLIST>\n${lines.join('')}</BANKTRANLIST>${closing}</STMTRS></OFX>\n`,
  );
}

export function csvOf(movements: readonly Movement[]): Buffer {
  const rows = movements.map(({ date, amount, text, reference }) =>
    [date, text, amount, reference ?? ''].join(';'),
  );
  return Buffer.from(['data;descricao;valor;identificador', ...rows, ''].join('\n'));
}

const argumentsOf = (accountId: string, bytes: Buffer, more: object) => ({
  account_id: accountId,
  file: { name: 'extrato.ofx', content_base64: bytes.toString('base64') },
  ...more,
});

export function previewStatement(
  world: World,
  accountId: string,
  bytes: Buffer,
  more: object = {},
  who: Who = 'owner',
) {
  return world.call('finance_statement_imports_preview', argumentsOf(accountId, bytes, more), who);
}

export function importStatement(
  world: World,
  accountId: string,
  bytes: Buffer,
  more: object = {},
  who: Who = 'owner',
) {
  return world.call('finance_statement_imports_create', argumentsOf(accountId, bytes, more), who);
}
