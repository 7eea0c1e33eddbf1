import { fail, failArgument } from '../../core/errors.ts';
import { formatPercent, PERCENT_WHOLE } from '../../core/money.ts';
import type { CostCenterShare } from './schema.ts';

export const LEVELS_MAX = 5;
const SHARES_MAX = 50;

/**
 * Refuses shares that repeat a cost center, hold nothing, or do not add up to exactly 100 %. No shares at all are
 * fine: the entry then has no cost center.
 */
export function requireWholeShares(shares: readonly CostCenterShare[]): void {
  if (shares.length === 0) return;
  if (shares.length > SHARES_MAX) failArgument('cost_centers', `at most ${SHARES_MAX} cost centers`);
  if (new Set(shares.map(({ id }) => id)).size !== shares.length) {
    failArgument('cost_centers', 'each cost center once');
  }
  if (shares.some(({ percent }) => percent <= 0)) {
    failArgument('cost_centers', 'percentages greater than zero');
  }
  const sum = shares.reduce((total, { percent }) => total + percent, 0);
  if (sum !== PERCENT_WHOLE) {
    failArgument('cost_centers', `percentages that add up to exactly 100; these give ${formatPercent(sum)}`);
  }
}

/** All of an amount for one cost center. */
export function wholeShareOf(id: string): CostCenterShare[] {
  return [{ id, percent: PERCENT_WHOLE }];
}

/** What the rules need to know of the cost center above. */
export interface ParentCostCenter {
  readonly active: boolean;
  /** The parent itself and all above it. */
  readonly lineage: readonly string[];
}

/** Refuses a place below itself, deeper than five levels, or active under an inactive parent. */
export function requirePlaceUnder(
  parent: ParentCostCenter | null,
  costCenter: { id: string | null; height: number; active: boolean },
): void {
  if (parent === null) return;
  if (costCenter.id !== null && parent.lineage.includes(costCenter.id)) {
    failArgument('parent_id', 'a cost center that is not this one and not below it');
  }
  if (parent.lineage.length + costCenter.height > LEVELS_MAX) {
    failArgument('parent_id', `a cost center higher up: there are at most ${LEVELS_MAX} levels`);
  }
  if (costCenter.active && !parent.active) fail('invalid_state', { from: 'inactive', allowed: ['active'] });
}
