/** Rules as results show them, and what changing one does to others. */

import type { Context, WriteContext } from '../../core/operation.ts';
import { countsOf } from './counts.ts';
import { type RuleRow, selectDefaultRule, selectSteps, updateRule } from './queries.ts';
import { requireRule, ruleOf } from './resource.ts';
import type { RuleDetail } from './schema.ts';

/** The public record with its counts. */
export async function detailOf(context: Context, row: RuleRow): Promise<RuleDetail> {
  const counts = await countsOf(context, [row], null);
  return { ...ruleOf(row), ...counts.get(row.id)! };
}

/** Writes a changed rule and records the change. Gives the row as it is now. */
export async function changeRule(context: WriteContext, before: RuleRow, changed: RuleRow): Promise<RuleRow> {
  await updateRule(context.db, changed, context.now);
  const after = await requireRule(context, before.id);
  context.changed('collection_rule', before.id, ruleOf(before), ruleOf(after));
  return after;
}

/** Takes the mark of the default rule from whichever other has it. */
export async function changeDefault(context: WriteContext, id: string): Promise<void> {
  const found = await selectDefaultRule(context.db, context.organizationId);
  if (found === undefined || found.id === id) return;
  const row = await requireRule(context, found.id);
  if (row.is_default) await changeRule(context, row, { ...row, is_default: false });
}

/** A rule without a step in use does nothing, and says so. The caller holds the rule. */
export async function deactivateWithoutSteps(context: WriteContext, rule: RuleRow): Promise<void> {
  if (!rule.active || (await hasStepInUse(context, rule.id))) return;
  await changeRule(context, rule, { ...rule, active: false });
}

export async function hasStepInUse({ db, organizationId }: Context, ruleId: string): Promise<boolean> {
  const steps = await selectSteps(db, organizationId, [ruleId]);
  return steps.some(({ active }) => active);
}
