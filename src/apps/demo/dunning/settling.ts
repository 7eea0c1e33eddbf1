/** What all that happened to a charge comes to: reckoned by the replay that every payment goes through. */

import { addDays, type CivilDate, daysBetween } from '../../../core/dates.ts';
import { dunningStateOf, recoveredOf, replayOf } from '../../../dunning/charges/index.ts';
import { entriesOf } from './paying.ts';
import { atTime, type DunningSetting, msOf, touch } from './setting.ts';
import type { Story } from './story.ts';

/** The record as all that happened leaves it, each payment with how it is used. */
export function settle(setting: DunningSetting, story: Story): void {
  const { charge } = story;
  const { today, ways } = setting;
  const entries = entriesOf(story);
  const replay = replayOf(charge, entries, ways);
  const firstPaid = entries.find(({ payment_id }) => payment_id !== null);
  for (const [index, entry] of entries.entries()) {
    if (entry.payment_id === null) continue;
    const payment = story.payments.find(({ id }) => id === entry.payment_id)!;
    const parts = replay.allocations[index]!;
    const recovered = recoveredOf(parts, entry.effective_on, charge.adjusted_due_date);
    Object.assign(payment, {
      principal_cents: parts.principal,
      discount_cents: parts.discount,
      interest_cents: parts.interest,
      fine_cents: parts.fine,
      excess_cents: parts.excess,
      kind: parts.excess > 0 ? 'excess' : 'regular',
      needs_refund: parts.excess > 0,
      steps_before: entry === firstPaid ? stepsUntil(story, entry.paid_on) : null,
      recovered_cents: recovered,
      days_overdue: recovered === null ? null : daysBetween(charge.due_date, entry.paid_on),
    });
  }
  if (charge.status !== 'canceled') {
    charge.open_cents = replay.amounts.openPrincipal;
    charge.ledger = replay.ledger;
    const isSettled = replay.isSettled && charge.status !== 'in_agreement';
    if (isSettled) charge.status = 'paid';
    else if (charge.status !== 'in_agreement')
      charge.status = charge.adjusted_due_date < today ? 'overdue' : 'pending';
    charge.paid_on = isSettled
      ? entries
          .map(({ paid_on }) => paid_on)
          .sort()
          .at(-1)!
      : null;
  }
  const reasons = story.holds.map(({ reason }) => reason);
  Object.assign(charge, dunningStateOf({ ...charge, dunning_state: 'active' }, reasons));
  for (const { updated_at } of story.payments) touch(charge, updated_at);
}

/** Messages of the rule that had gone out by a day. */
export function stepsUntil({ executions }: Story, until: CivilDate): number {
  const end = msOf(atTime(addDays(until, 1), '00:00'));
  return executions.filter(
    ({ status, action, done_at }) => status === 'done' && action === 'message' && msOf(done_at!) < end,
  ).length;
}
