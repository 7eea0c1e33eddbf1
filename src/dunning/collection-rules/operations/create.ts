import { z } from 'zod';
import { operation } from '../../../core/operation.ts';
import { changeDefault, detailOf } from '../detail.ts';
import { insertRule } from '../queries.ts';
import { requireRule, ruleOf, storedConditions } from '../resource.ts';
import { conditionsArgument, descriptionArgument, ruleDetailSchema, ruleNameArgument } from '../schema.ts';

export const createRule = operation({
  name: 'dunning_collection_rules_create',
  title: 'Create collection rule',
  summary: 'Add a collection rule without steps; it is inactive until it has some and is activated.',
  effect: 'write',
  scope: 'dunning.collection_rules',
  input: {
    name: ruleNameArgument(),
    description: descriptionArgument().optional(),
    conditions: conditionsArgument().optional().describe('Which charges it is for. Default: all.'),
    is_default: z.boolean().default(false).describe('Suggested for charges; touches none that exist.'),
  },
  output: ruleDetailSchema,
  async run(input, context) {
    const ruleId = context.newId();
    if (input.is_default) await changeDefault(context, ruleId);
    await insertRule(
      context.db,
      {
        organization_id: context.organizationId,
        id: ruleId,
        name: input.name,
        description: input.description ?? null,
        conditions: storedConditions(input.conditions),
        is_default: input.is_default,
        active: false,
        created_by: context.caller.user.id,
      },
      context.now,
    );
    const rule = await requireRule(context, ruleId);
    context.changed('collection_rule', ruleId, null, ruleOf(rule));
    return detailOf(context, rule);
  },
});
