/** Statements of the daily run: each works on thousands of charges at once, and none brings them to this process. */

import type { CivilDate } from '../../core/dates.ts';
import type { Db } from '../../core/ports.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import type { RuleRow } from './queries.ts';
import { type Conditions, countsFromAdjusted, type Dates, type PlannedStep } from './rules.ts';

export type DailyRunRow = Tables['dunning_daily_runs'];

/** Rules at work. */
export function selectActiveRules(db: Db, organizationId: string): Promise<RuleRow[]> {
  return db.rows<RuleRow>(sql`
    select * from dunning_collection_rules where organization_id = ${organizationId} and active order by id`);
}

/** The last day that was planned to its end; undefined before the first. */
export function selectLastRun(db: Db, organizationId: string): Promise<{ run_on: CivilDate } | undefined> {
  return db.row(sql`
    select run_on from dunning_daily_runs
     where organization_id = ${organizationId} and finished_at is not null order by run_on desc limit 1`);
}

/** Whether a day is neither planned nor, since the moment, being planned; false when none ever was. */
export async function selectIsDayOpen(
  db: Db,
  organizationId: string,
  day: CivilDate,
  since: Date,
): Promise<boolean> {
  const row = await db.row<{ is_open: boolean }>(sql`
    select exists (select from dunning_daily_runs where organization_id = ${organizationId})
       and not exists (select from dunning_daily_runs
                        where organization_id = ${organizationId} and run_on = ${day}::date
                          and (finished_at is not null or started_at >= ${since})) as is_open`);
  return row!.is_open;
}

/** Says that a day is being planned; false when it was planned to its end before. */
export async function beginRun(db: Db, organizationId: string, day: CivilDate, now: Date): Promise<boolean> {
  const row = await db.row(sql`
    insert into dunning_daily_runs (organization_id, run_on, started_at)
    values (${organizationId}, ${day}::date, ${now})
    on conflict (organization_id, run_on) do update set started_at = excluded.started_at
     where dunning_daily_runs.finished_at is null
    returning 1`);
  return row !== undefined;
}

/** Adds to what a day's run did, in the transaction that did it. */
export function countRun(
  db: Db,
  organizationId: string,
  day: CivilDate,
  done: { readonly flipped?: number; readonly planned?: number },
): Promise<number> {
  return db.run(sql`
    update dunning_daily_runs
       set flipped = flipped + ${done.flipped ?? 0}, planned = planned + ${done.planned ?? 0}
     where organization_id = ${organizationId} and run_on = ${day}::date`);
}

export function finishRun(
  db: Db,
  organizationId: string,
  day: CivilDate,
  now: Date,
): Promise<DailyRunRow | undefined> {
  return db.row<DailyRunRow>(sql`
    update dunning_daily_runs set finished_at = ${now}
     where organization_id = ${organizationId} and run_on = ${day}::date and finished_at is null
    returning *`);
}

/**
 * For the rest of the transaction, rows are looked up by their keys. The statements of the engine take a few thousand of
 * millions, in numbers that the planner cannot know beforehand: it would read whole tables for them. Where it would still
 * join all with all, `lateral` with `offset 0` says the order. (Planning every statement anew instead also plans the check
 * of every foreign key anew, which doubled the time of all.)
 */
export async function lookUpByKeys(db: Db): Promise<void> {
  await db.run(sql`select set_config('enable_seqscan', 'off', true)`);
}

/** Makes charges overdue whose day is over, so many at once, in the order of their ids, as everybody locks them. */
export async function flipToOverdue(
  db: Db,
  organizationId: string,
  today: CivilDate,
  now: Date,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  const row = await db.row<{ ids: string[] }>(sql`
    with late as materialized (
      select id from dunning_charges
       where organization_id = ${organizationId} and status = 'pending' and adjusted_due_date < ${today}::date
         and (${after}::uuid is null or id > ${after}::uuid)
       order by id limit ${limit} for no key update),
    flipped as (
      update dunning_charges
         set status = 'overdue', updated_at = ${now}, version = version + 1
       where organization_id = ${organizationId} and id = any(array(select id from late))
      returning id)
    select coalesce(array_agg(id order by id), '{}') as ids from flipped`);
  return row!.ids;
}

/** What the steps of charges under a rule are counted from. */
export function selectDatesOf(
  db: Db,
  organizationId: string,
  chargeIds: readonly string[],
): Promise<{ rule_id: string; due_date: CivilDate; adjusted_due_date: CivilDate }[]> {
  return db.rows(sql`
    select distinct collection_rule_id as rule_id, due_date, adjusted_due_date
      from dunning_charges
     where organization_id = ${organizationId} and id = any(${chargeIds}::uuid[]) and dunning_state = 'active'
       and collection_rule_id is not null`);
}

/** When a step comes for debtors of one state. */
export interface StateMoment {
  readonly state: string;
  readonly nominal_at: string;
  readonly due_at: string;
}

