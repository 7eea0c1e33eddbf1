import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { changeOf } from '../contact-change.ts';
import { contactFields, contactSchema } from '../contact-schema.ts';
import {
  changeContact,
  contactOf,
  contactsToChange,
  requireContact,
  requireNothingWaiting,
} from '../contacts.ts';

export const updateContact = operation({
  name: 'dunning_person_contacts_update',
  title: 'Update contact',
  summary: 'Change a contact, record consent or an opt-out, or that somebody else answers there.',
  effect: 'write',
  scope: 'dunning.people',
  hints: { idempotent: true },
  input: {
    id: id('the contact'),
    value: contactFields.value.optional(),
    label: contactFields.label,
    is_primary: contactFields.is_primary,
    consent: contactFields.consent,
    validity: z
      .enum(['unknown', 'valid', 'wrong_person'])
      .optional()
      .describe('`wrong_person` stops every message there at once.'),
  },
  output: contactSchema,
  async run({ id: contactId, ...given }, context) {
    const { person_id: personId } = await requireContact({ ...context, isWriting: false }, contactId);
    const contacts = await contactsToChange(context, personId);
    // Deleted between both looks: reading it once more says so.
    const row =
      contacts.find((contact) => contact.id === contactId) ?? (await requireContact(context, contactId));
    const change = changeOf(row, contacts, given);
    const isMoved = change.value !== undefined && change.value.identity !== row.identity;
    if (isMoved) await requireNothingWaiting(context, row);
    return contactOf(await changeContact(context, contacts, row.id, change));
  },
});
