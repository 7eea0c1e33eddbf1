import { operation } from '../../../core/operation.ts';
import { createReconciliation as create } from '../create.ts';
import { reconciliationFacts } from '../facts.ts';
import { prepareReconciliation } from '../prepare.ts';
import { reconciliationOf } from '../resource.ts';
import { documentsArgument, reconciliationSchema, transactionsArgument } from '../schema.ts';

export const createReconciliation = operation({
  name: 'finance_reconciliations_create',
  title: 'Reconcile',
  titlePortuguese: 'Conciliar',
  summary:
    'Tie lines of a statement to the documents they paid, one or many on either side, settling what is open.',
  effect: 'destructive',
  scope: 'finance.reconciliations',
  input: { transactions: transactionsArgument, documents: documentsArgument },
  output: reconciliationSchema,
  async question(input, context) {
    return reconciliationFacts(await prepareReconciliation(context, input));
  },
  async run(input, context) {
    const prepared = await prepareReconciliation(context, input);
    return reconciliationOf(await create(context, prepared, 'manual'));
  },
});
