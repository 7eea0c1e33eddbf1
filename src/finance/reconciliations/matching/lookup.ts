/** Lines and records by what they are found by, so that nobody is compared with everybody. */

import { addDays, type CivilDate, daysBetween } from '../../../core/dates.ts';
import { cnpjRoot } from '../../../core/documents/tax-id.ts';
import type { Cents } from '../../../core/money.ts';
import type { Candidate, Direction, OpenLine } from './types.ts';
import type { Words } from './word-index.ts';
import { documentKeyOf, identifierKeysOf, nameKeyOf } from './words.ts';

const EPOCH = '1970-01-01';

/** Something with a day, in a list sorted by it. */
export interface Dated<Item> {
  readonly day: number;
  readonly item: Item;
}

export interface Lookup {
  readonly dayOf: (date: CivilDate) => number;
  readonly dateOf: (day: number) => CivilDate;
  /** Records that take exactly this amount, by each of their dates. */
  readonly byAmount: ReadonlyMap<string, readonly Dated<Candidate>[]>;
  readonly byPersonAmount: ReadonlyMap<string, readonly Dated<Candidate>[]>;
  /** Documents and settlements of a person, by their own date. */
  readonly byPerson: ReadonlyMap<string, readonly Dated<Candidate>[]>;
  readonly byIdentifier: ReadonlyMap<string, readonly Candidate[]>;
  readonly byNumber: ReadonlyMap<string, readonly Candidate[]>;
  readonly linesByAmount: ReadonlyMap<string, readonly Dated<OpenLine>[]>;
  readonly linesByPerson: ReadonlyMap<string, readonly Dated<OpenLine>[]>;
  /** Whom a line is about, when it says so; keyed by the line's id. */
  readonly personOf: ReadonlyMap<string, string>;
}

/** The key of an amount on one side. */
export function sideKey(direction: Direction, what: Cents | string): string {
  return `${direction} ${what}`;
}

export function personAmountKey(direction: Direction, personId: string, amount: Cents): string {
  return `${direction} ${personId} ${amount}`;
}

/** Builds every map once; sorting is the dearest part of it. */
export function lookupOf(lines: readonly OpenLine[], candidates: readonly Candidate[], words: Words): Lookup {
  const days = new Map<CivilDate, number>();
  const dates = new Map<number, CivilDate>();
  const dayOf = (date: CivilDate): number => {
    let day = days.get(date);
    if (day === undefined) {
      day = daysBetween(EPOCH, date);
      days.set(date, day);
    }
    return day;
  };
  const dateOf = (day: number): CivilDate => {
    let date = dates.get(day);
    if (date === undefined) {
      date = addDays(EPOCH, day);
      dates.set(day, date);
    }
    return date;
  };
  const personOf = personsOf(lines, candidates, words);
  const dated = (candidate: Candidate) =>
    [...new Set(candidate.dates)].map((date) => ({ day: dayOf(date), item: candidate }));
  const own = (candidate: Candidate) => ({ day: dayOf(candidate.dates[0]!), item: candidate });
  const ofPeople = candidates.filter(({ kind, personId }) => personId !== null && isOfPeople(kind));
  const datedLines = lines.map((line) => ({ day: dayOf(line.date), item: line }));
  return {
    dayOf,
    dateOf,
    personOf,
    byAmount: sortedBy(candidates.flatMap(dated), ({ item }) => sideKey(item.direction, item.amount)),
    byPersonAmount: sortedBy(ofPeople.map(own), ({ item }) =>
      personAmountKey(item.direction, item.personId!, item.amount),
    ),
    byPerson: sortedBy(ofPeople.map(own), ({ item }) => sideKey(item.direction, item.personId!)),
    byIdentifier: listed(candidates, ({ identifiers }) =>
      identifiers.flatMap(({ value }) => identifierKeysOf(value)),
    ),
    byNumber: listed(candidates, ({ documentNumber }) => {
      const key = documentKeyOf(documentNumber);
      return key === null ? [] : [key];
    }),
    linesByAmount: sortedBy(datedLines, ({ item }) => sideKey(item.direction, item.open)),
    linesByPerson: sortedBy(
      datedLines.filter(({ item }) => personOf.has(item.id)),
      ({ item }) => sideKey(item.direction, personOf.get(item.id)!),
    ),
  };
}

