/** Agreements of every status, reckoned as proposals, payments and endings reckon them. */

import { adjustedDueDateOf } from '../../../core/accruals.ts';
import { addDays, type CivilDate, daysBetween } from '../../../core/dates.ts';
import { type Cents, percentOf } from '../../../core/money.ts';
import {
  type Credit,
  creditsOf,
  creditsOfCompletion,
  type Debt,
  dueOf,
  installmentsOfPlan,
  partsOf,
  type Share,
  spreadDiscount,
} from '../../../dunning/agreements/index.ts';
import { type Entry, owedOn, recoveredOf } from '../../../dunning/charges/index.ts';
import { idAt, instantOn, laterThan } from '../setting.ts';
import { lateDay } from './charges.ts';
import { atTime, bornIn, type Draft, type Row, touch } from './setting.ts';
import {
  amountsOn,
  beginStory,
  type Cast,
  entriesOf,
  hold,
  type PaymentRow,
  paymentRow,
  release,
  type Story,
  stepsUntil,
} from './story.ts';

type AgreementRow = Draft<'dunning_agreements'>;
type InstallmentRow = Draft<'dunning_installments'>;

export interface Agreement {
  readonly row: AgreementRow;
  readonly stories: readonly Story[];
  readonly shares: readonly Share[];
  readonly installments: readonly InstallmentRow[];
  readonly payments: PaymentRow[];
  isLive: boolean;
}

type Fate = 'proposed' | 'accepted' | 'active' | 'late' | 'completed' | 'rejected' | 'expired' | 'canceled' | 'broken';

/** How many of each, and how many days ago the proposal was made. */
const plans: readonly (readonly [fate: Fate, count: number, from: number, to: number])[] = [
  ['proposed', 5, 1, 4],
  ['accepted', 3, 3, 4],
  ['active', 12, 20, 100],
  ['late', 3, 48, 52],
  ['completed', 8, 85, 150],
  ['rejected', 3, 20, 90],
  ['expired', 4, 25, 110],
  ['canceled', 3, 60, 100],
  ['broken', 6, 100, 150],
];

const VALID_DAYS = 6;
const DEFAULT_AFTER_DAYS = 15;

export interface Campaigns {
  readonly active: Row<'dunning_campaigns'>;
  readonly ended: Row<'dunning_campaigns'>;
}

export function tellAgreements(cast: Cast, campaigns: Campaigns): Agreement[] {
  const made: Agreement[] = [];
  let place = 0;
  for (const [fate, count, from, to] of plans) {
    for (let number = 0; number < count; number += 1, place += 1) {
      made.push(tellAgreement(cast, campaigns, { fate, place, number, daysAgo: cast.setting.random.integer(from, to) }));
    }
  }
  return made;
}

function tellAgreement(
  cast: Cast,
  campaigns: Campaigns,
  plan: { fate: Fate; place: number; number: number; daysAgo: number },
): Agreement {
  const { setting, debtors } = cast;
  const { random, today } = setting;
  const { fate, place, daysAgo } = plan;
  const asOf = addDays(today, -daysAgo);
  const debtor = debtors[(place * 5 + 3) % debtors.length]!;
  const stories = Array.from({ length: 1 + (place % 3) }, (_, index) =>
    beginStory(cast, { debtor, dueDate: lateDay(setting, daysAgo + 12 + index * 30, daysAgo + 35 + index * 30) }),
  );
  const parts = stories.map((story) => partsOf(story.charge.id, amountsOn(setting, story, asOf)));
  const original = parts.reduce((sum, one) => sum + dueOf(one), 0);
  const accessories = parts.reduce((sum, { interest, fine }) => sum + interest + fine, 0);
  const campaign = campaignOf(campaigns, asOf, place);
  // The campaigns of the sample give half of fine and interest and a tenth of the principal.
  const discount = campaign === null ? (place % 2 === 0 ? percentOf(accessories, 300_000) : 0) : percentOf(accessories, 500_000);
  const shares = spreadDiscount(discount, parts);
  const validUntil = addDays(asOf, VALID_DAYS);
  const createdAt = instantOn(asOf, random);
  const row: AgreementRow = {
    ...bornIn(setting, createdAt),
    person_id: debtor.person.id,
    status: 'proposed',
    as_of: asOf,
    original_total_cents: original,
    discount_cents: discount,
    negotiated_total_cents: original - discount,
    valid_until: validUntil,
    default_after_days: DEFAULT_AFTER_DAYS,
    campaign_id: campaign?.id ?? null,
    notes: place % 7 === 0 ? 'Combinado por telefone' : null,
    sent_at: null,
    accepted_at: null,
    accepted_by: null,
    evidence: null,
    ended_at: null,
    ended_by: null,
    ended_reason: null,
  };
  const installments = scheduleOf(cast, row, fate);
  const agreement: Agreement = { row, stories, shares, installments, payments: [], isLive: false };
  tellFate(cast, agreement, plan);
  return agreement;
}

