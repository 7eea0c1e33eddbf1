import type { Db } from '../../core/ports.ts';
import { sql } from '../../db/sql.ts';

/** What is planned under a rule that is no more does not run. */
export function skipPlannedOfRule(
  db: Db,
  organizationId: string,
  ruleId: string,
  now: Date,
  limit: number,
): Promise<number> {
  return db.run(sql`
    with planned as materialized (
      select id from dunning_step_executions
       where organization_id = ${organizationId} and rule_id = ${ruleId} and status = 'scheduled'
       limit ${limit} for no key update skip locked)
    update dunning_step_executions e
       set status = 'skipped', skipped_reason = 'rule_archived', updated_at = ${now}, version = version + 1
      from planned
     where e.organization_id = ${organizationId} and e.id = planned.id`);
}

/** Charges at work stop; those that are held stay held. Locked in the order of their ids, as everybody locks them. */
export function releaseFromRule(
  db: Db,
  organizationId: string,
  ruleId: string,
  now: Date,
  limit: number,
): Promise<number> {
  return db.run(sql`
    with chosen as materialized (
      select id from dunning_charges
       where organization_id = ${organizationId} and collection_rule_id = ${ruleId} limit ${limit}),
    locked as materialized (
      select c.id from dunning_charges c
       where c.organization_id = ${organizationId} and c.id in (select id from chosen)
         and c.collection_rule_id = ${ruleId}
       order by c.id for no key update)
    update dunning_charges c
       set collection_rule_id = null, rule_started_at = null,
           dunning_state = case c.dunning_state when 'active' then 'none' else c.dunning_state end,
           updated_at = ${now}, version = version + 1
      from locked
     where c.organization_id = ${organizationId} and c.id = locked.id`);
}
