/** What a notary office is asked, as it is kept with the command and sent. */

import type { ProtestChangeRequest, ProtestRequest } from '../../gateways/notary/port.ts';
import { completeAddress, creditorOf, type Setting } from '../legal/index.ts';
import type { Settings } from '../settings/index.ts';
import type { ProtestRow } from './resource.ts';

/** As the command keeps it: the bytes of the document stay where they are and are read when it is sent. */
export function protestRequest(
  row: ProtestRow,
  { charge, person, settings }: Setting,
  key: string,
): Omit<ProtestRequest, 'document'> {
  return {
    key,
    actionKey: row.id,
    organizationId: row.organization_id,
    titleKind: row.title_kind,
    amount: row.amount_cents,
    debtDueDate: row.debt_due_date,
    titleNumber: charge.document_number,
    creditor: creditorOf(settings)!,
    debtor: {
      name: person.name,
      kind: person.kind as 'natural' | 'legal',
      documentNumber: person.document_number!,
      address: completeAddress(person.address),
    },
  };
}

/** The document as it is sent. */
export function documentFor(row: ProtestRow, bytes: Buffer | null): ProtestRequest['document'] {
  if (bytes === null || row.document_name === null || row.document_content_type === null) return null;
  return {
    name: row.document_name,
    contentType: row.document_content_type,
    sha256: Buffer.from(row.document_sha256!).toString('hex'),
    base64: bytes.toString('base64'),
  };
}

export function changeRequest(
  row: ProtestRow,
  debtorDocument: string | null,
  settings: Settings,
  reason: string,
  key: string,
): ProtestChangeRequest {
  return {
    key,
    actionKey: row.id,
    organizationId: row.organization_id,
    protocol: row.protocol,
    reference: row.notary_reference,
    debtorDocument,
    creditor: creditorOf(settings),
    reason,
  };
}
