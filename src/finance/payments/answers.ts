/** What an answer of the bank does to an order and to the payable behind it. */

import { fail } from '../../core/errors.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { BankOrderStatus } from '../../gateways/bank/port.ts';
import { maskedAccount, postTransaction, requireAccountAndCompany } from '../accounts/index.ts';
import { storeAttachment } from '../attachments/index.ts';
import { type PayableRow, requirePayable, settlePayable } from '../payables/index.ts';
import { requirePerson } from '../people/index.ts';
import { type PaymentRow, selectPayment } from './queries.ts';
import { receiptText } from './receipt.ts';
import { recordedPayment, requirePayment, storePayment } from './resource.ts';
import { isContradiction, isLive, methodOf, paymentAfterAnswer } from './rules.ts';

type Confirmed = Extract<BankOrderStatus, { status: 'confirmed' }>;
type Books = Awaited<ReturnType<typeof requireAccountAndCompany>> & { readonly payable: PayableRow };

/**
 * Applies an answer of the bank and gives the order after it. `confirmed` settles the payable once, dated with the
 * bank's own settlement date; a final answer that contradicts the one on record changes nothing and is kept in the
 * audit chain. Fails with `not_found`, and with `books_closed` while the month of the settlement is closed.
 */
export async function applyBankAnswer(
  context: WriteContext,
  paymentId: string,
  answer: BankOrderStatus,
): Promise<PaymentRow> {
  const known = await selectPayment(context.db, context.workspaceId, paymentId, false);
  if (known === undefined) fail('not_found', { kind: 'payment', id: paymentId });
  const books =
    answer.status === 'confirmed' && isLive(known.status) ? await lockBooks(context, known) : undefined;
  const before = await requirePayment(context, paymentId);
  if (isContradiction(before, answer)) {
    context.changed('payment', paymentId, recordedPayment(before), { contradicted_by: answer });
  }
  let after = paymentAfterAnswer(before, answer);
  if (after === before) return before;
  if (answer.status === 'confirmed' && books !== undefined) {
    after = { ...after, receipt_attachment_id: await settle(context, after, books, answer) };
  }
  return storePayment(context, before, after);
}

/** What a settlement changes, each locked before the order, in one order everywhere: company, account, payable. */
async function lockBooks(context: WriteContext, payment: PaymentRow): Promise<Books> {
  const payer = await requireAccountAndCompany(context, payment.account_id);
  return { ...payer, payable: await requirePayable(context, payment.payable_id) };
}

/** Books the money that the bank moved and gives the id of the receipt. */
async function settle(
  context: WriteContext,
  payment: PaymentRow,
  { account, company, payable }: Books,
  answer: Confirmed,
): Promise<string> {
  const person = await requirePerson(context, payable.person_id);
  const text = receiptText({
    paymentId: payment.id,
    kind: payment.kind,
    amount: payment.amount_cents,
    settledOn: answer.settledOn,
    payer: company,
    account: maskedAccount(account),
    payee: person,
    description: payable.description,
    reference: answer.reference,
    authentication: answer.authentication,
  });
  const receipt = await storeAttachment(context, {
    name: `comprovante-${payment.id}.txt`,
    bytes: Buffer.from(text, 'utf8'),
    kind: 'receipt',
    link: { kind: 'payment', id: payment.id },
  });
  if (payable.status === 'open' || payable.status === 'partially_paid') {
    await settlePayable(context, payable, {
      account,
      paidAt: answer.settledOn,
      amount: payment.amount_cents,
      method: methodOf(payment.kind),
      receiptAttachmentId: receipt.id,
      paymentId: payment.id,
      transactionSource: 'payment',
    });
  } else {
    // Somebody settled or canceled the bill meanwhile: the money left all the same, so the books show it, tied to
    // nothing, until a person links it or asks for it back.
    await postTransaction(context, {
      account,
      date: answer.settledOn,
      direction: 'debit',
      amount: payment.amount_cents,
      description: payable.description,
      source: 'payment',
      categoryId: payable.category_id,
      personId: payable.person_id,
    });
  }
  return receipt.id;
}
