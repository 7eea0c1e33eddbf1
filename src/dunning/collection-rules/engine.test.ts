import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCharge, createDebtor, runDunningJob } from '../../../test/support/dunning.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { newId } from '../../core/ids.ts';
import { jobContextOf } from '../../core/job.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { runDay } from './planning.ts';
import { DAILY_TASK, PLAN_TASK, RUN_TASK } from './tasks.ts';

let world: World;
let templateId: string;
/** The engine itself reaches nobody outside: it fills the queue of the sender. */
const gateways = {} as DunningGateways;

beforeAll(async () => {
  world = await openWorld({ product: 'dunning' });
  const template = { name: 'Lembrete', channel: 'sms', body: 'Temos um aviso para você.' };
  templateId = (await world.call('dunning_templates_create', template))['id'];
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const table of [
    'notifications',
    'contact_slots',
    'step_executions',
    'daily_runs',
    'holds',
    'charges',
  ]) {
    await world.look(`delete from dunning_${table}`);
  }
  await world.look('update dunning_collection_rules set active = false, is_default = false');
  world.setNow('2026-09-20T12:00:00Z');
});

type Row = Record<string, any>;

/** An active rule with these steps, made on 20 September. */
async function createRule(...steps: Row[]): Promise<string> {
  const { id } = await world.call('dunning_collection_rules_create', { name: 'Régua' });
  for (const step of steps) {
    await world.call('dunning_collection_rule_steps_create', {
      rule_id: id,
      day_kind: 'calendar',
      time: '10:00',
      action: 'message',
      ...(step['action'] === undefined && { template_id: templateId }),
      ...step,
    });
  }
  await world.call('dunning_collection_rules_update', { id, active: true });
  return id;
}

async function run(task: string, payload?: object): Promise<void> {
  expect(
    await runDunningJob(world, gateways, task, payload ?? { organizationId: world.organizationId }),
  ).toBe(undefined);
}

/** At night, in São Paulo. */
async function night(day: string): Promise<void> {
  world.setNow(`${day}T03:05:00Z`);
  await run(DAILY_TASK);
}

async function runAt(instant: string): Promise<void> {
  world.setNow(instant);
  await run(RUN_TASK);
}

const executions = (chargeId?: string) =>
  world.look<Row>(
    `select *, step_on::text from dunning_step_executions where $1::uuid is null or charge_id = $1
      order by dunning_step_executions.step_on, action, due_at, status`,
    [chargeId ?? null],
  );

const messages = () => world.look<Row>('select * from dunning_notifications order by created_at, id');

const underRule = (person_id: string, ruleId: string, fields: object = {}) =>
  createCharge(world, {
    person_id,
    collection_rule_id: ruleId,
    rule_started_at: '2026-09-20T12:00:00Z',
    due_date: '2026-09-30',
    status: 'pending',
    ...fields,
  });

/** Runs the night until its process dies in, or right after, one of its transactions; false when it came to its end. */
async function cutOff(transaction: number, isCommitted: boolean): Promise<boolean> {
  const { runtime, organizationId } = world;
  const place = { organizationId, workspaceId: null, timeZone: 'America/Sao_Paulo' };
  const work = jobContextOf(
    runtime.portsOf(runtime.invokers.dunning.catalogue),
    DAILY_TASK,
    {},
    place,
    gateways,
  );
  const death = new Error('killed');
  let begun = 0;
  const dying: typeof work = {
    ...work,
    write: async (inner) => {
      const isLast = begun === transaction;
      begun += 1;
      const result = await work.write(async (context) => {
        const done = await inner(context);
        if (isLast && !isCommitted) throw death;
        return done;
      });
      if (isLast) throw death;
      return result;
    },
  };
  try {
    await runDay(dying);
    return false;
  } catch (error) {
    expect(error).toBe(death);
    return true;
  }
}

/** As the sender leaves what it sent. */
async function send(): Promise<void> {
  await world.look(
    `insert into dunning_contact_slots (organization_id, person_id, contact_on, ordinal, notification_id, channel, policy_version, taken_at)
     select organization_id, person_id, ($1::timestamptz at time zone 'America/Sao_Paulo')::date,
            row_number() over (partition by person_id), id, channel, '1', $1
       from dunning_notifications where status = 'queued'`,
    [world.now()],
  );
  await world.look(`update dunning_notifications set status = 'sent' where status = 'queued'`);
}

