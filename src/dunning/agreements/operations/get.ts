import { operation } from '../../../core/operation.ts';
import { agreementDetail } from '../resource.ts';
import { agreementDetailSchema, agreementId } from '../schema.ts';

export const getAgreement = operation({
  name: 'dunning_agreements_get',
  title: 'Get agreement',
  summary: 'One agreement: its charges, figures and installments.',
  effect: 'read',
  scope: 'dunning.agreements',
  input: { id: agreementId() },
  output: agreementDetailSchema,
  run(input, context) {
    return agreementDetail(context, input.id);
  },
});
