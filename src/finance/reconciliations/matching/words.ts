/** What a line says in words: numbers that name a record, names of people. */

import { plainLetters } from '../../../core/text.ts';

const TOKENS_MAX = 40;
const TOKEN_LENGTH_MIN = 3;
/** Shorter numbers occur in any text. */
const NUMBER_LENGTH_MIN = 3;
const IDENTIFIER_LENGTH_MIN = 5;
const NAME_LENGTH_MIN = 6;

/** Forms of companies and particles, which tell nobody apart. */
const commonWords = new Set([
  'ltda',
  'limitada',
  'eireli',
  'epp',
  'mei',
  'cia',
  'companhia',
  'empresa',
  'comercio',
  'comercial',
  'servicos',
  'servico',
  'industria',
  'brasil',
  'das',
  'dos',
  'para',
  'com',
]);

/** The words and numbers of a text, without accents, without repetitions. */
export function tokensOf(text: string): string[] {
  const found = plainLetters(text).match(/[a-z0-9]+/g) ?? [];
  const tokens = new Set<string>();
  for (const token of found) {
    if (token.length >= TOKEN_LENGTH_MIN) tokens.add(token);
    if (tokens.size >= TOKENS_MAX) break;
  }
  return [...tokens];
}

/** A number as it is compared: without the zeros before it. */
export function numberKeyOf(token: string): string {
  return /^\d+$/.test(token) ? token.replace(/^0+(?=\d)/, '') : token;
}

/** The run of digits by which a document number is recognised in a text; null when it has none long enough. */
export function documentKeyOf(documentNumber: string | null): string | null {
  if (documentNumber === null) return null;
  let longest = '';
  for (const run of documentNumber.match(/\d+/g) ?? []) if (run.length >= longest.length) longest = run;
  const key = numberKeyOf(longest);
  return key.length >= NUMBER_LENGTH_MIN ? key : null;
}

/** True for numbers that hardly stand in a text by chance; years do. */
export function isTelling(documentKey: string): boolean {
  return documentKey.length >= 5 || (documentKey.length === 4 && !/^(19|20)\d\d$/.test(documentKey));
}

/** An identifier as tokens are looked up: as written, and without leading zeros where enough is left. */
export function identifierKeysOf(value: string): string[] {
  const token = plainLetters(value).replace(/[^a-z0-9]/g, '');
  return [...new Set([token, numberKeyOf(token)])].filter((key) => key.length >= IDENTIFIER_LENGTH_MIN);
}

/** The words that tell a name: its first two that do, joined; null for names too short to be told in a text. */
export function nameKeyOf(name: string): string | null {
  const words = tellingWords(tokensOf(name));
  const key = words.slice(0, 2).join(' ');
  return key.length >= NAME_LENGTH_MIN ? key : null;
}

/** Every key under which a name could stand in these tokens. */
export function nameKeysIn(tokens: readonly string[]): string[] {
  const words = tellingWords(tokens);
  return words.flatMap((word, index) => {
    const next = words[index + 1];
    return next === undefined ? [word] : [word, `${word} ${next}`];
  });
}

function tellingWords(tokens: readonly string[]): string[] {
  return tokens.filter((token) => !commonWords.has(token) && !/^\d+$/.test(token));
}
