import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireNamed } from '../changing.ts';
import { contactFields, contactSchema } from '../contact-schema.ts';
import { addContacts, contactOf } from '../contacts.ts';
import { requirePerson } from '../resource.ts';

export const createContact = operation({
  name: 'dunning_person_contacts_create',
  title: 'Add contact',
  summary: 'Add a way to reach a debtor. What was refused for the same mailbox or number stays refused.',
  effect: 'write',
  scope: 'dunning.people',
  input: { person_id: id('the debtor'), ...contactFields },
  output: contactSchema,
  async run({ person_id: personId, ...draft }, context) {
    requireNamed(await requirePerson(context, personId));
    const [row] = await addContacts(context, personId, [draft], 'fail', () => 'value');
    return contactOf(row!);
  },
});
