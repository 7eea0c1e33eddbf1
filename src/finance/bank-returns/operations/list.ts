import { z } from 'zod';
import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { returnSorts, selectReturns } from '../queries.ts';
import { bankReturnOf } from '../resource.ts';
import { bankReturnSchema } from '../schema.ts';

export const listBankReturns = operation({
  name: 'finance_bank_returns_list',
  title: 'List bank returns',
  summary: 'CNAB return files read so far, with what became of their records.',
  effect: 'read',
  scope: 'finance.bank_returns',
  input: {
    account_id: id('the account whose boletos they are about').optional(),
    sort: z.enum(['created_at', '-created_at']).default('-created_at'),
    ...listArguments,
  },
  output: listOutput(bankReturnSchema),
  async run(input, { db, workspaceId }) {
    const sort = returnSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectReturns(db, workspaceId, input, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.created_at, id: row.id }));
    return { items: page.rows.map(bankReturnOf), next_cursor: page.next_cursor };
  },
});
