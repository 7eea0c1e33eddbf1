import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { detailOf } from '../detail.ts';
import { requireRule } from '../resource.ts';
import { ruleDetailSchema } from '../schema.ts';

export const getRule = operation({
  name: 'dunning_collection_rules_get',
  title: 'Get collection rule',
  summary: 'One collection rule: its conditions, its state, and how many charges it works on.',
  effect: 'read',
  scope: 'dunning.collection_rules',
  input: { id: id('the rule') },
  output: ruleDetailSchema,
  async run(input, context) {
    return detailOf(context, await requireRule(context, input.id));
  },
});
