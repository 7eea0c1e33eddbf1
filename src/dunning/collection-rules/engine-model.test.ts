/** The engine on random portfolios, held against a model that goes from charge to charge. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  adjusted,
  dayOf,
  isOpen,
  type Model,
  type ModelCharge,
  type ModelExecution,
  type ModelState,
  type ModelStep,
  night,
  planToday,
  run,
  states,
} from '../../../test/support/collection-model.ts';
import { createDebtor, runDunningJob } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { DAILY_TASK, PLAN_TASK, RUN_TASK } from './tasks.ts';

/** Each charge of each portfolio is one try; with the days and hours of each, well over a thousand of them. */
const PORTFOLIOS = 2;
const CHARGES = 300;
const PERSONS = 110;
const RULES = 3;
const STEPS_OF_RULE = 7;
/** Hours in São Paulo at which the worker looks; between them things happen to charges. */
const HOURS = [5, 8, 11, 16, 20];
const EVENTS_AN_HOUR = 3;
/** From before the holiday of Monday 12 October until after the weekend that follows. */
const DAYS = ['08', '09', '10', '11', '12', '13', '16', '17', '19'];
/** Nights on which no worker runs: the days before are made up for. */
const NIGHTS_MISSED = new Set(['11', '13']);

let world: World;
const gateways = {} as DunningGateways;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
});
afterAll(() => world.close());

const anyStep = fc.record({
  offset: fc.integer({ min: -3, max: 7 }),
  isBusiness: fc.boolean(),
  hour: fc.constantFrom(0, 7, 9, 11, 13, 16, 19, 22),
  action: fc.constantFrom('message' as const, 'message' as const, 'task' as const),
  amountMin: fc.constantFrom(0, 0, 5_000),
});
const anyCharge = fc.record({
  person: fc.integer({ min: 0, max: PERSONS - 1 }),
  rule: fc.integer({ min: 0, max: RULES - 1 }),
  amount: fc.integer({ min: 1, max: 10_000 }),
  due: fc.integer({ min: 1, max: 24 }),
  startedAt: fc.integer({ min: 0, max: 12 * 24 }),
});
const anyEvent = fc.record({
  kind: fc.constantFrom('pay', 'reopen', 'dispute', 'pause', 'resume', 'extend'),
  charge: fc.integer({ min: 0, max: CHARGES - 1 }),
  days: fc.integer({ min: 1, max: 6 }),
});

const instantOf = (day: string, hour: number) =>
  Date.parse(`2026-10-${day}T00:00:00Z`) + (hour + 3) * 3_600_000;

function sample<Value>(arbitrary: fc.Arbitrary<Value>, count: number, salt: number): Value[] {
  return fc.sample(arbitrary, { numRuns: count, seed: inject('seed') + salt });
}

async function job(task: string, at: number, payload: object = {}): Promise<void> {
  world.setNow(new Date(at).toISOString());
  const { organizationId } = world;
  expect(await runDunningJob(world, gateways, task, { organizationId, ...payload })).toBeUndefined();
}

/** Rules, steps and charges in the database, and the same as the model has them. */
async function createPortfolio(salt: number): Promise<Model> {
  for (const table of [
    'notifications',
    'contact_slots',
    'step_executions',
    'daily_runs',
    'charges',
    'rule_steps',
  ]) {
    await world.look(`delete from dunning_${table}`);
  }
  for (const table of ['collection_rules', 'contacts', 'people', 'templates']) {
    await world.look(`delete from dunning_${table}`);
  }
  const templateId = newId();
  await world.look(
    `insert into dunning_templates (organization_id, id, name, channel, body, created_by) values ($1, $2, 'Aviso', 'sms', 'Aviso', $1)`,
    [world.organizationId, templateId],
  );
  const rules = await createRules(templateId, salt);
  const { charges, rows } = await createCharges(salt);
  await world.look(
    `insert into dunning_charges (organization_id, id, person_id, amount_cents, open_cents, due_date, adjusted_due_date,
                                  description, status, collection_rule_id, rule_started_at, dunning_state, search_text,
                                  created_by)
     select $1, id, person, amount, amount, due, adjusted, 'Mensalidade', status, ($2::uuid[])[rule + 1], started,
            'active', '', $1
       from jsonb_to_recordset($3::jsonb)
         as c (id uuid, person uuid, amount bigint, due date, adjusted date, status text, rule int, started timestamptz)`,
    [world.organizationId, rules.ids, JSON.stringify(rows)],
  );
  return { steps: rules.steps, charges, executions: [], lastNight: null, sent: new Map() };
}

