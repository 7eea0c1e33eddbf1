import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { ddaBoletoDetail, requireDdaBoleto } from '../resource.ts';
import { ddaBoletoDetailSchema } from '../schema.ts';

export const getDdaBoleto = operation({
  name: 'finance_dda_boletos_get',
  title: 'Get announced boleto',
  summary: 'One announced boleto with the registered bills it probably is.',
  effect: 'read',
  scope: 'finance.dda_boletos',
  input: { id: id('the announced boleto') },
  output: ddaBoletoDetailSchema,
  async run(input, context) {
    return ddaBoletoDetail(context, await requireDdaBoleto(context, input.id));
  },
});
