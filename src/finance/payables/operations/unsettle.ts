import { id, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireUndoable, reverseDebtSettlement, undoingFacts } from '../../debt-records/index.ts';
import { payableKind, payableOf, settlementOf } from '../resource.ts';
import { settledSchema } from '../schema.ts';

export const unsettlePayable = operation({
  name: 'finance_payables_unsettle',
  title: 'Unsettle payable',
  titlePortuguese: 'Desfazer pagamento registrado',
  summary: 'Undo one settlement recorded by hand and remove its transaction; only while unreconciled.',
  effect: 'destructive',
  scope: 'finance.payables',
  input: { id: id('the payable'), settlement_id: id('the settlement'), reason: text(300) },
  output: settledSchema,
  async question(input, context) {
    return undoingFacts(
      payableKind,
      await requireUndoable(context, payableKind, input.id, input.settlement_id),
    );
  },
  async run(input, context) {
    const { debt, settlement } = await requireUndoable(context, payableKind, input.id, input.settlement_id);
    const undone = await reverseDebtSettlement(
      context,
      payableKind,
      debt,
      settlement.id,
      input.reason,
      'remove',
    );
    return { payable: payableOf(undone.debt, context), settlement: settlementOf(undone.settlement) };
  },
});
