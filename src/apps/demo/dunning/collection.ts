/** Templates, the rules that send them, and what collection is held to. */

import { addDays } from '../../../core/dates.ts';
import { instantOn, laterThan } from '../setting.ts';
import { bornIn, type DunningSetting, type Row, touch } from './setting.ts';
import { type Wording, wordings } from './wording.ts';

export const RULES_DAYS_AGO = 60;
const TEMPLATES_DAYS_AGO = 200;
const MINUTE_MS = 60_000;
/** From this amount on a company is under the rule of high amounts. */
export const HIGH_AMOUNT = 500_000;

export interface Template {
  readonly row: Row<'dunning_templates'>;
  readonly wording: Wording;
}

export interface CollectionRule {
  readonly row: Row<'dunning_collection_rules'>;
  readonly steps: readonly Row<'dunning_rule_steps'>[];
  readonly kind: RuleKind;
}

type RuleKind = 'people' | 'companies' | 'high_amounts' | 'partners' | 'old';

type StepPlan = readonly [
  offset: number,
  time: string,
  action: 'message' | 'task' | 'suggest_negativation' | 'suggest_protest',
  channel: Template['wording']['channel'] | 'phone' | null,
  template?: string,
  dayKind?: 'business',
];

interface RulePlan {
  readonly kind: RuleKind;
  readonly name: string;
  readonly description: string;
  readonly conditions: object;
  readonly steps: readonly StepPlan[];
}

const plans: readonly RulePlan[] = [
  {
    kind: 'people',
    name: 'Régua padrão',
    description: 'Lembrete, avisos e conversa; sugere o registro depois de 45 dias.',
    conditions: {},
    steps: [
      [-3, '09:00', 'message', 'email', 'reminder_email'],
      [0, '10:00', 'message', 'whatsapp', 'due_today_whatsapp'],
      [2, '10:30', 'message', 'sms', 'late_sms'],
      [5, '09:30', 'message', 'email', 'late_email'],
      [10, '11:00', 'message', 'whatsapp', 'talk_whatsapp'],
      [20, '14:00', 'task', 'phone'],
      [30, '09:30', 'message', 'email', 'offer_email'],
      [45, '09:30', 'suggest_negativation', null],
      [60, '10:00', 'message', 'letter', 'statement_letter'],
    ],
  },
  {
    kind: 'companies',
    name: 'Régua de empresas',
    description: 'Contas a pagar de empresas, em dias úteis.',
    conditions: { person_kind: 'legal' },
    steps: [
      [-3, '09:00', 'message', 'email', 'reminder_email', 'business'],
      [2, '09:30', 'message', 'email', 'company_email', 'business'],
      [7, '10:00', 'message', 'whatsapp', 'talk_whatsapp', 'business'],
      [15, '14:00', 'task', 'phone'],
      [30, '09:30', 'suggest_protest', null],
      [40, '10:00', 'message', 'letter', 'statement_letter'],
    ],
  },
  {
    kind: 'high_amounts',
    name: 'Valores altos',
    description: 'Empresas que devem muito: telefone desde o começo.',
    conditions: { person_kind: 'legal', amount_min_cents: HIGH_AMOUNT },
    steps: [
      [-5, '09:00', 'message', 'email', 'reminder_email'],
      [1, '09:30', 'task', 'phone', undefined, 'business'],
      [3, '09:00', 'message', 'email', 'company_email', 'business'],
      [10, '10:00', 'message', 'email', 'offer_email'],
      [20, '09:30', 'suggest_protest', null],
    ],
  },
  {
    kind: 'partners',
    name: 'Parceiros',
    description: 'Poucas mensagens, em tom de conversa.',
    conditions: { tags: ['parceiro'] },
    steps: [
      [5, '10:00', 'message', 'email', 'partner_email'],
      [15, '15:00', 'task', 'phone'],
    ],
  },
  {
    kind: 'old',
    name: 'Régua antiga',
    description: 'Fora de uso.',
    conditions: {},
    steps: [
      [1, '09:00', 'message', 'sms', 'thanks_sms'],
      [15, '09:00', 'message', 'email', 'late_email'],
    ],
  },
];

