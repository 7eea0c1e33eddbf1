/** What a bureau is asked, as it is kept with the command and sent. */

import type { RegistrationRequest, RemovalRequest } from '../../gateways/bureau/port.ts';
import { completeAddress, creditorOf, type Setting } from '../legal/index.ts';
import type { Settings } from '../settings/index.ts';
import type { NegativationRow } from './resource.ts';

/** The creditor and the document of the debtor are there: the rules were met. */
export function registrationRequest(
  row: NegativationRow,
  { charge, person, settings }: Setting,
  key: string,
): RegistrationRequest {
  const notice = row.prior_notice!;
  return {
    key,
    actionKey: row.id,
    organizationId: row.organization_id,
    bureau: row.bureau,
    amount: row.amount_cents,
    debtDueDate: row.debt_due_date,
    contractNumber: charge.document_number,
    expiresOn: row.expires_on,
    notice: { channel: notice.channel, endsOn: notice.ends_on! },
    creditor: creditorOf(settings)!,
    debtor: {
      name: person.name,
      kind: person.kind as 'natural' | 'legal',
      documentNumber: person.document_number!,
      address: completeAddress(person.address),
    },
  };
}

/** Names no more than the bureau needs to find it: it has to go whatever became of the records. */
export function removalRequest(
  row: NegativationRow,
  debtorDocument: string | null,
  settings: Settings,
  reason: string,
  key: string,
): RemovalRequest {
  return {
    key,
    actionKey: row.id,
    organizationId: row.organization_id,
    bureau: row.bureau,
    reference: row.bureau_reference,
    debtorDocument,
    creditor: creditorOf(settings),
    reason,
  };
}
