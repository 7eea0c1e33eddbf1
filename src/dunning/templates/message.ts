/** From records of other slices to what a message may tell. */

import type { Amounts } from '../../core/terms.ts';
import { type ChargeRow, codesOf } from '../charges/index.ts';
import type { Settings } from '../settings/index.ts';
import type { MessageCharge, MessageCreditor } from './view.ts';

/** Who the debts are owed to; without a legal name, the name that messages are sent under. */
export function messageCreditorOf({ creditor, preferences }: Settings): MessageCreditor {
  return {
    name: creditor.legalName ?? preferences.senderName ?? '',
    documentNumber: creditor.documentNumber,
    address: creditor.address,
    phone: creditor.phone,
    email: creditor.email,
  };
}

/** A charge with its amounts on the day of the message. */
export function messageChargeOf(row: ChargeRow, amounts: Amounts): MessageCharge {
  const { typed_line: typedLine, pix_code: pixCode, link } = codesOf(row);
  return {
    description: row.description,
    documentNumber: row.document_number,
    dueDate: row.due_date,
    amountCents: row.amount_cents,
    amountDueCents: amounts.amountDue,
    paymentOptions: { typedLine, pixCode, link },
    daysLate: amounts.daysLate,
  };
}