function campaignOf({ active, ended }: Campaigns, asOf: CivilDate, place: number): Row<'dunning_campaigns'> | null {
  if (place % 2 === 1) return null;
  return [active, ended].find(({ starts_on, ends_on }) => asOf >= starts_on && asOf <= ends_on) ?? null;
}

function scheduleOf({ setting }: Cast, row: AgreementRow, fate: Fate): InstallmentRow[] {
  const total = row.negotiated_total_cents;
  const hasDown = fate === 'accepted' || fate === 'active';
  const count = fate === 'completed' ? 2 : fate === 'active' ? 5 : 3;
  const plan = {
    installments: count,
    first_due_date: addDays(row.valid_until, fate === 'completed' || fate === 'broken' || fate === 'late' ? 4 : 12),
    ...(hasDown && { down_payment: percentOf(total, 200_000) }),
  };
  return installmentsOfPlan(plan, total, row.valid_until).map(({ dueDate, amount }, index) => ({
    organization_id: setting.organizationId,
    id: idAt(row.created_at, setting.random),
    agreement_id: row.id,
    number: index + 1,
    due_date: dueDate,
    adjusted_due_date: adjustedDueDateOf(dueDate),
    amount_cents: amount,
    paid_cents: 0,
    paid_on: null,
    status: 'open',
  }));
}

function tellFate(cast: Cast, agreement: Agreement, { fate, number }: { fate: Fate; number: number }): void {
  const { setting } = cast;
  const { random, today } = setting;
  const { row } = agreement;
  const isSent = fate !== 'proposed' || number % 2 === 0;
  if (isSent) change(row, laterThan(row.created_at, 600_000), (at) => ({ sent_at: at }));
  switch (fate) {
    case 'proposed':
      return;
    case 'rejected':
      endProposal(agreement, instantOn(addDays(row.as_of, 2), random), {
        status: 'rejected',
        ended_by: 'debtor',
        ended_reason: 'Prefere pagar à vista no próximo mês',
      });
      return;
    case 'expired':
      endProposal(agreement, atTime(addDays(row.valid_until, 1), '00:02'), { status: 'expired', ended_by: 'time' });
      return;
    default:
  }
  accept(cast, agreement, fate === 'accepted' ? 1 : 2);
  const [first, second] = agreement.installments;
  switch (fate) {
    case 'accepted':
      return;
    case 'late':
      payInstallment(cast, agreement, first!, first!.due_date);
      return;
    case 'broken':
      payInstallment(cast, agreement, first!, first!.due_date);
      endEarly(cast, agreement, atTime(addDays(second!.adjusted_due_date, DEFAULT_AFTER_DAYS + 1), '00:02'), {
        status: 'broken',
        ended_by: 'time',
      });
      return;
    case 'canceled':
      endEarly(cast, agreement, instantOn(addDays(row.as_of, 8), random), {
        status: 'canceled',
        ended_by: 'creditor',
        ended_reason: 'Novo acordo será proposto',
      });
      return;
    default:
      for (const installment of agreement.installments) {
        if (addDays(installment.due_date, 1) < today) payInstallment(cast, agreement, installment, installment.due_date);
      }
  }
}