describe('at night', () => {
  test('a charge is overdue from the day after the one up to which paying was in time', async () => {
    const person_id = await createDebtor(world);
    // Saturday before the holiday of Monday 12 October.
    const id = await createCharge(world, { person_id, due_date: '2026-10-10', status: 'pending' });
    const status = async () =>
      (await world.look<Row>('select * from dunning_charges where id = $1', [id]))[0]!;
    await night('2026-10-13');
    expect(await status()).toMatchObject({ status: 'pending', version: 1 });
    await night('2026-10-14');
    expect(await status()).toMatchObject({ status: 'overdue', version: 2 });
    const [day] = await world.look<Row>(`select * from dunning_daily_runs where run_on = '2026-10-14'`);
    expect(day).toMatchObject({ flipped: 1, planned: 0, finished_at: new Date('2026-10-14T03:05:00Z') });
  });

  test('the steps of the day are planned, each once, however often the night comes', async () => {
    const ruleId = await createRule({ offset_days: -1 }, { offset_days: 1 }, { offset_days: 2 });
    const person_id = await createDebtor(world);
    const late = await underRule(person_id, ruleId);
    const coming = await underRule(person_id, ruleId, { due_date: '2026-10-02' });
    await night('2026-10-01');
    await night('2026-10-01');
    await run(PLAN_TASK);
    expect(await executions()).toHaveLength(2);
    expect(await executions(late)).toMatchObject([
      { step_on: '2026-10-01', status: 'scheduled', due_at: new Date('2026-10-01T13:00:00Z'), cycle: 1 },
    ]);
    expect(await executions(coming)).toMatchObject([{ status: 'scheduled' }]);
  });

  test('a day that nobody planned, or whose planning was cut off, is planned by whoever comes next', async () => {
    const ruleId = await createRule({ offset_days: 1 });
    const chargeId = await underRule(await createDebtor(world), ruleId);
    const isAsked = async (instant: string) => {
      await world.look('delete from graphile_worker._private_jobs');
      await runAt(instant);
      const jobs = await world.look<Row>(
        `select 1 from graphile_worker._private_jobs where key = 'dunning_daily_run/' || $1`,
        [world.organizationId],
      );
      return jobs.length === 1;
    };
    // Without any day yet the schedule begins.
    expect(await isAsked('2026-10-01T03:30:00Z')).toBe(false);
    await night('2026-09-30');
    expect(await isAsked('2026-10-01T03:04:00Z')).toBe(false);
    expect(await isAsked('2026-10-01T03:06:00Z')).toBe(true);
    await world.look(
      `insert into dunning_daily_runs (organization_id, run_on, started_at) values ($1, '2026-10-01', '2026-10-01T03:06:00Z')`,
      [world.organizationId],
    );
    expect(await isAsked('2026-10-01T03:20:00Z')).toBe(false);
    expect(await isAsked('2026-10-01T03:22:00Z')).toBe(true);
    await run(DAILY_TASK);
    expect(await executions(chargeId)).toHaveLength(1);
    expect(await isAsked('2026-10-01T03:50:00Z')).toBe(false);
  });

  test('PITFALLS 52: cut off before or after any of its transactions, the day goes on and has each step once', async () => {
    const ruleId = await createRule(
      { offset_days: 1 },
      { offset_days: 1, time: '11:00' },
      { offset_days: 2 },
    );
    const ids = [
      await underRule(await createDebtor(world), ruleId),
      await underRule(await createDebtor(world), ruleId),
    ];
    world.setNow('2026-10-01T03:05:00Z');
    for (let transaction = 0, isCutOff = true; isCutOff; transaction += 1) {
      for (const isCommitted of [false, true]) {
        isCutOff = await cutOff(transaction, isCommitted);
      }
    }
    await run(DAILY_TASK);
    for (const id of ids) expect(await executions(id)).toHaveLength(2);
    expect(await world.look<Row>('select flipped, planned from dunning_daily_runs')).toEqual([
      { flipped: 2, planned: 4 },
    ]);
  });

  test('a charge that is paused, paid, in agreement or of another organization has no step', async () => {
    const ruleId = await createRule({ offset_days: 1 });
    const person_id = await createDebtor(world);
    for (const change of [
      "dunning_state = 'paused', paused_reason = 'manual'",
      "dunning_state = 'completed', status = 'paid', open_cents = 0",
      "status = 'in_agreement'",
      'rule_started_at = null, collection_rule_id = null',
    ]) {
      const id = await underRule(person_id, ruleId);
      await world.look(`update dunning_charges set ${change} where id = $1`, [id]);
    }
    await night('2026-10-01');
    expect(await executions()).toEqual([]);
  });

  test('conditions of rule and step are looked at: amount, kind of debtor, tags of charge or debtor', async () => {
    const ruleId = await createRule(
      { offset_days: 1, conditions: { amount_min: '100.00', person_kind: 'natural' } },
      { offset_days: 1, time: '11:00', conditions: { tags: ['vip'] } },
    );
    await world.call('dunning_collection_rules_update', { id: ruleId, conditions: { amount_max: '500.00' } });
    const person = await createDebtor(world, { kind: 'natural' });
    const vip = await createDebtor(world);
    await world.look(`update dunning_people set tags = '{vip}' where id = $1`, [vip]);
    const ids = {
      first: await underRule(person, ruleId, { amount_cents: 10_000 }),
      none: await underRule(person, ruleId, { amount_cents: 9_999 }),
      both: await underRule(person, ruleId, { amount_cents: 50_000, tags: ['vip'] }),
      dear: await underRule(vip, ruleId, { amount_cents: 50_001 }),
      second: await underRule(vip, ruleId, { amount_cents: 10_000 }),
    };
    await night('2026-10-01');
    const counts: Row = {};
    for (const [name, id] of Object.entries(ids)) counts[name] = (await executions(id)).length;
    expect(counts).toEqual({ first: 1, none: 0, both: 2, dear: 0, second: 1 });
  });

  test('PITFALLS 53: a step in closed hours is moved, in the state of the debtor', async () => {
    // Saturday 17 October; RJ is closed all day.
    const ruleId = await createRule({ offset_days: 1, time: '14:30' });
    const dueAt = async (state: string | null) => {
      const id = await underRule(await createDebtor(world, { state }), ruleId, { due_date: '2026-10-16' });
      return id;
    };
    const [sp, rj, unknown] = [await dueAt('SP'), await dueAt('RJ'), await dueAt(null)];
    await night('2026-10-17');
    expect(await executions(sp)).toMatchObject([{ due_at: new Date('2026-10-19T11:00:00Z'), moves: 0 }]);
    expect(await executions(rj)).toMatchObject([{ due_at: new Date('2026-10-19T12:00:00Z') }]);
    expect(await executions(unknown)).toMatchObject([{ due_at: new Date('2026-10-19T11:00:00Z') }]);
  });

  test('PITFALLS 58: paid, reversed, late again: a new cycle has its steps from then on, also those it had before', async () => {
    const ruleId = await createRule({ offset_days: 1 }, { offset_days: 3 });
    const id = await underRule(await createDebtor(world), ruleId);
    await night('2026-10-01');
    await runAt('2026-10-01T13:00:00Z');
    await send();
    await night('2026-10-03');
    await runAt('2026-10-03T13:00:00Z');
    expect((await executions(id)).map(({ status }) => status)).toEqual(['done', 'done']);
    await world.look(
      `update dunning_charges set rule_cycle = 2, rule_started_at = '2026-10-03T15:00:00Z', due_date = '2026-10-01',
              adjusted_due_date = '2026-10-01' where id = $1`,
      [id],
    );
    await night('2026-10-04');
    const again = (await executions(id)).filter(({ cycle }) => cycle === 2);
    expect(again).toMatchObject([{ step_on: '2026-10-04', status: 'scheduled' }]);
  });
});

