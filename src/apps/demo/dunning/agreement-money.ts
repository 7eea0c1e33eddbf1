import { type CivilDate, daysBetween } from '../../../core/dates.ts';
import type { Cents } from '../../../core/money.ts';
import {
  type Credit,
  creditsOf,
  creditsOfCompletion,
  type Debt,
  type Share,
} from '../../../dunning/agreements/index.ts';
import { type Entry, owedOn, recoveredOf } from '../../../dunning/charges/index.ts';
import { earlier } from '../plans.ts';
import { idAt } from '../setting.ts';
import { release } from './holding.ts';
import { amountsOn, entriesOf, paymentRow } from './paying.ts';
import { type Draft, type Row, touch } from './setting.ts';
import { stepsUntil } from './settling.ts';
import type { Cast, PaymentRow, Story } from './story.ts';

export type AgreementRow = Draft<'dunning_agreements'>;
export type InstallmentRow = Draft<'dunning_installments'>;

export interface Agreement {
  readonly row: AgreementRow;
  readonly stories: readonly Story[];
  readonly shares: readonly Share[];
  readonly installments: readonly InstallmentRow[];
  readonly payments: PaymentRow[];
  isLive: boolean;
}

export function change(row: AgreementRow, at: string, to: (at: string) => Partial<AgreementRow>): void {
  Object.assign(row, to(at));
  touch(row, at);
}

export function payInstallment(
  cast: Cast,
  agreement: Agreement,
  installment: InstallmentRow,
  paidOn: CivilDate,
): void {
  const { setting } = cast;
  const { row, stories, payments, installments } = agreement;
  const amount = installment.amount_cents;
  const payment = paymentRow(setting, row.person_id, { paidOn, method: 'pix', amount, effectiveOn: paidOn });
  const dueFirst = stories.map(({ charge }) => charge.due_date).sort()[0]!;
  const adjustedFirst = stories.map(({ charge }) => charge.adjusted_due_date).sort()[0]!;
  const lateAfter = earlier(installment.adjusted_due_date, adjustedFirst);
  const used = { principal: amount, discount: 0, interest: 0, fine: 0 };
  const recovered = recoveredOf(used, payment.effective_on, lateAfter);
  Object.assign(payment, {
    agreement_id: row.id,
    installment_id: installment.id,
    principal_cents: amount,
    recovered_cents: recovered,
    days_overdue: recovered === null ? null : Math.max(0, daysBetween(dueFirst, paidOn)),
  });
  payments.push(payment);
  Object.assign(installment, { paid_cents: amount, paid_on: paidOn, status: 'paid' });
  const isPaidUp = installments.every(({ status }) => status === 'paid');
  change(row, payment.created_at, (at) => ({
    status: isPaidUp ? 'completed' : 'active',
    ...(isPaidUp && { ended_at: at }),
  }));
  if (isPaidUp) complete(cast, agreement, payment.created_at);
}

/** The money of an agreement on its charges, and what it gives up on the last day. */
function complete(cast: Cast, agreement: Agreement, at: string): void {
  const { row, stories, shares, payments } = agreement;
  const { setting } = cast;
  const dated = shares.map((share) => ({
    ...share,
    dueDate: stories.find(({ charge }) => charge.id === share.chargeId)!.charge.due_date,
  }));
  const credits = creditsOfCompletion(dated, payments.map(receiptOf));
  const lastDay = payments.at(-1)!.effective_on;
  agreement.isLive = false;
  for (const story of stories) {
    writeCredits(cast, row, story, credits, at);
    const left = amountsOn(setting, story, lastDay);
    const discount = left.openPrincipal + left.unpaidFine + left.unpaidInterest;
    if (discount > 0)
      story.credits.push(
        creditRow(cast, row, story, at, { paymentId: null, on: lastDay, cents: 0, discount }),
      );
    const { rule_started_at } = story.charge;
    release(story, row.id, at);
    Object.assign(story.charge, { status: 'overdue', rule_started_at });
    story.rests.push({ from: Date.parse(at), to: Number.POSITIVE_INFINITY, code: 'paid' });
  }
}

/** What was paid is credited to the charges, without any discount, and they are collected again. */
export function endEarly(cast: Cast, agreement: Agreement, at: string, end: Partial<AgreementRow>): void {
  const { row, stories, payments, installments } = agreement;
  const { setting } = cast;
  const debts = stories.map((story): Debt => {
    const { charge } = story;
    const entries = entriesOf(story);
    return {
      chargeId: charge.id,
      dueDate: charge.due_date,
      dueOn: (on, credits) =>
        owedOn({ ...charge, status: 'overdue' }, [...entries, ...credits.map(entryOf)], on, setting.ways)
          .amountDue,
    };
  });
  const credits = creditsOf(debts, payments.map(receiptOf));
  agreement.isLive = false;
  for (const installment of installments) if (installment.status === 'open') installment.status = 'canceled';
  for (const story of stories) {
    writeCredits(cast, row, story, credits, at);
    release(story, row.id, at);
    Object.assign(story.charge, { status: 'overdue', agreement_id: null });
  }
  change(row, at, () => ({ ...end, ended_at: at }));
}

function receiptOf({ id, effective_on: on, amount_cents: cents }: PaymentRow) {
  return { id, on, cents };
}

function entryOf({ on, cents }: Credit): Entry {
  return { payment_id: null, discount_cents: 0, paid_on: on, effective_on: on, amount_cents: cents };
}

function writeCredits(
  cast: Cast,
  row: AgreementRow,
  story: Story,
  credits: readonly Credit[],
  at: string,
): void {
  for (const { chargeId, paymentId, on, cents } of credits) {
    if (chargeId === story.charge.id)
      story.credits.push(creditRow(cast, row, story, at, { paymentId, on, cents, discount: 0 }));
  }
}

function creditRow(
  { setting }: Cast,
  row: AgreementRow,
  { charge }: Story,
  at: string,
  given: { paymentId: string | null; on: CivilDate; cents: Cents; discount: Cents },
): Row<'dunning_agreement_credits'> {
  return {
    organization_id: setting.organizationId,
    id: idAt(at, setting.random),
    agreement_id: row.id,
    charge_id: charge.id,
    payment_id: given.paymentId,
    credited_on: given.on,
    amount_cents: given.cents,
    discount_cents: given.discount,
  };
}

/** What the first payment of each agreement came after, once the messages are known. */
export function countSteps({ stories, payments }: Agreement): void {
  const [first] = payments;
  if (first === undefined) return;
  const steps = stories.map((story) => stepsUntil(story, first.paid_on));
  first.steps_before = Math.round(steps.reduce((sum, count) => sum + count, 0) / steps.length);
}
