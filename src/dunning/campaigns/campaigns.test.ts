import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCharge, createDebtor, runDunningJob } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';

const CREATE = 'dunning_discount_campaigns_create';
const UPDATE = 'dunning_discount_campaigns_update';
const END = 'dunning_discount_campaigns_end';
const GET = 'dunning_discount_campaigns_get';
const LIST = 'dunning_discount_campaigns_list';
const PREVIEW = 'dunning_discount_campaigns_preview';
const CHARGES = 'dunning_discount_campaign_charges_list';
const PROPOSE = 'dunning_agreements_create';
const ACCEPT = 'dunning_agreements_accept';
const TODAY = '2026-10-01T12:00:00Z';

let world: World;
/** Makes the charges of a test its own. */
let tags = 0;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
});
afterEach(() => world.setNow(TODAY));
afterAll(() => world.close());

const terms = {
  discounts: [],
  fine: { kind: 'percent', percent: 20_000 },
  interest: { kind: 'percent_per_month', percent: 10_000, days: 'calendar' },
  graceDays: 0,
};

/** Two overdue charges of one debtor with fine and interest, under a tag of their own. */
async function portfolio() {
  tags += 1;
  const tag = `lote-${tags}`;
  const person_id = await createDebtor(world);
  const owe = (fields: object = {}) => createCharge(world, { person_id, terms, tags: [tag], ...fields });
  // 30 days: fine 2.00, interest 1.00. 61 days: fine 4.00, interest 4.07.
  const recent = await owe({ due_date: '2026-09-01' });
  const old = await owe({ due_date: '2026-08-01', amount_cents: 20_000 });
  return { tag, person_id, recent, old, owe };
}

const create = (tag: string, fields: object = {}) =>
  world.call(CREATE, {
    name: 'Outubro',
    starts_on: '2026-10-01',
    ends_on: '2026-10-31',
    conditions: { tags: [tag] },
    tiers: [
      { installments_up_to: 1, discount_percent: '100', applies_to: 'charges' },
      { installments_up_to: 1, discount_percent: '10', applies_to: 'principal' },
      { installments_up_to: 3, discount_percent: '50', applies_to: 'charges' },
    ],
    ...fields,
  });

const propose = (person_id: string, charge_ids: string[], fields: object) =>
  world.call(PROPOSE, {
    person_id,
    charge_ids,
    plan: { installments: 1, first_due_date: '2026-10-20' },
    valid_until: '2026-10-10',
    ...fields,
  });