describe('days on which no worker ran', () => {
  test('are made up for: of several missed messages the latest goes, the others are superseded', async () => {
    const ruleId = await createRule(
      { offset_days: 1 },
      { offset_days: 2, time: '09:00' },
      { offset_days: 2, time: '16:00' },
      { offset_days: 2, action: 'task' },
      { offset_days: 9 },
    );
    await night('2026-09-30');
    const id = await underRule(await createDebtor(world), ruleId);
    // Thursday's and Friday's nights are missed; on Saturday the worker is back.
    world.setNow('2026-10-03T12:00:00Z');
    await run(DAILY_TASK);
    expect(
      (await executions(id)).map(({ step_on, action, status, skipped_reason }) => [
        step_on,
        action,
        status,
        skipped_reason,
      ]),
    ).toEqual([
      ['2026-10-01', 'message', 'skipped', 'superseded'],
      ['2026-10-02', 'message', 'scheduled', null],
      ['2026-10-02', 'message', 'skipped', 'superseded'],
      ['2026-10-02', 'task', 'scheduled', null],
    ]);
    await runAt('2026-10-03T12:01:00Z');
    expect(await messages()).toMatchObject([{ charge_id: id, status: 'queued' }]);
    const days = await world.look<Row>(
      'select run_on::text, finished_at is not null as is_done from dunning_daily_runs order by 1',
    );
    expect(days).toEqual(
      ['2026-09-30', '2026-10-01', '2026-10-02', '2026-10-03'].map((run_on) => ({ run_on, is_done: true })),
    );
  });

  test('of more than three days only the last three are; a first run makes up for none', async () => {
    const ruleId = await createRule({ offset_days: 1 }, { offset_days: 2 });
    const id = await underRule(await createDebtor(world), ruleId);
    await night('2026-10-06');
    expect(await executions(id)).toEqual([]);
    await world.look(`update dunning_daily_runs set run_on = '2026-09-29'`);
    // D+2 was 2 October, more than three days ago.
    await night('2026-10-07');
    expect(await executions(id)).toEqual([]);
  });

  test('a reminder of a due date that is over is not made up for', async () => {
    const ruleId = await createRule({ offset_days: 0 });
    const id = await underRule(await createDebtor(world), ruleId);
    await night('2026-09-29');
    await night('2026-10-01');
    expect(await executions(id)).toMatchObject([{ status: 'skipped', skipped_reason: 'past_due' }]);
  });
});

