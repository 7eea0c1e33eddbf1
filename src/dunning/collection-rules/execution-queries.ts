import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  type ListSort,
  orderAndLimit,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

export type ExecutionRow = Tables['dunning_step_executions'];

export const executionSorts = sortsOf({ date: { column: 'step_on', keyForm: 'date' } });

export interface ExecutionFilter extends TimeFilters {
  charge_id?: string | undefined;
  rule_id?: string | undefined;
  action?: string | undefined;
  status?: string | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
}

export function selectExecutions(
  db: Db,
  organizationId: string,
  filter: ExecutionFilter,
  page: { sort: ListSort; position: Position | null; limit: number },
): Promise<ExecutionRow[]> {
  return db.rows<ExecutionRow>(sql`
    select * from dunning_step_executions
     where organization_id = ${organizationId}
       ${all(
         filter.charge_id !== undefined && sql`charge_id = ${filter.charge_id}`,
         filter.rule_id !== undefined && sql`rule_id = ${filter.rule_id}`,
         filter.action !== undefined && sql`action = ${filter.action}`,
         filter.status !== undefined && sql`status = ${filter.status}`,
         filter.date_from !== undefined && sql`step_on >= ${filter.date_from}::date`,
         filter.date_to !== undefined && sql`step_on <= ${filter.date_to}::date`,
       )}
       ${timeFilters(filter, 'dunning_step_executions')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

export function selectExecution(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<ExecutionRow | undefined> {
  return db.row<ExecutionRow>(sql`
    select * from dunning_step_executions
     where organization_id = ${organizationId} and id = ${id} ${raw(lock ? 'for no key update' : '')}`);
}

export function skipExecution(
  db: Db,
  organizationId: string,
  id: string,
  reason: string,
  now: Date,
): Promise<ExecutionRow | undefined> {
  return db.row<ExecutionRow>(sql`
    update dunning_step_executions
       set status = 'skipped', skipped_reason = ${reason}, updated_at = ${now}, version = version + 1
     where organization_id = ${organizationId} and id = ${id}
    returning *`);
}

/** Steps that some charges have had already, in the cycle that each of them is in. */
export function selectKnownSteps(
  db: Db,
  organizationId: string,
  chargeIds: readonly string[],
): Promise<{ charge_id: string; step_id: string; status: string }[]> {
  return db.rows(sql`
    select e.charge_id, e.step_id, e.status
      from dunning_step_executions e
      join dunning_charges c on c.organization_id = e.organization_id and c.id = e.charge_id
     where e.organization_id = ${organizationId} and e.charge_id = any(${chargeIds}::uuid[]) and e.cycle = c.rule_cycle`);
}

/** What was planned for a charge under another rule, or before a later start, does not run. */
export function skipPlannedBefore(
  db: Db,
  organizationId: string,
  chargeId: string,
  kept: { readonly ruleId: string | null; readonly startsAt: Date },
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dunning_step_executions
       set status = 'skipped', skipped_reason = 'rule_changed', updated_at = ${now}, version = version + 1
     where organization_id = ${organizationId} and charge_id = ${chargeId} and status = 'scheduled'
       and (rule_id is distinct from ${kept.ruleId}::uuid
            or ${kept.startsAt}::timestamptz > ${now}::timestamptz and due_at < ${kept.startsAt}::timestamptz)`);
}

/** Of a step whose moment changed: what was planned for today or later and has not run is planned anew. */
export function deletePlannedOfStep(
  db: Db,
  organizationId: string,
  stepId: string,
  today: string,
): Promise<number> {
  return db.run(sql`
    delete from dunning_step_executions
     where organization_id = ${organizationId} and step_id = ${stepId} and status = 'scheduled'
       and step_on >= ${today}::date`);
}

/** What is planned of a step is done as the step says now. */
export function updatePlannedOfStep(
  db: Db,
  organizationId: string,
  step: { readonly id: string; readonly action: string; readonly channel: string | null },
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dunning_step_executions
       set action = ${step.action}, channel = ${step.channel}, updated_at = ${now}, version = version + 1
     where organization_id = ${organizationId} and step_id = ${step.id} and status = 'scheduled'`);
}

/** What is planned of a step that is no more. */
export function skipPlannedOfStep(
  db: Db,
  organizationId: string,
  stepId: string,
  now: Date,
): Promise<number> {
  return db.run(sql`
    update dunning_step_executions
       set status = 'skipped', skipped_reason = 'step_removed', updated_at = ${now}, version = version + 1
     where organization_id = ${organizationId} and step_id = ${stepId} and status = 'scheduled'`);
}
