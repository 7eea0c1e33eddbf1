import { z } from 'zod';
import { attempt } from '../../../core/attempt.ts';
import { failArgument } from '../../../core/errors.ts';
import { id } from '../../../core/fields.ts';
import type { Context } from '../../../core/operation.ts';
import { operation } from '../../../core/operation.ts';
import {
  BULK_MAX,
  type ChargeRow,
  chargeFilter,
  type GivenFilter,
  selectChargeIds,
} from '../../charges/index.ts';
import { assigningFacts } from '../assign-facts.ts';
import { assignCharge, assignmentOf, firstStepsOf, starts } from '../assigning.ts';
import { planToday } from '../planning.ts';
import { stepActions, stepChannels } from '../schema.ts';
import type { SimulatedStep } from '../simulation.ts';
import { RUN_TASK } from '../tasks.ts';

const idsError = `a list of 1 to ${BULK_MAX} ids`;

export const assignRule = operation({
  name: 'dunning_charges_bulk_assign_rule',
  title: 'Assign collection rule to charges',
  titlePortuguese: 'Aplicar régua de cobrança',
  summary:
    'Put charges under a collection rule, which contacts their debtors; past steps are skipped, never fired.',
  effect: 'destructive',
  scope: 'dunning.collection_rules',
  alsoScopes: ['dunning.charges.write'],
  dryRun: true,
  input: {
    ids: z
      .array(id('the charge'), { error: idsError })
      .min(1, { error: idsError })
      .max(BULK_MAX, { error: idsError })
      .optional()
      .describe('Which ones; or `filter`.'),
    filter: z
      .strictObject(chargeFilter)
      .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
        error: 'at least one condition',
      })
      .optional()
      .describe(`Which ones, at most ${BULK_MAX}; or \`ids\`.`),
    rule_id: id('the rule')
      .nullable()
      .optional()
      .describe('Default: the default rule; null takes the charges off their rule.'),
    start_from: z
      .enum(starts)
      .default('today')
      .describe('`today`: steps from now on; `next_step`: none before tomorrow.'),
  },
  output: z.object({
    requested: z.int(),
    succeeded: z.array(z.string()).describe('Ids.'),
    failed: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
    first_steps: z
      .array(
        z.object({
          charge_id: z.string(),
          step_id: z.string(),
          date: z.string().nullable(),
          at: z.string(),
          action: z.enum(stepActions),
          channel: z.enum(stepChannels).nullable(),
        }),
      )
      .describe('What comes first to each; a charge that is not here has no step to come.'),
  }),
  async question(input, context) {
    const ids = await idsOf(context, input);
    return assigningFacts(context, ids, await assignmentOf(context, input.rule_id, input.start_from));
  },
  async run(input, context) {
    const ids = await idsOf(context, input);
    const assignment = await assignmentOf(context, input.rule_id, input.start_from);
    const assigned: ChargeRow[] = [];
    const failed: { id: string; code: string; message: string }[] = [];
    for (const [index, chargeId] of ids.entries()) {
      const tried = await attempt(context, (inner) => assignCharge(inner, chargeId, assignment));
      if ('error' in tried)
        failed.push({ id: chargeId, code: tried.error.code, message: tried.error.message });
      else assigned.push(tried.value);
      context.progress({ done: index + 1, total: ids.length });
    }
    const succeeded = assigned.map((row) => row.id);
    const firsts = await firstStepsOf(context, assigned, assignment);
    if ((await planToday(context, succeeded)) > 0) {
      const { organizationId } = context;
      context.enqueue({ task: RUN_TASK, payload: { organizationId }, key: `${RUN_TASK}/${organizationId}` });
    }
    return {
      requested: ids.length,
      succeeded,
      failed,
      first_steps: [...firsts].map(([chargeId, first]) => shownFirst(chargeId, first)),
    };
  },
});

/** In order of the ids, so that two calls lock the same charges in the same order. */
async function idsOf(
  context: Context,
  { ids, filter }: { ids?: readonly string[] | undefined; filter?: GivenFilter | undefined },
): Promise<string[]> {
  if ((ids === undefined) === (filter === undefined)) failArgument('ids', 'either `ids` or `filter`');
  return ids === undefined ? (await selectChargeIds(context, filter!)).sort() : [...new Set(ids)].sort();
}

function shownFirst(chargeId: string, { step, date, at }: SimulatedStep) {
  return {
    charge_id: chargeId,
    step_id: step.id,
    date,
    at: at!.toISOString(),
    action: step.action,
    channel: step.channel,
  };
}
