import { z } from 'zod';
import { civilDateAt, formatDateBr } from '../../../core/dates.ts';
import { fail } from '../../../core/errors.ts';
import { ours, outside } from '../../../core/facts.ts';
import { id } from '../../../core/fields.ts';
import { formatBrl } from '../../../core/money.ts';
import { type Context, operation } from '../../../core/operation.ts';
import { deleteFiscalDocument as deleteRow, type FiscalDocumentRow, selectBillsOf } from '../queries.ts';
import { fiscalDocumentOf, requireFiscalDocument } from '../resource.ts';
import { requireIgnorable } from '../rules.ts';

export const deleteFiscalDocument = operation({
  name: 'finance_fiscal_documents_delete',
  title: 'Delete fiscal document',
  titlePortuguese: 'Excluir documento fiscal',
  summary: 'Remove a document that no payable belongs to. Its XML stays among the attachments.',
  effect: 'destructive',
  scope: 'finance.fiscal_documents',
  input: { id: id('the fiscal document') },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  async question(input, context) {
    const row = await prepareDelete(input.id, context);
    const issuedOn = civilDateAt(new Date(row.issued_at), context.timeZone);
    return [
      outside('number', 'Número', 'Number', row.number),
      outside('issuer', 'Emitente', 'Issuer', row.issuer_name),
      ours('total', 'Total', 'Total', formatBrl(row.total_cents)),
      ours('issued_on', 'Emissão', 'Issued on', { 'pt-BR': formatDateBr(issuedOn), en: issuedOn }),
    ];
  },
  async run(input, context) {
    const row = await prepareDelete(input.id, context);
    await deleteRow(context.db, context.workspaceId, row.id);
    context.changed('fiscal_document', row.id, fiscalDocumentOf(row), null);
    return { id: row.id, deleted: true as const };
  },
});

async function prepareDelete(documentId: string, context: Context): Promise<FiscalDocumentRow> {
  const row = await requireFiscalDocument(context, documentId);
  requireIgnorable(row);
  const bills = await selectBillsOf(context.db, context.workspaceId, row.id);
  if (bills.length > 0)
    fail('in_use', { by: bills.slice(0, 5).map((bill) => ({ kind: 'payable', id: bill.id })) });
  return row;
}
