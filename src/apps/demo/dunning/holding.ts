/** Holds on charges, and what lifting one does to a rule. */

import { type DunningSetting, isoOf, msOf, touch } from './setting.ts';
import type { Story } from './story.ts';

/** Holds the rule from now on: the row of the hold, and the rest. */
export function hold(
  setting: DunningSetting,
  story: Story,
  given: {
    reason: 'manual' | 'dispute' | 'promise' | 'agreement';
    sourceId: string;
    at: string;
    until?: string;
    note?: string;
  },
): void {
  const codes = {
    manual: 'paused',
    dispute: 'disputed',
    promise: 'promise',
    agreement: 'in_agreement',
  } as const;
  const { reason, sourceId, at, until = null, note = null } = given;
  story.holds.push({
    organization_id: setting.organizationId,
    charge_id: story.charge.id,
    reason,
    source_id: sourceId,
    until,
    note,
    created_by: setting.users.collector,
    created_at: at,
  });
  story.rests.push({ from: msOf(at), to: Number.POSITIVE_INFINITY, code: codes[reason] });
  touch(story.charge, at);
}

/** Lets the rule go on from an instant: the hold was lifted then. */
export function release(story: Story, sourceId: string, at: string): void {
  const index = story.holds.findIndex(({ source_id }) => source_id === sourceId);
  story.holds.splice(index, 1);
  const open = story.rests.findLastIndex(
    ({ to, code }) => to === Number.POSITIVE_INFINITY && code !== 'paid' && code !== 'canceled',
  );
  story.rests[open] = { ...story.rests[open]!, to: msOf(at) };
  const isOver = story.rests.some(({ code }) => code === 'paid' || code === 'canceled');
  if (story.charge.collection_rule_id !== null && !isOver) {
    const before = msOf(story.charge.rule_started_at!);
    story.charge.rule_started_at = isoOf(Math.max(before, msOf(at)));
  }
  touch(story.charge, at);
}
