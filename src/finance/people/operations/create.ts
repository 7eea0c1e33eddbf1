import { operation } from '../../../core/operation.ts';
import { addPerson, personOf, requireFreeDocument } from '../resource.ts';
import { newPerson } from '../rules.ts';
import { personFields, personSchema } from '../schema.ts';

export const createPerson = operation({
  name: 'finance_people_create',
  title: 'Create person',
  summary:
    'Register a supplier or customer. A document number that exists already is refused as `duplicate`.',
  effect: 'write',
  scope: 'finance.people',
  input: personFields,
  output: personSchema,
  async run(input, context) {
    const person = newPerson(input);
    if (person.document_number !== null) await requireFreeDocument(context, person.document_number, null);
    return personOf(await addPerson(context, person), context.scopes);
  },
});
