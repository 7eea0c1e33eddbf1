import { z } from 'zod';
import { listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { searchPattern } from '../../../db/listing.ts';
import { cleanText } from '../../schema.ts';
import { costCenterSorts, selectCostCenters } from '../queries.ts';
import { costCenterOf } from '../resource.ts';
import { costCenterSchema } from '../schema.ts';

export const listCostCenters = operation({
  name: 'finance_cost_centers_list',
  title: 'List cost centers',
  summary: 'Cost centers of the workspace.',
  effect: 'read',
  scope: 'finance.cost_centers',
  input: {
    search: cleanText(100).optional().describe('Part of the name or code.'),
    active: z.boolean().optional(),
    sort: z.enum(['name', '-name', 'created_at', '-created_at']).default('name'),
    ...listArguments,
  },
  output: listOutput(costCenterSchema),
  async run(input, { db, workspaceId }) {
    const sort = costCenterSorts[input.sort]!;
    const search = input.search === undefined ? undefined : searchPattern(input.search);
    const position = decodeCursor(sort, input.cursor);
    const filter = { ...input, search };
    const found = await selectCostCenters(db, workspaceId, filter, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({
      key: input.sort.endsWith('name') ? row.name : row.created_at,
      id: row.id,
    }));
    return { items: page.rows.map(costCenterOf), next_cursor: page.next_cursor };
  },
});
