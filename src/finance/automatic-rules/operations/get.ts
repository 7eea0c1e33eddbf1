import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireRule, ruleOf } from '../resource.ts';
import { ruleSchema } from '../schema.ts';

export const getRule = operation({
  name: 'finance_automatic_rules_get',
  title: 'Get automatic rule',
  summary: 'One rule: its pattern, its place, and what it gives.',
  effect: 'read',
  scope: 'finance.automatic_rules',
  input: { id: id('the rule') },
  output: ruleSchema,
  async run(input, context) {
    return ruleOf(await requireRule(context, input.id));
  },
});
