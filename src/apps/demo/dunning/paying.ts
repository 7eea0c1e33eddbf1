/** Payments of the sample, and what is due before each of them. */

import { effectivePaymentDay } from '../../../core/accruals.ts';
import { addBusinessDays } from '../../../core/calendar.ts';
import { addDays, type CivilDate } from '../../../core/dates.ts';
import type { Cents } from '../../../core/money.ts';
import type { Amounts } from '../../../core/terms.ts';
import { type Entry, owedOn, type PaymentMethod } from '../../../dunning/charges/index.ts';
import { instantOn } from '../setting.ts';
import { atTime, bornIn, type DunningSetting, msOf } from './setting.ts';
import { type PaymentRow, rulesSince, type Story, withoutRule } from './story.ts';

/** Entries in the order of the replay. */
export function entriesOf({ payments, credits }: Story): Entry[] {
  const counted = payments.filter(({ status, kind }) => status === 'confirmed' && kind !== 'duplicate');
  const own = counted.map(({ id, paid_on, effective_on, amount_cents }) => ({
    id,
    entry: { payment_id: id, paid_on, effective_on, amount_cents, discount_cents: 0 },
  }));
  const credited = credits.map(({ id, credited_on, amount_cents, discount_cents }) => ({
    id,
    entry: {
      payment_id: null,
      paid_on: credited_on,
      effective_on: credited_on,
      amount_cents,
      discount_cents,
    },
  }));
  const rank = ({ id, entry }: { id: string; entry: Entry }) =>
    `${entry.effective_on}/${Number(entry.discount_cents > 0)}/${id}`;
  const all = [...own, ...credited].sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
  return all.map(({ entry }) => entry);
}

/** What is due on a day, as far as it is known then. */
export function amountsOn(setting: DunningSetting, story: Story, on: CivilDate): Amounts {
  const { charge, abatedAt } = story;
  const isAbated = abatedAt !== null && abatedAt < msOf(atTime(addDays(on, 1), '00:00'));
  const owed = { ...charge, status: 'overdue', abatement_cents: isAbated ? charge.abatement_cents : 0 };
  return owedOn(owed, entriesOf(story), on, setting.ways);
}

export interface Paying {
  readonly paidOn: CivilDate;
  readonly method: PaymentMethod;
  /** What is due on the day it counts from unless said otherwise. */
  readonly amount?: Cents;
  readonly at?: string;
  readonly externalId?: string | null;
  readonly source?: string;
  readonly kind?: 'duplicate';
}

/** A payment of the charge itself. How it is used is reckoned at the end, when all of them are known. */
export function pay(setting: DunningSetting, story: Story, paying: Paying): PaymentRow {
  const { paidOn, method } = paying;
  const effectiveOn = effectivePaymentDay(method, paidOn);
  const amount = paying.amount ?? amountsOn(setting, story, effectiveOn).amountDue;
  const payment = paymentRow(setting, story.charge.person_id, { ...paying, amount, effectiveOn });
  payment.charge_id = story.charge.id;
  if (paying.kind === 'duplicate')
    Object.assign(payment, { kind: 'duplicate', needs_refund: true, excess_cents: amount });
  story.payments.push(payment);
  return payment;
}

export function paymentRow(
  setting: DunningSetting,
  personId: string,
  {
    paidOn,
    method,
    amount,
    effectiveOn,
    at,
    externalId,
    source,
  }: Paying & { amount: Cents; effectiveOn: CivilDate },
): PaymentRow {
  const { random, today } = setting;
  const createdAt = at ?? instantOn(paidOn, random);
  const credited = method === 'boleto' ? addBusinessDays(effectiveOn, 1) : effectiveOn;
  const day = paidOn.replaceAll('-', '');
  return {
    ...bornIn(setting, createdAt),
    person_id: personId,
    charge_id: null,
    agreement_id: null,
    installment_id: null,
    amount_cents: amount,
    paid_on: paidOn,
    effective_on: effectiveOn,
    credited_on: credited < today ? credited : null,
    method,
    fee_cents: method === 'boleto' ? Math.min(190, amount) : 0,
    principal_cents: 0,
    discount_cents: 0,
    interest_cents: 0,
    fine_cents: 0,
    excess_cents: 0,
    external_id: externalId === undefined ? `PG-${day}-${random.digits(9)}` : externalId,
    end_to_end_id: method === 'pix' ? `E60746948${day}1200S${random.digits(10)}` : null,
    payer: null,
    kind: 'regular',
    needs_refund: false,
    status: 'confirmed',
    reversed_at: null,
    reversed_reason: null,
    channel: null,
    notification_id: null,
    step_id: null,
    steps_before: null,
    recovered_cents: null,
    days_overdue: null,
    source: source ?? 'api',
  };
}

/** Pays all that is due; from then on the rule is over. */
export function payOff(setting: DunningSetting, story: Story, paying: Omit<Paying, 'amount'>): PaymentRow {
  const payment = pay(setting, story, paying);
  story.rests.push({ from: msOf(payment.created_at), to: Number.POSITIVE_INFINITY, code: 'paid' });
  if (payment.created_at.slice(0, 10) <= rulesSince(setting)) withoutRule(story);
  return payment;
}
