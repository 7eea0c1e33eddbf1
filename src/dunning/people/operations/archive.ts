import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { archivePerson as archive, prepareArchive } from '../archiving.ts';
import { personFacts, personOf } from '../resource.ts';
import { personSchema } from '../schema.ts';

export const archivePerson = operation({
  name: 'dunning_people_archive',
  title: 'Archive debtor',
  titlePortuguese: 'Arquivar devedor',
  summary: 'Put away a debtor who owes nothing. The history stays; an update takes the debtor out again.',
  effect: 'destructive',
  scope: 'dunning.people',
  hints: { idempotent: true },
  input: { id: id('the debtor') },
  output: personSchema,
  async question(input, context) {
    return personFacts(await prepareArchive(context, input.id));
  },
  async run(input, context) {
    return personOf(await archive(context, input.id));
  },
});
