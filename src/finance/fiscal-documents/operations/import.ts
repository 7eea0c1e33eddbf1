import { z } from 'zod';
import { fail } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation, type WriteContext } from '../../../core/operation.ts';
import { bytesOfUpload, storeAttachment } from '../../attachments/index.ts';
import { findCompanyByDocument, requireCompany } from '../../companies/index.ts';
import { recordedPayable, requirePayable } from '../../payables/index.ts';
import { findPersonByDocument } from '../../people/index.ts';
import { uploadedFile } from '../../schema.ts';
import { type NfeCancellation, type NfeDocument, readFiscalXml } from '../nfe.ts';
import {
  insertFiscalDocument,
  type NewFiscalDocument,
  selectBillIdsForUpdate,
  selectFiscalDocumentByKey,
  updateBillNeedsReview,
  updateFiscalDocument,
} from '../queries.ts';
import { partyWarnings, receivedAmounts, requireReading, requireRegistered } from '../received.ts';
import { fiscalDocumentOf, requireFiscalDocument } from '../resource.ts';
import { cancellationWarnings, requireCancelable, UNPAID_STATUSES } from '../rules.ts';
import { type FiscalDocument, fiscalDocumentSchema, type Warning, warningSchema } from '../schema.ts';

/** The uploaded file, decoded. */
interface Received {
  readonly name: string;
  readonly bytes: Buffer;
}

interface Imported {
  document: FiscalDocument;
  warnings: Warning[];
}

export const importFiscalDocument = operation({
  name: 'finance_fiscal_documents_import',
  title: 'Import fiscal document',
  summary: 'Bring in the XML of an NF-e, or of its cancellation; bills are made only by a further call.',
  effect: 'write',
  scope: 'finance.fiscal_documents',
  input: {
    file: uploadedFile,
    company_id: id('the company that received it').optional().describe('Default: the recipient named in it.'),
  },
  output: z.object({ document: fiscalDocumentSchema, warnings: z.array(warningSchema) }),
  async run({ file, company_id: companyId }, context) {
    const received = { name: file.name, bytes: bytesOfUpload(file) };
    const document = requireReading(readFiscalXml(received.bytes));
    return document.kind === 'nfe'
      ? importDocument(context, received, document, companyId)
      : importCancellation(context, received, document);
  },
});

async function importDocument(
  context: WriteContext,
  received: Received,
  document: NfeDocument,
  companyId: string | undefined,
): Promise<Imported> {
  const { db, workspaceId, now } = context;
  const company =
    companyId === undefined
      ? await companyOfRecipient(context, document)
      : await requireCompany(context, companyId);
  const issuer = await findPersonByDocument(context, document.issuer.taxId);
  await requireNewKey(context, document.accessKey);
  const { warnings: noticed, ...amounts } = receivedAmounts(document);
  const warnings = [...noticed, ...partyWarnings(document, company, issuer !== undefined)];
  const documentId = context.newId();
  const xml = await storeAttachment(context, {
    ...received,
    kind: 'invoice_xml',
    link: { kind: 'fiscal_document', id: documentId },
  });
  const row: NewFiscalDocument = {
    workspace_id: workspaceId,
    id: documentId,
    kind: document.kind,
    access_key: document.accessKey,
    number: document.number,
    series: document.series,
    issued_at: document.issuedAt,
    issuer_document: document.issuer.taxId,
    issuer_name: document.issuer.name,
    recipient_document: document.recipient?.taxId ?? null,
    recipient_name: document.recipient?.name ?? null,
    total_cents: document.totalCents,
    ...amounts,
    authorization_protocol: document.authorization.protocol,
    authorization_status: document.authorization.status,
    warnings,
    status: 'new',
    company_id: company?.id ?? null,
    person_id: issuer?.id ?? null,
    xml_attachment_id: xml.id,
    created_by: context.caller.user.id,
    created_at: now.toISOString(),
  };
  // Nothing inserted: somebody else brought in the same key since the look above.
  if ((await insertFiscalDocument(db, row)) === 0) await requireNewKey(context, document.accessKey);
  const after = fiscalDocumentOf(await requireFiscalDocument(context, documentId));
  context.changed('fiscal_document', documentId, null, after);
  return { document: after, warnings };
}

async function importCancellation(
  context: WriteContext,
  received: Received,
  event: NfeCancellation,
): Promise<Imported> {
  requireRegistered(event);
  const { db, workspaceId, now } = context;
  const { accessKey } = event;
  const before = await selectFiscalDocumentByKey(db, workspaceId, accessKey, true);
  if (before === undefined) fail('not_found', { kind: 'fiscal_document', access_key: accessKey });
  requireCancelable(before);
  await storeAttachment(context, {
    ...received,
    kind: 'invoice_xml',
    link: { kind: 'fiscal_document', id: before.id },
  });
  await updateFiscalDocument(db, { ...before, status: 'canceled' }, now);
  const after = fiscalDocumentOf(await requireFiscalDocument(context, before.id));
  context.changed('fiscal_document', before.id, fiscalDocumentOf(before), after);
  const bills = await selectBillIdsForUpdate(db, workspaceId, before.id);
  for (const { id: billId, status } of bills) {
    if (UNPAID_STATUSES.includes(status)) await markForReview(context, billId);
  }
  return { document: after, warnings: [...event.warnings, ...cancellationWarnings(bills)] };
}

function companyOfRecipient(context: WriteContext, { recipient }: NfeDocument) {
  return recipient === null || recipient.taxId === null
    ? undefined
    : findCompanyByDocument(context, recipient.taxId);
}

async function requireNewKey(context: WriteContext, accessKey: string): Promise<void> {
  const known = await selectFiscalDocumentByKey(context.db, context.workspaceId, accessKey, false);
  if (known !== undefined) fail('duplicate', { kind: 'fiscal_document', of: known.id });
}

/** The bill stays what it is; somebody has to look at it. */
async function markForReview(context: WriteContext, billId: string): Promise<void> {
  const before = await requirePayable(context, billId);
  await updateBillNeedsReview(context.db, context.workspaceId, billId, context.now);
  const after = await requirePayable(context, billId);
  context.changed('payable', billId, recordedPayable(before, context), recordedPayable(after, context));
}