/** The items nearest to a day and within `reach` days of it, at most `max`, nearest first. */
export function nearest<Item>(
  items: readonly Dated<Item>[] | undefined,
  day: number,
  reach: number,
  max: number,
): Item[] {
  if (items === undefined) return [];
  let after = firstFrom(items, day);
  let before = after - 1;
  const found: Item[] = [];
  while (found.length < max) {
    const late = items[after];
    const early = items[before];
    const lateBy = late === undefined ? Number.POSITIVE_INFINITY : late.day - day;
    const earlyBy = early === undefined ? Number.POSITIVE_INFINITY : day - early.day;
    const by = Math.min(lateBy, earlyBy);
    if (by > reach || by === Number.POSITIVE_INFINITY) break;
    if (lateBy <= earlyBy) {
      found.push(late!.item);
      after += 1;
    } else {
      found.push(early!.item);
      before -= 1;
    }
  }
  return found;
}

/** The position of the first item of that day or a later one. */
export function firstFrom<Item>(items: readonly Dated<Item>[], day: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.day < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Own transfers are of no person. */
function isOfPeople(kind: Candidate['kind']): boolean {
  return kind !== 'transfer' && kind !== 'transaction';
}

/** Who a line names, by document or, when it gives none, by a name that only one person has. */
function personsOf(
  lines: readonly OpenLine[],
  candidates: readonly Candidate[],
  words: Words,
): Map<string, string> {
  const byDocument = new Map<string, string>();
  const byRoot = new Map<string, string | null>();
  const byName = new Map<string, string | null>();
  for (const { kind, personId, partyDocument, partyName } of candidates) {
    if (personId === null || !isOfPeople(kind)) continue;
    if (partyDocument !== null) {
      byDocument.set(partyDocument, personId);
      const root = cnpjRoot(partyDocument);
      if (root !== null) byRoot.set(root, (byRoot.get(root) ?? personId) === personId ? personId : null);
    }
    const key = partyName === null ? null : nameKeyOf(partyName);
    if (key !== null) byName.set(key, (byName.get(key) ?? personId) === personId ? personId : null);
  }
  const persons = new Map<string, string>();
  for (const line of lines) {
    const person = namedBy(line, { byDocument, byRoot, byName }, words);
    if (person !== null) persons.set(line.id, person);
  }
  return persons;
}

/** Who a document, its root or a name stands for; null where it is more than one person. */
interface PersonKeys {
  readonly byDocument: ReadonlyMap<string, string>;
  readonly byRoot: ReadonlyMap<string, string | null>;
  readonly byName: ReadonlyMap<string, string | null>;
}

function namedBy(line: OpenLine, { byDocument, byRoot, byName }: PersonKeys, words: Words): string | null {
  const { counterpartyDocument } = line;
  if (counterpartyDocument !== null) {
    return byDocument.get(counterpartyDocument) ?? byRoot.get(cnpjRoot(counterpartyDocument) ?? '') ?? null;
  }
  for (const key of words.nameKeysOf(line)) {
    const person = byName.get(key);
    if (person != null) return person;
  }
  return null;
}

/** By day; ties by id, so that nothing depends on the order in which the books were read. */
function sortedBy<Item extends { readonly id: string }>(
  items: readonly Dated<Item>[],
  keyOf: (item: Dated<Item>) => string,
): Map<string, Dated<Item>[]> {
  const groups = Map.groupBy(items, keyOf);
  for (const group of groups.values())
    group.sort((left, right) => left.day - right.day || (left.item.id < right.item.id ? -1 : 1));
  return groups;
}

function listed(
  candidates: readonly Candidate[],
  keysOf: (candidate: Candidate) => readonly string[],
): Map<string, Candidate[]> {
  const lists = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    for (const key of keysOf(candidate)) {
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [candidate]);
      else list.push(candidate);
    }
  }
  return lists;
}
