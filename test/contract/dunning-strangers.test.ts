/** What a person of another organization gets for the ids of records that are not theirs: nothing, in the same words. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import type { Operation } from '../../src/core/operation.ts';
import { dunning } from '../../src/dunning/index.ts';
import { openWorld, type World } from '../support/world.ts';
import { createDunningRecords, type DunningRecords } from './dunning-product.ts';

let world: World;
let home: DunningRecords;
let abroad: DunningRecords;
let before: string;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  home = await createDunningRecords(world, 'owner', world.organizationId);
  const { organization } = await world.caller('stranger');
  abroad = await createDunningRecords(world, 'stranger', organization.id);
  before = await everythingAtHome();
});
afterAll(() => world.close());

type Arguments = (records: DunningRecords) => object;

const reason = 'Engano';
const months = { months: 3 };
const money = { amount: '10.00' };

/** A good call of each tool that takes an id, on one's own records. */
const calls: Readonly<Record<string, Arguments>> = {
  people_get: ({ person }) => ({ id: person }),
  people_update: ({ person }) => ({ id: person, tags: ['x'] }),
  people_archive: ({ person }) => ({ id: person }),
  people_bulk_archive: ({ person }) => ({ ids: [person] }),
  people_anonymize: ({ person }) => ({ id: person, legal_basis: 'Pedido do titular' }),
  people_statement_pdf: ({ person }) => ({ id: person }),
  person_contacts_list: ({ person }) => ({ person_id: person }),
  person_contacts_create: ({ person }) => ({ person_id: person, channel: 'email', value: 'a@example.com' }),
  person_contacts_update: ({ contact }) => ({ id: contact, label: 'x' }),
  person_contacts_delete: ({ contact }) => ({ id: contact }),
  charges_list: ({ person, rule }) => ({ person_id: person, rule_id: rule }),
  charges_get: ({ charge }) => ({ id: charge }),
  charges_create: ({ person }) => ({
    person_id: person,
    ...money,
    due_date: '2026-10-20',
    description: 'Conta',
  }),
  charges_update: ({ charge }) => ({ id: charge, description: 'x' }),
  charges_archive: ({ paidCharge }) => ({ id: paidCharge }),
  charges_cancel: ({ charge }) => ({ id: charge, reason }),
  charges_bulk_create: ({ person }) => ({
    charges: [{ person_id: person, ...money, due_date: '2026-10-20', description: 'Conta' }],
  }),
  charges_bulk_update: ({ charge }) => ({ ids: [charge], set: { tags: ['x'] } }),
  charges_bulk_cancel: ({ charge }) => ({ ids: [charge], reason }),
  charges_bulk_archive: ({ paidCharge }) => ({ ids: [paidCharge] }),
  charges_bulk_assign_rule: ({ charge, rule }) => ({ ids: [charge], rule_id: rule }),
  charges_notify: ({ charge, template, contact }) => ({
    id: charge,
    channel: 'email',
    template_id: template,
    contact_id: contact,
  }),
  charges_pause: ({ charge }) => ({ id: charge, reason }),
  charges_resume: ({ charge }) => ({ id: charge }),
  charges_balance: ({ charge }) => ({ id: charge }),
  charges_payment_options: ({ charge }) => ({ id: charge }),
  charges_timeline: ({ charge }) => ({ id: charge }),
  charges_settlement_pdf: ({ paidCharge }) => ({ id: paidCharge }),
  payments_list: ({ charge, agreement, person }) => ({
    charge_id: charge,
    agreement_id: agreement,
    person_id: person,
  }),
  payments_get: ({ payment }) => ({ id: payment }),
  payments_create: ({ charge }) => ({ charge_id: charge, ...money, paid_at: '2026-10-01', method: 'pix' }),
  payments_reverse: ({ payment }) => ({ id: payment, reason }),
  templates_get: ({ template }) => ({ id: template }),
  templates_update: ({ template }) => ({ id: template, name: 'x' }),
  templates_archive: ({ template }) => ({ id: template }),
  templates_preview: ({ template, charge }) => ({ id: template, charge_id: charge }),
  notifications_list: ({ person, charge, agreement }) => ({
    person_id: person,
    charge_id: charge,
    agreement_id: agreement,
  }),
  notifications_get: ({ notification }) => ({ id: notification }),
  notifications_create: ({ person, charge, template, contact }) => ({
    person_id: person,
    charge_ids: [charge],
    channel: 'email',
    template_id: template,
    contact_id: contact,
  }),
  notifications_resend: ({ notification, contact }) => ({ id: notification, contact_id: contact }),
  notifications_cancel: ({ notification }) => ({ id: notification }),
  collection_rules_get: ({ rule }) => ({ id: rule }),
  collection_rules_update: ({ rule }) => ({ id: rule, name: 'x' }),
  collection_rules_archive: ({ rule }) => ({ id: rule }),
  collection_rules_duplicate: ({ rule }) => ({ id: rule, name: 'x' }),
  collection_rules_simulate: ({ rule, charge }) => ({ id: rule, charge_id: charge }),
  collection_rule_steps_list: ({ rule }) => ({ rule_id: rule }),
  collection_rule_steps_create: ({ rule, template }) => ({
    rule_id: rule,
    template_id: template,
    offset_days: 90,
    day_kind: 'calendar',
    time: '09:00',
    action: 'message',
    channel: 'email',
  }),
  collection_rule_steps_update: ({ step, template }) => ({ id: step, template_id: template }),
  collection_rule_steps_delete: ({ step }) => ({ id: step }),
  collection_rule_steps_reorder: ({ rule, step }) => ({ rule_id: rule, ids: [step] }),
  step_executions_list: ({ charge, rule }) => ({ charge_id: charge, rule_id: rule }),
  step_executions_skip: ({ execution }) => ({ id: execution, reason }),
  interactions_list: ({ person, charge }) => ({ person_id: person, charge_id: charge }),
  interactions_get: ({ interaction }) => ({ id: interaction }),
  interactions_create: ({ person, charge }) => ({
    person_id: person,
    charge_ids: [charge],
    kind: 'note',
    direction: 'internal',
    outcome: 'other',
    summary: 'x',
  }),
  interactions_update: ({ interaction, charge }) => ({ id: interaction, charge_ids: [charge] }),
  interactions_delete: ({ interaction }) => ({ id: interaction }),
  payment_promises_list: ({ person }) => ({ person_id: person }),
  payment_promises_get: ({ promise }) => ({ id: promise }),
  payment_promises_create: ({ charge }) => ({ charge_ids: [charge], ...money, promised_for: '2026-10-05' }),
  payment_promises_update: ({ promise }) => ({ id: promise, ...money }),
  payment_promises_cancel: ({ promise }) => ({ id: promise, reason }),
  discount_campaigns_get: ({ campaign }) => ({ id: campaign }),
  discount_campaigns_update: ({ campaign }) => ({ id: campaign, name: 'x' }),
  discount_campaigns_end: ({ campaign }) => ({ id: campaign, reason }),
  discount_campaign_charges_list: ({ campaign }) => ({ campaign_id: campaign }),
  agreements_list: ({ person, charge, campaign }) => ({
    person_id: person,
    charge_id: charge,
    campaign_id: campaign,
  }),
  agreements_get: ({ agreement }) => ({ id: agreement }),
  agreements_simulate: ({ charge, campaign }) => ({
    charge_ids: [charge],
    campaign_id: campaign,
    installments: 1,
    first_due_date: '2026-10-20',
  }),
  agreements_create: ({ person, charge, campaign }) => ({
    person_id: person,
    charge_ids: [charge],
    campaign_id: campaign,
    negotiated_total: '100.00',
    plan: { installments: 1, first_due_date: '2026-10-20' },
    valid_until: '2026-10-10',
  }),
  agreements_update: ({ agreement, charge, campaign }) => ({
    id: agreement,
    charge_ids: [charge],
    campaign_id: campaign,
    negotiated_total: '100.00',
    plan: { installments: 1, first_due_date: '2026-10-20' },
  }),
  agreements_send: ({ agreement, contact }) => ({ id: agreement, channel: 'email', contact_id: contact }),
  agreements_accept: ({ agreement }) => ({ id: agreement, accepted_by: 'x' }),
  agreements_reject: ({ agreement }) => ({ id: agreement, by: 'debtor', reason }),
  agreements_cancel: ({ agreement }) => ({ id: agreement, reason }),
  agreements_pdf: ({ agreement }) => ({ id: agreement }),
  agreement_installments_list: ({ agreement }) => ({ agreement_id: agreement }),
  disputes_list: ({ person, charge }) => ({ person_id: person, charge_id: charge }),
  disputes_get: ({ dispute }) => ({ id: dispute }),
  disputes_create: ({ charge }) => ({ charge_id: charge, reason: 'quality', description: 'x' }),
  disputes_update: ({ dispute }) => ({ id: dispute, status: 'dismissed', resolution: 'x' }),
  dispute_comments_list: ({ dispute }) => ({ dispute_id: dispute }),
  dispute_comments_create: ({ dispute }) => ({ dispute_id: dispute, body: 'x' }),
  negativations_list: ({ person, charge }) => ({ person_id: person, charge_id: charge }),
  negativations_get: ({ negativation }) => ({ id: negativation }),
  negativations_check: ({ charge }) => ({ charge_id: charge }),
  negativations_create: ({ charge }) => ({ charge_id: charge, bureau: 'serasa' }),
  negativations_update: ({ negativation }) => ({ id: negativation, status: 'approved', note: 'x' }),
  negativations_cancel: ({ negativation }) => ({ id: negativation, reason }),
  negativation_events_list: ({ negativation }) => ({ negativation_id: negativation }),
  protests_list: ({ person, charge }) => ({ person_id: person, charge_id: charge }),
  protests_get: ({ protest }) => ({ id: protest }),
  protests_check: ({ charge }) => ({ charge_id: charge, title_kind: 'DSI' }),
  protests_create: ({ charge }) => ({ charge_id: charge, title_kind: 'DSI' }),
  protests_update: ({ protest }) => ({ id: protest, status: 'approved', note: 'x' }),
  protests_cancel: ({ protest }) => ({ id: protest, reason }),
  protests_consent_pdf: ({ protest }) => ({ id: protest }),
  protest_events_list: ({ protest }) => ({ protest_id: protest }),
  webhooks_get: ({ webhook }) => ({ id: webhook }),
  webhooks_update: ({ webhook }) => ({ id: webhook, active: false }),
  webhooks_delete: ({ webhook }) => ({ id: webhook }),
  webhooks_test: ({ webhook }) => ({ id: webhook }),
  webhooks_rotate_secret: ({ webhook }) => ({ id: webhook }),
  webhook_deliveries_list: ({ webhook }) => ({ webhook_id: webhook }),
  webhook_deliveries_get: ({ delivery }) => ({ id: delivery }),
  webhook_deliveries_retry: ({ delivery }) => ({ id: delivery }),
  metrics_recovery: ({ person }) => ({ ...months, person_id: person }),
  metrics_overview: ({ person }) => ({ person_id: person }),
  metrics_rules: ({ rule }) => ({ ...months, rule_id: rule }),
  events_list: ({ charge }) => ({ resource: 'charge', id: charge }),
};

