/** Agreements of every status, reckoned as proposals, payments and endings reckon them. */

import { adjustedDueDateOf } from '../../../core/accruals.ts';
import { addDays, type CivilDate } from '../../../core/dates.ts';
import { percentOf } from '../../../core/money.ts';
import { dueOf, installmentsOfPlan, partsOf, spreadDiscount } from '../../../dunning/agreements/index.ts';
import { idAt, instantOn, laterThan } from '../setting.ts';
import {
  type Agreement,
  type AgreementRow,
  change,
  endEarly,
  type InstallmentRow,
  payInstallment,
} from './agreement-money.ts';
import type { Campaigns } from './campaigns.ts';
import { lateDay } from './charges.ts';
import { hold } from './holding.ts';
import { amountsOn } from './paying.ts';
import { atTime, bornIn, type Row } from './setting.ts';
import { beginStory, type Cast } from './story.ts';

type Fate =
  | 'proposed'
  | 'accepted'
  | 'active'
  | 'late'
  | 'completed'
  | 'rejected'
  | 'expired'
  | 'canceled'
  | 'broken';

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

export function tellAgreements(cast: Cast, campaigns: Campaigns): Agreement[] {
  const made: Agreement[] = [];
  let place = 0;
  for (const [fate, count, from, to] of plans) {
    for (let number = 0; number < count; number += 1, place += 1) {
      made.push(
        tellAgreement(cast, campaigns, {
          fate,
          place,
          number,
          daysAgo: cast.setting.random.integer(from, to),
        }),
      );
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
  const willing = debtors.filter(({ person }) => !person.deceased && !person.do_not_contact);
  const debtor = willing[(place * 5 + 3) % willing.length]!;
  const stories = Array.from({ length: 1 + (place % 3) }, (_, index) =>
    beginStory(cast, {
      debtor,
      dueDate: lateDay(setting, daysAgo + 12 + index * 30, daysAgo + 35 + index * 30),
    }),
  );
  const parts = stories.map((story) => partsOf(story.charge.id, amountsOn(setting, story, asOf)));
  const original = parts.reduce((sum, one) => sum + dueOf(one), 0);
  const campaign = campaignOf(campaigns, asOf, place);
  // As much as the campaigns of the sample give off fine and interest.
  const share = campaign !== null ? 500_000 : place % 2 === 0 ? 300_000 : 0;
  const discount = parts.reduce((sum, { interest, fine }) => sum + percentOf(interest + fine, share), 0);
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

function campaignOf(
  { active, ended }: Campaigns,
  asOf: CivilDate,
  place: number,
): Row<'dunning_campaigns'> | null {
  if (place % 2 === 1) return null;
  return [active, ended].find(({ starts_on, ends_on }) => asOf >= starts_on && asOf <= ends_on) ?? null;
}

function scheduleOf({ setting }: Cast, row: AgreementRow, fate: Fate): InstallmentRow[] {
  const total = row.negotiated_total_cents;
  const hasDown = fate === 'accepted' || fate === 'active';
  const count = fate === 'completed' ? 2 : fate === 'active' ? 5 : 3;
  const plan = {
    installments: count,
    first_due_date: addDays(
      row.valid_until,
      fate === 'completed' || fate === 'broken' || fate === 'late' ? 4 : 12,
    ),
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
      endProposal(agreement, atTime(addDays(row.valid_until, 1), '00:02'), {
        status: 'expired',
        ended_by: 'time',
      });
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
        if (addDays(installment.due_date, 1) < today)
          payInstallment(cast, agreement, installment, installment.due_date);
      }
  }
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
