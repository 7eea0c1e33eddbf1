import type { Context } from '../../core/operation.ts';
import { sql } from '../../db/sql.ts';
import type { Settings } from '../settings/index.ts';
import type { Candidate } from './clearances.ts';
import { gate } from './gate.ts';

export interface JudgedRow {
  readonly candidate_id: string;
  readonly reason: string | null;
  readonly next_at: string | null;
  readonly contact_id: string | null;
}

/** What the gate says of candidates of one moment. */
export function selectJudged(
  context: Context,
  settings: Settings,
  candidates: readonly (Candidate & { readonly id: string })[],
  at: Date | undefined,
): Promise<JudgedRow[]> {
  const asked = sql`
    select * from unnest(${candidates.map(({ id }) => id)}::uuid[],
                         ${candidates.map(({ personId }) => personId)}::uuid[],
                         ${candidates.map(({ chargeId }) => chargeId)}::uuid[],
                         ${candidates.map(({ channel }) => channel)}::text[],
                         ${candidates.map(({ contactId }) => contactId ?? null)}::uuid[],
                         ${candidates.map(({ purpose }) => purpose)}::text[])
                  as asked (candidate_id, person_id, charge_id, channel, contact_id, purpose)`;
  return context.db.rows<JudgedRow>(gate(context, settings, asked, at === undefined ? {} : { at }));
}
