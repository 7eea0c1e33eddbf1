import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { changeRule, detailOf } from '../detail.ts';
import { archivingFacts, ruleFacts } from '../facts.ts';
import { requireRule } from '../resource.ts';
import { retireCharges } from '../retiring.ts';
import { ruleDetailSchema } from '../schema.ts';

export const archiveRule = operation({
  name: 'dunning_collection_rules_archive',
  title: 'Archive collection rule',
  titlePortuguese: 'Arquivar régua de cobrança',
  summary: 'Retire a rule for good; its charges stop being dunned and what is planned does not run.',
  effect: 'destructive',
  scope: 'dunning.collection_rules',
  hints: { idempotent: true },
  input: { id: id('the rule') },
  output: ruleDetailSchema,
  async question(input, context) {
    const rule = await requireRule(context, input.id);
    return [...ruleFacts(rule), ...(await archivingFacts(context, rule))];
  },
  async run(input, context) {
    const before = await requireRule(context, input.id);
    if (before.archived_at !== null) return detailOf(context, before);
    const after = await changeRule(context, before, {
      ...before,
      active: false,
      is_default: false,
      archived_at: context.now.toISOString(),
    });
    await retireCharges(context, after.id);
    return detailOf(context, after);
  },
});
