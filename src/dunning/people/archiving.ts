import type { Context, WriteContext } from '../../core/operation.ts';
import { savePerson } from './changing.ts';
import { requireFinished } from './detail.ts';
import { type PersonRow, requirePersonToChange } from './resource.ts';

/** The debtor to put away. Fails with `in_use` while it owes something. */
export async function prepareArchive(context: Context, personId: string): Promise<PersonRow> {
  const row = await requirePersonToChange(context, personId);
  if (row.archived_at === null) await requireFinished(context, row.id);
  return row;
}

/** Puts the debtor away; one put away already stays as it is. */
export async function archivePerson(context: WriteContext, personId: string): Promise<PersonRow> {
  const before = await prepareArchive(context, personId);
  if (before.archived_at !== null) return before;
  return savePerson(context, before, { ...before, archived_at: context.now.toISOString() });
}