describe('a campaign', () => {
  test('runs by its dates, whatever is stored, and the daily job records it', async () => {
    const { tag } = await portfolio();
    const { id } = await create(tag, { starts_on: '2026-10-05', ends_on: '2026-10-06' });
    expect(await world.call(GET, { id })).toMatchObject({ status: 'scheduled', version: 1 });
    world.setNow('2026-10-05T12:00:00Z');
    expect(await world.call(GET, { id })).toMatchObject({ status: 'active', version: 1 });
    const active = await world.call(LIST, { status: 'active' });
    expect(active['items'].map((one: any) => one.id)).toContain(id);
    const turn = () => runDunningJob(world, {} as DunningGateways, 'dunning_campaigns_turn');
    expect(await turn()).toBe(undefined);
    expect(await world.call(GET, { id })).toMatchObject({ status: 'active', version: 2 });
    expect(await turn()).toBe(undefined);
    expect(await world.call(GET, { id })).toMatchObject({ version: 2 });
    world.setNow('2026-10-07T12:00:00Z');
    expect(await world.call(GET, { id })).toMatchObject({ status: 'ended', ended_at: null });
    await expect(world.call(END, { id, reason: 'x' })).rejects.toMatchObject({ code: 'invalid_state' });
    const [event] = await world.look<{ body: string }>(
      `select body from events where operation = 'dunning_campaigns_turn' order by position desc limit 1`,
    );
    expect(JSON.parse(event!.body).changes[0]).toMatchObject({
      kind: 'campaign',
      before: { status: 'scheduled' },
      after: { status: 'active' },
    });
  });

  test('previews whom it reaches and what it costs at most, to the centavo', async () => {
    const { tag, owe, old, recent, person_id } = await portfolio();
    const disputed = await owe();
    await world.look('update dunning_charges set is_disputed = true where id = $1', [disputed]);
    await owe({ due_date: '2026-10-20', status: 'pending' });
    await owe({ status: 'pending', amount_cents: 1 });
    const conditions = { tags: [tag], amount_min: '0.02' };
    const tiers = [
      { installments_up_to: 1, discount_percent: '100', applies_to: 'charges' },
      { installments_up_to: 1, discount_percent: '33.3333', applies_to: 'principal' },
      { installments_up_to: 6, discount_percent: '50', applies_to: 'charges' },
    ];
    expect(await world.call(PREVIEW, { conditions, tiers })).toEqual({
      charges: 2,
      people: 1,
      principal: '300.00',
      fine_and_interest: '11.07',
      options: [
        { installments_up_to: 1, discount: '111.07', left: '200.00' },
        { installments_up_to: 6, discount: '5.54', left: '305.53' },
      ],
      largest: [
        expect.objectContaining({
          charge_id: old,
          open_principal: '200.00',
          person: { id: person_id, name: expect.any(String) },
        }),
        expect.objectContaining({ charge_id: recent, open_principal: '100.00' }),
      ],
      currency: 'BRL',
    });
    const narrow = { conditions: { ...conditions, days_overdue_from: 31, days_overdue_to: 61 }, tiers };
    expect(await world.call(PREVIEW, narrow)).toMatchObject({ charges: 1, principal: '200.00' });
    const wide = { conditions: { ...conditions, days_overdue_from: 0 }, tiers };
    expect(await world.call(PREVIEW, wide)).toMatchObject({ charges: 3, principal: '400.00' });
    expect(await world.call(PREVIEW, { conditions, tiers }, 'stranger')).toMatchObject({
      charges: 0,
      options: [{}, {}],
    });
  });

  test('the question says whom it reaches and what it may cost', async () => {
    const { tag } = await portfolio();
    const { message } = await world.ask(CREATE, {
      name: 'Feirão "total"',
      starts_on: '2026-10-01',
      ends_on: '2026-10-31',
      conditions: { tags: [tag], days_overdue_to: 365, amount_min: '50.00', amount_max: '900.00' },
      tiers: [{ installments_up_to: 1, discount_percent: '2.5', applies_to: 'principal' }],
    });
    expect(message).toContain('Dias de atraso: de 1 a 365');
    expect(message).toContain('Principal a partir de: R$ 50,00');
    expect(message).toContain('Principal até: R$ 900,00');
    expect(message).toContain(`Com uma das etiquetas: "${tag}"`);
    expect(message).toContain('2 cobranças de 1 devedor, principal de R$ 300,00');
    expect(message).toContain('até 2,5% do principal, em até 1 parcela');
    expect(message).toContain('R$ 7,50');
    expect(message).toContain('"Feirão \\"total\\""');
  });

  const refused: [string, object, string][] = [
    ['a first day that is over', { starts_on: '2026-09-30' }, 'starts_on'],
    ['a last day before the first', { ends_on: '2026-09-30' }, 'ends_on'],
    ['more than two years', { ends_on: '2029-10-01' }, 'ends_on'],
    [
      'days turned round',
      { conditions: { days_overdue_from: 9, days_overdue_to: 8 } },
      'conditions.days_overdue_to',
    ],
    [
      'amounts turned round',
      { conditions: { amount_min: '2.00', amount_max: '1.00' } },
      'conditions.amount_max',
    ],
    [
      'two tiers of one case',
      {
        tiers: [
          { installments_up_to: 1, discount_percent: '10', applies_to: 'charges' },
          { installments_up_to: 1, discount_percent: '20', applies_to: 'charges' },
        ],
      },
      'tiers',
    ],
    [
      'more than all',
      { tiers: [{ installments_up_to: 1, discount_percent: '100.0001', applies_to: 'charges' }] },
      'tiers.0.discount_percent',
    ],
    ['no discount', { tiers: [] }, 'tiers'],
  ];
  test.each(refused)('refuses %s', async (_what, fields, path) => {
    await expect(create('x', fields)).rejects.toMatchObject({ code: 'invalid_argument', details: { path } });
  });

  test('only gets shorter; its discount never changes', async () => {
    const { id } = await create('x');
    const update = (fields: object) => world.call(UPDATE, { id, ...fields });
    expect(await update({ ends_on: '2026-10-20', notes: 'menos' })).toMatchObject({
      ends_on: '2026-10-20',
      version: 2,
    });
    expect(await update({ ends_on: '2026-10-20', notes: 'menos' })).toMatchObject({ version: 2 });
    await expect(update({ ends_on: '2026-10-21' })).rejects.toMatchObject({ details: { path: 'ends_on' } });
    await expect(update({ ends_on: '2026-09-30' })).rejects.toMatchObject({ details: { path: 'ends_on' } });
    await expect(update({ tiers: [] })).rejects.toMatchObject({ details: { path: 'tiers' } });
    const ended = await world.call(END, { id, reason: 'meta batida' });
    expect(ended).toMatchObject({
      status: 'ended',
      ended_reason: 'meta batida',
      ended_at: '2026-10-01T12:00:00Z',
    });
    await expect(update({ ends_on: '2026-10-19' })).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(world.call(END, { id, reason: 'x' })).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('lists its charges, due first, page by page', async () => {
    const { tag, recent, old } = await portfolio();
    const { id } = await create(tag);
    const first = await world.call(CHARGES, { campaign_id: id, limit: 1 });
    expect(first['items']).toMatchObject([{ id: old, amount_due: '208.07' }]);
    const rest = await world.call(CHARGES, { campaign_id: id, limit: 1, cursor: first['next_cursor'] });
    expect(rest).toMatchObject({ items: [{ id: recent, amount_due: '103.00' }], next_cursor: null });
  });
});

describe('an agreement of a campaign', () => {
  test('has at most the discount of its number of installments', async () => {
    const { tag, person_id, recent, old } = await portfolio();
    const { id: campaign_id } = await create(tag);
    const both = [recent, old];
    // 311.07 due; in one: 11.07 of fine and interest, 30.00 of the principal.
    await expect(propose(person_id, both, { campaign_id, negotiated_total: '269.99' })).rejects.toMatchObject(
      {
        code: 'discount_not_allowed',
        details: { allowed: '41.07' },
      },
    );
    const made = await propose(person_id, both, { campaign_id, negotiated_total: '270.00' });
    expect(made).toMatchObject({ discount: '41.07', campaign_id });
    const shares = Object.fromEntries(made['charges'].map((one: any) => [one.charge_id, one.discount]));
    expect(shares).toEqual({ [recent]: '13.00', [old]: '28.07' });
    const plan = { installments: 3, first_due_date: '2026-10-20' };
    await expect(
      propose(person_id, both, { campaign_id, negotiated_total: '305.52', plan }),
    ).rejects.toMatchObject({
      details: { allowed: '5.54' },
    });
    await expect(
      propose(person_id, both, {
        campaign_id,
        negotiated_total: '311.06',
        plan: { ...plan, installments: 4 },
      }),
    ).rejects.toMatchObject({ details: { allowed: '0.00' } });
    const options = await world.call('dunning_agreements_simulate', {
      charge_ids: both,
      installments: 4,
      first_due_date: '2026-10-20',
      campaign_id,
    });
    expect(options['options'].map((one: any) => one.discount)).toEqual(['41.07', '5.54', '5.54', '0.00']);
  });

  test('is for the charges it reaches, while it runs', async () => {
    const { tag, person_id, recent, owe } = await portfolio();
    const { id: campaign_id } = await create(tag);
    const other = await owe({ tags: ['outra'] });
    const total = { campaign_id, negotiated_total: '200.00' };
    await expect(propose(person_id, [recent, other], total)).rejects.toMatchObject({
      code: 'discount_not_allowed',
      details: { allowed: '0.00', not_in_campaign: [other] },
    });
    const long = {
      campaign_id,
      negotiated_total: '100.00',
      valid_until: '2026-11-01',
      plan: { installments: 1, first_due_date: '2026-11-20' },
    };
    await expect(propose(person_id, [recent], long)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { path: 'valid_until' },
    });
    const later = await create(tag, { starts_on: '2026-10-02' });
    await expect(
      propose(person_id, [recent], { campaign_id: later['id'], negotiated_total: '100.00' }),
    ).rejects.toMatchObject({ code: 'invalid_state', details: { from: 'scheduled' } });
  });

  test('keeps its terms once accepted or sent; a proposal only written goes with the campaign', async () => {
    const { tag, person_id, recent, old, owe } = await portfolio();
    const { id: campaign_id } = await create(tag);
    const third = await owe();
    const accepted = await propose(person_id, [recent], { campaign_id, negotiated_total: '100.00' });
    const written = await propose(person_id, [old], { campaign_id, negotiated_total: '200.00' });
    const sent = await propose(person_id, [third], { campaign_id, negotiated_total: '100.00' });
    await world.look(`update dunning_agreements set sent_at = now() where id = $1`, [sent['id']]);
    await world.call(ACCEPT, { id: accepted['id'], accepted_by: 'Ana' });
    const { message } = await world.ask(END, { id: campaign_id, reason: 'fim' });
    expect(message).toContain('2; só as já enviadas ao devedor ainda podem ser aceitas');
    expect(message).toContain('Motivo: "fim"');
    await world.call(END, { id: campaign_id, reason: 'fim' });
    await expect(world.call(ACCEPT, { id: written['id'], accepted_by: 'Ana' })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { kind: 'campaign', from: 'ended' },
    });
    await world.call(ACCEPT, { id: sent['id'], accepted_by: 'Ana' });
    expect(await world.call(GET, { id: campaign_id })).toMatchObject({
      results: {
        proposed: 1,
        live: 2,
        completed: 0,
        broken: 0,
        refused: 0,
        original_total: '206.00',
        discount_total: '6.00',
        paid_total: '0.00',
      },
    });
  });
});

test('of another organization no campaign is found', async () => {
  const { id } = await create('x');
  await expect(world.call(GET, { id }, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
  await expect(world.call(UPDATE, { id, name: 'x' }, 'stranger')).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(world.call(END, { id, reason: 'x' }, 'stranger')).rejects.toMatchObject({ code: 'not_found' });
  await expect(world.call(CHARGES, { campaign_id: id }, 'stranger')).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await world.call(LIST, {}, 'stranger')).toMatchObject({ items: [] });
});
