import { id, listArguments, listOutput } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { selectStepPage, stepSort } from '../queries.ts';
import { requireRule, stepOf } from '../resource.ts';
import { stepSchema } from '../schema.ts';

export const listSteps = operation({
  name: 'dunning_collection_rule_steps_list',
  title: 'List steps of a collection rule',
  summary: 'The steps of one rule in the order in which they come.',
  effect: 'read',
  scope: 'dunning.collection_rules',
  input: { rule_id: id('the rule'), ...listArguments },
  output: listOutput(stepSchema),
  async run(input, context) {
    const { db, organizationId } = context;
    const rule = await requireRule(context, input.rule_id);
    const position = decodeCursor(stepSort, input.cursor);
    const page = { sort: stepSort, position, limit: input.limit };
    const found = await selectStepPage(db, organizationId, rule.id, input, page);
    const { rows, next_cursor } = pageOf(found, input.limit, stepSort, (row) => ({
      key: String(row.place),
      id: row.id,
    }));
    return { items: rows.map(stepOf), next_cursor };
  },
});
