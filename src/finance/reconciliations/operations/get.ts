import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { reconciliationOf, requireReconciliation } from '../resource.ts';
import { reconciliationSchema } from '../schema.ts';

export const getReconciliation = operation({
  name: 'finance_reconciliations_get',
  title: 'Get reconciliation',
  summary: 'One reconciliation: its lines, its documents, the amounts, and whether it was undone.',
  effect: 'read',
  scope: 'finance.reconciliations',
  input: { id: id('the reconciliation') },
  output: reconciliationSchema,
  async run(input, context) {
    return reconciliationOf(await requireReconciliation(context, input.id));
  },
});
