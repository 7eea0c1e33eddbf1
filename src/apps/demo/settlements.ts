/** What paying bills moved: settlements with their debits, and orders at the bank with the command that sent them. */

import { nextBusinessDay, previousBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import { percentOf } from '../../core/money.ts';
import { type AmountsQuestion, amountsAt } from '../../core/terms.ts';
import { transactionOn } from './accounts.ts';
import { bankKeyOf, commandOf } from './bank-commands.ts';
import type { Bill } from './payables.ts';
import { settlementMethods } from './payment-details.ts';
import { type Plan, paymentDateOf } from './plans.ts';
import { bornAt, instantOn, type NewRow, type Setting } from './setting.ts';

/** Of the bills paid with a code, key or account, so many were paid by an order. */
const ORDERED_PERCENT = 55;

/** One payment of a bill: `amount = principal - discount + interest + fine`. */
export interface PaidParts {
  readonly on: CivilDate;
  readonly amount: Cents;
  readonly principal: Cents;
  readonly discount: Cents;
  readonly interest: Cents;
  readonly fine: Cents;
  /** False for one that was undone. */
  readonly isEffective: boolean;
}

/** How a bill was paid, fully or in part, by the rules of what is owed on a date; null when it was not. */
export function paidPartsOf(
  setting: Setting,
  plan: Pick<Plan, 'dueDate' | 'issueDate'> & { readonly fate: string },
  terms: Omit<AmountsQuestion, 'on' | 'payments'>,
): PaidParts | null {
  if (plan.fate !== 'paid' && plan.fate !== 'partially_paid' && plan.fate !== 'reversed') return null;
  const on = paymentDateOf(setting, plan);
  const owed = amountsAt({ ...terms, on });
  if (plan.fate !== 'partially_paid') {
    return {
      on,
      amount: owed.amountDue,
      principal: owed.openPrincipal,
      discount: owed.discountOnOffer,
      interest: owed.unpaidInterest,
      fine: owed.unpaidFine,
      isEffective: plan.fate === 'paid',
    };
  }
  const amount = percentOf(owed.base, setting.random.integer(30, 60) * 10_000);
  const { principal, discount, interest, fine } = amountsAt({ ...terms, on, payments: [{ on, amount }] })
    .allocations[0]!;
  return { on, amount, principal, discount, interest, fine, isEffective: true };
}

export interface Movements {
  readonly settlements: NewRow<'settlements'>[];
  readonly transactions: NewRow<'financial_transactions'>[];
  readonly payments: NewRow<'payments'>[];
  readonly commands: NewRow<'bank_commands'>[];
}

export function buildMovements(setting: Setting, bills: readonly Bill[]): Movements {
  const movements: Movements = { settlements: [], transactions: [], payments: [], commands: [] };
  for (const bill of bills) {
    const payment = paymentOf(setting, bill);
    if (payment !== null) {
      movements.payments.push(payment);
      movements.commands.push(submitCommandOf(setting, payment));
    }
    if (bill.paid !== null) addSettlement(setting, movements, bill, bill.paid, payment);
  }
  return movements;
}

function addSettlement(
  setting: Setting,
  { settlements, transactions }: Movements,
  { row, plan, account }: Bill,
  paid: PaidParts,
  payment: NewRow<'payments'> | null,
): void {
  const transaction = transactionOn(setting, account.id, paid.on, {
    direction: 'debit',
    amount: paid.amount,
    description: `Pagamento a ${plan.supplier.person.name}`,
    categoryId: row.category_id,
    personId: row.person_id,
    source: payment === null ? 'settlement' : 'payment',
  });
  // Undoing a settlement took its debit away.
  if (paid.isEffective) transactions.push(transaction);
  const details = row.payment_details;
  settlements.push({
    ...bornAt(setting, transaction.created_at),
    payable_id: row.id,
    receivable_id: null,
    charge_id: null,
    external_id: null,
    fee_cents: 0,
    account_id: account.id,
    transaction_id: paid.isEffective ? transaction.id : null,
    payment_id: payment?.id ?? null,
    paid_at: paid.on,
    amount_cents: paid.amount,
    principal_cents: paid.principal,
    discount_cents: paid.discount,
    interest_cents: paid.interest,
    fine_cents: paid.fine,
    method: details === null ? (plan.paidBy === 'cash' ? 'cash' : 'debit') : settlementMethods[details.kind],
    receipt_attachment_id: null,
    status: paid.isEffective ? 'effective' : 'reversed',
    reversed_reason: paid.isEffective ? null : 'Pago na conta errada',
    updated_at: transaction.created_at,
  });
}

/** The order behind a bill, or null for one that was paid otherwise or not at all. */
function paymentOf(setting: Setting, { row, plan, account, paid }: Bill): NewRow<'payments'> | null {
  const { random } = setting;
  const details = row.payment_details;
  const status = orderStatusOf(setting, plan);
  if (status === null || details === null || account.bank_code === null) return null;
  const orderedOn = addDays(plan.issueDate, 1);
  const createdAt = instantOn(orderedOn, random);
  const answeredAt = paid === null ? instantOn(addDays(orderedOn, 1), random) : instantOn(paid.on, random);
  const isConfirmed = status === 'confirmed';
  return {
    ...bornAt(setting, createdAt),
    payable_id: row.id,
    account_id: account.id,
    kind: details.kind,
    amount_cents: paid?.amount ?? row.amount_cents - row.abatement_cents - row.withheld_cents,
    details,
    scheduled_for: paid?.on ?? scheduledFor(setting, plan),
    status,
    registration_status: status === 'rejected' ? 'rejected' : 'confirmed',
    bank_reference: `SIM${random.digits(12)}`,
    bank_authentication: isConfirmed
      ? `${random.digits(8)}${random.bits().toString(16).toUpperCase()}`
      : null,
    bank_settled_on: isConfirmed && paid !== null ? paid.on : null,
    rejected_reason: status === 'rejected' ? 'Conta de destino encerrada' : null,
    cancel_reason: status === 'canceled' ? 'Pagamento adiado' : null,
    cancel_requested_at: status === 'canceled' ? answeredAt : null,
    receipt_attachment_id: null,
    created_by_token: null,
    updated_at: status === 'scheduled' ? createdAt : answeredAt,
    version: status === 'scheduled' ? 1 : 2,
  };
}

function orderStatusOf({ random }: Setting, { fate }: Plan): string | null {
  if (fate === 'paid') return random.chance(ORDERED_PERCENT) ? 'confirmed' : null;
  return fate.startsWith('order_') ? fate.slice('order_'.length) : null;
}

function scheduledFor({ today }: Setting, { fate, dueDate, issueDate }: Plan): CivilDate {
  if (fate === 'order_scheduled') return nextBusinessDay(dueDate);
  return fate === 'order_processing' ? previousBusinessDay(today) : nextBusinessDay(addDays(issueDate, 2));
}

function submitCommandOf(setting: Setting, payment: NewRow<'payments'>): NewRow<'bank_commands'> {
  const { status, bank_reference: reference } = payment;
  const answer =
    status === 'confirmed'
      ? {
          status,
          reference,
          authentication: payment.bank_authentication,
          settledOn: payment.bank_settled_on,
        }
      : status === 'rejected'
        ? { status, reference, reason: payment.rejected_reason }
        : { status: 'scheduled', reference };
  return commandOf(setting, {
    subject: { payment_id: payment.id },
    kind: 'submit',
    key: bankKeyOf(payment.id, payment.scheduled_for, payment.amount_cents, payment.kind),
    answer,
    at: payment.created_at,
  });
}
