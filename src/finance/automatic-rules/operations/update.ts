import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { updateRule as updateRow } from '../queries.ts';
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

const clearable = z
  .strictObject({
    category_id: setFields.category_id.nullable(),
    person_id: setFields.person_id.nullable(),
    cost_center_id: setFields.cost_center_id.nullable(),
    payment_method: setFields.payment_method.nullable(),
    notes: setFields.notes.nullable(),
  })
  .describe('Only what changes; null takes a field out.');

export const updateRule = operation({
  name: 'finance_automatic_rules_update',
  title: 'Update automatic rule',
  summary: 'Change a rule, move it, or switch it off; entries classified before stay as they are.',
  effect: 'write',
  scope: 'finance.automatic_rules',
  hints: { idempotent: true },
  input: {
    id: id('the rule'),
    pattern: patternArgument().optional(),
    match: matchArgument().optional(),
    scope: scopeArgument().optional(),
    set: clearable.optional(),
    position: positionArgument().optional(),
    active: z.boolean().optional(),
  },
  output: ruleSchema,
  async run(input, context) {
    const order = await lockedOrder(context);
    const before = await requireRule(context, input.id);
    const { pattern = before.pattern, match = before.match, scope = before.scope, set = {} } = input;
    const given = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
    const edited = {
      ...before,
      ...given,
      pattern,
      search_pattern: searchPatternOf(pattern),
      match,
      scope,
      active: input.active ?? before.active,
    };
    await requireTargets(context, before, edited);
    await updateRow(context.db, edited, context.now);
    if (input.position !== undefined) {
      requirePlace(order.length, input.position);
      await reorder(context, orderWith(order, input.id, input.position), input.id);
    }
    const after = ruleOf(await requireRule(context, input.id));
    context.changed('automatic_rule', input.id, ruleOf(before), after);
    return after;
  },
});