/** Other ways of the same tools, with ids of other kinds. */
const others: readonly (readonly [string, Arguments])[] = [
  ['payments_create', ({ installment }) => ({ installment_id: installment, ...money, paid_at: '2026-10-01', method: 'pix' })],
  ['charges_bulk_update', ({ person }) => ({ filter: { person_id: person }, set: { tags: ['x'] } })],
  ['charges_bulk_cancel', ({ person }) => ({ filter: { person_id: person }, reason })],
  ['charges_bulk_archive', ({ person }) => ({ filter: { person_id: person } })],
  ['charges_bulk_assign_rule', ({ person, rule }) => ({ filter: { person_id: person }, rule_id: rule })],
  ['events_list', ({ agreement }) => ({ resource: 'agreement', id: agreement })],
];

/** Each id in the arguments alone, with what stands around it. */
function* idsIn(value: any, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  if (typeof value === 'string' && /^[0-9a-f]{8}-/.test(value)) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* idsIn(inner, [...path, key]);
}

function withId(args: object, [key, ...rest]: readonly (string | number)[], id: string): any {
  const copy: any = Array.isArray(args) ? [...args] : { ...args };
  copy[key!] = rest.length === 0 ? id : withId(copy[key!], rest, id);
  return copy;
}

const valueAt = (args: any, path: readonly (string | number)[]) => path.reduce((at, key) => at[key], args);

