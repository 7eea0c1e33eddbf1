import type { WriteContext } from '../../core/operation.ts';
import type { ChargeAnswer, ChargeRequest } from '../../gateways/bank/port.ts';
import { bankAccountOf, requireAccount } from '../accounts/index.ts';
import type { BankSubject } from '../bank-commands/index.ts';
import { requireCompany } from '../companies/index.ts';
import { requirePerson } from '../people/index.ts';
import { requireReceivable } from '../receivables/index.ts';
import { applyChargeAnswer } from './answers.ts';
import { settleDeliveries } from './deliveries.ts';
import { type ChargeRow, selectCharge } from './queries.ts';
import { requireCharge, storeCharge } from './resource.ts';
import { cancelKeyOf, chargeKeyOf, isLive } from './rules.ts';

/** Charges, as the machinery of bank commands sees them. */
export const chargeSubject: BankSubject<ChargeRow, ChargeRequest, ChargeAnswer> = {
  kind: 'charge',
  tasks: { send: 'charge_send', poll: 'charge_poll' },
  require: requireCharge,
  find: (context, id) => selectCharge(context.db, context.workspaceId, id, false),
  isLive: ({ status }) => isLive(status),
  submitKeyOf: chargeKeyOf,
  cancelKeyOf,
  accountIdOf: (charge) => charge.account_id,
  cancelRequestedAt: (charge) => charge.cancel_requested_at,
  scheduledFor: (charge) => charge.due_date,
  async requestOf(context, charge) {
    const account = await requireAccount(context, charge.account_id);
    const receivable = await requireReceivable(context, charge.receivable_id);
    const company = await requireCompany(context, receivable.company_id);
    const customer = await requirePerson(context, receivable.person_id);
    return {
      idempotencyKey: chargeKeyOf(charge),
      methods: charge.methods,
      amount: charge.amount_cents,
      dueDate: charge.due_date,
      validDaysAfterDue: charge.valid_days_after_due,
      ourNumber: charge.our_number,
      terms: charge.terms,
      description: receivable.description,
      documentNumber: receivable.document_number,
      account: bankAccountOf(account),
      payee: {
        name: company.legal_name,
        documentNumber: company.document_number,
        city: (company.address as { city?: string } | null)?.city ?? null,
      },
      payer: { name: customer.name, documentNumber: customer.document_number },
    };
  },
  changeRegistration: (context, charge, registration_status) =>
    change(context, { ...charge, registration_status }),
  cancelUnsent: (context, charge) => change(context, { ...charge, status: 'canceled' }),
  apply: applyChargeAnswer,
  deskOf: (bank) => bank.charges,
  fail: (context, charge, rejected_reason) =>
    change(context, { ...charge, status: 'failed', registration_status: 'failed', rejected_reason }),
};

async function change(context: WriteContext, after: ChargeRow): Promise<void> {
  const stored = await storeCharge(context, await requireCharge(context, after.id), after);
  await settleDeliveries(context, stored);
}
