import { z } from 'zod';
import { fail, failArgument } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation, type WriteContext } from '../../../core/operation.ts';
import { type PayableRow, recordedPayable, requirePayable } from '../../payables/index.ts';
import { requirePerson } from '../../people/index.ts';
import { type FiscalDocumentRow, updateBillDocument, updateFiscalDocument } from '../queries.ts';
import { fiscalDocumentDetail, fiscalDocumentOf, requireFiscalDocument } from '../resource.ts';
import { INSTALLMENTS_MAX, requireLinkable } from '../rules.ts';
import { fiscalDocumentDetailSchema } from '../schema.ts';

const countError = `1 to ${INSTALLMENTS_MAX} ids`;

export const linkFiscalDocumentPayable = operation({
  name: 'finance_fiscal_documents_link_payable',
  title: 'Link payables to fiscal document',
  summary: 'Tie bills that exist already to the document they are of; their amounts stay as they are.',
  effect: 'write',
  scope: 'finance.fiscal_documents',
  alsoScopes: ['finance.payables.write'],
  hints: { idempotent: true },
  input: {
    id: id('the fiscal document'),
    payable_ids: z
      .array(id('the payable'))
      .min(1, { error: countError })
      .max(INSTALLMENTS_MAX, { error: countError })
      .describe("Bills of the document's issuer."),
  },
  output: fiscalDocumentDetailSchema,
  async run(input, context) {
    const before = await requireFiscalDocument(context, input.id);
    requireLinkable(before);
    // One order for all, so that two calls never wait for each other.
    const ids = [...new Set(input.payable_ids)].sort();
    const linked: LinkedBill[] = [];
    for (const payableId of ids) linked.push(await linkBill(context, before, payableId));
    if (before.status === 'linked' && !linked.some(({ isNew }) => isNew)) {
      return fiscalDocumentDetail(context, before);
    }
    const person_id = linked[0]!.supplierId;
    await updateFiscalDocument(context.db, { ...before, status: 'linked', person_id }, context.now);
    const after = await requireFiscalDocument(context, before.id);
    context.changed('fiscal_document', before.id, fiscalDocumentOf(before), fiscalDocumentOf(after));
    return fiscalDocumentDetail(context, after);
  },
});

interface LinkedBill {
  /** Who issued the document. */
  readonly supplierId: string;
  readonly isNew: boolean;
}

/** Ties one bill to the document; one that is tied to it already stays as it is. */
async function linkBill(
  context: WriteContext,
  document: FiscalDocumentRow,
  payableId: string,
): Promise<LinkedBill> {
  const before = await requirePayable(context, payableId);
  await requireBillOf(context, document, before);
  const supplierId = before.person_id;
  if (before.fiscal_document_id === document.id) return { supplierId, isNew: false };
  await updateBillDocument(context.db, context.workspaceId, payableId, document.id, context.now);
  const after = await requirePayable(context, payableId);
  context.changed('payable', payableId, recordedPayable(before, context), recordedPayable(after, context));
  return { supplierId, isNew: true };
}

async function requireBillOf(
  context: WriteContext,
  document: FiscalDocumentRow,
  payable: PayableRow,
): Promise<void> {
  const { status: from, fiscal_document_id: other } = payable;
  if (from === 'canceled') {
    fail('invalid_state', { id: payable.id, from, allowed: ['draft', 'open', 'partially_paid', 'paid'] });
  }
  if (other !== null && other !== document.id)
    fail('in_use', { by: [{ kind: 'fiscal_document', id: other }] });
  const supplier = await requirePerson(context, payable.person_id);
  if (supplier.document_number !== document.issuer_document) {
    failArgument('payable_ids', "bills whose supplier has the document number of the document's issuer");
  }
}
