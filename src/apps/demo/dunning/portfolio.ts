/** The portfolio of the sample organization: who owes what, and all that came of it. */

import { addDays } from '../../../core/dates.ts';
import { contactPolicyOf, defaultSettings } from '../../../dunning/settings/index.ts';
import { createRandom } from '../random.ts';
import { instantOn } from '../setting.ts';
import type { Example } from '../workspace.ts';
import { type Agreement, countSteps } from './agreement-money.ts';
import { tellAgreements } from './agreements.ts';
import { attribute } from './attribution.ts';
import { buildCampaigns } from './campaigns.ts';
import { fillUp, tellPlainStories } from './charges.ts';
import { openFrom } from './clock.ts';
import { buildCollection, buildSettings } from './collection.ts';
import { tellContests, tellTalks } from './contests.ts';
import { buildDebtors } from './debtors.ts';
import { runRules } from './engine.ts';
import { openLegal } from './legal.ts';
import { chooseLinked, type FinanceBooks, type Linked, tellLinked } from './linked.ts';
import type { PortfolioRows } from './load.ts';
import { contactFor, isTaken, type Outbox, openOutbox, schedule, send } from './messages.ts';
import { tellNegativations } from './negativations.ts';
import { sendProposal } from './notices.ts';
import { tellProtests } from './protests.ts';
import { atTime, bornIn, type DunningSetting, dayOf, msOf, type Row } from './setting.ts';
import { settle } from './settling.ts';
import { type Cast, defaultTerms } from './story.ts';

export interface Portfolio {
  readonly rows: PortfolioRows;
  readonly links: readonly Row<'dunning_receivable_links'>[];
  readonly examples: readonly Example[];
}

const SEED = 20_260_104;
const MANUAL_MESSAGES = 24;

/** The creditor of the sample, as its letters name it. */
const creditor = {
  name: 'Aurora Comércio de Alimentos Ltda',
  documentNumber: '11222333000181',
  address: 'Rua das Amoreiras, 120, Centro, São Paulo, SP',
  phone: '+551130000000',
  email: 'cobranca@aurora.example.com',
};

export function buildPortfolio(
  given: Pick<DunningSetting, 'organizationId' | 'now' | 'today' | 'users'>,
  books: FinanceBooks,
): Portfolio {
  const { interestFrom, allocationOrder } = defaultSettings;
  const setting: DunningSetting = {
    ...given,
    random: createRandom(SEED),
    policy: contactPolicyOf(defaultSettings, 1),
    creditor,
    ways: { interestFrom, allocationOrder },
  };
  const linked = chooseLinked(setting, books);
  const cast = castOf(setting, linked);
  const outbox = openOutbox();
  const legal = openLegal();
  const links = tellLinked(cast, linked, books.workspaceId);
  const campaigns = buildCampaigns(cast);
  const agreements = tellAgreements(cast, campaigns);
  const contests = tellContests(cast);
  const negativations = tellNegativations(cast, outbox, legal);
  const protests = tellProtests(cast, legal);
  tellPlainStories(cast);
  fillUp(cast);
  tellTalks(cast, contests);
  for (const agreement of agreements) sendProposal(setting, outbox, agreement);
  sendByHand(cast, outbox);
  const { executions, runs } = runRules(cast, outbox);
  const payments = [
    ...cast.stories.flatMap((story) => story.payments),
    ...agreements.flatMap((one) => one.payments),
  ];
  for (const agreement of agreements) countSteps(agreement);
  for (const story of cast.stories) settle(setting, story);
  attribute(cast, outbox, agreements, executions);
  const { stories, debtors, collection } = cast;
  const examples = examplesOf(cast, { agreements, negativations, disputes: contests.disputes });
  return {
    links,
    examples,
    rows: {
      dunning_settings: [buildSettings(setting, defaultTerms)],
      dunning_people: debtors.map(({ person }) => person),
      dunning_contacts: debtors.flatMap(({ contacts }) => contacts),
      dunning_templates: collection.templates.map(({ row }) => row),
      dunning_template_versions: collection.versions,
      dunning_collection_rules: collection.rules.map(({ row }) => row),
      dunning_rule_steps: collection.rules.flatMap(({ steps }) => steps),
      dunning_campaigns: [campaigns.ended, campaigns.active],
      dunning_agreements: agreements.map(({ row }) => row),
      dunning_charges: stories.map(({ charge }) => charge),
      dunning_holds: stories.flatMap(({ holds }) => holds),
      dunning_agreement_charges: agreements.flatMap(sharesOf),
      dunning_installments: agreements.flatMap(({ installments }) => installments),
      dunning_payments: payments,
      dunning_agreement_credits: stories.flatMap(({ credits }) => credits),
      dunning_step_executions: executions,
      dunning_daily_runs: runs,
      dunning_notifications: outbox.notifications,
      dunning_notification_trail: outbox.trail,
      dunning_contact_slots: outbox.slots,
      dunning_interactions: contests.interactions,
      dunning_promises: contests.promises,
      dunning_disputes: contests.disputes,
      dunning_dispute_comments: contests.comments,
      dunning_live_legal_actions: legal.live,
      dunning_negativations: negativations,
      dunning_protests: protests,
      dunning_legal_events: legal.events,
      dunning_legal_commands: legal.commands,
      dunning_webhooks: buildWebhooks(setting),
    },
  };
}

