/** OFX 1.x and 2.x, as Brazilian banks write them. */

import { ofxCents } from './amounts.ts';
import { compactDate } from './dates.ts';
import { lineAt, type OfxToken, ofxTokens } from './ofx-tokens.ts';
import { failBroken, type Piece, type StatedAccount } from './reading.ts';
import { codeOf, descriptionOf, endToEndIdOf, isBalanceRow } from './texts.ts';

type Fields = Map<string, string>;

const ACCOUNTS = new Set(['BANKACCTFROM', 'CCACCTFROM']);
const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS']);
/** Parts of a movement that have fields of the same names about somebody else's account. */
const COUNTERPARTS = new Set(['BANKACCTTO', 'CCACCTTO']);

/** What is being read: the fields of one group at a time. */
interface Group {
  readonly kind: 'account' | 'movement' | 'balance';
  readonly fields: Fields;
  readonly offset: number;
}

/**
 * The statements of a file. A movement's `line` is its number in the file, because whole files come on one line.
 * Fails with `invalid_argument` when the file ends before `</OFX>`, since what is missing cannot be known.
 */
export function* readOfx(text: string): Generator<Piece> {
  let group: Group | null = null;
  let isInCounterpart = false;
  let isWhole = false;
  let currency: string | null = null;
  let movements = 0;
  for (const token of ofxTokens(text)) {
    const { name, isEnd } = token;
    if (name === 'OFX') isWhole = isEnd;
    if (COUNTERPARTS.has(name)) {
      isInCounterpart = !isEnd;
      continue;
    }
    const opened: Group | null = isEnd ? null : groupOf(token);
    if (group !== null && (opened !== null || isEndOf(group, token))) {
      if (group.kind === 'movement') movements += 1;
      yield* piecesOf(group, movements, currency);
      group = null;
      isInCounterpart = false;
    }
    if (opened !== null) group = opened;
    else if (isEnd) continue;
    else if (name === 'CURDEF') currency = codeOf(token.value);
    else if (STATEMENTS.has(name)) yield { kind: 'account', account: noAccount };
    else if (group !== null && !isInCounterpart && token.value !== '' && !group.fields.has(name)) {
      group.fields.set(name, token.value);
    }
  }
  if (!isWhole) failBroken(lineAt(text, text.length), 'The file ends before its last tag, </OFX>.');
}

const noAccount: StatedAccount = { bankCode: null, agency: null, number: null, currency: null };

function groupOf({ name, offset }: OfxToken): Group | null {
  const fields: Fields = new Map();
  if (name === 'STMTTRN') return { kind: 'movement', fields, offset };
  if (name === 'LEDGERBAL') return { kind: 'balance', fields, offset };
  return ACCOUNTS.has(name) ? { kind: 'account', fields, offset } : null;
}

/** Its own end tag, or one of something around it when its own is missing. */
function isEndOf({ kind }: Group, { name, isEnd }: OfxToken): boolean {
  if (name === 'BANKTRANLIST' || name === 'AVAILBAL' || STATEMENTS.has(name) || name === 'OFX') return true;
  if (!isEnd) return false;
  if (kind === 'movement') return name === 'STMTTRN';
  return kind === 'balance' ? name === 'LEDGERBAL' : ACCOUNTS.has(name);
}

function* piecesOf({ kind, fields }: Group, number: number, currency: string | null): Generator<Piece> {
  if (kind === 'movement') yield movementOf(fields, number);
  else if (kind === 'account') yield { kind: 'account', account: accountOf(fields, currency) };
  else {
    const date = compactDate(fields.get('DTASOF') ?? '');
    const amount = ofxCents(fields.get('BALAMT') ?? '');
    if (date !== null && amount !== null) yield { kind: 'closing', balance: { date, amount } };
  }
}

function accountOf(fields: Fields, currency: string | null): StatedAccount {
  return {
    bankCode: codeOf(fields.get('BANKID')),
    agency: codeOf(fields.get('BRANCHID')),
    number: codeOf(fields.get('ACCTID')),
    currency,
  };
}

/** The sign of the amount decides the direction; TRNTYPE is often wrong. */
function movementOf(fields: Fields, line: number): Piece {
  const description = descriptionOf(fields.get('NAME'), fields.get('MEMO'));
  if (isBalanceRow(description)) return { kind: 'skipped', line, reason: 'balance' };
  const date = compactDate(fields.get('DTPOSTED') ?? '');
  if (date === null) return { kind: 'skipped', line, reason: 'bad_date' };
  const cents = ofxCents(fields.get('TRNAMT') ?? '');
  if (cents === null) return { kind: 'skipped', line, reason: 'bad_amount' };
  if (cents === 0) return { kind: 'skipped', line, reason: 'zero_amount' };
  const reference = codeOf(fields.get('FITID'));
  const documentNumber = codeOf(fields.get('CHECKNUM') ?? fields.get('REFNUM'));
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
