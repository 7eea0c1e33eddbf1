import { z } from 'zod';
import { operation } from '../../../core/operation.ts';
import { changeMany } from '../../debt-records/index.ts';
import { bulkArguments, bulkSchema } from '../../debts/index.ts';
import { receivableWords } from '../arguments.ts';
import { receivableKind } from '../resource.ts';
import { receivableStatuses } from '../schema.ts';
import { changeReceivable } from '../update.ts';

export const updateReceivables = operation({
  name: 'finance_receivables_bulk_update',
  title: 'Update receivables',
  summary: 'Make the same change to many open receivables; those a rule refuses come back in `failed`.',
  effect: 'write',
  scope: 'finance.receivables',
  hints: { idempotent: true },
  dryRun: true,
  input: bulkArguments(receivableWords, { status: z.enum(receivableStatuses).optional() }),
  output: bulkSchema,
  run: ({ ids, filter, set }, context) =>
    changeMany(context, receivableKind, { ids, filter }, (inner, id) => changeReceivable(inner, id, set)),
});
