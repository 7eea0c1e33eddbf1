/** Which rule classifies a text: values in, values out. */

import { failArgument } from '../../core/errors.ts';
import { plainLetters } from '../../core/text.ts';

const PATTERN_LETTERS_MIN = 2;

export type CategoryKind = 'income' | 'expense';

/** What a rule gives to an entry; null says nothing about that field. */
export interface Classification {
  readonly ruleId: string;
  readonly categoryId: string | null;
  readonly personId: string | null;
  readonly costCenterId: string | null;
  readonly paymentMethod: string | null;
  readonly notes: string | null;
}

/** A rule as deciding needs it. */
export interface MatchingRule extends Classification {
  /** As `matchTextOf` makes it. */
  readonly searchPattern: string;
  readonly match: 'contains' | 'equals';
  /** Of its category; null when it sets none. */
  readonly categoryKind: CategoryKind | null;
}

/** What patterns and texts are compared as: lower-case, without accents, one space between words. */
export function matchTextOf(text: string): string {
  return plainLetters(text).replace(/\s+/g, ' ').trim();
}

/** The pattern as it is compared. Fails with `invalid_argument` when it is so short that it would match anything. */
export function searchPatternOf(pattern: string): string {
  const compared = matchTextOf(pattern);
  if (compared.length < PATTERN_LETTERS_MIN) {
    failArgument('pattern', `text of at least ${PATTERN_LETTERS_MIN} letters or digits`);
  }
  return compared;
}

/**
 * The first rule, in the order given, that matches the text. With a kind, a rule whose category is of the other kind
 * is passed over. Null when none matches.
 */
export function firstMatch(
  rules: readonly MatchingRule[],
  text: string,
  kind?: CategoryKind,
): MatchingRule | null {
  const compared = matchTextOf(text);
  const found = rules.find(
    ({ match, searchPattern, categoryKind }) =>
      (match === 'equals' ? compared === searchPattern : compared.includes(searchPattern)) &&
      (kind === undefined || categoryKind === null || categoryKind === kind),
  );
  return found ?? null;
}

/** The ids in their new order: one put at a place counted from 1, the others as they were. */
export function orderWith(ids: readonly string[], id: string, position: number): string[] {
  const others = ids.filter((other) => other !== id);
  return [...others.slice(0, position - 1), id, ...others.slice(position - 1)];
}

/** An entry nobody has classified, as filling it in needs it. */
export interface OpenFields {
  readonly cost_centers: unknown;
  /** Absent, like the notes, where the kind of entry has none to fill in. */
  readonly person_id?: string | null | undefined;
  readonly notes?: string | null | undefined;
}

/** What a classification gives to an entry, and what it leaves alone because somebody said it already. */
export function filledBy(said: Classification, entry: OpenFields) {
  const hasCostCenters = Array.isArray(entry.cost_centers) && entry.cost_centers.length > 0;
  return {
    ...(said.categoryId !== null && { category_id: said.categoryId }),
    ...(said.personId !== null && entry.person_id === null && { person_id: said.personId }),
    ...(said.costCenterId !== null && !hasCostCenters && { cost_center_id: said.costCenterId }),
    ...(said.notes !== null && entry.notes === null && { notes: said.notes }),
  };
}
