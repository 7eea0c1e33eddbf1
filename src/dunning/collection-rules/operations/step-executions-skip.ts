import { fail } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { selectExecution, skipExecution } from '../execution-queries.ts';
import { executionOf, failState, manualReason } from '../resource.ts';
import { executionSchema, noteArgument } from '../schema.ts';

export const skipStepExecution = operation({
  name: 'dunning_step_executions_skip',
  title: 'Skip step execution',
  summary: 'Keep one scheduled step of one charge from running; the rule goes on with the next.',
  effect: 'write',
  scope: 'dunning.collection_rules',
  input: { id: id('the execution'), reason: noteArgument().describe('Why it is not to run.') },
  output: executionSchema,
  async run(input, context) {
    const { db, organizationId, now } = context;
    const before = await selectExecution(db, organizationId, input.id, true);
    if (before === undefined) fail('not_found', { kind: 'step_execution', id: input.id });
    if (before.status !== 'scheduled') failState(before.status, ['scheduled']);
    const row = await skipExecution(db, organizationId, before.id, manualReason(input.reason), now);
    const after = executionOf(row!);
    context.changed('step_execution', before.id, executionOf(before), after);
    return after;
  },
});
