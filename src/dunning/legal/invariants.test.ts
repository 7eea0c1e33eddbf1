/** Sequences of everything that people, offices and days do, on the real database: MODEL §14, invariants 13, 14, 17, 18. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runDunningJob, runDunningQueue } from '../../../test/support/dunning.ts';
import { cnpjEnding, type LegalWorld, openLegalWorld } from '../../../test/support/legal.ts';
import type { Who, World } from '../../../test/support/world.ts';
import { addDays } from '../../core/dates.ts';
import { AppError } from '../../core/errors.ts';
import { moves as negativationMoves } from '../negativations/rules.ts';
import { moves as protestMoves } from '../protests/rules.ts';

/** A step is dozens of statements, and most of a run are steps. */
const RUNS = 12;
const STEPS_MAX = 9;
const TIMEOUT_MS = 120_000;

let legal: LegalWorld;
let world: World;

beforeAll(async () => {
  legal = await openLegalWorld();
  world = legal.world;
});
afterAll(() => world.close());

type Step =
  | { kind: 'report' | 'protest'; who: Who }
  | { kind: 'decide'; who: Who; status: 'approved' | 'rejected' }
  | { kind: 'cancel' | 'pay' | 'reverse' | 'dispute' | 'withdraw_dispute' | 'pause' | 'resume' | 'worker' }
  | { kind: 'days'; days: number };

const who = fc.constantFrom<Who>('owner', 'colleague', 'collector');
const simple = fc
  .constantFrom(
    'cancel' as const,
    'pay' as const,
    'reverse' as const,
    'dispute' as const,
    'withdraw_dispute' as const,
    'pause' as const,
    'resume' as const,
    'worker' as const,
  )
  .map((kind): Step => ({ kind }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('report' as const, 'protest' as const), who }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      who,
      status: fc.constantFrom('approved' as const, 'approved' as const, 'rejected' as const),
    }),
  },
  { weight: 4, arbitrary: simple },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 12 }) }),
  },
);

/** Runs the step; a refusal with a known code is an answer like any other. */
async function take(chargeId: string, given: Step): Promise<void> {
  try {
    await act(chargeId, given);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).not.toBe('internal');
  }
}

async function act(chargeId: string, given: Step): Promise<void> {
  const today = world.now().toISOString().slice(0, 10);
  const charge_id = chargeId;
  switch (given.kind) {
    case 'report':
      await world.call('dunning_negativations_create', { charge_id, bureau: 'serasa' }, given.who);
      return;
    case 'protest':
      await world.call('dunning_protests_create', { charge_id, title_kind: 'DSI' }, given.who);
      return;
    case 'decide':
    case 'cancel': {
      const action = await newestActionOf(chargeId);
      if (action === null) return;
      const verb = given.kind === 'decide' ? 'update' : 'cancel';
      const args = given.kind === 'decide' ? { status: given.status, note: 'x' } : { reason: 'x' };
      await world.call(
        `dunning_${action.kind}s_${verb}`,
        { id: action.id, ...args },
        given.kind === 'decide' ? given.who : 'owner',
      );
      return;
    }
    case 'pay':
      await world.call('dunning_payments_create', {
        charge_id,
        amount: '100.00',
        paid_at: today,
        method: 'pix',
      });
      return;
    case 'reverse': {
      const { items } = await world.call('dunning_payments_list', { charge_id });
      const payment = items.find(({ status }: any) => status === 'confirmed');
      if (payment) await world.call('dunning_payments_reverse', { id: payment.id, reason: 'x' });
      return;
    }
    case 'dispute':
      await world.call('dunning_disputes_create', { charge_id, reason: 'quality', description: 'x' });
      return;
    case 'withdraw_dispute': {
      const { items } = await world.call('dunning_disputes_list', { charge_id });
      const open = items.find(({ status }: any) => status === 'open');
      if (open) await world.call('dunning_disputes_update', { id: open.id, status: 'withdrawn' });
      return;
    }
    case 'pause':
      await world.call('dunning_charges_pause', { id: charge_id, reason: 'x' });
      return;
    case 'resume':
      await world.call('dunning_charges_resume', { id: charge_id });
      return;
    case 'worker':
      await runDunningQueue(world, legal.gateways);
      return;
    case 'days':
      await legal.on(addDays(today, given.days));
  }
}

async function newestActionOf(chargeId: string): Promise<{ kind: string; id: string } | null> {
  const [found] = await world.look<{ kind: string; id: string }>(
    `select 'negativation' as kind, id from dunning_negativations where charge_id = $1
     union all select 'protest', id from dunning_protests where charge_id = $1 order by id desc limit 1`,
    [chargeId],
  );
  return found ?? null;
}

