/** What happened to one charge, told in the order in which it happened, and the record it leaves. */

import { adjustedDueDateOf, effectivePaymentDay, type Terms } from '../../../core/accruals.ts';
import { addBusinessDays } from '../../../core/calendar.ts';
import { addDays, type CivilDate, daysBetween } from '../../../core/dates.ts';
import { buildBoleto } from '../../../core/documents/boleto.ts';
import { buildStaticPixCode } from '../../../core/documents/pix.ts';
import type { Cents } from '../../../core/money.ts';
import type { Amounts } from '../../../core/terms.ts';
import { searchTextOf } from '../../../db/listing.ts';
import {
  dunningStateOf,
  type Entry,
  owedOn,
  type PaymentMethod,
  recoveredOf,
  replayOf,
  type StoredTerms,
} from '../../../dunning/charges/index.ts';
import { instantOn } from '../setting.ts';
import { type Collection, HIGH_AMOUNT, RULES_DAYS_AGO } from './collection.ts';
import type { Debtor } from './debtors.ts';
import { atTime, bornIn, type Draft, type DunningSetting, isoOf, msOf, type Row, touch } from './setting.ts';

export type ChargeRow = Draft<'dunning_charges'>;
export type PaymentRow = Draft<'dunning_payments'>;

/** Why the rule of a charge says nothing for a while; the words are those of the gate. */
export interface Rest {
  readonly from: number;
  readonly to: number;
  readonly code: 'paid' | 'canceled' | 'in_agreement' | 'disputed' | 'promise' | 'paused';
}

export interface Story {
  readonly debtor: Debtor;
  readonly charge: ChargeRow;
  readonly rests: Rest[];
  readonly payments: PaymentRow[];
  readonly credits: Row<'dunning_agreement_credits'>[];
  readonly holds: Row<'dunning_holds'>[];
  readonly executions: Draft<'dunning_step_executions'>[];
  /** When something was taken off it. */
  abatedAt: number | null;
  /** While a legal action lives on it. */
  legal: { readonly from: number; to: number } | null;
}

/** All that the parts of the sample share while it is made. */
export interface Cast {
  readonly setting: DunningSetting;
  readonly debtors: readonly Debtor[];
  readonly collection: Collection;
  readonly stories: Story[];
}

/** For charges that say nothing of their own: 2 % and 1 % a month, as consumers may be charged. */
export const defaultTerms: Terms = {
  discounts: [],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
  graceDays: 0,
};

const AMOUNT_MIN = 8_000;
const AMOUNT_MAX = 95_000;
const COMPANY_AMOUNT_MAX = 900_000;
const PIX_KEY = 'cobranca@aurora.example.com';

export interface NewStory {
  readonly debtor: Debtor;
  readonly dueDate: CivilDate;
  readonly amount?: Cents;
  readonly terms?: Terms | null;
  readonly hasRule?: boolean;
  readonly titleKind?: string;
  readonly createdOn?: CivilDate;
  readonly given?: Partial<ChargeRow>;
}

/** A charge as it is registered, assigned to a rule when there is one for it. */
export function beginStory(cast: Cast, plan: NewStory): Story {
  const { setting } = cast;
  const { random, today, ways } = setting;
  const { debtor, dueDate } = plan;
  const isCompany = debtor.person.kind === 'legal';
  const amount = plan.amount ?? random.integer(AMOUNT_MIN, isCompany && random.chance(30) ? COMPANY_AMOUNT_MAX : AMOUNT_MAX);
  const wanted = plan.createdOn ?? addDays(dueDate, -random.integer(12, 30));
  const createdAt = instantOn(wanted < today ? wanted : addDays(today, -random.integer(1, 6)), random);
  const terms = plan.terms === undefined ? termsFor(cast, dueDate) : plan.terms;
  const stored: StoredTerms | null = terms === null ? null : { ...terms, ...ways };
  const number = cast.stories.length + 1;
  const named = {
    description: isCompany ? `Fornecimento ${dueDate.slice(5, 7)}/${dueDate.slice(0, 4)}` : `Mensalidade ${dueDate.slice(5, 7)}/${dueDate.slice(0, 4)}`,
    document_number: `NF-${String(20_000 + number)}`,
    external_id: `COB-${String(number).padStart(6, '0')}`,
    ...pickNamed(plan.given),
  };
  const charge: ChargeRow = {
    ...bornIn(setting, createdAt),
    person_id: debtor.person.id,
    amount_cents: amount,
    abatement_cents: 0,
    open_cents: amount,
    ledger: null,
    due_date: dueDate,
    adjusted_due_date: adjustedDueDateOf(dueDate),
    ...named,
    title_kind: plan.titleKind ?? (isCompany ? 'DMI' : 'DSI'),
    terms: stored,
    payment_options: paymentOptions(cast, amount, dueDate, number),
    status: 'pending',
    paid_on: null,
    canceled_reason: null,
    collection_rule_id: null,
    rule_started_at: null,
    rule_cycle: 1,
    dunning_state: 'none',
    paused_reason: null,
    agreement_id: null,
    legal_kind: null,
    is_disputed: false,
    archived_at: null,
    source: 'api',
    finance_workspace_id: null,
    finance_receivable_id: null,
    tags: random.chance(12) ? [random.pick(['assinatura', 'loja', 'projeto'])] : [],
    search_text: searchTextOf(named.description, named.document_number, named.external_id),
    ...plan.given,
  };
  const story: Story = {
    debtor,
    charge,
    rests: [],
    payments: [],
    credits: [],
    holds: [],
    executions: [],
    abatedAt: null,
    legal: null,
  };
  if (plan.hasRule !== false) assignRule(cast, story);
  cast.stories.push(story);
  return story;
}

