import { id, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { prepareUndoing, undoReconciliation } from '../create.ts';
import { undoingFacts } from '../facts.ts';
import { reconciliationOf } from '../resource.ts';
import { reconciliationSchema } from '../schema.ts';

export const deleteReconciliation = operation({
  name: 'finance_reconciliations_delete',
  title: 'Undo reconciliation',
  titlePortuguese: 'Desfazer conciliação',
  summary: 'Undo exactly one reconciliation: only the settlements it made are reversed, other links stay.',
  effect: 'destructive',
  scope: 'finance.reconciliations',
  input: { id: id('the reconciliation'), reason: text(300) },
  output: reconciliationSchema,
  async question(input, context) {
    return undoingFacts(await prepareUndoing(context, input.id));
  },
  async run(input, context) {
    const undoing = await prepareUndoing(context, input.id);
    return reconciliationOf(await undoReconciliation(context, undoing, input.reason));
  },
});
