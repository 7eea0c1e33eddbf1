import { z } from 'zod';
import { date, id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { executionSorts, selectExecutions } from '../execution-queries.ts';
import { executionOf } from '../resource.ts';
import { executionSchema, executionStatuses, stepActions } from '../schema.ts';

export const listExecutions = operation({
  name: 'dunning_step_executions_list',
  title: 'List step executions',
  summary: 'Steps of rules that ran, are due or were skipped, and why; tasks and suggestions appear here.',
  effect: 'read',
  scope: 'dunning.collection_rules',
  input: {
    charge_id: id('the charge').optional(),
    rule_id: id('the rule').optional(),
    action: z.enum(stepActions).optional().describe('What the step does.'),
    status: z.enum(executionStatuses).optional(),
    date_from: date().optional().describe('The day the step falls on.'),
    date_to: date().optional().describe('The day the step falls on.'),
    sort: z.enum(['date', '-date']).default('-date'),
    ...listArguments,
  },
  output: listOutput(executionSchema),
  async run(input, { db, organizationId }) {
    const sort = executionSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectExecutions(db, organizationId, input, { sort, position, limit: input.limit });
    const page = pageOf(found, input.limit, sort, (row) => ({ key: row.step_on, id: row.id }));
    return { items: page.rows.map(executionOf), next_cursor: page.next_cursor };
  },
});
