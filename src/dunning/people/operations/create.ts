import { operation } from '../../../core/operation.ts';
import { createPersonWith, newPersonFields } from '../creating.ts';
import { personDetailOf } from '../detail.ts';
import { personDetailSchema } from '../schema.ts';

export const createPerson = operation({
  name: 'dunning_people_create',
  title: 'Create debtor',
  summary:
    'Register a debtor with contacts. A document number that exists already is refused as `duplicate`.',
  effect: 'write',
  scope: 'dunning.people',
  input: newPersonFields,
  output: personDetailSchema,
  async run(input, context) {
    return personDetailOf(context, await createPersonWith(context, input));
  },
});
