import { z } from 'zod';
import { listArguments, listOutput, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { searchPattern } from '../../../db/listing.ts';
import { companySorts, selectCompanies } from '../queries.ts';
import { companyOf } from '../resource.ts';
import { companySchema } from '../schema.ts';

export const listCompanies = operation({
  name: 'finance_companies_list',
  title: 'List companies',
  summary: 'Companies of the workspace.',
  effect: 'read',
  scope: 'finance.companies',
  input: {
    search: text(100).optional().describe('Name or CNPJ.'),
    active: z.boolean().optional(),
    sort: z.enum(['legal_name', '-legal_name', 'created_at', '-created_at']).default('legal_name'),
    ...listArguments,
  },
  output: listOutput(companySchema),
  async run(input, { db, workspaceId }) {
    const sort = companySorts[input.sort]!;
    const search = input.search === undefined ? undefined : searchPattern(input.search);
    const found = await selectCompanies(
      db,
      workspaceId,
      { ...input, search },
      {
        sort,
        position: decodeCursor(sort, input.cursor),
        limit: input.limit,
      },
    );
    const page = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('legal_name') ? row.legal_name : row.created_at,
      id: row.id,
    }));
    return { items: page.rows.map(companyOf), next_cursor: page.next_cursor };
  },
});