function pickNamed(given: Partial<ChargeRow> = {}): Partial<Pick<ChargeRow, 'description' | 'document_number' | 'external_id'>> {
  const { description, document_number, external_id } = given;
  return {
    ...(description !== undefined && { description }),
    ...(document_number !== undefined && { document_number }),
    ...(external_id !== undefined && { external_id }),
  };
}

function termsFor({ setting: { random } }: Cast, dueDate: CivilDate): Terms | null {
  if (random.chance(10)) return null;
  if (!random.chance(12)) return defaultTerms;
  const until = addDays(dueDate, -5);
  return { ...defaultTerms, discounts: [{ kind: 'percent', percent: 50_000, until }] };
}

function paymentOptions({ setting }: Cast, amount: Cents, dueDate: CivilDate, number: number): ChargeRow['payment_options'] {
  const none = { barcode: null, typed_line: null, pix_code: null, link: null };
  const link = `https://pay.example.com/c/${number}`;
  if (number % 3 === 0) return { ...none, link };
  const pix_code = buildStaticPixCode({
    key: PIX_KEY,
    keyType: 'email',
    merchant: 'AURORA COMERCIO',
    city: 'SAO PAULO',
    amountCents: amount,
    txid: `COB${number}`,
  });
  if (number % 3 === 1) return { ...none, pix_code, link };
  const { barcode, typedLine } = buildBoleto({
    bankCode: '341',
    dueDate,
    amountCents: amount,
    freeField: setting.random.digits(25),
  });
  return { barcode, typed_line: typedLine, pix_code, link };
}

/** Rules came into use some months ago; what was registered before came under one then, if it was still open. */
function assignRule({ setting, collection }: Cast, { charge, debtor }: Story): void {
  const { person } = debtor;
  const kind = person.tags.includes('parceiro')
    ? 'partners'
    : person.kind === 'natural'
      ? 'people'
      : charge.amount_cents >= HIGH_AMOUNT
        ? 'high_amounts'
        : 'companies';
  const since = msOf(atTime(addDays(setting.today, -RULES_DAYS_AGO + 1), '09:00'));
  const startedAt = Math.max(since, msOf(charge.created_at) + 120_000);
  charge.collection_rule_id = collection.rule(kind).row.id;
  charge.rule_started_at = isoOf(startedAt);
  touch(charge, charge.rule_started_at);
}

/** Closed before there were rules: it never came under one. */
export function withoutRule({ charge }: Story): void {
  charge.collection_rule_id = null;
  charge.rule_started_at = null;
}

export const rulesSince = ({ today }: DunningSetting): CivilDate => addDays(today, -RULES_DAYS_AGO + 1);

