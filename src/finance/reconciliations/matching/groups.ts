/** One line for several records of a person, and several lines for one record. */

import { principalOnly, takenBy } from './fit.ts';
import { type Dated, nearest, sideKey } from './lookup.ts';
import { type Books, daysApartOf, SLICE } from './pairs.ts';
import { SUBSET_MAX, SUBSET_OF_MAX, subsetOf } from './subset.ts';
import type { Candidate, Match, OpenLine, Parts, Reason } from './types.ts';
import { tiesOf } from './weigh.ts';

const GROUP = 45;
const PARTY_DOCUMENT = 25;
const PARTY_NAME = 12;
const NUMBERS = 25;
const SAME_DATE = 15;
const NEAR_DATE = 8;
/** A long sum is easier met by chance. */
const EACH_MORE = 1;
const WEIGHT_MIN = 45;
/** How far from the line the records of a person are looked at, and the lines from a record. */
const RECORDS_REACH_DAYS = 60;
const LINES_REACH_DAYS = 31;
/** A bill that a single line pays is not looked at again. */
const WELL_PAIRED = 75;

/** Groups for the lines and records that no pair explains well; yields now and then. */
export function* groupsOf(books: Books, pairs: readonly Match[]): Generator<void, Match[]> {
  const paired = new Set<string>();
  for (const { weight, lines, candidates, difference } of pairs) {
    if (weight < WELL_PAIRED || difference !== 0) continue;
    for (const { id } of [...lines, ...candidates]) paired.add(id);
  }
  const isFree = ({ id }: { id: string }) => !paired.has(id);
  const groups: Match[] = [];
  for (const [at, line] of books.lines.filter(isFree).entries()) {
    if (at % SLICE === 0) yield;
    groups.push(...manyRecords(books, line, isFree));
  }
  groups.push(...runsOfRecords(books, isFree, paired));
  for (const [at, candidate] of books.candidates.filter(isFree).entries()) {
    if (at % SLICE === 0) yield;
    groups.push(...manyLines(books, candidate, paired));
  }
  return groups;
}

/** Records of the person the line names that add up to it: all that are due around the day, or a choice of them. */
function manyRecords(books: Books, line: OpenLine, isFree: (candidate: Candidate) => boolean): Match[] {
  const { lookup, settings } = books;
  const person = lookup.personOf.get(line.id);
  if (person === undefined) return [];
  const day = lookup.dayOf(line.date);
  const around = nearest(
    lookup.byPerson.get(sideKey(line.direction, person)),
    day,
    RECORDS_REACH_DAYS,
    SUBSET_OF_MAX * 3,
  ).filter((candidate) => isFree(candidate) && candidate.amount < line.open);
  if (around.length < 2) return [];
  const near = around.filter(
    (candidate) => daysApartOf(lookup, line, candidate) <= settings.dateToleranceDays,
  );
  const looked = around.slice(0, SUBSET_OF_MAX);
  const subset = subsetOf(
    looked.map((candidate) => takenBy(partsOn(candidate, line))),
    line.open,
  );
  const isAll = near.length >= 2 && near.length <= SUBSET_MAX;
  const whole = isAll ? recordsMatch(books, line, near, subset?.isOnly === true) : null;
  if (whole !== null) return [whole];
  if (subset === null) return [];
  const chosen = subset.positions.map((position) => looked[position]!);
  return [recordsMatch(books, line, chosen, false)].filter((match) => match !== null);
}

/** Records of one person due next to each other that add up to a line which need not name the person. */
function runsOfRecords(
  { lookup, settings, ...rest }: Books,
  isFree: (candidate: Candidate) => boolean,
  paired: ReadonlySet<string>,
): Match[] {
  const books = { lookup, settings, ...rest };
  const matches: Match[] = [];
  for (const all of lookup.byPerson.values()) {
    const items = all.filter(({ item }) => isFree(item));
    for (let first = 0; first < items.length; first += 1) {
      let sum = items[first]!.item.amount;
      for (let last = first + 1; last < Math.min(items.length, first + SUBSET_MAX); last += 1) {
        if (items[last]!.day - items[first]!.day > settings.dateToleranceDays) break;
        sum += items[last]!.item.amount;
        const run = items.slice(first, last + 1).map(({ item }) => item);
        for (const line of linesOf(books, run[0]!, sum, items[last]!)) {
          const match = paired.has(line.id) ? null : recordsMatch(books, line, run, false);
          if (match !== null) matches.push(match);
        }
      }
    }
  }
  return matches;
}

function linesOf(
  { lookup, settings }: Books,
  record: Candidate,
  sum: number,
  last: Dated<Candidate>,
): OpenLine[] {
  const lines = lookup.linesByAmount.get(sideKey(record.direction, sum));
  return nearest(lines, last.day, settings.dateToleranceDays, 2);
}

