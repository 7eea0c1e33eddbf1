/** Words of lines looked up against what records are called. */

import type { Candidate, Identifier, OpenLine } from './types.ts';
import { identifierKeysOf, nameKeyOf, nameKeysIn, numberKeyOf, tokensOf } from './words.ts';

/** What a line says about a record. */
export interface Words {
  /** Words and numbers of the line, numbers also without leading zeros. */
  keysOf(line: OpenLine): ReadonlySet<string>;
  hasNumber(line: OpenLine, key: string): boolean;
  identifierIn(line: OpenLine, candidate: Candidate): Identifier['reason'] | null;
  nameIn(line: OpenLine, candidate: Candidate): boolean;
  /** The keys under which names could stand in the line. */
  nameKeysOf(line: OpenLine): readonly string[];
}

interface LineWords {
  readonly keys: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** Reads each line and each name once. */
export function wordsOf(): Words {
  const lines = new Map<string, LineWords>();
  const names = new Map<string, string | null>();
  const read = (line: OpenLine): LineWords => {
    const known = lines.get(line.id);
    if (known !== undefined) return known;
    const tokens = tokensOf(line.endToEndId === null ? line.text : `${line.endToEndId} ${line.text}`);
    const keys = new Set([...tokens, ...tokens.map(numberKeyOf)]);
    const words = { keys, names: new Set(nameKeysIn(tokens)) };
    lines.set(line.id, words);
    return words;
  };
  const nameKey = (name: string): string | null => {
    const known = names.get(name);
    if (known !== undefined) return known;
    const key = nameKeyOf(name);
    names.set(name, key);
    return key;
  };
  return {
    keysOf: (line) => read(line).keys,
    hasNumber: (line, key) => read(line).keys.has(key),
    identifierIn(line, candidate) {
      const { keys } = read(line);
      const found = candidate.identifiers.find(({ value }) =>
        identifierKeysOf(value).some((key) => keys.has(key)),
      );
      return found?.reason ?? null;
    },
    nameIn(line, candidate) {
      const key = candidate.partyName === null ? null : nameKey(candidate.partyName);
      return key !== null && read(line).names.has(key);
    },
    nameKeysOf: (line) => [...read(line).names],
  };
}