function change(row: AgreementRow, at: string, to: (at: string) => Partial<AgreementRow>): void {
  Object.assign(row, to(at));
  touch(row, at);
}

function endProposal(agreement: Agreement, at: string, end: Partial<AgreementRow>): void {
  for (const installment of agreement.installments) installment.status = 'canceled';
  change(agreement.row, at, () => ({ ...end, ended_at: at }));
}

function accept({ setting }: Cast, agreement: Agreement, daysLater: number): void {
  const { row, stories, installments } = agreement;
  const at = instantOn(addDays(row.as_of, daysLater), setting.random);
  const waits = installments[0]!.due_date === row.valid_until;
  change(row, at, () => ({
    status: waits ? 'accepted' : 'active',
    accepted_at: at,
    accepted_by: 'Devedor, por telefone',
    evidence: `Gravação ${setting.random.digits(8)}`,
  }));
  agreement.isLive = true;
  for (const story of stories) {
    hold(setting, story, { reason: 'agreement', sourceId: row.id, at });
    story.charge.status = 'in_agreement';
    story.charge.agreement_id = row.id;
  }
}

function payInstallment(cast: Cast, agreement: Agreement, installment: InstallmentRow, paidOn: CivilDate): void {
  const { setting } = cast;
  const { row, stories, payments, installments } = agreement;
  const amount = installment.amount_cents;
  const payment = paymentRow(setting, row.person_id, { paidOn, method: 'pix', amount, effectiveOn: paidOn });
  const dueFirst = stories.map(({ charge }) => charge.due_date).sort()[0]!;
  const adjustedFirst = stories.map(({ charge }) => charge.adjusted_due_date).sort()[0]!;
  const lateAfter = installment.adjusted_due_date < adjustedFirst ? installment.adjusted_due_date : adjustedFirst;
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
    if (discount > 0) story.credits.push(creditRow(cast, row, story, at, { paymentId: null, on: lastDay, cents: 0, discount }));
    release(story, row.id, at);
    story.charge.status = 'overdue';
    story.rests.push({ from: Date.parse(at), to: Number.POSITIVE_INFINITY, code: 'paid' });
  }
}

/** What was paid is credited to the charges, without any discount, and they are collected again. */
function endEarly(cast: Cast, agreement: Agreement, at: string, end: Partial<AgreementRow>): void {
  const { row, stories, payments, installments } = agreement;
  const { setting } = cast;
  const debts = stories.map((story): Debt => {
    const { charge } = story;
    const entries = entriesOf(story);
    return {
      chargeId: charge.id,
      dueDate: charge.due_date,
      dueOn: (on, credits) =>
        owedOn({ ...charge, status: 'overdue' }, [...entries, ...credits.map(entryOf)], on, setting.ways).amountDue,
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

function writeCredits(cast: Cast, row: AgreementRow, story: Story, credits: readonly Credit[], at: string): void {
  for (const { chargeId, paymentId, on, cents } of credits) {
    if (chargeId === story.charge.id) story.credits.push(creditRow(cast, row, story, at, { paymentId, on, cents, discount: 0 }));
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

export function buildCampaigns({ setting }: Cast): Campaigns {
  const { random, today, users } = setting;
  const build = (name: string, from: number, to: number, given: Partial<Row<'dunning_campaigns'>>) => {
    const startsOn = addDays(today, from);
    return {
      ...bornIn(setting, instantOn(addDays(startsOn, -2), random), users.owner),
      name,
      notes: 'Negociações por telefone e WhatsApp',
      starts_on: startsOn,
      ends_on: addDays(today, to),
      conditions: { days_overdue_from: 1, days_overdue_to: null, amount_min_cents: 5_000, amount_max_cents: null, tags: [] },
      tiers: [
        { installments_up_to: 12, discount_percent: 500_000, applies_to: 'charges' },
        { installments_up_to: 1, discount_percent: 100_000, applies_to: 'principal' },
      ],
      status: 'active',
      ended_at: null,
      ended_reason: null,
      ...given,
    };
  };
  return {
    active: build('Feirão do trimestre', -45, 30, {}),
    ended: build('Recomeço', -160, -70, { status: 'ended' }),
  };
}