describe('when its moment comes', () => {
  test('a message is put in the queue of the sender once, with the text, the contact and the policy it had', async () => {
    const ruleId = await createRule({ offset_days: 1 });
    const person_id = await createDebtor(world);
    const chargeId = await underRule(person_id, ruleId);
    await night('2026-10-01');
    await runAt('2026-10-01T12:59:00Z');
    expect(await messages()).toEqual([]);
    world.setNow('2026-10-01T13:00:00Z');
    await Promise.all([run(RUN_TASK), run(RUN_TASK), run(RUN_TASK)]);
    await runAt('2026-10-01T13:01:00Z');
    const [execution] = await executions(chargeId);
    const [contact] = await world.look<Row>(
      `select id from dunning_contacts where person_id = $1 and channel = 'sms'`,
      [person_id],
    );
    expect(await messages()).toMatchObject([
      {
        person_id,
        charge_id: chargeId,
        charge_count: 1,
        channel: 'sms',
        contact_id: contact!['id'],
        template_id: templateId,
        template_version: 1,
        trigger: 'rule',
        status: 'queued',
        execution_id: execution!['id'],
        policy_version: execution!['policy_version'],
      },
    ]);
    expect(execution).toMatchObject({
      status: 'done',
      done_at: new Date('2026-10-01T13:00:00Z'),
      version: 2,
    });
    expect(execution!['notification_id']).toBe((await messages())[0]!['id']);
  });

  test('PITFALLS 50: several charges of one debtor keep their own steps; the cap of a day only moves them', async () => {
    const ruleId = await createRule({ offset_days: 1 });
    const person_id = await createDebtor(world);
    const ids = [
      await underRule(person_id, ruleId),
      await underRule(person_id, ruleId),
      await underRule(person_id, ruleId),
    ];
    await night('2026-10-01');
    await runAt('2026-10-01T13:00:00Z');
    await send();
    expect(await messages()).toHaveLength(1);
    const moved = (await executions()).filter(({ status }) => status === 'scheduled');
    // The next opening in SP is Friday at 8.
    expect(moved).toMatchObject([1, 2].map(() => ({ due_at: new Date('2026-10-02T11:00:00Z'), moves: 1 })));
    for (const instant of ['2026-10-02T11:00:00Z', '2026-10-03T11:00:00Z']) {
      await runAt(instant);
      await send();
    }
    expect((await messages()).map(({ charge_id }) => charge_id).sort()).toEqual(ids.sort());
  });

  test('a message that would be moved for more than five days is given up with the reason', async () => {
    const ruleId = await createRule({ offset_days: 1 });
    const person_id = await createDebtor(world);
    for (let index = 0; index < 6; index += 1) await underRule(person_id, ruleId);
    await night('2026-10-01');
    for (let day = 1; day <= 8; day += 1) {
      await runAt(`2026-10-0${day}T14:00:00Z`);
      await send();
    }
    // Thursday, Friday, Saturday, Monday and Tuesday: Sunday is closed.
    expect(await messages()).toHaveLength(5);
    expect((await executions()).filter(({ status }) => status === 'skipped')).toMatchObject([
      { skipped_reason: 'daily_cap', moves: 4 },
    ]);
  });

  test('MODEL §14.14: whatever stands against it then keeps it from going, and says so', async () => {
    const ruleId = await createRule({ offset_days: 1 });
    const changes = {
      paid: "status = 'paid', open_cents = 0",
      canceled: "status = 'canceled'",
      in_agreement: "status = 'in_agreement'",
      disputed: 'is_disputed = true',
      paused: "dunning_state = 'paused', paused_reason = 'manual'",
      promise: "dunning_state = 'paused', paused_reason = 'promise'",
      rule_changed: "collection_rule_id = null, rule_started_at = null, dunning_state = 'none'",
      reopened: 'rule_cycle = 2',
    };
    const ids: Row = {};
    for (const reason of Object.keys(changes))
      ids[reason] = await underRule(await createDebtor(world), ruleId);
    const silent = await underRule(await createDebtor(world, { phone: null }), ruleId);
    const refusing = await underRule(await createDebtor(world, { do_not_contact: true }), ruleId);
    await night('2026-10-01');
    for (const [reason, change] of Object.entries(changes)) {
      await world.look(`update dunning_charges set ${change} where id = $1`, [ids[reason]]);
    }
    await runAt('2026-10-01T13:00:00Z');
    for (const [reason, id] of Object.entries({ ...ids, no_contact: silent, do_not_contact: refusing })) {
      expect(await executions(id), reason).toMatchObject([{ status: 'skipped', skipped_reason: reason }]);
    }
    expect(await messages()).toEqual([]);
  });

  test('a step whose charge has another due date by then is planned anew, for its new day', async () => {
    const ruleId = await createRule({ offset_days: 1 });
    const id = await underRule(await createDebtor(world), ruleId);
    await night('2026-10-01');
    await world.look(
      `update dunning_charges set due_date = '2026-10-02', adjusted_due_date = '2026-10-02', status = 'pending' where id = $1`,
      [id],
    );
    await runAt('2026-10-01T13:00:00Z');
    expect(await executions(id)).toEqual([]);
    await night('2026-10-03');
    expect(await executions(id)).toMatchObject([{ step_on: '2026-10-03', status: 'scheduled' }]);
  });

  test('a rule or a template that is out of use sends nothing', async () => {
    const [off, plain] = [
      await createRule({ offset_days: 1 }),
      await createRule({ offset_days: 1, time: '10:30' }),
    ];
    const [one, other] = [
      await underRule(await createDebtor(world), off),
      await underRule(await createDebtor(world), plain),
    ];
    await night('2026-10-01');
    await world.call('dunning_collection_rules_update', { id: off, active: false });
    await world.look('update dunning_templates set active = false');
    await runAt('2026-10-01T14:00:00Z');
    await world.look('update dunning_templates set active = true');
    expect(await executions(one)).toMatchObject([{ skipped_reason: 'rule_inactive' }]);
    expect(await executions(other)).toMatchObject([{ skipped_reason: 'template_inactive' }]);
  });

  test('tasks and suggestions are done without contacting anybody; a live legal action needs no suggestion', async () => {
    const ruleId = await createRule(
      { offset_days: 1, action: 'task', time: '06:00' },
      { offset_days: 1, action: 'suggest_negativation', time: '06:00' },
    );
    const silent = await createDebtor(world, { phone: null, email: null, do_not_contact: true });
    const [free, reported] = [await underRule(silent, ruleId), await underRule(silent, ruleId)];
    await world.look(`update dunning_charges set legal_kind = 'protest' where id = $1`, [reported]);
    await night('2026-10-01');
    await runAt('2026-10-01T09:00:00Z');
    expect(await messages()).toEqual([]);
    expect((await executions(free)).map(({ status }) => status)).toEqual(['done', 'done']);
    expect(
      (await executions(reported)).map(({ action, skipped_reason }) => [action, skipped_reason]).sort(),
    ).toEqual([
      ['suggest_negativation', 'legal_action_exists'],
      ['task', null],
    ]);
  });

  test('late, after the hours of contact, it waits for the next opening', async () => {
    const ruleId = await createRule({ offset_days: 1, time: '19:30' });
    const id = await underRule(await createDebtor(world), ruleId);
    await night('2026-10-01');
    await runAt('2026-10-01T23:10:00Z');
    expect(await executions(id)).toMatchObject([
      { status: 'scheduled', moves: 1, due_at: new Date('2026-10-02T11:00:00Z') },
    ]);
  });

  test('what waited in line for more than five days is not sent any more', async () => {
    const ruleId = await createRule({ offset_days: 1 });
    const id = await underRule(await createDebtor(world), ruleId);
    await night('2026-10-01');
    await runAt('2026-10-08T14:00:00Z');
    expect(await executions(id)).toMatchObject([{ status: 'skipped', skipped_reason: 'too_late' }]);
  });

  test('one line of the audit chain tells of a batch, and none of a minute in which nothing was due', async () => {
    const count = async () =>
      (
        await world.look<Row>(`select count(*)::int as count from events where operation = $1`, [RUN_TASK])
      )[0]!['count'];
    const before = await count();
    const ruleId = await createRule({ offset_days: 1 });
    await underRule(await createDebtor(world), ruleId);
    await night('2026-10-01');
    await runAt('2026-10-01T10:00:00Z');
    expect(await count()).toBe(before);
    await runAt('2026-10-01T13:00:00Z');
    expect(await count()).toBe(before + 1);
  });
});

