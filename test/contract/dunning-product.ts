/** Records of dunning of every kind, for tests of what its surfaces show of them and to whom. */

import { newId } from '../../src/core/ids.ts';
import { createCharge, createContact, createDebtor } from '../support/dunning.ts';
import { cnpjOf } from '../support/records.ts';
import type { Who, World } from '../support/world.ts';

/** One record of each kind, all of one organization. */
export interface DunningRecords {
  readonly person: string;
  readonly contact: string;
  readonly charge: string;
  readonly paidCharge: string;
  readonly payment: string;
  readonly template: string;
  readonly rule: string;
  readonly step: string;
  readonly execution: string;
  readonly notification: string;
  readonly interaction: string;
  readonly promise: string;
  readonly campaign: string;
  readonly agreement: string;
  readonly installment: string;
  readonly dispute: string;
  readonly negativation: string;
  readonly protest: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly approval: string;
}

let organizations = 0;

/** Makes the records in the organization of this person, each through its tool where there is one. */
export async function createDunningRecords(
  world: World,
  who: Who,
  organizationId: string,
  name = `Devedora Sigilosa ${organizations + 1}`,
): Promise<DunningRecords> {
  organizations += 1;
  const call = (name: string, args: object) => world.call(`dunning_${name}`, args, who);
  await call('settings_update', {
    creditor: { legal_name: 'Credora Exemplo Ltda', document_number: cnpjOf(80_000 + organizations) },
  });
  const person = await createDebtor(world, {
    organizationId,
    name,
    email: null,
  });
  const contact = await createContact(world, person, 'email', 'financeiro@example.com', organizationId);
  const debtor = { person_id: person, organizationId };
  const [charge, paidCharge, disputed, promised, negotiated, reported, protested] = await inTurn(7, () =>
    createCharge(world, debtor),
  );
  const paid = await call('payments_create', {
    charge_id: paidCharge,
    amount: '100.00',
    paid_at: '2026-09-30',
    method: 'pix',
  });
  const template = await call('templates_create', {
    name: 'Aviso',
    channel: 'email',
    subject: 'Aviso',
    body: 'Sobre a sua conta.',
  });
  const rule = await call('collection_rules_create', { name: 'Régua sigilosa' });
  const withStep = await call('collection_rule_steps_create', {
    rule_id: rule['id'],
    offset_days: 60,
    day_kind: 'calendar',
    time: '09:00',
    action: 'message',
    channel: 'email',
    template_id: template['id'],
  });
  const step = withStep['step']?.id ?? withStep['id'];
  await call('collection_rules_update', { id: rule['id'], active: true });
  const interaction = await call('interactions_create', {
    person_id: person,
    charge_ids: [charge],
    kind: 'call',
    direction: 'outbound',
    outcome: 'no_answer',
    summary: 'Ninguém atendeu.',
  });
  const promise = await call('payment_promises_create', {
    charge_ids: [promised],
    amount: '100.00',
    promised_for: '2026-10-05',
  });
  const campaign = await call('discount_campaigns_create', {
    name: 'Campanha',
    starts_on: '2026-10-01',
    ends_on: '2026-10-31',
    conditions: { days_overdue_from: 1 },
    tiers: [{ installments_up_to: 1, discount_percent: '10', applies_to: 'principal' }],
  });
  const agreement = await call('agreements_create', {
    person_id: person,
    charge_ids: [negotiated],
    negotiated_total: '90.00',
    plan: { installments: 1, first_due_date: '2026-10-20' },
    valid_until: '2026-10-10',
  });
  const { items: installments } = await call('agreement_installments_list', {
    agreement_id: agreement['id'],
  });
  const dispute = await call('disputes_create', {
    charge_id: disputed,
    reason: 'quality',
    description: 'Veio quebrado.',
  });
  const negativation = await call('negativations_create', { charge_id: reported, bureau: 'serasa' });
  const protest = await call('protests_create', { charge_id: protested, title_kind: 'DSI' });
  const webhook = await call('webhooks_create', {
    url: 'https://hooks.example.com/kobana',
    events: ['charge.paid'],
    active: false,
  });
  const [execution, notification, delivery, approval] = [newId(), newId(), newId(), newId()];
  await world.look(
    `insert into dunning_step_executions (organization_id, id, charge_id, person_id, rule_id, step_id, cycle, action,
                                          channel, step_on, due_at, status)
     values ($1, $2, $3, $4, $5, $6, 1, 'message', 'email', '2026-10-31', '2026-10-31T12:00:00Z', 'scheduled')`,
    [organizationId, execution, charge, person, rule['id'], step],
  );
  await world.look(
    `insert into dunning_notifications (organization_id, id, person_id, charge_id, channel, template_id, template_version,
                                        trigger, scheduled_for, status, created_by)
     values ($1, $2, $3, $4, 'email', $5, 1, 'manual', '2026-10-01T12:00:00Z', 'failed', $1)`,
    [organizationId, notification, person, charge, template['id']],
  );
  await world.look(
    `insert into dunning_webhook_deliveries (organization_id, id, webhook_id, event, event_key, payload, status)
     values ($1, $2, $3, 'charge.paid', 'test', '{}', 'failed')`,
    [organizationId, delivery, webhook['webhook']?.id ?? webhook['id']],
  );
  await world.look(
    `insert into approvals (tenant_id, id, organization_id, product, operation, arguments, arguments_digest, reason,
                            question, requested_by, client_id, surface, requested_at, expires_at)
     select $1, $2, $1, 'dunning', 'dunning_charges_cancel', jsonb_build_object('id', $3::text), 'digest',
            'client_cannot_ask', 'Cancelar?', user_id, 'agent', 'mcp', '2026-10-01T12:00:00Z', '2026-10-02T12:00:00Z'
       from memberships where organization_id = $1 order by user_id limit 1`,
    [organizationId, approval, charge],
  );
  return {
    person,
    contact,
    charge: charge!,
    paidCharge: paidCharge!,
    payment: paid['payment'].id,
    template: template['id'],
    rule: rule['id'],
    step,
    execution,
    notification,
    interaction: interaction['interaction']?.id ?? interaction['id'],
    promise: promise['id'],
    campaign: campaign['id'],
    agreement: agreement['id'],
    installment: installments[0].id,
    dispute: dispute['id'],
    negativation: negativation['id'],
    protest: protest['id'],
    webhook: webhook['webhook']?.id ?? webhook['id'],
    delivery,
    approval,
  };
}

