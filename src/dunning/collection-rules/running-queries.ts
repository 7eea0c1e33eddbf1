/** Statements that run what is due, thousands of steps at once. */

import type { CivilDate } from '../../core/dates.ts';
import { SYSTEM_USER_ID } from '../../core/job.ts';
import type { Context } from '../../core/operation.ts';
import type { Db } from '../../core/ports.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { gate } from '../contact-gate/index.ts';
import type { Settings } from '../settings/index.ts';
import { LANES } from './lanes.ts';
import type { StepRow } from './queries.ts';
import { MOVED_DAYS_MAX } from './rules.ts';

/** A step that is due and the day it was planned for. */
export interface DueDay {
  readonly step_id: string;
  readonly step_on: CivilDate;
}

/** Which steps are due now, each with its days. */
export function selectDueDays(db: Db, organizationId: string, now: Date): Promise<DueDay[]> {
  return db.rows<DueDay>(sql`
    select distinct step_id, step_on from dunning_step_executions
     where organization_id = ${organizationId} and status = 'scheduled' and due_at <= ${now}`);
}

/** A step on a day: whether it is in use, what it sends, and the dates whose step it is on the day, as it is now. */
export interface StepDay extends DueDay {
  readonly position: number;
  /** Why it does not run at all. */
  readonly reason: 'step_removed' | 'rule_inactive' | 'template_inactive' | null;
  readonly template_id: string | null;
  readonly text_version: number | null;
  readonly is_adjusted: boolean;
  readonly from_date: CivilDate | null;
  readonly to_date: CivilDate | null;
}

