/** What happened to one charge, told in the order in which it happened, and the record it leaves. */

import { adjustedDueDateOf, type Terms } from '../../../core/accruals.ts';
import { addDays, type CivilDate } from '../../../core/dates.ts';
import { buildBoleto } from '../../../core/documents/boleto.ts';
import { buildStaticPixCode } from '../../../core/documents/pix.ts';
import type { Cents } from '../../../core/money.ts';
import { searchTextOf } from '../../../db/listing.ts';
import type { StoredTerms } from '../../../dunning/charges/index.ts';
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
  /** When its rule began for the first time. */
  ruleBegan: number | null;
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
  const amount =
    plan.amount ??
    random.integer(AMOUNT_MIN, isCompany && random.chance(30) ? COMPANY_AMOUNT_MAX : AMOUNT_MAX);
  const wanted = plan.createdOn ?? addDays(dueDate, -random.integer(12, 30));
  const createdAt = instantOn(wanted < today ? wanted : addDays(today, -random.integer(1, 6)), random);
  const terms = plan.terms === undefined ? termsFor(cast, dueDate) : plan.terms;
  const stored: StoredTerms | null = terms === null ? null : { ...terms, ...ways };
  const number = cast.stories.length + 1;
  const named = {
    description: isCompany
      ? `Fornecimento ${dueDate.slice(5, 7)}/${dueDate.slice(0, 4)}`
      : `Mensalidade ${dueDate.slice(5, 7)}/${dueDate.slice(0, 4)}`,
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
    ruleBegan: null,
    abatedAt: null,
    legal: null,
  };
  if (plan.hasRule !== false) assignRule(cast, story);
  cast.stories.push(story);
  return story;
}

function pickNamed(
  given: Partial<ChargeRow> = {},
): Partial<Pick<ChargeRow, 'description' | 'document_number' | 'external_id'>> {
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

function paymentOptions(
  { setting }: Cast,
  amount: Cents,
  dueDate: CivilDate,
  number: number,
): ChargeRow['payment_options'] {
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
function assignRule({ setting, collection }: Cast, story: Story): void {
  const { charge, debtor } = story;
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
  story.ruleBegan = startedAt;
  touch(charge, charge.rule_started_at);
}

/** Closed before there were rules: it never came under one. */
export function withoutRule({ charge }: Story): void {
  charge.collection_rule_id = null;
  charge.rule_started_at = null;
}

export const rulesSince = ({ today }: DunningSetting): CivilDate => addDays(today, -RULES_DAYS_AGO + 1);
