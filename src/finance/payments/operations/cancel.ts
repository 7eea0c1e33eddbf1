import { onDate, ours, outside } from '../../../core/facts.ts';
import { id, text } from '../../../core/fields.ts';
import { formatBrl } from '../../../core/money.ts';
import { type Context, type Fact, operation } from '../../../core/operation.ts';
import { maskedAccount, requireAccount } from '../../accounts/index.ts';
import { requirePayable } from '../../payables/index.ts';
import { requirePerson } from '../../people/index.ts';
import {
  type BankCommandRow,
  insertCommand,
  type PaymentRow,
  selectSubmitCommand,
  updateCommand,
  updatePayment,
} from '../queries.ts';
import { paymentOf, recordedPayment, requirePayment } from '../resource.ts';
import { cancelKeyOf, requireCancelable } from '../rules.ts';
import { paymentSchema } from '../schema.ts';
import { queueSend } from '../sending.ts';

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
    const { payment, isUnsent } = await prepareCancel(input.id, context);
    return factsOf(payment, isUnsent, context);
  },
  async run(input, context) {
    const { db, workspaceId, now } = context;
    const { payment, command, isUnsent } = await prepareCancel(input.id, context);
    const asked = { ...payment, cancel_requested_at: now.toISOString(), cancel_reason: input.reason };
    if (isUnsent) {
      const { attempts } = command!;
      const answer = { reason: 'canceled before it was sent' };
      await updateCommand(db, workspaceId, command!.id, {
        status: 'failed',
        attempts,
        sentAt: null,
        answer,
        answeredAt: now.toISOString(),
      });
      await updatePayment(db, { ...asked, status: 'canceled' }, now);
    } else {
      const commandId = context.newId();
      const idempotency_key = cancelKeyOf(payment);
      await insertCommand(
        db,
        { workspace_id: workspaceId, id: commandId, payment_id: payment.id, kind: 'cancel', idempotency_key },
        now,
      );
      await updatePayment(db, asked, now);
      queueSend(context, commandId);
    }
    const after = await requirePayment(context, payment.id);
    context.changed('payment', payment.id, recordedPayment(payment), recordedPayment(after));
    return paymentOf(after, context.scopes);
  },
});

/** Everything that would refuse the cancellation; an order that never left is canceled at once. */
async function prepareCancel(
  paymentId: string,
  context: Context,
): Promise<{ payment: PaymentRow; command: BankCommandRow | undefined; isUnsent: boolean }> {
  const payment = await requirePayment(context, paymentId);
  requireCancelable(payment);
  const { db, workspaceId, isWriting } = context;
  const command = await selectSubmitCommand(db, workspaceId, paymentId, isWriting);
  const isUnsent = command?.status === 'requested' && command.sent_at === null;
  return { payment, command, isUnsent };
}

async function factsOf(payment: PaymentRow, isUnsent: boolean, context: Context): Promise<Fact[]> {
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
      isUnsent
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
