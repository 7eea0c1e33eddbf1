/** Charges as planning needs them. */

import type { Context } from '../../core/operation.ts';
import type { ChargeRow } from '../charges/index.ts';
import { selectPersonTags } from './assign-queries.ts';
import type { PlannedCharge } from './rules.ts';

/** Each charge with the tags of its debtor, in the order given. */
export async function plannedChargesOf(
  { db, organizationId }: Pick<Context, 'db' | 'organizationId'>,
  rows: readonly ChargeRow[],
): Promise<ReadonlyMap<string, PlannedCharge>> {
  const people = await selectPersonTags(db, organizationId, [
    ...new Set(rows.map(({ person_id }) => person_id)),
  ]);
  const tagsOf = new Map(people.map(({ id, tags }) => [id, tags]));
  return new Map(
    rows.map((row) => [
      row.id,
      {
        dueDate: row.due_date,
        adjustedDueDate: row.adjusted_due_date,
        amountCents: row.amount_cents,
        state: row.person_state,
        personKind: row.person_kind as PlannedCharge['personKind'],
        tags: [...row.tags, ...(tagsOf.get(row.person_id) ?? [])],
      },
    ]),
  );
}
