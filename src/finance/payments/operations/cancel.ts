import { onDate, ours, outside } from '../../../core/facts.ts';
import { id, text } from '../../../core/fields.ts';
import { formatBrl } from '../../../core/money.ts';
import { type Context, type Fact, operation } from '../../../core/operation.ts';
import { maskedAccount, requireAccount } from '../../accounts/index.ts';
import { isUnsent, queueCancel } from '../../bank-commands/index.ts';
import { requirePayable } from '../../payables/index.ts';
import { requirePerson } from '../../people/index.ts';
import type { PaymentRow } from '../queries.ts';
import { paymentOf, requirePayment, storePayment } from '../resource.ts';
import { requireCancelable } from '../rules.ts';
import { paymentSchema } from '../schema.ts';
import { paymentSubject } from '../subject.ts';

export const cancelPayment = operation({
  name: 'finance_payments_cancel',
  title: 'Cancel payment',
  titlePortuguese: 'Cancelar pagamento no banco',
  summary: 'Ask the bank to cancel an order not yet settled; final once `status` is canceled.',
  effect: 'destructive',
  scope: 'finance.payments',
  hints: { openWorld: true },
  input: { id: id('the payment'), reason: text(500) },
  output: paymentSchema,
  async question(input, context) {
    return factsOf(await requireCancelablePayment(input.id, context), context);
  },
  async run(input, context) {
    const payment = await requireCancelablePayment(input.id, context);
    const cancel_requested_at = context.now.toISOString();
    const asked = { ...payment, cancel_requested_at, cancel_reason: input.reason };
    const outcome = await queueCancel(context, paymentSubject, asked);
    if (outcome === 'asked') await storePayment(context, payment, asked);
    return paymentOf(await requirePayment(context, payment.id), context.scopes);
  },
});

async function requireCancelablePayment(paymentId: string, context: Context): Promise<PaymentRow> {
  const payment = await requirePayment(context, paymentId);
  requireCancelable(payment);
  return payment;
}

async function factsOf(payment: PaymentRow, context: Context): Promise<Fact[]> {
  // Only read: the bill and the account are not changed, and a lock here could wait for the worker.
  const reading = { ...context, isWriting: false };
  const payable = await requirePayable(reading, payment.payable_id);
  const person = await requirePerson(reading, payable.person_id);
  const account = await requireAccount(reading, payment.account_id);
  return [
    outside('payee', 'Favorecido', 'Payee', person.name),
    ours('amount', 'Valor', 'Amount', formatBrl(payment.amount_cents)),
    outside('account', 'Conta', 'Account', maskedAccount(account)),
    onDate('scheduled_for', 'Data do pagamento', 'Payment date', payment.scheduled_for),
    ours(
      'effect',
      'Efeito',
      'Effect',
      (await isUnsent(reading, paymentSubject, payment))
        ? {
            'pt-BR': 'ainda não foi enviado ao banco; é cancelado na hora',
            en: 'not sent to the bank yet; canceled at once',
          }
        : {
            'pt-BR': 'pede o cancelamento ao banco, que ainda pode pagar',
            en: 'asks the bank to cancel; it may still pay',
          },
    ),
  ];
}
