import { z } from 'zod';
import { ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { requireNothingRefused } from '../contact-change.ts';
import { type ContactRow, deleteContact as deleteRow } from '../contact-queries.ts';
import { channelWords } from '../contact-rules.ts';
import { contactOf, contactsToChange, requireContact, requireNothingWaiting } from '../contacts.ts';
import { personFacts, requirePerson } from '../resource.ts';

export const deleteContact = operation({
  name: 'dunning_person_contacts_delete',
  title: 'Remove contact',
  titlePortuguese: 'Remover contato',
  summary:
    'Remove a contact that no waiting message uses. One that was refused stays, so that it is not used again.',
  effect: 'destructive',
  scope: 'dunning.people',
  input: { id: id('the contact') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const row = await prepareDelete(context, input.id);
    const person = await requirePerson({ ...context, isWriting: false }, row.person_id);
    return [
      ...personFacts(person),
      ours('channel', 'Canal', 'Channel', channelWords[contactOf(row).channel]),
      outside('contact', 'Contato', 'Contact', row.value),
    ];
  },
  async run(input, context) {
    const { person_id: personId } = await requireContact({ ...context, isWriting: false }, input.id);
    await contactsToChange(context, personId);
    const row = await prepareDelete(context, input.id);
    await deleteRow(context.db, context.organizationId, row.id);
    context.changed('contact', row.id, contactOf(row), null);
    return { id: row.id, deleted: true as const };
  },
});

async function prepareDelete(context: Context, contactId: string): Promise<ContactRow> {
  const row = await requireContact(context, contactId);
  requireNothingRefused(row);
  await requireNothingWaiting(context, row);
  return row;
}
