import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { selectRecords } from '../queries.ts';
import { bankReturnOf, requireReturn, returnRecordOf } from '../resource.ts';
import { bankReturnSchema, recordOutcomes, returnRecordSchema } from '../schema.ts';

const LINES_MAX = 1_000_000;
const RECORDS_MAX = 200;
const lineError = `a line of the file, from 0 to ${LINES_MAX}`;

export const getBankReturn = operation({
  name: 'finance_bank_returns_get',
  title: 'Get bank return',
  summary: 'One return file with its records, 200 at a time, and what each did.',
  effect: 'read',
  scope: 'finance.bank_returns',
  input: {
    id: id('the return file'),
    outcome: z.enum(recordOutcomes).optional().describe('Only records with this outcome.'),
    after_line: z
      .int({ error: lineError })
      .min(0, { error: lineError })
      .max(LINES_MAX, { error: lineError })
      .default(0)
      .describe('Records behind this line; `next_line` of the page before.'),
  },
  output: z.object({
    ...bankReturnSchema.shape,
    items: z.array(returnRecordSchema),
    next_line: z.int().nullable().describe('null on the last page.'),
  }),
  async run(input, context) {
    const row = await requireReturn(context, input.id);
    const found = await selectRecords(context.db, context.workspaceId, row.id, {
      outcome: input.outcome,
      afterLine: input.after_line,
      limit: RECORDS_MAX,
    });
    const items = found.slice(0, RECORDS_MAX).map(returnRecordOf);
    return { ...bankReturnOf(row), items, next_line: found.length > RECORDS_MAX ? items.at(-1)!.line : null };
  },
});
