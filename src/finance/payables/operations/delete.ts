import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { debtFacts, removeDebt, requireDeletableDebt } from '../../debt-records/index.ts';
import { selectPaymentsOf } from '../queries.ts';
import { type PayableRow, payableKind } from '../resource.ts';

export const deletePayable = operation({
  name: 'finance_payables_delete',
  title: 'Delete payable',
  titlePortuguese: 'Excluir conta a pagar',
  summary: 'Remove a draft or mistaken bill that has neither settlements nor payment orders.',
  effect: 'destructive',
  scope: 'finance.payables',
  input: { id: id('the payable') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    return debtFacts(payableKind, await prepareDelete(input.id, context));
  },
  async run(input, context) {
    const payable = await prepareDelete(input.id, context);
    await removeDebt(context, payableKind, payable);
    return { id: payable.id, deleted: true as const };
  },
});

/** Reversed settlements and failed orders are history too: such a bill is canceled, not deleted. */
function prepareDelete(payableId: string, context: Context): Promise<PayableRow> {
  const { db, workspaceId } = context;
  return requireDeletableDebt(context, payableKind, payableId, async () => {
    const payments = await selectPaymentsOf(db, workspaceId, payableId);
    return payments.map((payment) => ({ kind: 'payment', id: payment.id }));
  });
}
