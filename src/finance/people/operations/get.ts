import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { personOf, requirePerson } from '../resource.ts';
import { personSchema } from '../schema.ts';

export const getPerson = operation({
  name: 'finance_people_get',
  title: 'Get person',
  summary: 'One person with bank accounts and Pix keys, masked unless the caller may see them.',
  effect: 'read',
  scope: 'finance.people',
  input: { id: id('the person') },
  output: personSchema,
  async run(input, context) {
    return personOf(await requirePerson(context, input.id), context.scopes);
  },
});
