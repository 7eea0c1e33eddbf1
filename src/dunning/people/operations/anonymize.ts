import { civilDateAt } from '../../../core/dates.ts';
import { onDate } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { cleanText } from '../../../finance/schema.ts';
import { anonymize, prepareAnonymize } from '../anonymizing.ts';
import { personFacts, personOf } from '../resource.ts';
import { personSchema } from '../schema.ts';

export const anonymizePerson = operation({
  name: 'dunning_people_anonymize',
  title: 'Anonymize debtor',
  titlePortuguese: 'Anonimizar devedor',
  summary: 'Erase who a debtor was, for good, five years after the last charge closed; figures stay.',
  effect: 'destructive',
  scope: 'dunning.people',
  input: {
    id: id('the debtor'),
    legal_basis: cleanText(300).describe('Why, such as "request under LGPD art. 18".'),
  },
  output: personSchema,
  async question(input, context) {
    const row = await prepareAnonymize(context, input.id);
    return [
      ...personFacts(row),
      onDate(
        'since',
        'Cadastro desde',
        'Registered since',
        civilDateAt(new Date(row.created_at), context.timeZone),
      ),
    ];
  },
  async run(input, context) {
    return personOf(await anonymize(context, input.id, input.legal_basis));
  },
});
