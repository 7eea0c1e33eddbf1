import { fail } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Context } from '../../core/operation.ts';
import type { ExecutionRow } from './execution-queries.ts';
import {
  type RuleRow,
  type StepRow,
  selectRecentRuleIds,
  selectRule,
  selectStep,
  selectSteps,
} from './queries.ts';
import { type Conditions, noConditions, type PlannedStep } from './rules.ts';
import type { ConditionsInput, Execution, Rule, Step } from './schema.ts';

/** How conditions are kept in a row: what is not asked for is absent. */
interface StoredConditions {
  readonly amount_min_cents?: number;
  readonly amount_max_cents?: number;
  readonly person_kind?: 'natural' | 'legal';
  readonly tags?: readonly string[];
}

const MANUAL = 'manual';

/** The public record of a rule. */
export function ruleOf(row: RuleRow): Rule {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    conditions: shownConditions(row.conditions),
    is_default: row.is_default,
    status: statusOf(row),
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The public record of a step. */
export function stepOf(row: StepRow): Step {
  return {
    id: row.id,
    rule_id: row.rule_id,
    position: row.position,
    offset_days: row.offset_days,
    day_kind: row.day_kind as Step['day_kind'],
    time: row.time_of_day.slice(0, 5),
    action: row.action as Step['action'],
    channel: row.channel as Step['channel'],
    template_id: row.template_id,
    conditions: shownConditions(row.conditions),
    active: row.active,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** The public record of an execution. What a person wrote stands behind the word that a person did it. */
export function executionOf(row: ExecutionRow): Execution {
  const [reason, note] = reasonAndNote(row.skipped_reason);
  return {
    id: row.id,
    charge_id: row.charge_id,
    person_id: row.person_id,
    rule_id: row.rule_id,
    step_id: row.step_id,
    cycle: row.cycle,
    action: row.action as Execution['action'],
    channel: row.channel as Execution['channel'],
    date: row.step_on,
    due_at: row.due_at,
    status: row.status as Execution['status'],
    skipped_reason: reason,
    note,
    notification_id: row.notification_id,
    done_at: row.done_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  };
}

/** What a rule is called in records of other slices. */
export function ruleSummary(row: Pick<RuleRow, 'id' | 'name'>): { id: string; name: string } {
  return { id: row.id, name: row.name };
}

export function statusOf(row: Pick<RuleRow, 'active' | 'archived_at'>): Rule['status'] {
  if (row.archived_at !== null) return 'archived';
  return row.active ? 'active' : 'inactive';
}

/** The rule of this organization, locked when the caller is writing. Fails with `not_found`. */
export async function requireRule(context: Context, id: string): Promise<RuleRow> {
  const row = await selectRule(context.db, context.organizationId, id, context.isWriting);
  return row ?? fail('not_found', { kind: 'collection_rule', id });
}

/** The rule unless it was archived, which is for good. */
export async function requireLiveRule(context: Context, id: string): Promise<RuleRow> {
  const row = await requireRule(context, id);
  if (row.archived_at !== null) failState('archived', ['active', 'inactive']);
  return row;
}

/** The step and its rule, the rule locked when the caller is writing. Fails with `not_found`. */
export async function requireStep(context: Context, id: string): Promise<{ rule: RuleRow; step: StepRow }> {
  const { db, organizationId } = context;
  const found = await selectStep(db, organizationId, id);
  if (found === undefined) fail('not_found', { kind: 'step', id });
  const rule = await requireLiveRule(context, found.rule_id);
  // Read again under the lock of the rule, which whoever changes a step holds.
  const step = await selectStep(db, organizationId, id);
  return { rule, step: step ?? fail('not_found', { kind: 'step', id }) };
}

/** The steps of rules as planning needs them, in order. */
export async function plannedStepsOf(context: Context, rules: readonly RuleRow[]): Promise<PlannedStep[]> {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const rows = await selectSteps(context.db, context.organizationId, [...byId.keys()]);
  return rows.map((row) => plannedStep(row, byId.get(row.rule_id)!));
}

export function plannedStep(row: StepRow, rule: Pick<RuleRow, 'updated_at'>): PlannedStep {
  return {
    id: row.id,
    ruleId: row.rule_id,
    position: row.position,
    offsetDays: row.offset_days,
    dayKind: row.day_kind as PlannedStep['dayKind'],
    time: row.time_of_day.slice(0, 5),
    action: row.action as PlannedStep['action'],
    channel: row.channel as PlannedStep['channel'],
    templateId: row.template_id,
    isActive: row.active,
    conditions: conditionsOf(row.conditions),
    since: new Date(Math.max(Date.parse(rule.updated_at), Date.parse(row.updated_at))),
  };
}

export function conditionsOf(stored: unknown): Conditions {
  const { amount_min_cents, amount_max_cents, person_kind, tags } = stored as StoredConditions;
  return {
    amountMinCents: amount_min_cents ?? noConditions.amountMinCents,
    amountMaxCents: amount_max_cents ?? noConditions.amountMaxCents,
    personKind: person_kind ?? noConditions.personKind,
    tags: tags ?? noConditions.tags,
  };
}

/** Conditions as they are kept. Fails with `invalid_argument` when no amount can be between the two. */
export function storedConditions(given: ConditionsInput | undefined): StoredConditions {
  const { amount_min: min, amount_max: max, person_kind, tags } = given ?? {};
  if (min !== undefined && max !== undefined && min > max) {
    fail('invalid_argument', {
      path: 'conditions.amount_max',
      expected: 'an amount not below conditions.amount_min',
    });
  }
  return {
    ...(min !== undefined && { amount_min_cents: min }),
    ...(max !== undefined && { amount_max_cents: max }),
    ...(person_kind !== undefined && { person_kind }),
    ...(tags !== undefined && { tags: [...new Set(tags)] }),
  };
}

export function manualReason(note: string): string {
  return `${MANUAL}: ${note}`;
}

export function failState(from: string, allowed: readonly string[]): never {
  return fail('invalid_state', { from, allowed });
}

function reasonAndNote(stored: string | null): [string | null, string | null] {
  if (!stored?.startsWith(`${MANUAL}: `)) return [stored, null];
  return [MANUAL, stored.slice(MANUAL.length + 2)];
}

function shownConditions(stored: unknown): Rule['conditions'] {
  const { amountMinCents, amountMaxCents, personKind, tags } = conditionsOf(stored);
  return {
    amount_min: amountMinCents === null ? null : moneyText(amountMinCents),
    amount_max: amountMaxCents === null ? null : moneyText(amountMaxCents),
    person_kind: personKind,
    tags: [...tags],
  };
}

/** The newest ids of rules that begin as typed. */
export function suggestRuleIds({ db, organizationId }: Context, typed: string): Promise<string[]> {
  return selectRecentRuleIds(db, organizationId, typed);
}
