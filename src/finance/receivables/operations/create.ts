import { z } from 'zod';
import { operation } from '../../../core/operation.ts';
import { draftOf, installmentsOf, newArguments } from '../../debts/index.ts';
import { receivableWords } from '../arguments.ts';
import { createReceivables } from '../create.ts';
import { receivableOf } from '../resource.ts';
import { receivableSchema } from '../schema.ts';

export const createReceivable = operation({
  name: 'finance_receivables_create',
  title: 'Create receivable',
  summary: 'Register a receivable or an installment plan. A probable duplicate is refused unless allowed.',
  effect: 'write',
  scope: 'finance.receivables',
  dryRun: true,
  input: newArguments(receivableWords),
  output: z.object({ items: z.array(receivableSchema) }),
  async run(input, context) {
    const { draft, plan } = draftOf(input);
    const drafts = plan === null ? [draft] : installmentsOf(draft, plan, context.newId());
    const rows = await createReceivables(context, drafts);
    return { items: rows.map((row) => receivableOf(row, context)) };
  },
});