/** Entries in the order of the replay. */
export function entriesOf({ payments, credits }: Story): Entry[] {
  const counted = payments.filter(({ status, kind }) => status === 'confirmed' && kind !== 'duplicate');
  const own = counted.map(({ id, paid_on, effective_on, amount_cents }) => ({
    id,
    entry: { payment_id: id, paid_on, effective_on, amount_cents, discount_cents: 0 },
  }));
  const credited = credits.map(({ id, credited_on, amount_cents, discount_cents }) => ({
    id,
    entry: { payment_id: null, paid_on: credited_on, effective_on: credited_on, amount_cents, discount_cents },
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
  if (paying.kind === 'duplicate') Object.assign(payment, { kind: 'duplicate', needs_refund: true, excess_cents: amount });
  story.payments.push(payment);
  return payment;
}

export function paymentRow(
  setting: DunningSetting,
  personId: string,
  { paidOn, method, amount, effectiveOn, at, externalId, source }: Paying & { amount: Cents; effectiveOn: CivilDate },
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

/** Holds the rule from now on: the row of the hold, and the rest. */
export function hold(
  setting: DunningSetting,
  story: Story,
  given: { reason: 'manual' | 'dispute' | 'promise' | 'agreement'; sourceId: string; at: string; until?: string; note?: string },
): void {
  const codes = { manual: 'paused', dispute: 'disputed', promise: 'promise', agreement: 'in_agreement' } as const;
  const { reason, sourceId, at, until = null, note = null } = given;
  story.holds.push({
    organization_id: setting.organizationId,
    charge_id: story.charge.id,
    reason,
    source_id: sourceId,
    until,
    note,
    created_by: setting.users.collector,
    created_at: at,
  });
  story.rests.push({ from: msOf(at), to: Number.POSITIVE_INFINITY, code: codes[reason] });
  touch(story.charge, at);
}

/** Lets the rule go on from an instant: the hold was lifted then. */
export function release(story: Story, sourceId: string, at: string): void {
  const index = story.holds.findIndex(({ source_id }) => source_id === sourceId);
  story.holds.splice(index, 1);
  const open = story.rests.findLastIndex(({ to, code }) => to === Number.POSITIVE_INFINITY && code !== 'paid' && code !== 'canceled');
  story.rests[open] = { ...story.rests[open]!, to: msOf(at) };
  if (story.charge.collection_rule_id !== null) {
    const before = msOf(story.charge.rule_started_at!);
    story.charge.rule_started_at = isoOf(Math.max(before, msOf(at)));
  }
  touch(story.charge, at);
}

/** The record as all that happened leaves it, each payment with how it is used. */
export function settle(setting: DunningSetting, story: Story): void {
  const { charge } = story;
  const { today, ways } = setting;
  const entries = entriesOf(story);
  const replay = replayOf(charge, entries, ways);
  const firstPaid = entries.find(({ payment_id }) => payment_id !== null);
  for (const [index, entry] of entries.entries()) {
    if (entry.payment_id === null) continue;
    const payment = story.payments.find(({ id }) => id === entry.payment_id)!;
    const parts = replay.allocations[index]!;
    const recovered = recoveredOf(parts, entry.effective_on, charge.adjusted_due_date);
    Object.assign(payment, {
      principal_cents: parts.principal,
      discount_cents: parts.discount,
      interest_cents: parts.interest,
      fine_cents: parts.fine,
      excess_cents: parts.excess,
      kind: parts.excess > 0 ? 'excess' : 'regular',
      needs_refund: parts.excess > 0,
      steps_before: entry === firstPaid ? stepsUntil(story, entry.paid_on) : null,
      recovered_cents: recovered,
      days_overdue: recovered === null ? null : daysBetween(charge.due_date, entry.paid_on),
    });
  }
  if (charge.status !== 'canceled') {
    charge.open_cents = replay.amounts.openPrincipal;
    charge.ledger = replay.ledger;
    const isSettled = replay.isSettled && charge.status !== 'in_agreement';
    if (isSettled) charge.status = 'paid';
    else if (charge.status !== 'in_agreement') charge.status = charge.adjusted_due_date < today ? 'overdue' : 'pending';
    charge.paid_on = isSettled ? entries.map(({ paid_on }) => paid_on).sort().at(-1)! : null;
  }
  const reasons = story.holds.map(({ reason }) => reason);
  Object.assign(charge, dunningStateOf({ ...charge, dunning_state: 'active' }, reasons));
  for (const { created_at, updated_at } of story.payments) touch(charge, updated_at > created_at ? updated_at : created_at);
}

/** Messages of the rule that had gone out by a day. */
export function stepsUntil({ executions }: Story, until: CivilDate): number {
  const end = msOf(atTime(addDays(until, 1), '00:00'));
  return executions.filter(
    ({ status, action, done_at }) => status === 'done' && action === 'message' && msOf(done_at!) < end,
  ).length;
}
