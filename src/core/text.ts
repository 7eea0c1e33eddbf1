import { createHash } from 'node:crypto';

const QUESTION_VALUE_MAX = 500;
const DIGEST_SHOWN = 8;
const WORD_MAX = 128;

/**
 * Characters a reader cannot see or that move other text: controls, format characters (bidirectional marks,
 * zero-width, byte order mark, tags), line and paragraph separators, blank fillers and invisible selectors.
 * Source: Unicode general categories Cc, Cf, Zl and Zp; the fillers are letters by category but print nothing.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]|[\u{E0100}-\u{E01EF}]/gu;

/** Controls that separate words: they become one space, because dropping them would join the words. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** Characters of the fonts that every reader of PDF has (WinAnsi), besides ASCII. */
const PRINTABLE = /[\x20-\x7e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/u;

const ALL_PRINTABLE = new RegExp(`^${PRINTABLE.source}*$`, 'u');

/**
 * One argument value as it may stand in a confirmation question: a JSON string on one line, in which nothing is
 * invisible and nothing can pose as our own text. Characters beyond `max` (code points) are cut and replaced by a
 * mark outside the quotes, with the full length and the start of the SHA-256 of the whole text in UTF-8.
 */
export function quoteForQuestion(text: string, max: number = QUESTION_VALUE_MAX): string {
  const characters = Array.from(text);
  if (characters.length <= max) return escapeOnOneLine(text);
  const digest = createHash('sha256').update(text, 'utf8').digest('hex').slice(0, DIGEST_SHOWN);
  const shown = escapeOnOneLine(characters.slice(0, max).join(''));
  return `${shown}… (${characters.length} characters, SHA-256 ${digest}…)`;
}

/**
 * Text written by a stranger (names, memos, file names), fit to be stored and returned as data: no control,
 * bidirectional or zero-width character, line breaks and tabs as one space, no surrounding space, at most `max`
 * code points. Cut text ends with "…", which counts.
 */
export function cleanOutsideText(text: string, max: number): string {
  const clean = text.toWellFormed().replace(BREAKS, ' ').replace(UNSEEN, '').trim();
  const characters = Array.from(clean);
  if (characters.length <= max) return clean;
  return `${characters.slice(0, Math.max(0, max - 1)).join('')}…`;
}

/** Text in the characters of the font: what it lacks loses its accent, and else becomes a question mark. */
export function printable(text: string): string {
  if (ALL_PRINTABLE.test(text)) return text;
  return Array.from(text.normalize('NFC'), (character) => {
    if (PRINTABLE.test(character)) return character;
    const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
    return Array.from(plain, (part) => (PRINTABLE.test(part) ? part : '?')).join('');
  }).join('');
}

/** Lower-case without accents: how texts are compared where neither should matter. */
export function plainLetters(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * The candidate that a mistyped name most probably meant, or null when none is close: at most one edit in three
 * characters (insert, delete, replace, swap of neighbours), letter case aside. The first of equals wins.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  if (word.length === 0 || word.length > WORD_MAX) return null;
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const allowed = Math.floor(Math.max(word.length, candidate.length) / 3);
    if (Math.abs(word.length - candidate.length) > allowed) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance > allowed || distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

function escapeOnOneLine(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (character) => {
    let escaped = '';
    for (let index = 0; index < character.length; index += 1) {
      escaped += `\\u${character.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')}`;
    }
    return escaped;
  });
}

/** Optimal string alignment distance: edits plus swaps of two neighbours. */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      let distance = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + cost);
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && isSwap) distance = Math.min(distance, beforeLast[column - 2]! + 1);
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length]!;
}
