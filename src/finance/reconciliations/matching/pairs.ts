/** One line and one record: found by number, by person, by amount and day; never by comparing all with all. */

import type { CivilDate } from '../../../core/dates.ts';
import { FLOAT_DAYS, feeMaxOf, fitOf, takenBy } from './fit.ts';
import { firstFrom, type Lookup, nearest, personAmountKey, sideKey } from './lookup.ts';
import type { Candidate, Match, OpenLine, Parts, Settings } from './types.ts';
import { amountWeight, isStrongPair, tiesOf } from './weigh.ts';
import type { Words } from './word-index.ts';

/** Records looked at by each way of finding them, so that equal amounts by the thousand cost no more than a few. */
const BY_AMOUNT_MAX = 8;
const BY_PERSON_MAX = 6;
const BY_NUMBER_MAX = 48;
const NEAR_MAX = 8;
/** Weekends and holidays move what is due. */
const SLACK_DAYS = 5;
/** Interest and discounts are looked for on this many days around the due date. */
const EARLY_DAYS = 45;
const LATE_DAYS = 60;
/** Less than this is not worth showing. */
const WEIGHT_MIN = 45;
/** Lines or records between two pauses. */
export const SLICE = 250;

/** What finding matches needs to know. */
export interface Books {
  readonly lines: readonly OpenLine[];
  readonly candidates: readonly Candidate[];
  readonly lookup: Lookup;
  readonly words: Words;
  readonly settings: Settings;
}

/** Every pair of a line and a record worth showing; yields now and then, so that others can go on meanwhile. */
export function* pairsOf(books: Books): Generator<void, Match[]> {
  const dueOn = rememberedDues();
  const accrued = accruedPairs(books, dueOn);
  const byAmount = sortedByAmount(books.candidates);
  const pairs: Match[] = [];
  for (const [at, line] of books.lines.entries()) {
    if (at % SLICE === 0) yield;
    const found = new Set<Candidate>([
      ...byName(books, line),
      ...byAmountAndDay(books, line),
      ...(accrued.get(line.id) ?? []),
      ...nearAmount(books, line, byAmount),
    ]);
    for (const candidate of found) {
      const pair = pairOf(books, line, candidate, dueOn);
      if (pair !== null) pairs.push(pair);
    }
  }
  return pairs;
}

type DueOn = (candidate: Candidate, date: CivilDate) => Parts;

/** The match of a line and a record; null when it is not worth showing. */
function pairOf(books: Books, line: OpenLine, candidate: Candidate, dueOn: DueOn): Match | null {
  if (!canTake(line, candidate)) return null;
  const { words, settings } = books;
  const fit = fitOf(line, candidate, settings, dueOn);
  if (fit === null) return null;
  const ties = tiesOf(line, candidate, words, daysApartOf(books.lookup, line, candidate), settings);
  const amounts = amountWeight(fit, ties);
  const weight = amounts.weight + ties.weight;
  const hasAccrued = fit.how === 'due' && takenBy(fit.parts) !== candidate.amount;
  const isTied = hasAccrued || ties.byIdentifier || ties.byDocument || ties.byName || ties.byNumber;
  if (weight < WEIGHT_MIN || (!isTied && !ties.isNear)) return null;
  return {
    lines: [line],
    candidates: [candidate],
    parts: [fit.parts],
    difference: fit.difference,
    reasons: [...amounts.reasons, ...ties.reasons],
    weight,
    isStrong: isStrongPair(fit, ties, candidate),
    daysApart: ties.daysApart,
  };
}

/** Days between a line and the date of the record that is nearest to it. */
export function daysApartOf(lookup: Lookup, line: OpenLine, candidate: Candidate): number {
  const day = lookup.dayOf(line.date);
  return Math.min(...candidate.dates.map((date) => Math.abs(lookup.dayOf(date) - day)));
}

/** An own transfer is one whole line on either side. */
function canTake(line: OpenLine, { kind, direction }: Candidate): boolean {
  if (line.direction !== direction) return false;
  return line.isWhole || (kind !== 'transfer' && kind !== 'transaction');
}

/** Records that the line names by one of their numbers. */
function byName({ lookup, words }: Books, line: OpenLine): Candidate[] {
  const found: Candidate[] = [];
  for (const key of words.keysOf(line)) {
    found.push(...(lookup.byIdentifier.get(key)?.slice(0, BY_NUMBER_MAX) ?? []));
    found.push(...(lookup.byNumber.get(key)?.slice(0, BY_NUMBER_MAX) ?? []));
  }
  return found;
}

