/** Reads a CNAB return file, 240 or 400: bytes in, titles out. Nothing of it is written here. */

import type { CivilDate } from '../../core/dates.ts';
import { type CnabRecord, cnabCents, cnabDate, cnabField, cnabRecords } from '../../core/documents/cnab.ts';
import { fail } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import { layout400Of } from './layouts.ts';

export const returnLayouts = ['cnab240', 'cnab400'] as const;
export type ReturnLayout = (typeof returnLayouts)[number];

/** What a return says about one title. Amounts in centavos, null where the layout has no such field. */
export interface ReturnTitle {
  readonly line: number;
  /** Digits, without leading zeros. */
  readonly ourNumber: string;
  readonly documentNumber: string | null;
  readonly occurrence: string;
  readonly occurredOn: CivilDate | null;
  readonly creditedOn: CivilDate | null;
  readonly face: Cents | null;
  /** What the customer paid. */
  readonly paid: Cents | null;
  /** What reached the account. */
  readonly credited: Cents | null;
  readonly fee: Cents;
  readonly interest: Cents;
  readonly discount: Cents;
  readonly abatement: Cents;
}

export interface UnreadableRecord {
  readonly line: number;
  readonly reason: 'length' | 'our_number' | 'date' | 'amount' | 'unpaired';
}

export interface ReturnFile {
  readonly layout: ReturnLayout;
  readonly bankCode: string;
  readonly agreement: string | null;
  readonly fileDate: CivilDate | null;
  readonly sequenceNumber: string | null;
  readonly titles: readonly ReturnTitle[];
  readonly unreadable: readonly UnreadableRecord[];
}

/**
 * The file. A record that cannot be read is listed by its line and the rest is taken; fails with `unsupported_file`
 * when it is no return file, and with `invalid_argument` when it does not end as a whole one does.
 */
export function readReturnFile(bytes: Buffer): ReturnFile {
  const end = bytes.indexOf('\n');
  const head = bytes.subarray(0, end === -1 ? Math.min(bytes.length, 500) : end).toString('latin1');
  if (/^\d{3}00000/.test(head)) return readCnab240(bytes);
  if (/^02RETORNO/i.test(head)) return readCnab400(bytes);
  return fail('unsupported_file', {
    expected: ['a CNAB 240 return', 'a CNAB 400 return'],
    reason: 'The first record is not the header of a return file.',
  });
}

function readCnab240(bytes: Buffer): ReturnFile {
  const titles: ReturnTitle[] = [];
  const unreadable: UnreadableRecord[] = [];
  const records = [...cnabRecords(bytes, 240)];
  const header = records[0]!.text;
  if (cnabField(header, 143, 143) !== '2') {
    fail('unsupported_file', { expected: ['a CNAB 240 return'], reason: 'The file is a remittance.' });
  }
  requireEnd(records, (text) => cnabField(text, 8, 8) === '9');
  let title: CnabRecord | undefined;
  for (const record of records) {
    const { text, line } = record;
    if (text.length !== 240) {
      unreadable.push({ line, reason: 'length' });
      continue;
    }
    const segment = cnabField(text, 8, 8) === '3' ? cnabField(text, 14, 14) : '';
    if (title !== undefined && segment !== 'U') {
      unreadable.push({ line: title.line, reason: 'unpaired' });
      title = undefined;
    }
    if (segment === 'T') title = record;
    if (segment === 'U') {
      if (title === undefined) unreadable.push({ line, reason: 'unpaired' });
      else take(titleOf240(title, text), titles, unreadable);
      title = undefined;
    }
  }
  return {
    layout: 'cnab240',
    bankCode: cnabField(header, 1, 3),
    agreement: cnabField(header, 33, 52).trim() || null,
    fileDate: cnabDate(cnabField(header, 144, 151)) ?? null,
    sequenceNumber: cnabField(header, 158, 163).trim() || null,
    titles,
    unreadable,
  };
}

/** Segment T names the title, segment U says what was paid. */
function titleOf240({ text: t, line }: CnabRecord, u: string): ReturnTitle | UnreadableRecord {
  const fee = cnabCents(cnabField(t, 199, 213)) ?? 0;
  return titleOf(line, {
    ourNumber: cnabField(t, 38, 57),
    documentNumber: cnabField(t, 59, 73),
    occurrence: cnabField(t, 16, 17),
    occurredOn: cnabField(u, 138, 145),
    creditedOn: cnabField(u, 146, 153),
    face: cnabField(t, 82, 96),
    paid: cnabField(u, 78, 92),
    credited: cnabField(u, 93, 107),
    fee,
    interest: cnabField(u, 18, 32),
    discount: cnabField(u, 33, 47),
    abatement: cnabField(u, 48, 62),
  });
}