/** MODEL §14.13: one live action, and it is the one that holds the charge. */
async function requireOneLive(chargeId: string): Promise<void> {
  const live = await world.look<{ id: string; kind: string }>(
    `select id, 'negativation' as kind from dunning_negativations
      where charge_id = $1 and status not in ('removed', 'rejected', 'canceled', 'failed')
     union all
     select id, 'protest' from dunning_protests
      where charge_id = $1 and status not in ('canceled', 'rejected', 'returned', 'paid_at_notary', 'withdrawn')`,
    [chargeId],
  );
  const held = await world.look<{ id: string; kind: string }>(
    'select action_id as id, kind from dunning_live_legal_actions where charge_id = $1',
    [chargeId],
  );
  const [charge] = await world.look<{ legal_kind: string | null }>(
    'select legal_kind from dunning_charges where id = $1',
    [chargeId],
  );
  expect(live.length).toBeLessThanOrEqual(1);
  expect(held).toEqual(live);
  expect(charge!.legal_kind).toBe(live[0]?.kind ?? null);
}

/** MODEL §14.17, §14.18: what an office was asked had been approved by another, after proof and waiting. */
async function requireLawful(chargeId: string): Promise<void> {
  const asked = [...legal.bureau.requests, ...legal.notary.requests].map(({ request }) => request.actionKey);
  const actions = await world.look<any>(
    `select id, requested_by, approved_by from dunning_negativations where charge_id = $1
     union all select id, requested_by, approved_by from dunning_protests where charge_id = $1`,
    [chargeId],
  );
  for (const { id, requested_by, approved_by } of actions) {
    if (!asked.includes(id)) continue;
    expect(approved_by).not.toBeNull();
    expect(approved_by).not.toBe(requested_by);
  }
  const unlawful = await world.look(
    `select id from dunning_negativations
      where charge_id = $1 and registered_at is not null
        and (prior_notice ->> 'evidence' is null or waits_until is null
             or (registered_at at time zone 'America/Sao_Paulo')::date <= waits_until
             or (registered_at at time zone 'America/Sao_Paulo')::date > expires_on
             or waits_until - (prior_notice ->> 'sent_at')::timestamptz::date < 10)`,
    [chargeId],
  );
  expect(unlawful).toEqual([]);
}

it(
  'MODEL §14.13 §14.14 §14.17 §14.18: hold after every step of any sequence',
  async () => {
    const digits = fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    // Most sequences begin with an action that goes its way, so that there is something to disturb.
    const beginning = fc.constantFrom<Step[]>(
      [],
      [{ kind: 'report', who: 'owner' }],
      [
        { kind: 'report', who: 'owner' },
        { kind: 'decide', who: 'colleague', status: 'approved' },
        { kind: 'days', days: 1 },
        { kind: 'days', days: 11 },
      ],
      [
        { kind: 'protest', who: 'collector' },
        { kind: 'decide', who: 'owner', status: 'approved' },
        { kind: 'worker' },
      ],
    );
    const rest = fc.array(step, { minLength: 4, maxLength: STEPS_MAX });
    const steps = fc.tuple(beginning, rest).map(([first, then]) => [...first, ...then]);
    await fc.assert(
      fc.asyncProperty(digits, steps, async (digit, given) => {
        world.setNow('2026-10-01T15:00:00Z');
        const chargeId = await legal.charge({ state: 'SC', document_number: cnpjEnding(digit) });
        for (const one of given) {
          await take(chargeId, one);
          await requireOneLive(chargeId);
        }
        await requireLawful(chargeId);
      }),
      { numRuns: RUNS },
    );
    await requireListedMoves();
  },
  TIMEOUT_MS,
);

/** Every change of status in the audit chain is one of the table of moves. */
async function requireListedMoves(): Promise<void> {
  const bodies = await world.look<{ body: string }>('select body from events where tenant_id = $1', [
    world.organizationId,
  ]);
  const changes = bodies.flatMap(({ body }) => JSON.parse(body).changes ?? []);
  const tables: Record<string, Record<string, readonly string[]>> = {
    negativation: negativationMoves,
    protest: protestMoves,
  };
  let seen = 0;
  for (const { kind, before, after } of changes) {
    const moves = tables[kind];
    if (moves === undefined || before === null || before.status === after.status) continue;
    seen += 1;
    expect(moves[before.status], `${kind}: ${before.status} to ${after.status}`).toContain(after.status);
  }
  expect(seen).toBeGreaterThan(RUNS / 2);
}

