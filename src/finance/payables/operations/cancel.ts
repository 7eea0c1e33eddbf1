import { id, text } from '../../../core/fields.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { requireCompany, requireOpenBooks } from '../../companies/index.ts';
import { payableFacts } from '../facts.ts';
import { requireNoLiveOrder } from '../orders.ts';
import type { PayableRow } from '../queries.ts';
import { payableOf, recordedPayable, requirePayable } from '../resource.ts';
import { bookDatesOf, requireStatus } from '../rules.ts';
import { payableSchema } from '../schema.ts';
import { updatePayable } from '../write-queries.ts';

export const cancelPayable = operation({
  name: 'finance_payables_cancel',
  title: 'Cancel payable',
  titlePortuguese: 'Cancelar conta a pagar',
  summary: 'Call off a bill that will not be paid; it stays visible as canceled.',
  effect: 'destructive',
  scope: 'finance.payables',
  input: { id: id('the payable'), reason: text(300) },
  output: payableSchema,
  async question(input, context) {
    return payableFacts(await prepareCancel(input, context));
  },
  async run(input, context) {
    const before = await prepareCancel(input, context);
    const canceled = { ...before, status: 'canceled', canceled_reason: input.reason };
    await updatePayable(context.db, canceled, context.now);
    const after = await requirePayable(context, input.id);
    context.changed('payable', input.id, recordedPayable(before, context), recordedPayable(after, context));
    return payableOf(after, context);
  },
});

/** A partly paid bill is `partially_paid`: its settlements are undone first. */
async function prepareCancel(input: { id: string }, context: Context): Promise<PayableRow> {
  const payable = await requirePayable(context, input.id);
  requireStatus(payable.status, ['open']);
  await requireNoLiveOrder(context, payable.id);
  requireOpenBooks(await requireCompany(context, payable.company_id), ...bookDatesOf(payable));
  return payable;
}
