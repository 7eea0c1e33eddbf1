import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { contactSorts, selectContactPage } from '../contact-queries.ts';
import { channel, contactSchema } from '../contact-schema.ts';
import { contactOf } from '../contacts.ts';
import { requirePerson } from '../resource.ts';

export const listContacts = operation({
  name: 'dunning_person_contacts_list',
  title: 'List contacts',
  summary: 'E-mails, numbers and addresses of one debtor, with consent and what became of messages.',
  effect: 'read',
  scope: 'dunning.people',
  input: {
    person_id: id('the debtor'),
    channel: channel.optional().describe('Only this channel.'),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(contactSchema),
  async run(input, context) {
    const { db, organizationId } = context;
    await requirePerson(context, input.person_id);
    const sort = contactSorts[input.sort]!;
    const page = { sort, position: decodeCursor(sort, input.cursor), limit: input.limit };
    const found = await selectContactPage(db, organizationId, input.person_id, input, page);
    const { rows, next_cursor } = pageOf(found, input.limit, sort, (row) => ({
      key: row.created_at,
      id: row.id,
    }));
    return { items: rows.map(contactOf), next_cursor };
  },
});