function readCnab400(bytes: Buffer): ReturnFile {
  const titles: ReturnTitle[] = [];
  const unreadable: UnreadableRecord[] = [];
  const records = [...cnabRecords(bytes, 400)];
  const header = records[0]!.text;
  const bankCode = cnabField(header, 77, 79);
  const layout = layout400Of(bankCode);
  requireEnd(records, (text) => cnabField(text, 1, 1) === '9');
  for (const { text, line } of records) {
    if (text.length !== 400) unreadable.push({ line, reason: 'length' });
    else if (layout.detail.includes(cnabField(text, 1, 1)))
      take(titleOf400(text, line, layout), titles, unreadable);
  }
  return {
    layout: 'cnab400',
    bankCode,
    agreement: cnabField(header, 27, 46).trim() || null,
    fileDate: cnabDate(cnabField(header, 95, 100)) ?? null,
    sequenceNumber: cnabField(header, 109, 113).trim() || null,
    titles,
    unreadable,
  };
}

function titleOf400(
  text: string,
  line: number,
  { ourNumber, amountIs }: ReturnType<typeof layout400Of>,
): ReturnTitle | UnreadableRecord {
  const fee = cnabCents(cnabField(text, 176, 188)) ?? 0;
  const amount = cnabField(text, 254, 266);
  return titleOf(line, {
    ourNumber: cnabField(text, ...ourNumber),
    documentNumber: cnabField(text, 117, 126),
    occurrence: cnabField(text, 109, 110),
    occurredOn: cnabField(text, 111, 116),
    creditedOn: cnabField(text, 296, 301),
    face: cnabField(text, 153, 165),
    paid: amountIs === 'paid' ? amount : null,
    credited: amountIs === 'credited' ? amount : null,
    fee,
    interest: cnabField(text, 267, 279),
    discount: cnabField(text, 241, 253),
    abatement: cnabField(text, 228, 240),
  });
}

interface Texts {
  readonly ourNumber: string;
  readonly documentNumber: string;
  readonly occurrence: string;
  readonly occurredOn: string;
  readonly creditedOn: string;
  readonly face: string;
  readonly paid: string | null;
  readonly credited: string | null;
  readonly fee: Cents;
  readonly interest: string;
  readonly discount: string;
  readonly abatement: string;
}

function titleOf(line: number, texts: Texts): ReturnTitle | UnreadableRecord {
  const ourNumber = texts.ourNumber.replace(/\D/g, '').replace(/^0+/, '');
  if (ourNumber === '') return { line, reason: 'our_number' };
  const occurredOn = cnabDate(texts.occurredOn);
  const creditedOn = cnabDate(texts.creditedOn);
  if (occurredOn === undefined || creditedOn === undefined) return { line, reason: 'date' };
  const amounts = [
    texts.face,
    texts.paid,
    texts.credited,
    texts.interest,
    texts.discount,
    texts.abatement,
  ].map((text) => (text === null ? null : cnabCents(text.replace(/^ +$/, '0'))));
  const isBroken = (text: string | null, cents: Cents | null | undefined) => text !== null && cents === null;
  if (isBroken(texts.paid, amounts[1]) || isBroken(texts.credited, amounts[2]))
    return { line, reason: 'amount' };
  const [face, paid, credited, interest, discount, abatement] = amounts as [
    Cents | null,
    ...(Cents | null)[],
  ];
  return {
    line,
    ourNumber,
    documentNumber: texts.documentNumber.trim() || null,
    occurrence: texts.occurrence,
    occurredOn,
    creditedOn,
    face: face ?? null,
    // Paid is not credited: where only one is told, the fee is the difference.
    paid: paid ?? (credited == null ? null : credited + texts.fee),
    credited: credited ?? null,
    fee: feeOf(paid ?? null, credited ?? null, texts.fee),
    interest: interest ?? 0,
    discount: discount ?? 0,
    abatement: abatement ?? 0,
  };
}

/** What the bank kept: the difference where both amounts are told, else the fee it names when it took it off. */
function feeOf(paid: Cents | null, credited: Cents | null, named: Cents): Cents {
  if (paid !== null && credited !== null) return credited > 0 && credited < paid ? paid - credited : 0;
  return credited !== null ? named : 0;
}

function take(
  title: ReturnTitle | UnreadableRecord,
  titles: ReturnTitle[],
  unreadable: UnreadableRecord[],
): void {
  if ('reason' in title) unreadable.push(title);
  else titles.push(title);
}

function requireEnd(records: readonly CnabRecord[], isTrailer: (text: string) => boolean): void {
  const last = records.at(-1);
  if (last !== undefined && isTrailer(last.text)) return;
  fail('invalid_argument', {
    path: 'file.content_base64',
    expected: 'a whole return file',
    line: last?.line ?? 1,
    reason: 'The file ends before its trailer.',
  });
}