export interface StepPlan {
  readonly step: PlannedStep;
  readonly ruleConditions: Conditions;
  readonly day: CivilDate;
  /** Due dates, or adjusted ones, whose step falls on the day. */
  readonly dates: Dates;
  readonly nominalAt: Date;
  readonly dueAt: Date;
  /** States where it comes at another moment. */
  readonly states: readonly StateMoment[];
  /** The first of several missed days that are made up for; null for a day that was not missed. */
  readonly missedSince: CivilDate | null;
}

/** Which of the charges: a stretch of all of them in the order of their ids, or a few. */
export type Stretch =
  | { readonly after: string | null; readonly limit: number }
  | { readonly chargeIds: readonly string[] };

export interface PlannedStretch {
  /** How many charges the step falls on. */
  readonly found: number;
  readonly last_id: string | null;
  readonly planned: number;
}

/**
 * Plans one step of one day for the charges it falls on. A step whose moment was before the rule began for the charge
 * is not planned, and one that is planned already stays as it is. Of several missed ones only the latest is to run:
 * those of later days, and later ones of the same day, are planned before.
 */
export async function planStep(
  db: Db,
  organizationId: string,
  plan: StepPlan,
  stretch: Stretch,
  today: CivilDate,
  now: Date,
): Promise<PlannedStretch> {
  const { step, ruleConditions, dates, day } = plan;
  const date = raw(countsFromAdjusted(step) ? 'c.adjusted_due_date' : 'c.due_date');
  const isDay =
    dates.from === dates.to
      ? sql`${date} = ${dates.from}::date`
      : sql`${date} between ${dates.from}::date and ${dates.to}::date`;
  const row = await db.row<PlannedStretch>(sql`
    with chosen as materialized (
      select c.id, c.person_id, c.rule_cycle, c.rule_started_at, c.amount_cents, c.tags, c.adjusted_due_date
        from dunning_charges c
       where c.organization_id = ${organizationId} and c.dunning_state = 'active'
         and c.status in ('pending', 'overdue') and c.collection_rule_id = ${step.ruleId} and ${isDay} and ${stretchOf(stretch)}),
    planned as (
      insert into dunning_step_executions (organization_id, id, charge_id, person_id, rule_id, step_id, cycle, action,
                                           channel, step_on, due_at, status, skipped_reason, created_at, updated_at)
      select ${organizationId}, uuid_v7(), f.id, f.person_id, ${step.ruleId}, ${step.id}, f.rule_cycle, ${step.action},
             ${step.channel}, ${day}::date, f.due_at, case when f.reason is null then 'scheduled' else 'skipped' end,
             f.reason, ${now}, ${now}
        from (select chosen.*, coalesce(own.due_at, ${plan.dueAt}) as due_at, ${reasonOf(organizationId, plan, today)} as reason
                from chosen
                join lateral (select state, kind, tags from dunning_people
                               where organization_id = ${organizationId} and id = chosen.person_id offset 0) p on true
                left join jsonb_to_recordset(${JSON.stringify(plan.states)}::jsonb)
                       as own (state text, nominal_at timestamptz, due_at timestamptz) on own.state = p.state
               where coalesce(own.nominal_at, ${plan.nominalAt}) >= greatest(chosen.rule_started_at, ${step.since})
                 ${meeting(ruleConditions)} ${meeting(step.conditions)}
               order by chosen.id) f
      on conflict (organization_id, charge_id, step_id, cycle) do nothing
      returning 1)
    select (select count(*) from chosen) as found, (select id from chosen order by id desc limit 1) as last_id,
           (select count(*) from planned) as planned`);
  return row!;
}

function stretchOf(stretch: Stretch): Sql {
  if ('chargeIds' in stretch) return sql`c.id = any(${stretch.chargeIds}::uuid[])`;
  const start = stretch.after === null ? sql`true` : sql`c.id > ${stretch.after}`;
  return sql`${start} order by c.id limit ${stretch.limit}`;
}

/** The conditions, each with `and` before it. The charge is `chosen`, the debtor `p`. */
function meeting({ amountMinCents, amountMaxCents, personKind, tags }: Conditions): Sql {
  return sql`
    and (${amountMinCents}::bigint is null or chosen.amount_cents >= ${amountMinCents}::bigint)
    and (${amountMaxCents}::bigint is null or chosen.amount_cents <= ${amountMaxCents}::bigint)
    and (${personKind}::text is null or p.kind = ${personKind}::text)
    and (${tags.length === 0} or chosen.tags && ${tags}::text[] or p.tags && ${tags}::text[])`;
}

/** Why a missed step is not to run any more; null for all others. */
function reasonOf(organizationId: string, { step, missedSince }: StepPlan, today: CivilDate): Sql {
  if (missedSince === null) return sql`null::text`;
  return sql`
    case
      when ${!countsFromAdjusted(step)} and chosen.adjusted_due_date < ${today}::date then 'past_due'
      when exists (select from dunning_step_executions later
                    where later.organization_id = ${organizationId} and later.charge_id = chosen.id
                      and later.cycle = chosen.rule_cycle and later.action = ${step.action}
                      and later.step_id <> ${step.id} and later.step_on >= ${missedSince}::date
                      and later.status in ('scheduled', 'done')) then 'superseded'
    end`;
}
