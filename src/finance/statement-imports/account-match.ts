/** Whether a statement is of the account it is brought into. */

import type { StatedAccount } from './formats/reading.ts';

export interface OwnAccount {
  readonly bank_code: string | null;
  readonly agency: string | null;
  readonly number: string | null;
  readonly digit: string | null;
}

/** `unknown` when the file or the account says too little to tell. */
export type AccountMatch = 'same' | 'other' | 'unknown';

/** Codes of four digits at most are COMPE codes, such as "0341"; longer ones are of other registers. */
const BANK_CODE = /^\d{1,4}$/;

/**
 * Banks write the account with or without its check digit, behind the branch or not, with zeros in front and marks
 * in between; the code of the bank is compared only where both are COMPE codes.
 */
export function accountMatch(stated: StatedAccount, own: OwnAccount): AccountMatch {
  const number = bare(stated.number);
  if (number === '' || own.number === null) return 'unknown';
  if (isOtherBank(stated.bankCode, own.bank_code)) return 'other';
  const numbers = [own.number, `${own.number}${own.digit ?? ''}`].map(bare);
  const rests = [number, ...agenciesOf(own).map((agency) => behind(number, agency))];
  return rests.some((rest) => rest !== null && numbers.includes(rest)) ? 'same' : 'other';
}

function isOtherBank(stated: string | null, own: string | null): boolean {
  if (stated === null || own === null || !BANK_CODE.test(stated)) return false;
  return Number(stated) !== Number(own);
}

/** The branch with and without its check digit. */
function agenciesOf({ agency }: OwnAccount): string[] {
  if (agency === null) return [];
  return [agency, agency.split('-')[0]!].map(bare).filter((text) => text !== '');
}

function behind(number: string, agency: string): string | null {
  return number.startsWith(agency) ? bare(number.slice(agency.length)) : null;
}

/** Digits and letters only, without zeros in front. */
function bare(text: string | null): string {
  return (text ?? '')
    .toUpperCase()
    .replace(/[^A-Z\d]/g, '')
    .replace(/^0+/, '');
}
