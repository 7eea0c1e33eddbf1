import { z } from 'zod';
import { adjustedDueDateOf } from '../../../core/accruals.ts';
import { failArgument } from '../../../core/errors.ts';
import { date, id, money } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { STATES } from '../../contact-law/index.ts';
import { requireRule, ruleOf } from '../resource.ts';
import { dayKinds, personKinds, stepActions, stepChannels } from '../schema.ts';
import { simulateFor, subjectOf } from '../simulating.ts';

const SAMPLE_LAST = '2150-12-31';

export const simulateRule = operation({
  name: 'dunning_collection_rules_simulate',
  title: 'Simulate collection rule',
  summary:
    'What a rule would do to a charge or a sample: dates with hours and holidays resolved, and what is skipped.',
  effect: 'read',
  scope: 'dunning.collection_rules',
  input: {
    id: id('the rule'),
    charge_id: id('the charge').optional().describe('Id of a charge; or `sample`.'),
    sample: z
      .strictObject({
        due_date: date().refine((value) => value <= SAMPLE_LAST, { error: `a date up to ${SAMPLE_LAST}` }),
        amount: money(),
        state: z
          .enum(STATES as [string, ...string[]], { error: 'a state as two capital letters, such as "SP"' })
          .default('SP'),
        person_kind: z.enum(personKinds).default('natural'),
      })
      .optional()
      .describe('A charge that does not exist.'),
    start_from: date()
      .optional()
      .describe('The day the rule begins for it. Default: as it stands, else now.'),
  },
  output: z.object({
    rule_id: z.string(),
    starts_at: z.string().describe('Steps before this moment never run.'),
    steps: z.array(
      z.object({
        step_id: z.string(),
        offset_days: z.int(),
        day_kind: z.enum(dayKinds),
        date: z.string().nullable().describe('The day it comes, in the state of the debtor.'),
        at: z.string().nullable(),
        moved: z.boolean().describe('To when contact is allowed.'),
        action: z.enum(stepActions),
        channel: z.enum(stepChannels).nullable(),
        template_id: z.string().nullable(),
        message: z.string().nullable().describe('The name of the template.'),
        skipped_reason: z.string().nullable().describe('Why it would not come as things are now.'),
      }),
    ),
  }),
  async run(input, context) {
    if ((input.charge_id === undefined) === (input.sample === undefined)) {
      failArgument('charge_id', 'either `charge_id` or `sample`');
    }
    const rule = await requireRule(context, input.id);
    const { sample } = input;
    const subject = await subjectOf(context, rule, {
      chargeId: input.charge_id,
      sample: sample && {
        dueDate: sample.due_date,
        adjustedDueDate: adjustedDueDateOf(sample.due_date),
        amountCents: sample.amount,
        state: sample.state,
        personKind: sample.person_kind,
        tags: [],
      },
      startOn: input.start_from,
    });
    const steps = await simulateFor(context, rule, subject);
    return { rule_id: ruleOf(rule).id, starts_at: subject.startsAt.toISOString(), steps };
  },
});
