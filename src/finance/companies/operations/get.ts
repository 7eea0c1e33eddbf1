import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { companyOf, requireCompany } from '../resource.ts';
import { companySchema } from '../schema.ts';

export const getCompany = operation({
  name: 'finance_companies_get',
  title: 'Get company',
  summary: 'One company of the workspace.',
  effect: 'read',
  scope: 'finance.companies',
  input: { id: id('the company') },
  output: companySchema,
  async run(input, context) {
    return companyOf(await requireCompany(context, input.id));
  },
});
