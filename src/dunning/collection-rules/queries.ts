import type { Position } from '../../core/paging.ts';
import type { Db } from '../../core/ports.ts';
import {
  after,
  all,
  booksVersion,
  type ListSort,
  orderAndLimit,
  plainText,
  recentIds,
  searchPattern,
  sortsOf,
  type TimeFilters,
  timeFilters,
} from '../../db/listing.ts';
import type { Tables } from '../../db/rows.ts';
import { raw, sql } from '../../db/sql.ts';

export type RuleRow = Tables['dunning_collection_rules'];
export type StepRow = Tables['dunning_rule_steps'];

export const ruleSorts = sortsOf({
  name: { column: 'name', keyForm: 'text' },
  created_at: { column: 'created_at', keyForm: 'instant' },
});

/** A rule has few steps: they are put in order as they are read. */
export const stepSort: ListSort = {
  name: 'order',
  column:
    '((offset_days + 1000) * 1000000::bigint + extract(epoch from time_of_day)::integer / 60 * 100 + position)',
  keyForm: 'integer',
  direction: 'asc',
};

export interface RuleFilter extends TimeFilters {
  active?: boolean | undefined;
  archived?: boolean | undefined;
  search?: string | undefined;
}

export interface Page {
  readonly sort: ListSort;
  readonly position: Position | null;
  readonly limit: number;
}

export function selectRules(
  db: Db,
  organizationId: string,
  filter: RuleFilter,
  page: Page,
): Promise<(RuleRow & { books_version: number | null })[]> {
  return db.rows(sql`
    select *, ${booksVersion(organizationId)} from dunning_collection_rules
     where organization_id = ${organizationId}
       ${all(
         filter.active !== undefined && sql`active = ${filter.active}`,
         sql`(archived_at is not null) = ${filter.archived ?? false}`,
         filter.search !== undefined && sql`${plainText('name')} like ${searchPattern(filter.search)}`,
       )}
       ${timeFilters(filter, 'dunning_collection_rules')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** The newest ids of rules that begin as typed. */
export async function selectRecentRuleIds(db: Db, organizationId: string, typed: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(recentIds('dunning_collection_rules', organizationId, typed));
  return rows.map(({ id }) => id);
}

/** `lock` keeps it as it is, its steps with it: whoever changes one of them holds the rule. */
export function selectRule(
  db: Db,
  organizationId: string,
  id: string,
  lock: boolean,
): Promise<RuleRow | undefined> {
  return db.row<RuleRow>(sql`
    select * from dunning_collection_rules
     where organization_id = ${organizationId} and id = ${id} ${raw(lock ? 'for no key update' : '')}`);
}

export function selectDefaultRule(db: Db, organizationId: string): Promise<RuleRow | undefined> {
  return db.row<RuleRow>(sql`
    select * from dunning_collection_rules where organization_id = ${organizationId} and is_default`);
}

export function insertRule(
  db: Db,
  rule: Omit<RuleRow, 'archived_at' | 'created_at' | 'updated_at' | 'version'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into dunning_collection_rules (organization_id, id, name, description, conditions, is_default, active,
                                          created_by, created_at, updated_at)
    values (${rule.organization_id}, ${rule.id}, ${rule.name}, ${rule.description},
            ${JSON.stringify(rule.conditions)}::jsonb, ${rule.is_default}, ${rule.active}, ${rule.created_by},
            ${now}, ${now})`);
}

export function updateRule(db: Db, rule: RuleRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_collection_rules
       set name = ${rule.name}, description = ${rule.description},
           conditions = ${JSON.stringify(rule.conditions)}::jsonb, is_default = ${rule.is_default},
           active = ${rule.active}, archived_at = ${rule.archived_at}, updated_at = ${now}, version = version + 1
     where organization_id = ${rule.organization_id} and id = ${rule.id}`);
}

/** Steps in use, in the order in which they happen. */
export function selectSteps(db: Db, organizationId: string, ruleIds: readonly string[]): Promise<StepRow[]> {
  return db.rows<StepRow>(sql`
    select * from dunning_rule_steps
     where organization_id = ${organizationId} and rule_id = any(${ruleIds}::uuid[]) and deleted_at is null
     order by rule_id, offset_days, time_of_day, position, id`);
}

export function selectStepPage(
  db: Db,
  organizationId: string,
  ruleId: string,
  filter: TimeFilters,
  page: Page,
): Promise<(StepRow & { place: number })[]> {
  return db.rows(sql`
    select *, ${raw(stepSort.column)} as place from dunning_rule_steps
     where organization_id = ${organizationId} and rule_id = ${ruleId} and deleted_at is null
       ${timeFilters(filter, 'dunning_rule_steps')}
       ${after(page.sort, page.position)}
     ${orderAndLimit(page.sort, page.limit)}`);
}

/** Without those taken out, which stay only for their history. */
export function selectStep(db: Db, organizationId: string, id: string): Promise<StepRow | undefined> {
  return db.row<StepRow>(sql`
    select * from dunning_rule_steps
     where organization_id = ${organizationId} and id = ${id} and deleted_at is null`);
}

export function insertStep(
  db: Db,
  step: Omit<StepRow, 'deleted_at' | 'created_at' | 'updated_at' | 'version'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into dunning_rule_steps (organization_id, id, rule_id, position, offset_days, day_kind, time_of_day, action,
                                    channel, template_id, conditions, active, created_by, created_at, updated_at)
    values (${step.organization_id}, ${step.id}, ${step.rule_id}, ${step.position}, ${step.offset_days},
            ${step.day_kind}, ${step.time_of_day}::time, ${step.action}, ${step.channel}, ${step.template_id},
            ${JSON.stringify(step.conditions)}::jsonb, ${step.active}, ${step.created_by}, ${now}, ${now})`);
}

export function updateStep(db: Db, step: StepRow, now: Date): Promise<number> {
  return db.run(sql`
    update dunning_rule_steps
       set position = ${step.position}, offset_days = ${step.offset_days}, day_kind = ${step.day_kind},
           time_of_day = ${step.time_of_day}::time, action = ${step.action}, channel = ${step.channel},
           template_id = ${step.template_id}, conditions = ${JSON.stringify(step.conditions)}::jsonb,
           active = ${step.active}, deleted_at = ${step.deleted_at}, updated_at = ${now}, version = version + 1
     where organization_id = ${step.organization_id} and id = ${step.id}`);
}

/** How many steps and charges each rule has: charges are counted on the index of those at work. */
export function selectCounts(
  db: Db,
  organizationId: string,
  ruleIds: readonly string[],
): Promise<{ rule_id: string; steps: number; charges: number; books_version: number | null }[]> {
  return db.rows(sql`
    select asked.id as rule_id, ${booksVersion(organizationId)},
           (select count(*) from dunning_rule_steps s
             where s.organization_id = ${organizationId} and s.rule_id = asked.id and s.deleted_at is null) as steps,
           (select count(*) from dunning_charges c
             where c.organization_id = ${organizationId} and c.collection_rule_id = asked.id
               and c.dunning_state = 'active') as charges
      from unnest(${ruleIds}::uuid[]) as asked (id)`);
}

export function selectTemplateNames(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db.rows(sql`
    select id, name from dunning_templates where organization_id = ${organizationId} and id = any(${ids}::uuid[])`);
}