/** `isOnly`: these are all the records around the day, and no other choice adds up to the line. */
function recordsMatch(
  books: Books,
  line: OpenLine,
  candidates: readonly Candidate[],
  isOnly: boolean,
): Match | null {
  const parts = candidates.map((candidate) => partsOn(candidate, line));
  if (parts.reduce((sum, part) => sum + takenBy(part), 0) !== line.open) return null;
  const ties = candidates.map((candidate) =>
    tiesOf(line, candidate, books.words, daysApartOf(books.lookup, line, candidate), books.settings),
  );
  if (ties.some(({ hasConflict }) => hasConflict)) return null;
  const isNumbered = ties.every(({ byNumber, byIdentifier }) => byNumber || byIdentifier);
  const isNear = ties.every((tie) => tie.isNear);
  const byDocument = ties.every((tie) => tie.byDocument);
  return groupMatch([line], candidates, parts, {
    reason: 'several_documents',
    isNumbered,
    byDocument,
    byName: ties.every((tie) => tie.byName),
    daysApart: Math.max(...ties.map((tie) => tie.daysApart)),
    isNear,
    isStrong: isNumbered || (byDocument && isOnly && isNear),
  });
}

/** Lines that name the record, or come from its person, and add up to it. */
function manyLines(books: Books, candidate: Candidate, paired: ReadonlySet<string>): Match[] {
  const { lookup, words, settings } = books;
  if (candidate.personId === null || candidate.kind === 'transfer' || candidate.kind === 'transaction')
    return [];
  const day = lookup.dayOf(candidate.dates[0]!);
  const ofPerson = lookup.linesByPerson.get(sideKey(candidate.direction, candidate.personId));
  const lines = nearest(ofPerson, day, LINES_REACH_DAYS, SUBSET_OF_MAX * 2).filter(
    (line) => !paired.has(line.id) && line.open < candidate.amount,
  );
  if (lines.length < 2) return [];
  const tieOf = (line: OpenLine) =>
    tiesOf(line, candidate, words, daysApartOf(lookup, line, candidate), settings);
  const naming = lines.filter((line) => tieOf(line).byNumber || tieOf(line).byIdentifier);
  const chosen = addingUp(naming, candidate.amount) ?? addingUp(lines, candidate.amount);
  if (chosen === null) return [];
  const ties = chosen.map(tieOf);
  if (ties.some(({ hasConflict }) => hasConflict)) return [];
  const isNumbered = ties.every(({ byNumber, byIdentifier }) => byNumber || byIdentifier);
  return [
    groupMatch(chosen, [candidate], [principalOnly(candidate.amount)], {
      reason: 'several_lines',
      isNumbered,
      byDocument: ties.every((tie) => tie.byDocument),
      byName: ties.every((tie) => tie.byName),
      daysApart: Math.max(...ties.map((tie) => tie.daysApart)),
      isNear: ties.every((tie) => tie.isNear),
      isStrong: isNumbered,
    }),
  ].filter((match) => match !== null);
}

function addingUp(lines: readonly OpenLine[], total: number): OpenLine[] | null {
  const looked = lines.slice(0, SUBSET_OF_MAX);
  const subset = subsetOf(
    looked.map(({ open }) => open),
    total,
  );
  return subset === null ? null : subset.positions.map((position) => looked[position]!);
}

interface GroupTies {
  readonly reason: Reason;
  readonly isNumbered: boolean;
  readonly byDocument: boolean;
  readonly byName: boolean;
  readonly daysApart: number;
  readonly isNear: boolean;
  readonly isStrong: boolean;
}

function groupMatch(
  lines: readonly OpenLine[],
  candidates: readonly Candidate[],
  parts: readonly Parts[],
  ties: GroupTies,
): Match | null {
  const reasons: Reason[] = ['exact_amount', ties.reason];
  let weight = GROUP - EACH_MORE * (lines.length + candidates.length - 3);
  const add = (reason: Reason, points: number) => {
    reasons.push(reason);
    weight += points;
  };
  if (ties.daysApart === 0) add('same_date', SAME_DATE);
  else if (ties.isNear) add('near_date', NEAR_DATE);
  if (ties.byDocument) add('counterparty_document', PARTY_DOCUMENT);
  else if (ties.byName) add('counterparty_name', PARTY_NAME);
  if (ties.isNumbered) add('document_number', NUMBERS);
  if (weight < WEIGHT_MIN) return null;
  return {
    lines,
    candidates,
    parts,
    difference: 0,
    reasons,
    weight,
    isStrong: ties.isStrong,
    daysApart: ties.daysApart,
  };
}

/** What the record takes of a line that pays it with others. */
function partsOn(candidate: Candidate, line: OpenLine): Parts {
  return candidate.dueOn === null ? principalOnly(candidate.amount) : candidate.dueOn(line.date);
}
