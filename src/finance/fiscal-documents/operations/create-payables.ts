import { z } from 'zod';
import { civilDateAt } from '../../../core/dates.ts';
import { failArgument } from '../../../core/errors.ts';
import { date, id } from '../../../core/fields.ts';
import { type InputOf, operation, type WriteContext } from '../../../core/operation.ts';
import { findCompanyByDocument } from '../../companies/index.ts';
import { createPayables, type PayableDraft } from '../../payables/index.ts';
import { registerPerson } from '../../people/index.ts';
import { costCentersArgument } from '../../schema.ts';
import { type FiscalDocumentRow, selectBillIdsForUpdate, updateFiscalDocument } from '../queries.ts';
import {
  fiscalDocumentDetail,
  fiscalDocumentOf,
  installmentsOf,
  requireFiscalDocument,
} from '../resource.ts';
import { billsOf, INSTALLMENTS_MAX, requireBillable } from '../rules.ts';
import { fiscalDocumentDetailSchema } from '../schema.ts';

const datesError = `1 to ${INSTALLMENTS_MAX} dates`;

const input = {
  id: id('the fiscal document'),
  company_id: id('the company that pays').optional().describe('Default: the recipient of the document.'),
  category_id: id('an expense category without children').optional(),
  cost_centers: costCentersArgument.optional(),
  due_dates: z
    .array(date())
    .min(1, { error: datesError })
    .max(INSTALLMENTS_MAX, { error: datesError })
    .optional()
    .describe('One per installment; needed when the document tells no due dates.'),
};

export const createFiscalDocumentPayables = operation({
  name: 'finance_fiscal_documents_create_payables',
  title: 'Create payables of fiscal document',
  summary: 'Register one bill per installment of the document, withheld taxes deducted. Sends nothing.',
  effect: 'write',
  scope: 'finance.fiscal_documents',
  alsoScopes: ['finance.payables.write'],
  dryRun: true,
  input,
  output: fiscalDocumentDetailSchema,
  async run(given, context) {
    const before = await requireFiscalDocument(context, given.id);
    const existing = await selectBillIdsForUpdate(context.db, context.workspaceId, before.id);
    requireBillable(before, existing.length);
    const bills = billsOf(
      { net_cents: before.net_cents, installments: installmentsOf(before) },
      given.due_dates,
    );
    const companyId = await payingCompanyOf(context, before, given.company_id);
    const supplier = await registerPerson(context, {
      name: before.issuer_name,
      documentNumber: before.issuer_document,
      roles: ['supplier'],
    });
    const paying = { companyId, personId: supplier.id };
    await createPayables(context, draftsOf(context, before, bills, paying, given));
    await updateFiscalDocument(
      context.db,
      { ...before, status: 'linked', company_id: companyId, person_id: supplier.id },
      context.now,
    );
    const after = await requireFiscalDocument(context, before.id);
    context.changed('fiscal_document', before.id, fiscalDocumentOf(before), fiscalDocumentOf(after));
    return fiscalDocumentDetail(context, after);
  },
});

/** The company may have been registered since the import, so the recipient is looked up once more. */
async function payingCompanyOf(
  context: WriteContext,
  document: FiscalDocumentRow,
  given: string | undefined,
): Promise<string> {
  const known = given ?? document.company_id;
  if (known !== null) return known;
  const { recipient_document: recipient } = document;
  const company = recipient === null ? undefined : await findCompanyByDocument(context, recipient);
  return (
    company?.id ?? failArgument('company_id', 'the company that pays, because the recipient is none of ours')
  );
}

function draftsOf(
  context: WriteContext,
  document: FiscalDocumentRow,
  bills: ReturnType<typeof billsOf>,
  paying: { companyId: string; personId: string },
  given: InputOf<typeof input>,
): PayableDraft[] {
  const groupId = context.newId();
  const issueDate = civilDateAt(new Date(document.issued_at), context.timeZone);
  return bills.map(({ amountCents, dueDate, number, total }) => ({
    ...paying,
    description: descriptionOf(document, number, total),
    amountCents,
    dueDate,
    // The competence month follows from it: one purchase is one expense.
    issueDate,
    documentNumber: document.number,
    series: document.series,
    categoryId: given.category_id,
    costCenters: given.cost_centers,
    installment: total === 1 ? undefined : { number, total, groupId },
    fiscalDocumentId: document.id,
  }));
}

/** For example "NF-e 1234/1, 2/3: NAME". */
function descriptionOf(document: FiscalDocumentRow, number: number, total: number): string {
  const name = document.issuer_name === '' ? document.issuer_document : document.issuer_name;
  const series = document.series === null ? '' : `/${document.series}`;
  return `NF-e ${document.number}${series}${total === 1 ? '' : `, ${number}/${total}`}: ${name}`;
}
