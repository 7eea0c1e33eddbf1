import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { promiseOf, requirePromise } from '../resource.ts';
import { promiseSchema } from '../schema.ts';

export const getPromise = operation({
  name: 'dunning_payment_promises_get',
  title: 'Get payment promise',
  summary: 'One promise to pay.',
  effect: 'read',
  scope: 'dunning.charges',
  input: { id: id('the promise') },
  output: promiseSchema,
  async run(input, context) {
    return promiseOf(await requirePromise(context, input.id));
  },
});