/** All that a person can see of a call: what it answers, what it asks, what it refuses. */
async function seen(name: string, args: object, id: string): Promise<string> {
  const shown = (what: object) => JSON.stringify(what).replaceAll(id, 'ID');
  try {
    const outcome = await world.send(name, args, {}, 'stranger');
    if (outcome.kind === 'done') return shown(outcome.output);
    const { message, state } = outcome.question;
    return shown({ message, output: await world.confirm(name, args, state, 'stranger') });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return shown({ code: error.code, message: error.message, details: error.details ?? null });
  }
}

async function everythingAtHome(): Promise<string> {
  const tables = await world.look<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_name like 'dunning_%' and column_name = 'organization_id' order by 1`,
  );
  const rows: object[] = [];
  for (const { name } of tables) {
    rows.push(
      await world.look(`select md5(string_agg(t::text, '' order by t::text)) from ${name} t where organization_id = $1`, [
        world.organizationId,
      ]),
    );
  }
  return JSON.stringify(rows);
}

const operations = [...dunning.catalogue.byName.values()];

const takesIds = (operation: Operation): boolean =>
  /"(?:id|ids|[a-z]+_ids?)":/.test(
    JSON.stringify(z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }).properties ?? {})
      .replace(/"(?:external_id|end_to_end_id|idempotency_key)":/g, ''),
  );

/** Not there, none of them, or none that fits the record it was named with. */
const nothing =
  /"not_found"|"items":\[\]|"rules":\[\]|"requested":0|"contact_missing"|charges of this debtor|every step of one day/;

describe('SE-19: ids of another organization', () => {
  it('are tried with every tool that takes one', () => {
    const expected = operations.filter(takesIds).map(({ name }) => name.replace('dunning_', ''));
    expect(Object.keys(calls).sort()).toEqual(expected.sort());
  });

  it.each([...Object.entries(calls), ...others])('%s', async (tool, argumentsOf) => {
    const name = `dunning_${tool}`;
    const own = argumentsOf(abroad);
    const foreign = argumentsOf(home);
    for (const path of idsIn(own)) {
      const stolen = valueAt(foreign, path);
      const missing = newId();
      const answer = await seen(name, withId(own, path, stolen), stolen);
      expect(answer, path.join('.')).toBe(await seen(name, withId(own, path, missing), missing));
      expect(answer, path.join('.')).toMatch(nothing);
    }
  });

  it('change nothing there', async () => {
    expect(await everythingAtHome()).toBe(before);
  });
});
