import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { personOf, requirePerson } from '../resource.ts';
import { personSchema } from '../schema.ts';

export const getPerson = operation({
  name: 'account_people_get',
  title: 'Get person',
  summary: 'One person of the organization, with their roles.',
  effect: 'read',
  scope: 'account.people',
  input: { id: id('the person') },
  output: personSchema,
  async run(input, { db, organizationId }) {
    return personOf(await requirePerson(db, organizationId, input.id));
  },
});
