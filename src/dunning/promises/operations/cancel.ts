import { outside } from '../../../core/facts.ts';
import { id, text } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { releaseCharges, requireCharges } from '../../charges/index.ts';
import { changePromise, promiseFacts, promiseOf, requireOpen, requirePromise } from '../resource.ts';
import { promiseSchema } from '../schema.ts';

export const cancelPromise = operation({
  name: 'dunning_payment_promises_cancel',
  title: 'Cancel payment promise',
  titlePortuguese: 'Cancelar promessa de pagamento',
  summary: 'Call an open promise off; the rule of its charges goes on.',
  effect: 'destructive',
  scope: 'dunning.charges',
  input: { id: id('the promise'), reason: text(300) },
  output: promiseSchema,
  async question(input, context) {
    const row = await requirePromise(context, input.id);
    requireOpen(row);
    return [...promiseFacts(row), outside('reason', 'Motivo', 'Reason', input.reason)];
  },
  async run(input, context) {
    const seen = await requirePromise({ ...context, isWriting: false }, input.id);
    await requireCharges(context, seen.charge_ids);
    const before = await requirePromise(context, input.id);
    requireOpen(before);
    const after = await changePromise(context, before, {
      status: 'canceled',
      ended_at: context.now.toISOString(),
      ended_reason: input.reason,
    });
    await releaseCharges(context, { reason: 'promise', sourceId: before.id });
    return promiseOf(after);
  },
});
