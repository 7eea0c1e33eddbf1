/** Texts of statements: their encoding, what is kept of them, and the rows that are no movements. */

import { isUtf8 } from 'node:buffer';
import { cleanOutsideText, plainLetters } from '../../../core/text.ts';

const DESCRIPTION_MAX = 300;
const CODE_MAX = 100;
/** Stands where the bank wrote nothing. */
const NO_DESCRIPTION = 'Sem descrição';

/** Printable ASCII and the accented letters of Latin-1, without space at either end: nothing to clean. */
const CLEAN = /^(?:[\x21-\x7eÀ-ÿ](?:[\x20-\x7eÀ-ÿ]*[\x21-\x7eÀ-ÿ])?)?$/;

/** The identifier of a Pix or of its return: a letter, the institution, date and time, eleven characters. */
const END_TO_END = /\b[ED]\d{20}[A-Za-z\d]{11}\b/;
const END_TO_END_LENGTH = 32;

/** Words that, after "saldo", leave a row a balance and not a movement. */
const BALANCE_WORDS = new Set(
  (
    'a abertura anterior ao aplic aplicacao aplicacoes apl aut automatica automaticas atual bloqueado c conta ' +
    'contabil corrente cta cc da de dia diario disp disponivel do em final fechamento inicial liberado mais mes ' +
    'na no parcial periodo previsto provisorio r total'
  ).split(' '),
);

/**
 * The text of a file. The declared encoding is not to be trusted: bytes that are UTF-8 are UTF-8, whatever the file
 * says, and all others are what Brazilian banks write, Windows-1252, which holds Latin-1 (MODEL §11).
 */
export function decodeStatement(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

/** The description, as the bank wrote it but for what cannot be seen. */
export function descriptionOf(...parts: (string | undefined)[]): string {
  const [name = '', memo = ''] = parts.map((part) => cleanText(part ?? '', DESCRIPTION_MAX));
  if (name === '' || memo.includes(name)) return memo === '' ? NO_DESCRIPTION : memo;
  return memo === '' || name.includes(memo) ? name : cleanText(`${name} ${memo}`, DESCRIPTION_MAX);
}

/** A code of the bank, or null when there is none. */
export function codeOf(text: string | undefined): string | null {
  const code = cleanText(text ?? '', CODE_MAX);
  return code === '' ? null : code;
}

/** The end-to-end identifier of a Pix in one of the texts. */
export function endToEndIdOf(...texts: (string | null)[]): string | null {
  for (const text of texts) {
    if (text === null || text.length < END_TO_END_LENGTH) continue;
    const found = END_TO_END.exec(text);
    if (found !== null) return found[0];
  }
  return null;
}

/** What descriptions are compared as: lower-case, without accents, one space between words. */
export function comparedDescription(description: string): string {
  return plainLetters(description).replace(/\s+/g, ' ').trim();
}

/** True for "SALDO ANTERIOR", "S A L D O", "Saldo do dia" and the like; a movement that mentions a balance is none. */
export function isBalanceRow(description: string): boolean {
  if (!/^\s*s\s*(?:a\s*l\s*)?d\s*o/i.test(description)) return false;
  const joined = plainLetters(description).replace(/^\s*s ?a ?l ?d ?o\b/, 'saldo');
  const [first, ...rest] = joined.split(/[^a-z\d]+/).filter((word) => word !== '');
  return (
    (first === 'saldo' || first === 'sdo') &&
    rest.every((word) => BALANCE_WORDS.has(word) || /^\d+$/.test(word))
  );
}

function cleanText(text: string, max: number): string {
  const trimmed = text.trim();
  return trimmed.length <= max && CLEAN.test(trimmed) ? trimmed : cleanOutsideText(trimmed, max);
}
