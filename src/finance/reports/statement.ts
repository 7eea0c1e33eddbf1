/** The income statement out of what is booked under each category. Amounts in centavos. */

import type { Cents } from '../../core/money.ts';

export type CategoryKind = 'income' | 'expense';

export interface CategoryPlace {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly parent_id: string | null;
  readonly statement_group: string | null;
}

/** What is booked under a category (null: none): money in is positive, money out negative. */
export interface Booked {
  readonly categoryId: string | null;
  readonly direction: 'in' | 'out';
  readonly amount: Cents;
  readonly count: number;
}

export interface Sum {
  readonly amount: Cents;
  readonly count: number;
}

export interface StatementLine extends Sum {
  readonly categoryId: string;
  readonly name: string;
  /** Names from the top down to the category itself. */
  readonly path: readonly string[];
  readonly parentId: string | null;
  /** 1 for the top. */
  readonly level: number;
  readonly statementGroup: string | null;
}

export interface StatementSide {
  /** The tree from the top, each category followed by those below it; a category holds what is below it. */
  readonly lines: readonly StatementLine[];
  readonly uncategorised: Sum;
  /** The lines of the top and what has no category. */
  readonly total: Sum;
}

const NOTHING: Sum = { amount: 0, count: 0 };

/**
 * Both sides of the statement. A category's own kind says on which side it stands, so that a supplier's refund
 * lowers an expense and does not raise income; what has no category stands where its money went.
 */
export function statementOf(
  booked: readonly Booked[],
  categories: readonly CategoryPlace[],
): Readonly<Record<CategoryKind, StatementSide>> {
  return {
    income: sideOf('income', booked, categories),
    expense: sideOf('expense', booked, categories),
  };
}

/** The names from the top down to the category. */
export function pathOf(category: CategoryPlace, byId: ReadonlyMap<string, CategoryPlace>): string[] {
  const path = [category.name];
  for (let above = aboveOf(category, byId); above !== undefined; above = aboveOf(above, byId)) {
    path.unshift(above.name);
  }
  return path;
}

function sideOf(
  kind: CategoryKind,
  booked: readonly Booked[],
  categories: readonly CategoryPlace[],
): StatementSide {
  const ofKind = categories.filter((category) => category.kind === kind);
  const sums = sumsByCategory(kind, booked, ofKind);
  const children = Map.groupBy(ofKind, ({ parent_id }) => parent_id);
  const lines: StatementLine[] = [];
  const add = (parentId: string | null, path: readonly string[]): void => {
    for (const category of (children.get(parentId) ?? []).toSorted(byName)) {
      const sum = sums.get(category.id);
      if (sum === undefined) continue;
      const ownPath = [...path, category.name];
      lines.push({
        categoryId: category.id,
        name: category.name,
        path: ownPath,
        parentId,
        level: ownPath.length,
        statementGroup: category.statement_group,
        ...sum,
      });
      add(category.id, ownPath);
    }
  };
  add(null, []);
  const uncategorised = booked
    .filter(({ categoryId, direction }) => categoryId === null && sideOfDirection[direction] === kind)
    .reduce<Sum>((sum, { amount, count }) => plus(sum, { amount, count }), NOTHING);
  const total = lines.filter(({ level }) => level === 1).reduce<Sum>(plus, uncategorised);
  return { lines, uncategorised, total: { amount: total.amount, count: total.count } };
}

const sideOfDirection = { in: 'income', out: 'expense' } as const;

/** Of each category with anything under it, what is booked there or below. */
function sumsByCategory(
  kind: CategoryKind,
  booked: readonly Booked[],
  categories: readonly CategoryPlace[],
): Map<string, Sum> {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const sums = new Map<string, Sum>();
  for (const { categoryId, direction, amount, count } of booked) {
    const sign = sideOfDirection[direction] === kind ? 1 : -1;
    let category = categoryId === null ? undefined : byId.get(categoryId);
    for (; category !== undefined; category = aboveOf(category, byId)) {
      sums.set(category.id, plus(sums.get(category.id) ?? NOTHING, { amount: sign * amount, count }));
    }
  }
  return sums;
}

function aboveOf(
  category: CategoryPlace,
  byId: ReadonlyMap<string, CategoryPlace>,
): CategoryPlace | undefined {
  return category.parent_id === null ? undefined : byId.get(category.parent_id);
}

function plus(left: Sum, right: Sum): Sum {
  return { amount: left.amount + right.amount, count: left.count + right.count };
}

function byName(left: CategoryPlace, right: CategoryPlace): number {
  if (left.name === right.name) return left.id < right.id ? -1 : 1;
  return left.name < right.name ? -1 : 1;
}
