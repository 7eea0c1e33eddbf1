/** Putting charges under a rule, or taking them off it. */

import { addDays } from '../../core/dates.ts';
import { failArgument } from '../../core/errors.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import {
  type ChargeRow,
  changeCharge,
  requireCharge,
  requireCollectable,
  withRuleState,
} from '../charges/index.ts';
import { type ContactPolicy, instantAt } from '../contact-law/index.ts';
import { settingsOf } from '../settings/index.ts';
import { selectKnownSteps, skipPlannedBefore } from './execution-queries.ts';
import { type RuleRow, selectDefaultRule } from './queries.ts';
import { conditionsOf, failState, plannedStepsOf, requireRule, statusOf } from './resource.ts';
import { type Conditions, meets, type PlannedCharge, type PlannedStep } from './rules.ts';
import { firstToCome, type SimulatedStep, simulateSteps } from './simulation.ts';
import { plannedChargesOf } from './subject.ts';

export const starts = ['today', 'next_step'] as const;
export type Start = (typeof starts)[number];

/** The rule that charges come under with its steps; a null rule takes them off. */
export interface Assignment {
  readonly rule: RuleRow | null;
  readonly steps: readonly PlannedStep[];
  readonly conditions: Conditions;
  readonly policy: ContactPolicy;
  readonly start: Start;
}

/**
 * What is to be assigned: the rule named, the default one when none is named, none for null. Fails with `not_found`, and
 * with `invalid_state` for a rule that is not at work.
 */
export async function assignmentOf(
  context: Context,
  ruleId: string | null | undefined,
  start: Start,
): Promise<Assignment> {
  const { contactPolicy: policy } = await settingsOf(context);
  const rule = ruleId === null ? null : await ruleToAssign(context, ruleId);
  if (rule === null) return { rule, steps: [], conditions: conditionsOf({}), policy, start };
  const steps = await plannedStepsOf(context, [rule]);
  return { rule, steps, conditions: conditionsOf(rule.conditions), policy, start };
}

async function ruleToAssign(context: Context, ruleId: string | undefined): Promise<RuleRow> {
  const id = ruleId ?? (await selectDefaultRule(context.db, context.organizationId))?.id;
  if (id === undefined) failArgument('rule_id', 'the id of a rule: there is no default one');
  const rule = await requireRule(context, id);
  const status = statusOf(rule);
  if (status !== 'active') failState(status, ['active']);
  return rule;
}

/** The moment from which steps of the rule fire for the charge. */
export function startOf(context: Context, charge: Pick<ChargeRow, 'person_state'>, start: Start): Date {
  return start === 'today' ? context.now : instantAt(addDays(context.today, 1), '00:00', charge.person_state);
}

/** Whether the charge can come under the rule, or off it, as things are. */
export function isAssignable(
  row: Pick<ChargeRow, 'status' | 'archived_at'>,
  charge: PlannedCharge,
  { rule, conditions }: Pick<Assignment, 'rule' | 'conditions'>,
): boolean {
  const isDue = row.status === 'pending' || row.status === 'overdue';
  return isDue && row.archived_at === null && (rule === null || meets(conditions, charge));
}

/** Fails with the reason why it cannot. */
function requireAssignable(row: ChargeRow, charge: PlannedCharge, assignment: Assignment): void {
  if (isAssignable(row, charge, assignment)) return;
  requireCollectable(row);
  if (row.archived_at !== null) failState('archived', ['pending', 'overdue']);
  failArgument('rule_id', 'a rule whose conditions the charge meets');
}

/** The first step that will come to each of the charges; none for those that none comes to any more. */
export async function firstStepsOf(
  context: Context,
  rows: readonly ChargeRow[],
  assignment: Assignment,
): Promise<ReadonlyMap<string, SimulatedStep>> {
  const charges = await plannedChargesOf(context, rows);
  const had = Map.groupBy(
    await selectKnownSteps(
      context.db,
      context.organizationId,
      rows.map(({ id }) => id),
    ),
    ({ charge_id }) => charge_id,
  );
  const firsts = new Map<string, SimulatedStep>();
  for (const row of rows) {
    const known = new Set(
      had
        .get(row.id)
        ?.filter(({ status }) => status !== 'scheduled')
        .map(({ step_id }) => step_id),
    );
    const { conditions, policy, start } = assignment;
    const steps = assignment.steps.filter(({ id }) => !known.has(id));
    const startsAt = startOf(context, row, start);
    const first = firstToCome(
      simulateSteps({ steps, conditions }, charges.get(row.id)!, { startsAt, policy }),
    );
    if (first !== null) firsts.set(row.id, first);
  }
  return firsts;
}

/** Puts one charge under the rule. Past steps never fire, and what another rule had planned does not run. */
export async function assignCharge(
  context: WriteContext,
  id: string,
  assignment: Assignment,
): Promise<ChargeRow> {
  const row = await requireCharge(context, id);
  requireAssignable(row, (await plannedChargesOf(context, [row])).get(id)!, assignment);
  const ruleId = assignment.rule?.id ?? null;
  const startsAt = startOf(context, row, assignment.start);
  await skipPlannedBefore(context.db, context.organizationId, id, { ruleId, startsAt }, context.now);
  const assigned = await withRuleState(context, {
    ...row,
    collection_rule_id: ruleId,
    rule_started_at: ruleId === null ? null : startsAt.toISOString(),
    // A rule that had run out is not what counts any more.
    dunning_state: 'none',
  });
  return changeCharge(context, row, assigned);
}
