import { z } from 'zod';
import { listArguments, listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { planSearch } from '../../../db/search.ts';
import { cleanText } from '../../../finance/schema.ts';
import { personItemOf } from '../detail.ts';
import { personSorts, selectPeople } from '../queries.ts';
import { documentNumberOf } from '../rules.ts';
import { personItemSchema } from '../schema.ts';

export const listPeople = operation({
  name: 'dunning_people_list',
  title: 'List debtors',
  summary: 'Find debtors by name, document number or external id, with what each still owes.',
  effect: 'read',
  scope: 'dunning.people',
  input: {
    search: cleanText(100).optional().describe('Words of the name, the document number or the external id.'),
    document_number: text(30).optional().describe('Exactly this CPF or CNPJ.'),
    has_overdue: z.boolean().optional().describe('With, or without, a charge that is late today.'),
    tag: cleanText(50).optional().describe('Has this tag.'),
    archived: z.boolean().default(false).describe('Those put away instead of those in use.'),
    sort: z.enum(['name', '-name', 'created_at', '-created_at']).default('name'),
    ...listArguments,
  },
  output: listOutput(personItemSchema),
  async run(input, { db, organizationId, today }) {
    const sort = personSorts[input.sort]!;
    const { search, document_number: document } = input;
    const filter = {
      ...input,
      search: search === undefined ? undefined : await planSearch(db, organizationId, 'd', search),
      document_number: document === undefined ? undefined : documentNumberOf(document, 'document_number'),
    };
    const page = { sort, position: decodeCursor(sort, input.cursor), limit: input.limit };
    const found = await selectPeople(db, organizationId, filter, page, today);
    const { rows, next_cursor } = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('name') ? row.name : row.created_at,
      id: row.id,
    }));
    return { items: rows.map(personItemOf), next_cursor };
  },
});