async function createRules(templateId: string, salt: number): Promise<{ ids: string[]; steps: ModelStep[] }> {
  const ids: string[] = [];
  const steps: ModelStep[] = [];
  for (let rule = 0; rule < RULES; rule += 1) {
    const ruleId = newId();
    ids.push(ruleId);
    await world.look(
      `insert into dunning_collection_rules (organization_id, id, name, active, created_by, updated_at)
       values ($1, $2, 'Régua', true, $1, '2026-01-01')`,
      [world.organizationId, ruleId],
    );
    for (const [position, step] of sample(anyStep, STEPS_OF_RULE, salt + rule * 100).entries()) {
      const id = newId();
      steps.push({ ...step, id, rule, position });
      await world.look(
        `insert into dunning_rule_steps (organization_id, id, rule_id, position, offset_days, day_kind, time_of_day,
                                         action, channel, template_id, conditions, created_by, updated_at)
         values ($1, $2, $3, $4, $5, $6, make_time($7, 0, 0), $8, $9, $10, $11, $1, '2026-01-01')`,
        [
          world.organizationId,
          id,
          ruleId,
          position,
          step.offset,
          step.isBusiness ? 'business' : 'calendar',
          step.hour,
          step.action,
          step.action === 'message' ? 'sms' : null,
          step.action === 'message' ? templateId : null,
          JSON.stringify(step.amountMin === 0 ? {} : { amount_min_cents: step.amountMin }),
        ],
      );
    }
  }
  return { ids, steps };
}

async function createCharges(salt: number): Promise<{ charges: ModelCharge[]; rows: object[] }> {
  const names = Object.keys(states) as ModelState[];
  const persons: { id: string; state: ModelState }[] = [];
  for (let index = 0; index < PERSONS; index += 1) {
    const state = names[index % names.length]!;
    persons.push({ id: await createDebtor(world, { state, email: null }), state });
  }
  const charges = sample(anyCharge, CHARGES, salt + 7).map((drawn): ModelCharge => {
    const { id: person, state } = persons[drawn.person]!;
    const due = `2026-10-${String(drawn.due).padStart(2, '0')}`;
    const startedAt = instantOf('07', 0) + drawn.startedAt * 3_600_000;
    const { rule, amount } = drawn;
    return { id: newId(), person, state, rule, amount, due, startedAt, ...fresh };
  });
  const rows = charges.map((charge) => ({
    ...charge,
    adjusted: adjusted(charge.due),
    started: new Date(charge.startedAt).toISOString(),
  }));
  return { charges, rows };
}

const fresh = { status: 'pending', isPaused: false, isDisputed: false, cycle: 1 } as const;

/** Something happens to a charge, in the database and in the model. */
async function happen(
  model: Model,
  event: { kind: string; charge: number; days: number },
  now: number,
): Promise<void> {
  const charge = model.charges[event.charge]!;
  const isPaid = charge.status === 'paid';
  if (event.kind === 'pay' && !isPaid) charge.status = 'paid';
  else if (event.kind === 'reopen' && isPaid) {
    charge.status = adjusted(charge.due) < dayOf(now) ? 'overdue' : 'pending';
    charge.cycle += 1;
    charge.startedAt = now;
  } else if (event.kind === 'dispute') charge.isDisputed = !charge.isDisputed;
  else if (event.kind === 'pause' && !charge.isPaused) charge.isPaused = true;
  else if (event.kind === 'resume' && charge.isPaused) {
    charge.isPaused = false;
    charge.startedAt = Math.max(charge.startedAt, now);
  } else if (event.kind === 'extend' && !isPaid) {
    charge.due = dayOf(Date.parse(`${charge.due}T12:00:00Z`) + event.days * 86_400_000);
    charge.status = adjusted(charge.due) < dayOf(now) ? 'overdue' : 'pending';
  } else return;
  await world.look(
    `update dunning_charges
        set status = $2, open_cents = case $2 when 'paid' then 0 else amount_cents end, is_disputed = $3,
            dunning_state = case when $2 = 'paid' then 'completed' when $4 then 'paused' else 'active' end,
            paused_reason = case when $2 <> 'paid' and $4 then 'manual' end, rule_cycle = $5, rule_started_at = $6,
            due_date = $7, adjusted_due_date = $8
      where id = $1`,
    [
      charge.id,
      charge.status,
      charge.isDisputed,
      charge.isPaused,
      charge.cycle,
      new Date(charge.startedAt),
      charge.due,
      adjusted(charge.due),
    ],
  );
  if (event.kind === 'reopen' || event.kind === 'resume') {
    planToday(model, charge, now);
    await job(PLAN_TASK, now, { chargeIds: [charge.id] });
  }
}

/** What the engine asked to be planned anew, as the queue does it. */
async function planAnew(now: number): Promise<void> {
  const asked = await world.look<{ id: string; payload: object }>(
    `select j.id, j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1`,
    [PLAN_TASK],
  );
  for (const { payload } of asked) await job(PLAN_TASK, now, payload);
  await world.look('delete from graphile_worker._private_jobs');
}

