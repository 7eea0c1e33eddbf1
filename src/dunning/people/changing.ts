import { fail } from '../../core/errors.ts';
import type { WriteContext } from '../../core/operation.ts';
import { searchTextOf } from '../../db/listing.ts';
import { updatePerson } from './queries.ts';
import { type PersonRow, personOf, requirePersonToChange } from './resource.ts';
import { searchedTexts } from './rules.ts';

/** Writes the row and records what changed. */
export async function savePerson(
  context: WriteContext,
  before: PersonRow,
  changed: PersonRow,
): Promise<PersonRow> {
  await updatePerson(
    context.db,
    { ...changed, search_text: searchTextOf(...searchedTexts(changed)) },
    context.now,
  );
  const after = await requirePersonToChange(context, before.id);
  context.changed('person', before.id, personOf(before), personOf(after));
  return after;
}

/** What has been made nobody stays so. Fails with `invalid_state`. */
export function requireNamed(row: PersonRow): PersonRow {
  if (row.anonymized_at !== null)
    fail('invalid_state', { from: 'anonymized', allowed: ['active', 'archived'] });
  return row;
}