/** What steps do now, with the state of their rules and templates; also of those taken out. */
export function selectDueSteps(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<
  (StepRow & { rule_active: boolean; template_active: boolean | null; text_version: number | null })[]
> {
  return db.rows(sql`
    select s.*, r.active as rule_active, t.active as template_active, t.text_version
      from dunning_rule_steps s
      join dunning_collection_rules r on r.organization_id = s.organization_id and r.id = s.rule_id
      left join dunning_templates t on t.organization_id = s.organization_id and t.id = s.template_id
     where s.organization_id = ${organizationId} and s.id = any(${ids}::uuid[])`);
}

export interface RunBatch {
  readonly queued: number;
  readonly done: number;
  readonly moved: number;
  readonly skipped: number;
  /** Charges whose due date, or whose step, has moved away from the day: they are planned anew. */
  readonly forgotten: readonly string[];
}

/**
 * Runs steps that are due, so many at once. Whatever stands against one is looked at now: messages that may go are put
 * in the queue of the sender, those that have to wait are moved, the rest is closed with its reason. Rows that another
 * process works on are left to it, and steps of other days than those named to the next time.
 */
export async function runDue({
  context,
  settings,
  days,
  lane,
  limit,
}: {
  readonly context: Context;
  readonly settings: Settings;
  readonly days: readonly StepDay[];
  /** Of debtors whose id ends so. */
  readonly lane: number;
  readonly limit: number;
}): Promise<RunBatch> {
  const { db, organizationId, now } = context;
  const row = await db.row<RunBatch>(sql`
    with due as materialized (
      select e.id, e.charge_id, e.person_id, e.action, e.channel
        from dunning_step_executions e
       where e.organization_id = ${organizationId} and e.status = 'scheduled' and e.due_at <= ${now}
         and get_byte(uuid_send(e.person_id), 15) % ${LANES} = ${lane}
       order by e.due_at, e.id limit ${limit}
         for no key update skip locked),
    judged as materialized (${judgedBy(context, settings)}),
    verdict as materialized (${verdictOf(context, days)}),
    queued as (
      insert into dunning_notifications (organization_id, id, person_id, charge_id, channel, contact_id, template_id,
                                         template_version, trigger, execution_id, scheduled_for, status, policy_version,
                                         queued_at, created_by, created_at, updated_at)
      select ${organizationId}, notification_id, person_id, charge_id, channel, contact_id, template_id, text_version,
             'rule', id, ${now}, 'queued', ${settings.contactPolicy.version}, ${now}, ${SYSTEM_USER_ID}, ${now}, ${now}
        from verdict where outcome = 'queue'),
    forgotten as (
      delete from dunning_step_executions e using verdict v
       where e.organization_id = ${organizationId} and e.id = v.id and v.outcome = 'forget'
      returning e.charge_id),
    closed as (
      update dunning_step_executions e
         set status = case v.outcome when 'move' then 'scheduled' when 'skip' then 'skipped' else 'done' end,
             due_at = case v.outcome when 'move' then v.moves_to else e.due_at end,
             moves = e.moves + case v.outcome when 'move' then 1 else 0 end,
             skipped_reason = case v.outcome when 'skip' then v.reason end,
             notification_id = case v.outcome when 'queue' then v.notification_id end,
             policy_version = case when v.outcome in ('queue', 'do') then ${settings.contactPolicy.version} end,
             done_at = case when v.outcome in ('queue', 'do') then ${now}::timestamptz end,
             updated_at = ${now}, version = e.version + 1
        from verdict v
       where e.organization_id = ${organizationId} and e.id = v.id and v.outcome <> 'forget')
    select count(*) filter (where outcome = 'queue') as queued, count(*) filter (where outcome = 'do') as done,
           count(*) filter (where outcome = 'move') as moved, count(*) filter (where outcome = 'skip') as skipped,
           (select coalesce(array_agg(distinct charge_id), '{}') from forgotten) as forgotten
      from verdict`);
  return row!;
}

/** What the gate says of each; it knows the person, the charge, the channel and the hour. */
function judgedBy(context: Context, settings: Settings): Sql {
  return gate(
    context,
    settings,
    sql`select due.id as candidate_id, due.person_id, due.charge_id, due.channel, null::uuid as contact_id,
               case due.action when 'message' then 'message' else 'task' end as purpose
          from due`,
  );
}

/**
 * What becomes of each. Rows are looked up one by one by their keys, because the planner does not know how many were
 * taken: it would read all there are, or compare each with each. The rule has to be the charge's still and the step to
 * fall on the day still; a reminder is not sent after the due date; several messages to one person take turns.
 */
function verdictOf({ organizationId, now, today, timeZone }: Context, days: readonly StepDay[]): Sql {
  return sql`
    select turned.*, uuid_v7() as notification_id,
           case
             when reason = 'forgotten' then 'forget'
             when reason in ('window_closed', 'daily_cap') then
               case when (moves_to at time zone ${timeZone})::date <= step_on + ${MOVED_DAYS_MAX}::integer
                 then 'move' else 'skip' end
             when reason is not null then 'skip'
             when action = 'message' then 'queue'
             else 'do'
           end as outcome
      from (
        select l.id, l.person_id, l.charge_id, l.action, l.channel, l.step_on, l.contact_id, l.template_id, l.text_version,
               case when l.reason is null and l.action = 'message' and l.turn > l.left_today
                 then 'daily_cap' else l.reason end as reason,
               case when l.reason is null then l.next_day_at else l.next_at end as moves_to
          from (
            select looked.*, row_number() over (partition by person_id, action = 'message' and reason is null
                                                order by due_at, position, due_date, id) as turn
              from (
                select e.id, e.person_id, e.charge_id, e.action, e.channel, e.step_on, e.due_at, judged.contact_id,
                       judged.left_today, judged.next_day_at, judged.next_at, day.position, day.template_id,
                       day.text_version, c.due_date,
                       case
                         when day.reason is not null then day.reason
                         when c.collection_rule_id is distinct from e.rule_id then 'rule_changed'
                         when c.rule_cycle <> e.cycle then 'reopened'
                         when day.from_date is null or not
                           case when day.is_adjusted then c.adjusted_due_date else c.due_date end
                             between day.from_date and day.to_date then 'forgotten'
                         when not day.is_adjusted and c.adjusted_due_date < ${today}::date then 'past_due'
                         when e.due_at < ${now}::timestamptz - ${MOVED_DAYS_MAX} * interval '1 day' then 'too_late'
                         when e.action like 'suggest%' and c.legal_kind is not null then 'legal_action_exists'
                         else judged.reason
                       end as reason
                  from judged
                  join lateral (select * from dunning_step_executions
                                 where organization_id = ${organizationId} and id = judged.candidate_id offset 0) e on true
                  join lateral (select collection_rule_id, rule_cycle, due_date, adjusted_due_date, legal_kind
                                  from dunning_charges
                                 where organization_id = ${organizationId} and id = e.charge_id offset 0) c on true
                  join jsonb_to_recordset(${JSON.stringify(days)}::jsonb)
                    as day (step_id uuid, step_on date, position integer, reason text, template_id uuid,
                            text_version integer, is_adjusted boolean, from_date date, to_date date)
                    on day.step_id = e.step_id and day.step_on = e.step_on
              ) looked
          ) l
      ) turned`;
}
