/** What becomes of a dispute and of its charge. Pure. */

import { fail, failArgument } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import { type DisputeStatus, liveStatuses } from './schema.ts';

const transitions: Readonly<Record<DisputeStatus, readonly DisputeStatus[]>> = {
  // A plain case is decided at once; review is for those that take time.
  open: ['under_review', 'upheld', 'partially_upheld', 'dismissed', 'withdrawn'],
  under_review: ['upheld', 'partially_upheld', 'dismissed', 'withdrawn'],
  upheld: [],
  partially_upheld: [],
  dismissed: [],
  withdrawn: [],
};

export function isLive(status: string): boolean {
  return (liveStatuses as readonly string[]).includes(status);
}

/** Fails with `invalid_state` for a step that a dispute cannot take. */
export function requireTransition(from: DisputeStatus, to: DisputeStatus): void {
  if (transitions[from].includes(to)) return;
  fail('invalid_state', {
    from,
    allowed: Object.entries(transitions).flatMap(([state, next]) => (next.includes(to) ? [state] : [])),
  });
}

/** What the charge is worth from now on; null: the dispute changes nothing of it; 0: it is called off. */
export function adjustedCentsOf(
  to: DisputeStatus,
  amountCents: Cents,
  disputedCents: Cents | null,
  adjusted: Cents | undefined,
): Cents | null {
  if (to !== 'upheld' && to !== 'partially_upheld') {
    if (adjusted !== undefined) failArgument('adjusted_amount', 'nothing, unless the dispute is upheld');
    return null;
  }
  if (adjusted !== undefined && adjusted >= amountCents) {
    failArgument('adjusted_amount', `less than the ${moneyText(amountCents)} the charge is worth`);
  }
  if (to === 'upheld') return adjusted ?? amountCents - Math.min(disputedCents ?? amountCents, amountCents);
  if (adjusted === undefined || adjusted === 0) {
    failArgument('adjusted_amount', 'what the charge is worth from now on, greater than zero');
  }
  return adjusted;
}
