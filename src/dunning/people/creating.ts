import { z } from 'zod';
import type { InputOf, WriteContext } from '../../core/operation.ts';
import { contactFields } from './contact-schema.ts';
import { addContacts } from './contacts.ts';
import { addPerson, type PersonRow, requireFreeKeys } from './resource.ts';
import { newPerson } from './rules.ts';
import { personFields } from './schema.ts';

const CONTACTS_MAX = 20;

/** Arguments of a new debtor. */
export const newPersonFields = {
  ...personFields,
  contacts: z
    .array(z.strictObject(contactFields), { error: `a list of at most ${CONTACTS_MAX} contacts` })
    .max(CONTACTS_MAX, { error: `at most ${CONTACTS_MAX}` })
    .optional()
    .describe('Ways to reach the debtor.'),
};

/** Registers a debtor with contacts. Fails with `duplicate` for a document or external id that is taken. */
export async function createPersonWith(
  context: WriteContext,
  { contacts = [], ...input }: InputOf<typeof newPersonFields>,
): Promise<PersonRow> {
  const person = newPerson(input);
  await requireFreeKeys(
    context,
    { documentNumber: person.document_number, externalId: person.external_id },
    null,
  );
  const row = await addPerson(context, person);
  await addContacts(context, row.id, contacts);
  return row;
}