it('MODEL §14.13: of two who ask at once, one gets the charge', async () => {
  world.setNow('2026-10-01T15:00:00Z');
  const charge_id = await legal.charge();
  const outcomes = await Promise.allSettled([
    world.call('dunning_negativations_create', { charge_id, bureau: 'serasa' }),
    world.call('dunning_protests_create', { charge_id, title_kind: 'DMI' }, 'colleague'),
    world.call('dunning_negativations_create', { charge_id, bureau: 'spc' }, 'collector'),
  ]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
  expect(codes).toEqual(['legal_action_exists', 'legal_action_exists']);
  await requireOneLive(charge_id);
});

it.each([
  [3, 'an old answer comes after the new one'],
  [4, 'the first call fails'],
  [5, 'the connection breaks before it arrived'],
  [6, 'the connection breaks after it arrived'],
  [7, 'every answer comes twice'],
])('a bureau where digit %s means that %s registers once and removes once', async (digit) => {
  world.setNow('2026-10-05T15:00:00Z');
  const charge_id = await legal.charge({ state: 'SC', digit });
  const id = await legal.approvedReport(charge_id);
  await legal.at('2026-10-05T16:00:00Z');
  await legal.on('2026-10-16');
  await legal.on('2026-10-17');
  expect((await world.call('dunning_negativations_get', { id }))['status']).toBe('registered');
  await world.call('dunning_payments_create', {
    charge_id,
    amount: '100.00',
    paid_at: '2026-10-17',
    method: 'pix',
  });
  await legal.at('2026-10-17T17:00:00Z');
  await legal.on('2026-10-18');
  await legal.on('2026-10-19');
  expect((await world.call('dunning_negativations_get', { id }))['status']).toBe('removed');
  const asked = legal.bureau.requests.filter(({ request }) => request.actionKey === id);
  expect(asked.map(({ command }) => command)).toEqual(['register', 'remove']);
});

it('a registration that the bureau refuses fails, and the charge is free', async () => {
  world.setNow('2026-10-05T15:00:00Z');
  const charge_id = await legal.charge({ state: 'SC', digit: 9 });
  const id = await legal.approvedReport(charge_id);
  await legal.at('2026-10-05T16:00:00Z');
  await legal.on('2026-10-16');
  expect(await world.call('dunning_negativations_get', { id })).toMatchObject({
    status: 'failed',
    status_reason: 'refused_by_bureau',
  });
  await requireOneLive(charge_id);
});

it('called off while the bureau is registering it: removed as soon as it is shown', async () => {
  world.setNow('2026-10-05T15:00:00Z');
  const charge_id = await legal.charge({ state: 'SC', digit: 8 });
  const id = await legal.approvedReport(charge_id);
  await legal.at('2026-10-05T16:00:00Z');
  await legal.on('2026-10-16');
  const stopped = await world.call('dunning_negativations_cancel', { id, reason: 'Erro' });
  expect(stopped).toMatchObject({ status: 'notice_sent', removal: { reason: 'requested', done_at: null } });
  await legal.on('2026-10-19');
  expect((await world.call('dunning_negativations_get', { id }))['status']).toBe('removal_requested');
  await legal.on('2026-10-23');
  expect((await world.call('dunning_negativations_get', { id }))['status']).toBe('removed');
});

it('called off while nobody knows whether the office has it, and it has not: canceled, and never sent', async () => {
  world.setNow('2026-10-05T15:00:00Z');
  const reported = await legal.charge({ state: 'SC', digit: 5 });
  const report = await legal.approvedReport(reported);
  await legal.at('2026-10-05T16:00:00Z');
  world.setNow('2026-10-16T15:00:00Z');
  expect(await runDunningJob(world, legal.gateways, 'dunning_negativations_daily')).toBeUndefined();
  const protested = await legal.charge({ digit: 5 });
  const protest = await legal.approvedProtest(protested);
  await runDunningQueue(world, legal.gateways);
  await world.call('dunning_negativations_cancel', { id: report, reason: 'Erro' });
  await world.call('dunning_protests_cancel', { id: protest, reason: 'Erro' });
  await legal.at('2026-10-16T15:20:00Z');
  await legal.at('2026-10-16T15:40:00Z');
  expect(await world.call('dunning_negativations_get', { id: report })).toMatchObject({
    status: 'canceled',
    status_reason: 'requested',
  });
  expect((await world.call('dunning_protests_get', { id: protest }))['status']).toBe('canceled');
  const sent = [...legal.bureau.requests, ...legal.notary.requests].filter(
    ({ command, request }) =>
      ['register', 'send'].includes(command) && [report, protest].includes(request.actionKey),
  );
  expect(sent).toEqual([]);
  await requireOneLive(reported);
  await requireOneLive(protested);
});
