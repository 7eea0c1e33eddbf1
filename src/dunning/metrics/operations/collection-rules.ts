import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { type StepRow, selectSteps } from '../queries.ts';
import { filterOf, messagesOf, paidAfter } from '../resource.ts';
import { added, windowOf } from '../rules.ts';
import { monthsArgument, rulesSchema } from '../schema.ts';

const RULES_MAX = 50;

export const ruleMetrics = operation({
  name: 'dunning_metrics_rules',
  title: 'Collection rule metrics',
  summary: 'Steps done, messages delivered and read, and what was recovered after them, by rule and step.',
  effect: 'read',
  scope: 'dunning.metrics',
  input: { months: monthsArgument, rule_id: id('the rule').optional() },
  output: rulesSchema,
  async run(input, { db, organizationId, today }) {
    const window = windowOf(input.months, today);
    const ruleId = input.rule_id;
    const rows = await selectSteps(db, organizationId, { from: window.from, to: today, ruleId });
    const rules = [...Map.groupBy(rows, ({ rule_id }) => rule_id)].toSorted(
      ([leftId, left], [rightId, right]) => stepsOf(right) - stepsOf(left) || (leftId < rightId ? -1 : 1),
    );
    return {
      as_of: today,
      currency: 'BRL' as const,
      filter: { ...filterOf(window), rule_id: ruleId ?? null },
      rules: rules.slice(0, RULES_MAX).map(([rule, steps]) => ({
        id: rule,
        name: steps[0]!.rule_name,
        ...figuresOf(steps),
        steps: steps.map((step) => ({
          id: step.step_id,
          offset_days: step.offset_days,
          action: step.action,
          channel: step.channel,
          ...figuresOf([step]),
        })),
      })),
      rules_count: rules.length,
    };
  },
});

function figuresOf(steps: readonly StepRow[]) {
  const messages = messagesOf(steps);
  return {
    done: added(steps, ({ done }) => done),
    skipped: added(steps, ({ skipped }) => skipped),
    failed: added(steps, ({ failed_steps }) => failed_steps),
    scheduled: added(steps, ({ scheduled }) => scheduled),
    messages,
    ...paidAfter(steps, messages.delivered),
  };
}

function stepsOf(rows: readonly StepRow[]): number {
  return added(
    rows,
    ({ done, skipped, failed_steps, scheduled }) => done + skipped + failed_steps + scheduled,
  );
}
