import { z } from 'zod';
import { moving } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { debtFacts, openCentsOf, removeDebt, requireDeletableDebt } from '../../debt-records/index.ts';
import { selectChargesOf } from '../queries.ts';
import { type ReceivableRow, receivableKind } from '../resource.ts';

export const deleteReceivable = operation({
  name: 'finance_receivables_delete',
  title: 'Delete receivable',
  titlePortuguese: 'Excluir conta a receber',
  summary: 'Remove a draft or mistaken receivable that has neither receipts nor charges.',
  effect: 'destructive',
  scope: 'finance.receivables',
  input: { id: id('the receivable') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const receivable = await prepareDelete(input.id, context);
    return moving('open_amount', openCentsOf(receivable), debtFacts(receivableKind, receivable));
  },
  async run(input, context) {
    const receivable = await prepareDelete(input.id, context);
    await removeDebt(context, receivableKind, receivable);
    return { id: receivable.id, deleted: true as const };
  },
});

/** Reversed receipts and canceled charges are history too: such a receivable is canceled, not deleted. */
function prepareDelete(receivableId: string, context: Context): Promise<ReceivableRow> {
  const { db, workspaceId } = context;
  return requireDeletableDebt(context, receivableKind, receivableId, async () => {
    const charges = await selectChargesOf(db, workspaceId, receivableId);
    return charges.map((charge) => ({ kind: 'charge', id: charge.id }));
  });
}
