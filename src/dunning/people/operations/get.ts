import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { personDetailOf } from '../detail.ts';
import { requirePerson } from '../resource.ts';
import { personDetailSchema } from '../schema.ts';

export const getPerson = operation({
  name: 'dunning_people_get',
  title: 'Get debtor',
  summary: 'One debtor: data, contacts, what is owed, and what stands against contact.',
  effect: 'read',
  scope: 'dunning.people',
  input: { id: id('the debtor') },
  output: personDetailSchema,
  async run(input, context) {
    return personDetailOf(context, await requirePerson(context, input.id));
  },
});
