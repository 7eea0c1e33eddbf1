/** Which of a few amounts add up to a total: both halves summed, one looked up in the other. */

import type { Cents } from '../../../core/money.ts';

/** Amounts looked at in one search, at most. */
export const SUBSET_OF_MAX = 20;
/** Amounts in an answer, at most. */
export const SUBSET_MAX = 12;

export interface Subset {
  /** Positions in the list given, ascending. */
  readonly positions: readonly number[];
  /** No other choice adds up to the same. */
  readonly isOnly: boolean;
}

/**
 * The smallest choice of 2 to 12 of the amounts that adds up to the total; null when there is none. Looks at the first
 * twenty amounts; all of them have to be greater than zero.
 */
export function subsetOf(amounts: readonly Cents[], total: Cents): Subset | null {
  const looked = amounts.slice(0, SUBSET_OF_MAX);
  if (looked.length < 2 || looked.reduce((sum, amount) => sum + amount, 0) < total) return null;
  const half = looked.length >> 1;
  const left = Map.groupBy(sumsOf(looked.slice(0, half), total), ({ sum }) => sum);
  let best: number[] | null = null;
  let count = 0;
  for (const { sum, mask } of sumsOf(looked.slice(half), total)) {
    for (const other of left.get(total - sum) ?? []) {
      const positions = [...positionsOf(other.mask, 0), ...positionsOf(mask, half)];
      if (positions.length < 2 || positions.length > SUBSET_MAX) continue;
      count += 1;
      if (best === null || positions.length < best.length) best = positions;
    }
  }
  return best === null ? null : { positions: best, isOnly: count === 1 };
}

interface Sum {
  readonly sum: Cents;
  readonly mask: number;
}

/** Every choice that does not exceed the total. */
function sumsOf(amounts: readonly Cents[], total: Cents): Sum[] {
  let sums: Sum[] = [{ sum: 0, mask: 0 }];
  for (const [position, amount] of amounts.entries()) {
    const more = sums
      .filter(({ sum }) => sum + amount <= total)
      .map(({ sum, mask }) => ({ sum: sum + amount, mask: mask | (1 << position) }));
    sums = [...sums, ...more];
  }
  return sums;
}

function positionsOf(mask: number, offset: number): number[] {
  const positions: number[] = [];
  for (let bit = 0; mask >> bit > 0; bit += 1) if ((mask >> bit) & 1) positions.push(bit + offset);
  return positions;
}