async function inTurn<Value>(count: number, make: () => Promise<Value>): Promise<Value[]> {
  const made: Value[] = [];
  for (let index = 0; index < count; index += 1) made.push(await make());
  return made;
}

/** What each resource template of dunning stands for, as a URI of these records. */
export function dunningUrisOf(records: DunningRecords): Readonly<Record<string, string>> {
  const base = 'kobana://dunning';
  return {
    [`${base}/people/{id}`]: `${base}/people/${records.person}`,
    [`${base}/people/{id}/statement-pdf`]: `${base}/people/${records.person}/statement-pdf`,
    [`${base}/charges/{id}`]: `${base}/charges/${records.charge}`,
    [`${base}/charges/{id}/settlement-pdf`]: `${base}/charges/${records.paidCharge}/settlement-pdf`,
    [`${base}/agreements/{id}`]: `${base}/agreements/${records.agreement}`,
    [`${base}/agreements/{id}/pdf`]: `${base}/agreements/${records.agreement}/pdf`,
    [`${base}/disputes/{id}`]: `${base}/disputes/${records.dispute}`,
    [`${base}/collection-rules/{id}`]: `${base}/collection-rules/${records.rule}`,
    [`${base}/collection-rules/{id}/steps`]: `${base}/collection-rules/${records.rule}/steps`,
    [`${base}/templates/{id}`]: `${base}/templates/${records.template}`,
  };
}
