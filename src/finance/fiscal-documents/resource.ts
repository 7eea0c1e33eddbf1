import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import { attachmentsOf } from '../attachments/index.ts';
import {
  type FiscalDocumentRow,
  selectBillsOf,
  selectFiscalDocument,
  selectRecentFiscalDocumentIds,
} from './queries.ts';
import type { ReceivedAmounts } from './received.ts';
import type {
  AuthorizationStatus,
  DocumentKind,
  DocumentStatus,
  FiscalDocument,
  FiscalDocumentDetail,
  Warning,
} from './schema.ts';

/** The public record of a row. */
export function fiscalDocumentOf(row: FiscalDocumentRow): FiscalDocument {
  const withholdings = row.withholdings as ReceivedAmounts['withholdings'];
  return {
    id: row.id,
    kind: row.kind as DocumentKind,
    access_key: row.access_key,
    number: row.number,
    series: row.series,
    issued_at: row.issued_at,
    issuer: { document_number: row.issuer_document, name: row.issuer_name },
    recipient: { document_number: row.recipient_document, name: row.recipient_name },
    company_id: row.company_id,
    person_id: row.person_id,
    total: moneyText(row.total_cents),
    net: moneyText(row.net_cents),
    withholdings: withholdings.map(({ kind, amount_cents }) => ({ kind, amount: moneyText(amount_cents) })),
    installments: installmentsOf(row).map(({ number, due_date, amount_cents }) => ({
      number,
      due_date,
      amount: moneyText(amount_cents),
    })),
    authorization: {
      protocol: row.authorization_protocol,
      status: row.authorization_status as AuthorizationStatus,
      signature_verified: false,
    },
    status: row.status as DocumentStatus,
    notes: row.notes,
    warnings: row.warnings as Warning[],
    xml_attachment_id: row.xml_attachment_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The installments of a row, amounts in centavos. */
export function installmentsOf(row: FiscalDocumentRow): ReceivedAmounts['installments'] {
  return row.installments as ReceivedAmounts['installments'];
}

/** The public record with its bills and files. */
export async function fiscalDocumentDetail(
  context: Context,
  row: FiscalDocumentRow,
): Promise<FiscalDocumentDetail> {
  const bills = await selectBillsOf(context.db, context.workspaceId, row.id);
  return {
    ...fiscalDocumentOf(row),
    payables: bills.map(({ amount_cents, ...bill }) => ({ ...bill, amount: moneyText(amount_cents) })),
    attachments: await attachmentsOf(context, 'fiscal_document', row.id),
  };
}

/** The document of this workspace, locked when the caller is writing. Fails with `not_found`. */
export async function requireFiscalDocument(context: Context, id: string): Promise<FiscalDocumentRow> {
  const row = await selectFiscalDocument(context.db, context.workspaceId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'fiscal_document', id });
}

export function suggestFiscalDocumentIds(context: Context, typed: string): Promise<string[]> {
  return selectRecentFiscalDocumentIds(context.db, context.workspaceId, typed);
}
