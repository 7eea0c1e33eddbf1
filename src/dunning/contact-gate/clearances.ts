/** May this person be contacted about this charge, on this channel, at this moment? */

import { fail } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Context } from '../../core/operation.ts';
import { settingsOf } from '../settings/index.ts';
import { type JudgedRow, selectJudged } from './queries.ts';
import { type BlockCode, type Clearance, type ContactPurpose, failBlocked } from './rules.ts';

export interface Candidate {
  readonly personId: string;
  readonly chargeId: string | null;
  /** Null when nobody is contacted, as by a report to a bureau. */
  readonly channel: string | null;
  /** Default: the best contact of the channel. */
  readonly contactId?: string | null;
  /** Default: now. */
  readonly at?: Date;
  readonly purpose: ContactPurpose;
}

/** The answer for each candidate, in their order: one statement for all of one moment. Fails with `not_found`. */
export async function clearancesOf(context: Context, candidates: readonly Candidate[]): Promise<Clearance[]> {
  if (candidates.length === 0) return [];
  const settings = await settingsOf(context);
  const named = candidates.map((candidate) => ({ ...candidate, id: newId() }));
  const judged = new Map<string, JudgedRow>();
  for (const group of Map.groupBy(named, ({ at }) => at?.getTime() ?? null).values()) {
    for (const row of await selectJudged(context, settings, group, group[0]!.at)) {
      judged.set(row.candidate_id, row);
    }
  }
  const policyVersion = settings.contactPolicy.version;
  return named.map(({ id, personId }) => {
    const row = judged.get(id) ?? fail('not_found', { kind: 'person', id: personId });
    if (row.reason === null) return { isCleared: true, contactId: row.contact_id, policyVersion };
    return { isCleared: false, code: row.reason as BlockCode, nextAt: row.next_at };
  });
}

/** The contact to use and the policy that allows it. Throws the error of whatever stands against it. */
export async function requireCleared(
  context: Context,
  candidate: Candidate,
): Promise<{ contactId: string | null; policyVersion: string }> {
  const [clearance] = await clearancesOf(context, [candidate]);
  if (clearance!.isCleared) return clearance!;
  return failBlocked(clearance!.code, clearance!.nextAt);
}
