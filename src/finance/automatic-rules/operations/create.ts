import { z } from 'zod';
import { operation } from '../../../core/operation.ts';
import { insertRule } from '../queries.ts';
import { lockedOrder, reorder, requirePlace, requireRule, requireTargets, ruleOf } from '../resource.ts';
import { orderWith, searchPatternOf } from '../rules.ts';
import {
  matchArgument,
  patternArgument,
  positionArgument,
  ruleSchema,
  scopeArgument,
  setFields,
} from '../schema.ts';

export const createRule = operation({
  name: 'finance_automatic_rules_create',
  title: 'Create automatic rule',
  summary: 'Classify new entries whose text matches a pattern; the first rule that matches wins.',
  effect: 'write',
  scope: 'finance.automatic_rules',
  input: {
    pattern: patternArgument(),
    match: matchArgument(),
    scope: scopeArgument(),
    set: z
      .strictObject(setFields)
      .describe('What matching entries get; what a person said is never overwritten.'),
    position: positionArgument().optional(),
  },
  output: ruleSchema,
  async run(input, context) {
    const order = await lockedOrder(context);
    const position = input.position ?? order.length + 1;
    requirePlace(order.length + 1, position);
    const targets = {
      category_id: input.set.category_id ?? null,
      person_id: input.set.person_id ?? null,
      cost_center_id: input.set.cost_center_id ?? null,
      payment_method: input.set.payment_method ?? null,
      notes: input.set.notes ?? null,
    };
    await requireTargets(context, null, targets);
    const ruleId = context.newId();
    await insertRule(
      context.db,
      {
        workspace_id: context.workspaceId,
        id: ruleId,
        pattern: input.pattern,
        search_pattern: searchPatternOf(input.pattern),
        match: input.match,
        scope: input.scope,
        ...targets,
        position,
        active: true,
        created_by: context.caller.user.id,
      },
      context.now,
    );
    await reorder(context, orderWith(order, ruleId, position), ruleId);
    const rule = ruleOf(await requireRule(context, ruleId));
    context.changed('automatic_rule', ruleId, null, rule);
    return rule;
  },
});
