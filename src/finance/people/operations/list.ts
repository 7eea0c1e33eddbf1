import { z } from 'zod';
import { listArguments, listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { searchPattern } from '../../../db/listing.ts';
import { cleanText } from '../../schema.ts';
import { personSorts, selectPeople } from '../queries.ts';
import { personOf } from '../resource.ts';
import { documentNumberOf } from '../rules.ts';
import { personRole, personSchema } from '../schema.ts';

export const listPeople = operation({
  name: 'finance_people_list',
  title: 'List people',
  summary: 'Find suppliers and customers by name, document number, e-mail or role.',
  effect: 'read',
  scope: 'finance.people',
  input: {
    search: cleanText(100).optional().describe('Part of the name, document number or e-mail.'),
    role: personRole.optional(),
    document_number: text(30).optional().describe('Exactly this CPF or CNPJ.'),
    active: z.boolean().optional(),
    sort: z.enum(['name', '-name', 'created_at', '-created_at']).default('name'),
    ...listArguments,
  },
  output: listOutput(personSchema),
  async run(input, { db, workspaceId, scopes }) {
    const sort = personSorts[input.sort]!;
    const { search, document_number: document } = input;
    const found = await selectPeople(
      db,
      workspaceId,
      {
        ...input,
        search: search === undefined ? undefined : searchPattern(search),
        document_number: document === undefined ? undefined : documentNumberOf(document, 'document_number'),
      },
      { sort, position: decodeCursor(sort, input.cursor), limit: input.limit },
    );
    const page = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('name') ? row.name : row.created_at,
      id: row.id,
    }));
    return { items: page.rows.map((row) => personOf(row, scopes)), next_cursor: page.next_cursor };
  },
});
