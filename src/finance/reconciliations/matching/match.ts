/**
 * Which lines of a statement belong to which records: the best choice in which nothing is used twice, the few others
 * worth a look, and for each how sure it is. A line or a record is in one certain suggestion at most, and then in no
 * other. Values in, values out; time grows as sorting does.
 */

import { groupsOf } from './groups.ts';
import { lookupOf } from './lookup.ts';
import { pairsOf } from './pairs.ts';
import type { Candidate, Certainty, Match, OpenLine, Settings, Suggestion } from './types.ts';
import { wordsOf } from './word-index.ts';

/** Something else this close makes a match less than certain. */
const MARGIN_CERTAIN = 20;
/** Something else this close makes it less than likely. */
const MARGIN_LIKELY = 5;
const LIKELY = 57;
const SCORE_CERTAIN = 90;
/** Suggestions for one line at most. */
const EACH_LINE_MAX = 3;

/** Suggestions, the best first. */
export function suggestionsOf(
  lines: readonly OpenLine[],
  candidates: readonly Candidate[],
  settings: Settings,
): Suggestion[] {
  const work = suggesting(lines, candidates, settings);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The same in slices: whoever runs it decides what happens between two of them. */
export function* suggesting(
  lines: readonly OpenLine[],
  candidates: readonly Candidate[],
  settings: Settings,
): Generator<void, Suggestion[]> {
  const words = wordsOf();
  const books = { lines, candidates, settings, words, lookup: lookupOf(lines, candidates, words) };
  const pairs = yield* pairsOf(books);
  const groups = yield* groupsOf(books, pairs);
  yield;
  const matches = distinctOf([...pairs, ...groups]).sort(byWeight);
  yield;
  return chosenOf(matches).sort(bySuggestion);
}

/** Heavier first, then nearer in time, then by ids, so that the same books give the same answer. */
function byWeight(left: Match, right: Match): number {
  return (
    right.weight - left.weight || left.daysApart - right.daysApart || (keyOf(left) < keyOf(right) ? -1 : 1)
  );
}

function bySuggestion(left: Suggestion, right: Suggestion): number {
  return right.score - left.score || byWeight(left, right);
}

/** What a match is made of. */
function keyOf({ lines, candidates }: Pick<Match, 'lines' | 'candidates'>): string {
  return [...lines, ...candidates].map(({ id }) => id).join(' ');
}

function distinctOf(matches: readonly Match[]): Match[] {
  const known = new Map<string, Match>();
  for (const match of matches) {
    const key = [...match.lines.map(({ id }) => id), ...match.candidates.map(({ id }) => id)]
      .sort()
      .join(' ');
    const before = known.get(key);
    if (before === undefined || match.weight > before.weight) known.set(key, match);
  }
  return [...known.values()];
}

function chosenOf(matches: readonly Match[]): Suggestion[] {
  const rivals = rivalsOf(matches);
  const used = new Set<string>();
  const closed = new Set<string>();
  const chosen: Suggestion[] = [];
  const others: Match[] = [];
  for (const match of matches) {
    const ids = idsOf(match);
    if (ids.some((id) => used.has(id))) {
      others.push(match);
      continue;
    }
    for (const id of ids) used.add(id);
    const certainty = certaintyOf(match, rivals(match));
    if (certainty === 'certain') for (const id of ids) closed.add(id);
    chosen.push(suggestionOf(match, certainty));
  }
  const shown = new Map<string, number>();
  for (const { lines } of chosen) for (const { id } of lines) shown.set(id, 1);
  for (const match of others) {
    const isClosed = idsOf(match).some((id) => closed.has(id));
    if (isClosed || match.lines.some(({ id }) => (shown.get(id) ?? 0) >= EACH_LINE_MAX)) continue;
    for (const { id } of match.lines) shown.set(id, (shown.get(id) ?? 0) + 1);
    chosen.push(suggestionOf(match, 'possible'));
  }
  return chosen;
}

function certaintyOf(match: Match, rival: number): Certainty {
  const { weight, difference, isStrong } = match;
  if (difference !== 0) return 'possible';
  if (isStrong && rival <= weight - MARGIN_CERTAIN) return 'certain';
  return weight >= LIKELY && rival <= weight - MARGIN_LIKELY ? 'likely' : 'possible';
}

function suggestionOf(match: Match, certainty: Certainty): Suggestion {
  const score =
    certainty === 'certain'
      ? Math.min(100, Math.max(SCORE_CERTAIN, match.weight))
      : Math.min(SCORE_CERTAIN - 1, match.weight);
  return { ...match, certainty, score };
}

function idsOf({ lines, candidates }: Match): string[] {
  return [...lines, ...candidates].map(({ id }) => id);
}

/** The weight of the heaviest other match that shares a line or a record; the matches come heaviest first. */
function rivalsOf(matches: readonly Match[]): (match: Match) => number {
  const best = new Map<string, [Match, Match | undefined]>();
  for (const match of matches) {
    for (const id of idsOf(match)) {
      const known = best.get(id);
      if (known === undefined) best.set(id, [match, undefined]);
      else if (known[1] === undefined) best.set(id, [known[0], match]);
    }
  }
  return (match) =>
    Math.max(
      ...idsOf(match).map((id) => {
        const [first, second] = best.get(id)!;
        const rival = first === match ? second : first;
        return rival?.weight ?? Number.NEGATIVE_INFINITY;
      }),
    );
}
