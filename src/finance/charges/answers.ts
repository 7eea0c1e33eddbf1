/** What an answer of the bank does to a charge and to the receivable behind it. */

import type { WriteContext } from '../../core/operation.ts';
import type { Absent, ChargeAnswer } from '../../gateways/bank/port.ts';
import { requireAccount } from '../accounts/index.ts';
import { storeAttachment } from '../attachments/index.ts';
import { requireCompany } from '../companies/index.ts';
import { requirePerson } from '../people/index.ts';
import { requireReceivable } from '../receivables/index.ts';
import { settleDeliveries } from './deliveries.ts';
import type { ChargeRow } from './queries.ts';
import { applyReceipt } from './receipts.ts';
import { chargeOf, payUntilOf, requireCharge, storeCharge } from './resource.ts';
import { chargeAfterAnswer, isContradiction } from './rules.ts';

/**
 * Applies an answer and gives the charge after it. `open` stores its codes and makes its PDF; `paid` settles the
 * receivable once. A final answer that contradicts the one on record changes nothing and is kept in the audit chain.
 * Fails with `not_found`, and with `books_closed` while the month of a payment is closed.
 */
export async function applyChargeAnswer(
  context: WriteContext,
  id: string,
  answer: ChargeAnswer | Absent,
): Promise<ChargeRow> {
  if (answer.status === 'paid') {
    const { paidOn, amount, fee, method, paymentId: externalId } = answer;
    await applyReceipt(context, id, { paidOn, amount, fee, method, externalId });
    return requireCharge(context, id);
  }
  const before = await requireCharge(context, id);
  if (isContradiction(before, answer)) {
    context.changed('charge', id, chargeOf(before, context.today), { contradicted_by: answer });
  }
  const after = chargeAfterAnswer(before, answer, context.today);
  if (after === before) return before;
  const pdf_attachment_id =
    after.status === 'open' ? await storePdf(context, after) : after.pdf_attachment_id;
  const stored = await storeCharge(context, before, { ...after, pdf_attachment_id });
  await settleDeliveries(context, stored);
  return stored;
}

async function storePdf(context: WriteContext, charge: ChargeRow): Promise<string> {
  // Only read: the records are printed, not changed.
  const reading = { ...context, isWriting: false };
  const receivable = await requireReceivable(reading, charge.receivable_id);
  const company = await requireCompany(reading, receivable.company_id);
  const customer = await requirePerson(reading, receivable.person_id);
  const account = await requireAccount(reading, charge.account_id);
  const { barcode, typed_line: typedLine } = charge;
  // Loaded only where a charge is issued.
  const { chargePdf } = await import('./pdf.ts');
  const bytes = await chargePdf({
    company,
    customer,
    description: receivable.description,
    documentNumber: receivable.document_number,
    ourNumber: charge.our_number,
    issuedOn: context.today,
    amount: charge.amount_cents,
    dueDate: charge.due_date,
    payUntil: payUntilOf(charge),
    terms: charge.terms,
    boleto:
      barcode === null || typedLine === null
        ? null
        : { barcode, typedLine, agency: account.agency, account: accountText(account) },
    pixCode: charge.pix_code,
    now: context.now,
  });
  const { id } = await storeAttachment(context, {
    name: `cobranca-${charge.our_number}.pdf`,
    bytes,
    kind: 'boleto',
    link: { kind: 'charge', id: charge.id },
    alsoLinked: [{ kind: 'receivable', id: receivable.id }],
  });
  return id;
}

function accountText({ number, digit }: { number: string | null; digit: string | null }): string | null {
  return digit === null ? number : `${number}-${digit}`;
}
