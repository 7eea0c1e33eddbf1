import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { fiscalDocumentDetail, requireFiscalDocument } from '../resource.ts';
import { fiscalDocumentDetailSchema } from '../schema.ts';

export const getFiscalDocument = operation({
  name: 'finance_fiscal_documents_get',
  title: 'Get fiscal document',
  summary: 'One fiscal document: parties, totals, withheld taxes, installments, its bills and files.',
  effect: 'read',
  scope: 'finance.fiscal_documents',
  input: { id: id('the fiscal document') },
  output: fiscalDocumentDetailSchema,
  async run(input, context) {
    return fiscalDocumentDetail(context, await requireFiscalDocument(context, input.id));
  },
});
