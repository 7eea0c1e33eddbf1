import { fail } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { yearsAfter } from '../contact-law/index.ts';
import {
  deleteContactsOf,
  deleteDeliveries,
  eraseAgreements,
  eraseCharges,
  eraseDisputeComments,
  eraseDisputes,
  eraseHolds,
  eraseInteractions,
  eraseLegalCommands,
  eraseLegalEvents,
  eraseNegativations,
  eraseNotifications,
  erasePayments,
  erasePromises,
  eraseProtests,
  eraseStepNotes,
  eraseTrail,
  selectLastClosing,
} from './anonymize-queries.ts';
import { requireNamed } from './changing.ts';
import { requireFinished } from './detail.ts';
import { updatePerson } from './queries.ts';
import { type PersonRow, personOf, requirePersonToChange } from './resource.ts';
import type { Person } from './schema.ts';

/** Years after the last charge closed in which the data may still be needed in court (Civil Code art. 206 §5). */
const RETENTION_YEARS = 5;

const NAME = 'Anonimizado';

const erasures = [
  deleteContactsOf,
  eraseTrail,
  eraseNotifications,
  eraseInteractions,
  eraseDisputeComments,
  eraseDisputes,
  erasePromises,
  eraseHolds,
  eraseStepNotes,
  eraseAgreements,
  erasePayments,
  eraseLegalCommands,
  eraseLegalEvents,
  eraseNegativations,
  eraseProtests,
  eraseCharges,
  deleteDeliveries,
];

/**
 * The debtor whose data may go. Fails with `in_use` while something is open, and with `invalid_state` until the
 * retention is over or when the data is gone already.
 */
export async function prepareAnonymize(context: Context, personId: string): Promise<PersonRow> {
  const row = requireNamed(await requirePersonToChange(context, personId));
  await requireFinished(context, row.id);
  const { db, organizationId, timeZone, today } = context;
  const closedOn = await selectLastClosing(db, organizationId, row.id, timeZone);
  const until = closedOn === null ? null : yearsAfter(closedOn, RETENTION_YEARS);
  if (until !== null && today <= until)
    fail('invalid_state', { from: 'in_retention', allowed: ['retention_over'], until });
  return row;
}

/** Replaces personal data in every record around the debtor; the way back is gone. */
export async function anonymize(context: WriteContext, personId: string, basis: string): Promise<PersonRow> {
  const { db, organizationId, now } = context;
  const before = await prepareAnonymize(context, personId);
  const at = now.toISOString();
  await updatePerson(
    db,
    {
      ...before,
      name: NAME,
      document_number: null,
      address: null,
      external_id: null,
      tags: [],
      do_not_contact: true,
      archived_at: before.archived_at ?? at,
      anonymized_at: at,
      anonymized_basis: basis,
      search_text: '',
    },
    now,
  );
  for (const erase of erasures) await erase(db, organizationId, personId);
  const after = await requirePersonToChange(context, personId);
  // The chain of events can never be changed, so it is not told once more who it was.
  context.changed('person', personId, namelessOf(before), personOf(after));
  return after;
}

function namelessOf(row: PersonRow): Person {
  return { ...personOf(row), name: NAME, document_number: null, address: null, external_id: null, tags: [] };
}