type Key = `${string}/${string}/${number}`;

const keyOf = ({ charge, step, cycle }: ModelExecution): Key => `${charge.id}/${step.id}/${cycle}`;

async function stored(): Promise<Map<Key, Record<string, unknown>>> {
  const rows = await world.look<Record<string, any>>(
    'select *, step_on::text as day from dunning_step_executions order by id',
  );
  return new Map(rows.map((row) => [`${row['charge_id']}/${row['step_id']}/${row['cycle']}` as Key, row]));
}

/** Of messages to one person in one batch, those that the engine let go first: as many as may, and in their order. */
function chosenBy(rows: ReadonlyMap<Key, Record<string, unknown>>) {
  return (group: readonly ModelExecution[], left: number): readonly ModelExecution[] => {
    const went = group.filter((one) => rows.get(keyOf(one))?.['status'] === 'done');
    expect(went).toHaveLength(Math.min(left, group.length));
    const rank = ({ dueAt, step, charge }: ModelExecution) => [dueAt, step.position, charge.due] as const;
    const isBefore = (one: ModelExecution, other: ModelExecution) => {
      const [a, b] = [rank(one), rank(other)];
      return a[0] !== b[0] ? a[0] < b[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] < b[2];
    };
    const waiting = group.filter((one) => !went.includes(one));
    expect(went.some((one) => waiting.some((other) => isBefore(other, one)))).toBe(false);
    return went;
  };
}

async function compare(model: Model): Promise<void> {
  const rows = await stored();
  expect(rows.size).toBe(model.executions.length);
  for (const execution of model.executions) {
    const row = rows.get(keyOf(execution));
    expect({
      key: keyOf(execution),
      step: execution.step,
      charge: execution.charge,
      day: row?.['day'],
      dueAt: (row?.['due_at'] as Date | undefined)?.getTime(),
      moves: row?.['moves'],
      status: row?.['status'],
      reason: row?.['skipped_reason'],
    }).toEqual({
      key: keyOf(execution),
      step: execution.step,
      charge: execution.charge,
      day: execution.stepOn,
      dueAt: execution.dueAt,
      moves: execution.moves,
      status: execution.status,
      reason: execution.reason,
    });
  }
}

/** As the sender leaves what it sent: a slot for each. Every one of them is inside the hours and within the cap. */
async function send(model: Model, now: number): Promise<void> {
  // The key of the slots is the cap: a second message of a day would break it.
  const sent = await world.look<{ person_id: string }>(
    `with sent as (update dunning_notifications set status = 'sent' where status = 'queued' returning *)
     insert into dunning_contact_slots (organization_id, person_id, contact_on, ordinal, notification_id, channel,
                                        policy_version, taken_at)
     select organization_id, person_id, $1, 1, id, channel, '1', $2 from sent returning person_id`,
    [dayOf(now), new Date(now)],
  );
  const persons = new Map(model.charges.map(({ person, state }) => [person, state]));
  for (const { person_id: person } of sent) expect(isOpen(persons.get(person)!, now)).toBe(true);
}

test.each(Array.from({ length: PORTFOLIOS }, (_, index) => index * 1_000))(
  'MODEL §14.14, §14.15, §14.16: a portfolio has exactly the steps that it is to have, when it is to have them (%i)',
  async (salt) => {
    const model = await createPortfolio(salt);
    const events = sample(anyEvent, DAYS.length * HOURS.length * EVENTS_AN_HOUR, salt + 9);
    for (const day of DAYS) {
      if (!NIGHTS_MISSED.has(day)) {
        night(model, instantOf(day, 0) + 300_000);
        await job(DAILY_TASK, instantOf(day, 0) + 300_000);
        await compare(model);
      }
      for (const hour of HOURS) {
        const now = instantOf(day, hour);
        for (const event of events.splice(0, EVENTS_AN_HOUR)) await happen(model, event, now);
        await job(RUN_TASK, now);
        await planAnew(now);
        run(model, now, chosenBy(await stored()));
        await send(model, now);
      }
      await compare(model);
    }
    const ends = Map.groupBy(model.executions, ({ status, reason }) => reason ?? status);
    // Nothing is shown by a portfolio in which nothing happens.
    expect(ends.get('done')!.length).toBeGreaterThan(CHARGES / 2);
    const [{ count }] = (await world.look<{ count: number }>(
      'select count(*)::int as count from dunning_notifications',
    )) as [{ count: number }];
    expect(count).toBe(ends.get('done')!.filter(({ step }) => step.action === 'message').length);
  },
  120_000,
);
