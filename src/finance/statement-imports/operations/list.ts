import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { importSorts, selectImports } from '../queries.ts';
import { importOf } from '../resource.ts';
import { importStatuses, statementImportSchema } from '../schema.ts';

export const listImports = operation({
  name: 'finance_statement_imports_list',
  title: 'List statement imports',
  summary: 'Statement files brought into the accounts, newest first, with what became of their lines.',
  effect: 'read',
  scope: 'finance.statement_imports',
  input: {
    account_id: id('the financial account').optional(),
    status: z.enum(importStatuses).optional(),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(statementImportSchema),
  async run(input, { db, workspaceId }) {
    const sort = importSorts[input.sort]!;
    const found = await selectImports(db, workspaceId, input, {
      sort,
      position: decodeCursor(sort, input.cursor),
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(importOf), next_cursor: page.next_cursor };
  },
});