export interface Collection {
  readonly templates: readonly Template[];
  readonly versions: readonly Row<'dunning_template_versions'>[];
  readonly rules: readonly CollectionRule[];
  template(key: string): Template;
  rule(kind: RuleKind): CollectionRule;
}

export function buildCollection(setting: DunningSetting): Collection {
  const made = wordings.map((wording, place) => buildTemplate(setting, wording, place));
  const templates = made.map(({ template }) => template);
  const template = (key: string) => templates.find(({ wording }) => wording.key === key)!;
  const rules = plans.map((plan) => buildRule(setting, plan, template));
  return {
    templates,
    versions: made.flatMap(({ versions }) => versions),
    rules,
    template,
    rule: (kind) => rules.find((one) => one.kind === kind)!,
  };
}

function buildTemplate(setting: DunningSetting, wording: Wording, place: number) {
  const { organizationId, random, today, users } = setting;
  const createdAt = laterThan(instantOn(addDays(today, -TEMPLATES_DAYS_AGO), random), place);
  const { name, channel, language = 'pt-BR', body, before } = wording;
  const subject = wording.subject ?? null;
  const row = {
    ...bornIn(setting, createdAt, users.owner),
    name,
    channel,
    language,
    subject,
    body,
    text_version: before === undefined ? 1 : 2,
    active: wording.isInactive !== true,
    archived_at: null,
  };
  const texts = before === undefined ? [body] : [before, body];
  const versions = texts.map((text, index) => ({
    organization_id: organizationId,
    template_id: row.id,
    text_version: index + 1,
    subject,
    body: text,
    created_by: users.owner,
    created_at: laterThan(createdAt, index * 86_400_000),
  }));
  for (const version of versions.slice(1)) touch(row, version.created_at);
  if (!row.active) touch(row, laterThan(createdAt, 5 * 86_400_000));
  return { template: { row, wording }, versions };
}

function buildRule(
  setting: DunningSetting,
  plan: RulePlan,
  templateOf: (key: string) => Template,
): CollectionRule {
  const { random, today, users } = setting;
  const createdAt = instantOn(addDays(today, -RULES_DAYS_AGO - 2), random);
  const isOld = plan.kind === 'old';
  const row = {
    ...bornIn(setting, createdAt, users.owner),
    name: plan.name,
    description: plan.description,
    conditions: plan.conditions,
    is_default: plan.kind === 'people',
    active: !isOld,
    archived_at: isOld ? instantOn(addDays(today, -RULES_DAYS_AGO), random) : null,
  };
  // Switched on, or put away, after its steps were there.
  touch(row, row.archived_at ?? laterThan(createdAt, 60 * MINUTE_MS));
  const steps = plan.steps.map(([offset, time, action, channel, template, dayKind], index) => ({
    ...bornIn(setting, laterThan(createdAt, (index + 1) * MINUTE_MS), users.owner),
    rule_id: row.id,
    position: 0,
    offset_days: offset,
    day_kind: dayKind ?? 'calendar',
    time_of_day: time,
    action,
    channel,
    template_id: template === undefined ? null : templateOf(template).row.id,
    conditions: {},
    active: true,
    deleted_at: null,
  }));
  return { row, steps, kind: plan.kind };
}

/** Who the debts are owed to and the terms of new charges; all else is as the house has it. */
export function buildSettings(setting: DunningSetting, defaultTerms: object): Row<'dunning_settings'> {
  const { creditor, organizationId, random, today, users } = setting;
  return {
    organization_id: organizationId,
    creditor: {
      legalName: creditor.name,
      documentNumber: creditor.documentNumber,
      address: creditor.address,
      phone: creditor.phone,
      email: creditor.email,
    },
    default_terms: defaultTerms,
    payment_allocation: 'interest_fine_principal',
    interest_from: 'original',
    contact_windows: {},
    is_email_in_windows: true,
    daily_cap_per_person: 1,
    agreement_default_after_days: 15,
    promise_grace_business_days: 1,
    legal: {},
    notification_preferences: { senderName: 'Aurora Comércio' },
    policy_version: 1,
    updated_by: users.owner,
    updated_at: instantOn(addDays(today, -TEMPLATES_DAYS_AGO - 1), random),
    version: 2,
  };
}