describe('during the day', () => {
  test('a charge that goes on has what is left of today, and nothing twice', async () => {
    const ruleId = await createRule({ offset_days: 1, time: '09:00' }, { offset_days: 1, time: '15:00' });
    const id = await underRule(await createDebtor(world), ruleId, {
      rule_started_at: '2026-10-01T13:00:00Z',
    });
    world.setNow('2026-10-01T13:00:00Z');
    const payload = { organizationId: world.organizationId, chargeIds: [id, newId()] };
    await run(PLAN_TASK, payload);
    await run(PLAN_TASK, payload);
    expect(await executions(id)).toMatchObject([{ due_at: new Date('2026-10-01T18:00:00Z') }]);
  });

  test('a rule that is activated works on what is still to come today', async () => {
    const ruleId = await createRule({ offset_days: 1, time: '09:00' }, { offset_days: 1, time: '15:00' });
    await world.call('dunning_collection_rules_update', { id: ruleId, active: false });
    const id = await underRule(await createDebtor(world), ruleId);
    await night('2026-10-01');
    expect(await executions(id)).toEqual([]);
    world.setNow('2026-10-01T13:00:00Z');
    await world.call('dunning_collection_rules_update', { id: ruleId, active: true });
    await run(PLAN_TASK, { organizationId: world.organizationId, ruleId });
    expect(await executions(id)).toMatchObject([{ due_at: new Date('2026-10-01T18:00:00Z') }]);
  });
});
