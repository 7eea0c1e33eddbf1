import { z } from 'zod';
import { operation } from '../../../core/operation.ts';
import { changeMany } from '../../debt-records/index.ts';
import { bulkArguments, bulkSchema } from '../../debts/index.ts';
import { payableWords } from '../arguments.ts';
import { payableKind } from '../resource.ts';
import { approvalStatuses, payableStatuses } from '../schema.ts';
import { changePayable } from '../update.ts';

export const updatePayables = operation({
  name: 'finance_payables_bulk_update',
  title: 'Update payables',
  summary: 'Make the same change to many open bills; those a rule refuses come back in `failed`.',
  effect: 'write',
  scope: 'finance.payables',
  hints: { idempotent: true },
  dryRun: true,
  input: bulkArguments(payableWords, {
    status: z.enum(payableStatuses).optional(),
    approval_status: z.enum(approvalStatuses).optional(),
  }),
  output: bulkSchema,
  run: ({ ids, filter, set }, context) =>
    changeMany(context, payableKind, { ids, filter }, (inner, id) => changePayable(inner, id, set)),
});
