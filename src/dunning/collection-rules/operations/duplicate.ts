import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { detailOf } from '../detail.ts';
import { insertRule, insertStep, selectStep, selectSteps } from '../queries.ts';
import { requireRule, ruleOf, stepOf } from '../resource.ts';
import { ruleDetailSchema, ruleNameArgument } from '../schema.ts';

export const duplicateRule = operation({
  name: 'dunning_collection_rules_duplicate',
  title: 'Duplicate collection rule',
  summary: 'Copy a rule with its steps; the copy is inactive and no charge is under it.',
  effect: 'write',
  scope: 'dunning.collection_rules',
  input: { id: id('the rule to copy'), name: ruleNameArgument().describe('Of the copy.') },
  output: ruleDetailSchema,
  async run(input, context) {
    const { db, organizationId, now } = context;
    const original = await requireRule(context, input.id);
    const by = context.caller.user.id;
    const ruleId = context.newId();
    await insertRule(
      db,
      { ...original, id: ruleId, name: input.name, is_default: false, active: false, created_by: by },
      now,
    );
    const copy = await requireRule(context, ruleId);
    context.changed('collection_rule', ruleId, null, ruleOf(copy));
    for (const step of await selectSteps(db, organizationId, [original.id])) {
      const stepId = context.newId();
      await insertStep(db, { ...step, id: stepId, rule_id: ruleId, created_by: by }, now);
      context.changed('step', stepId, null, stepOf((await selectStep(db, organizationId, stepId))!));
    }
    return detailOf(context, copy);
  },
});
