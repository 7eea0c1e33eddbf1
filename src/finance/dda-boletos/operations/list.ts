import { z } from 'zod';
import { date, id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { ddaBoletoSorts, selectDdaBoletos } from '../queries.ts';
import { ddaBoletoOf } from '../resource.ts';
import { ddaBoletoSchema, externalStatuses, statuses } from '../schema.ts';

export const listDdaBoletos = operation({
  name: 'finance_dda_boletos_list',
  title: 'List announced boletos',
  summary: 'Boletos against our companies that banks announced (DDA), earliest due date first.',
  effect: 'read',
  scope: 'finance.dda_boletos',
  input: {
    status: z.enum(statuses).optional().describe('Ours: `pending` waits for a decision.'),
    external_status: z.enum(externalStatuses).optional().describe("The bank's."),
    company_id: id('the company it is against').optional(),
    due_from: date().optional(),
    due_to: date().optional().describe('This day included.'),
    sort: z.enum(['due_date', '-due_date']).default('due_date'),
    ...listArguments,
  },
  output: listOutput(ddaBoletoSchema),
  async run(input, { db, workspaceId }) {
    const sort = ddaBoletoSorts[input.sort]!;
    const found = await selectDdaBoletos(db, workspaceId, input, {
      sort,
      position: decodeCursor(sort, input.cursor),
      limit: input.limit,
    });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.due_date, id: row.id }));
    return { items: page.rows.map(ddaBoletoOf), next_cursor: page.next_cursor };
  },
});
