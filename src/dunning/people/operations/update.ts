import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireNamed, savePerson } from '../changing.ts';
import { personDetailOf } from '../detail.ts';
import { personDataOf, requireFreeKeys, requirePersonToChange } from '../resource.ts';
import { changedPerson } from '../rules.ts';
import { personDetailSchema, personFields } from '../schema.ts';

export const updatePerson = operation({
  name: 'dunning_people_update',
  title: 'Update debtor',
  summary: 'Change a debtor: data, language, do-not-contact, deceased; or take one out of the archive.',
  effect: 'write',
  scope: 'dunning.people',
  hints: { idempotent: true },
  input: {
    id: id('the debtor'),
    ...personFields,
    name: personFields.name.optional(),
    archived: z.literal(false).optional().describe('Takes the debtor out of the archive.'),
  },
  output: personDetailSchema,
  async run({ id: personId, archived, ...changes }, context) {
    const before = requireNamed(await requirePersonToChange(context, personId));
    const person = changedPerson(personDataOf(before), changes);
    const { document_number: documentNumber, external_id: externalId } = person;
    // Only what is new is looked up: the own keys are taken by the debtor itself.
    const keys = {
      documentNumber: documentNumber === before.document_number ? null : documentNumber,
      externalId: externalId === before.external_id ? null : externalId,
    };
    await requireFreeKeys(context, keys, personId);
    const archivedAt = archived === false ? null : before.archived_at;
    const after = await savePerson(context, before, { ...before, ...person, archived_at: archivedAt });
    return personDetailOf(context, after);
  },
});