/** Records of exactly this amount: near the day, or of the person the line names whatever the day. */
function byAmountAndDay({ lookup, settings }: Books, line: OpenLine): Candidate[] {
  const day = lookup.dayOf(line.date);
  const reach = settings.dateToleranceDays + SLACK_DAYS;
  const found = nearest(lookup.byAmount.get(sideKey(line.direction, line.open)), day, reach, BY_AMOUNT_MAX);
  const person = lookup.personOf.get(line.id);
  if (person === undefined) return found;
  const ofPerson = lookup.byPersonAmount.get(personAmountKey(line.direction, person, line.open));
  found.push(...nearest(ofPerson, day, Number.POSITIVE_INFINITY, BY_PERSON_MAX));
  if (line.direction === 'debit') return found;
  // What a customer owes these days, whatever the amount: the bank may have kept a fee.
  const owed = lookup.byPerson.get(sideKey(line.direction, person));
  return [...found, ...nearest(owed, day, reach, BY_PERSON_MAX)];
}

/**
 * Records whose amount moves with the days, by the line of what they come to on its day: each is computed once for
 * each day around its due date on which lines could have been paid.
 */
function accruedPairs({ lookup, lines, candidates }: Books, dueOn: DueOn): Map<string, Candidate[]> {
  const days = new Set<number>();
  for (const { date } of lines) {
    for (let float = 0; float <= FLOAT_DAYS; float += 1) days.add(lookup.dayOf(date) - float);
  }
  const pairs = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    if (candidate.dueOn === null) continue;
    const due = lookup.dayOf(candidate.dates[0]!);
    for (const day of days) {
      if (day < due - EARLY_DAYS || day > due + LATE_DAYS) continue;
      const amount = takenBy(dueOn(candidate, lookup.dateOf(day)));
      const found = lookup.linesByAmount.get(sideKey(candidate.direction, amount));
      if (found === undefined) continue;
      for (let at = firstFrom(found, day); at < found.length && found[at]!.day <= day + FLOAT_DAYS; at += 1) {
        const { id } = found[at]!.item;
        pairs.set(id, [...(pairs.get(id) ?? []), candidate].slice(0, BY_AMOUNT_MAX));
      }
    }
  }
  return pairs;
}

/** Records of almost this amount: as far apart as was asked for, or less a fee where a bank issued the charge. */
function nearAmount(
  { lookup, settings }: Books,
  line: OpenLine,
  byAmount: ReadonlyMap<string, readonly Candidate[]>,
): Candidate[] {
  const { amountTolerance, dateToleranceDays } = settings;
  const day = lookup.dayOf(line.date);
  const isNear = (candidate: Candidate) =>
    Math.abs(lookup.dayOf(candidate.dates[0]!) - day) <= dateToleranceDays + SLACK_DAYS;
  const found: Candidate[] = [];
  const look = (list: readonly Candidate[], from: number, to: number) => {
    for (let at = firstOfAmount(list, from), looked = 0; looked < NEAR_MAX * 4; at += 1, looked += 1) {
      const candidate = list[at];
      if (candidate === undefined || candidate.amount > to || found.length >= NEAR_MAX) return;
      if (isNear(candidate)) found.push(candidate);
    }
  };
  if (amountTolerance > 0) {
    look(byAmount.get(line.direction) ?? [], line.open - amountTolerance, line.open + amountTolerance);
  }
  look(
    byAmount.get('charged') ?? [],
    line.open + 1,
    line.direction === 'credit' ? line.open + feeMaxOf(line.open) : 0,
  );
  return found;
}

function sortedByAmount(candidates: readonly Candidate[]): Map<string, Candidate[]> {
  const lists = Map.groupBy(candidates, ({ direction }): string => direction);
  const charged = candidates.filter(({ isCharged }) => isCharged);
  lists.set('charged', charged);
  for (const list of lists.values())
    list.sort((left, right) => left.amount - right.amount || (left.id < right.id ? -1 : 1));
  return lists;
}

function firstOfAmount(list: readonly Candidate[], amount: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.amount < amount) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What is due is asked for several times on the same days. */
function rememberedDues(): DueOn {
  const known = new Map<Candidate, Map<CivilDate, Parts>>();
  return (candidate, date) => {
    let dates = known.get(candidate);
    if (dates === undefined) {
      dates = new Map();
      known.set(candidate, dates);
    }
    let parts = dates.get(date);
    if (parts === undefined) {
      parts = candidate.dueOn!(date);
      dates.set(date, parts);
    }
    return parts;
  };
}
