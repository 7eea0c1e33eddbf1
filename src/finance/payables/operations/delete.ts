import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { requireCompany, requireOpenBooks } from '../../companies/index.ts';
import { payableFacts } from '../facts.ts';
import type { PayableRow } from '../queries.ts';
import { recordedPayable, requirePayable } from '../resource.ts';
import { bookDatesOf, requireStatus } from '../rules.ts';
import { selectSettlements } from '../settlement-queries.ts';
import { deleteAttachmentLinks, deletePayable as deleteRow, selectPaymentsOf } from '../write-queries.ts';

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
    return payableFacts(await prepareDelete(input, context));
  },
  async run(input, context) {
    const { db, workspaceId } = context;
    const payable = await prepareDelete(input, context);
    await deleteAttachmentLinks(db, workspaceId, payable.id);
    await deleteRow(db, workspaceId, payable.id);
    context.changed('payable', payable.id, recordedPayable(payable, context), null);
    return { id: payable.id, deleted: true as const };
  },
});

/** Reversed settlements and failed orders are history too: such a bill is canceled, not deleted. */
async function prepareDelete(input: { id: string }, context: Context): Promise<PayableRow> {
  const { db, workspaceId } = context;
  const payable = await requirePayable(context, input.id);
  requireStatus(payable.status, ['draft', 'open']);
  const settlements = await selectSettlements(db, workspaceId, payable.id);
  const payments = await selectPaymentsOf(db, workspaceId, payable.id);
  const by = [
    ...settlements.map((settlement) => ({ kind: 'settlement', id: settlement.id })),
    ...payments.map((payment) => ({ kind: 'payment', id: payment.id })),
  ];
  if (by.length > 0) fail('in_use', { by: by.slice(0, 10) });
  requireOpenBooks(await requireCompany(context, payable.company_id), ...bookDatesOf(payable));
  return payable;
}
