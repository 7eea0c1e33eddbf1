import type { WriteContext } from '../../core/operation.ts';
import type { BankOrder, BankOrderStatus } from '../../gateways/bank/port.ts';
import { bankAccountOf, requireAccount } from '../accounts/index.ts';
import type { BankSubject } from '../bank-commands/index.ts';
import { requirePayable } from '../payables/index.ts';
import { requirePerson } from '../people/index.ts';
import { applyBankAnswer } from './answers.ts';
import { type PaymentRow, selectPayment } from './queries.ts';
import { requirePayment, storePayment } from './resource.ts';
import { cancelKeyOf, isLive, orderKeyOf, type PaymentKind } from './rules.ts';

/** Payment orders, as the machinery of bank commands sees them. */
export const paymentSubject: BankSubject<PaymentRow, BankOrder, BankOrderStatus> = {
  kind: 'payment',
  tasks: { send: 'bank_send', poll: 'bank_poll' },
  require: requirePayment,
  find: (context, id) => selectPayment(context.db, context.workspaceId, id, false),
  isLive: ({ status }) => isLive(status),
  submitKeyOf: orderKeyOf,
  cancelKeyOf,
  accountIdOf: (payment) => payment.account_id,
  cancelRequestedAt: (payment) => payment.cancel_requested_at,
  scheduledFor: (payment) => payment.scheduled_for,
  async requestOf(context, payment) {
    const account = await requireAccount(context, payment.account_id);
    const payable = await requirePayable(context, payment.payable_id);
    const payee = await requirePerson(context, payable.person_id);
    return {
      idempotencyKey: orderKeyOf(payment),
      kind: payment.kind as PaymentKind,
      amount: payment.amount_cents,
      scheduledFor: payment.scheduled_for,
      account: bankAccountOf(account),
      payee: { name: payee.name, documentNumber: payee.document_number },
      details: payment.details as Record<string, unknown>,
    };
  },
  changeRegistration: (context, payment, registration_status) =>
    change(context, { ...payment, registration_status }),
  cancelUnsent: (context, payment) => change(context, { ...payment, status: 'canceled' }),
  apply: applyBankAnswer,
  deskOf: (bank) => bank,
  fail: (context, payment, rejected_reason) =>
    change(context, { ...payment, status: 'failed', registration_status: 'failed', rejected_reason }),
};

async function change(context: WriteContext, after: PaymentRow): Promise<void> {
  await storePayment(context, await requirePayment(context, after.id), after);
}