function castOf(setting: DunningSetting, linked: readonly Linked[]): Cast {
  const known = [...new Set(linked.map(({ debtor }) => debtor))];
  return {
    setting,
    debtors: buildDebtors(setting, known),
    collection: buildCollection(setting),
    stories: [],
  };
}

function sharesOf({ row, shares, isLive }: Agreement): Row<'dunning_agreement_charges'>[] {
  return shares.map(({ chargeId, principal, interest, fine, discount }) => ({
    organization_id: row.organization_id,
    agreement_id: row.id,
    charge_id: chargeId,
    principal_cents: principal,
    interest_cents: interest,
    fine_cents: fine,
    discount_cents: discount,
    is_live: isLive,
  }));
}

/** Second copies that people asked for, one that waits for tomorrow, one that was called off. */
function sendByHand({ setting, collection, stories }: Cast, outbox: Outbox): void {
  const { random, today, policy } = setting;
  const template = collection.template('second_copy_whatsapp');
  const late = stories.filter(
    ({ charge, debtor, rests }) =>
      charge.adjusted_due_date < addDays(today, -20) &&
      charge.status === 'pending' &&
      rests.length === 0 &&
      !debtor.person.deceased &&
      !debtor.person.do_not_contact &&
      contactFor(debtor, 'whatsapp').reason === null,
  );
  for (let number = 0; number < MANUAL_MESSAGES; number += 1) {
    const story = random.pick(late);
    const { debtor } = story;
    const wanted = msOf(instantOn(addDays(today, -random.integer(1, 18)), random));
    const at = openFrom(policy, debtor.person.state, 'whatsapp', wanted);
    if (dayOf(at) >= today || isTaken(outbox, debtor.person.id, at)) continue;
    send(setting, outbox, { debtor, stories: [story], channel: 'whatsapp', trigger: 'manual', at, template });
  }
  const waiting = late.filter(
    ({ debtor }) => !isTaken(outbox, debtor.person.id, msOf(atTime(addDays(today, -1), '12:00'))),
  );
  for (const [index, story] of waiting.slice(0, 4).entries()) {
    const { debtor } = story;
    const morning = msOf(atTime(addDays(today, 2), '10:00'));
    const at = openFrom(policy, debtor.person.state, 'whatsapp', morning);
    const createdAt = instantOn(addDays(today, -1), random);
    const row = schedule(
      setting,
      outbox,
      { debtor, stories: [story], channel: 'whatsapp', trigger: 'manual', at, template },
      createdAt,
    );
    if (index % 2 === 1) Object.assign(row, { status: 'canceled', status_reason: 'requested', version: 2 });
  }
}

function buildWebhooks(setting: DunningSetting): Row<'dunning_webhooks'>[] {
  const { random, today, users } = setting;
  return [
    [
      'https://hooks.example.com/aurora/pagamentos',
      ['payment.created', 'charge.paid'],
      'Baixas no sistema da loja',
    ],
    ['https://hooks.example.com/aurora/acordos', ['agreement.*'], 'Acordos no CRM'],
  ].map(([url, events, description]) => ({
    ...bornIn(setting, instantOn(addDays(today, -90), random), users.owner),
    url: url as string,
    events: events as string[],
    description: description as string,
    active: false,
    secret: `whsec_${Array.from({ length: 4 }, () => random.bits().toString(36).padStart(7, '0')).join('')}`,
    previous_secret: null,
    previous_until: null,
  }));
}

function examplesOf(
  { stories, collection }: Cast,
  made: {
    agreements: readonly Agreement[];
    negativations: readonly { id: string; status: string }[];
    disputes: readonly { id: string; status: string }[];
  },
): Example[] {
  const usable = stories.find(
    ({ charge, debtor, rests }) =>
      charge.status === 'overdue' &&
      charge.dunning_state === 'active' &&
      charge.legal_kind === null &&
      rests.length === 0 &&
      !debtor.person.deceased &&
      !debtor.person.do_not_contact &&
      debtor.person.address !== null &&
      debtor.person.document_number !== null &&
      contactFor(debtor, 'email').reason === null,
  )!;
  const paid = stories.find(
    ({ charge, payments }) =>
      charge.status === 'paid' && charge.archived_at === null && payments.length === 1,
  )!;
  const linked = stories.find(({ charge }) => charge.source === 'finance')!;
  const { agreements, negativations, disputes } = made;
  return [
    { name: 'dunning_person', kind: 'person', id: usable.debtor.person.id },
    { name: 'dunning_charge', kind: 'charge', id: usable.charge.id },
    { name: 'dunning_paid_charge', kind: 'charge', id: paid.charge.id },
    { name: 'dunning_linked_charge', kind: 'charge', id: linked.charge.id },
    {
      name: 'dunning_agreement',
      kind: 'agreement',
      id: agreements.find(({ row }) => row.status === 'active')!.row.id,
    },
    { name: 'dunning_dispute', kind: 'dispute', id: disputes.find(({ status }) => status === 'open')!.id },
    { name: 'dunning_rule', kind: 'collection_rule', id: collection.rule('people').row.id },
    { name: 'dunning_template', kind: 'template', id: collection.template('late_email').row.id },
    {
      name: 'dunning_negativation',
      kind: 'negativation',
      id: negativations.find(({ status }) => status === 'pending')!.id,
    },
  ];
}
