/** The collector's day: charges become overdue, steps are planned, and run when their moment comes. */

import { z } from 'zod';
import type { JobDefinition } from '../../core/job.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { planAgain, planToday, runDay } from './planning.ts';
import { retireCharges } from './retiring.ts';
import { isDayOpen, runSteps } from './running.ts';
import { DAILY_TASK, PLAN_MAX, PLAN_TASK, RETIRE_TASK, RUN_TASK } from './tasks.ts';

const place = z.strictObject({ organizationId: z.uuid() });
const planPayload = z.strictObject({
  organizationId: z.uuid(),
  chargeIds: z.array(z.uuid()).max(PLAN_MAX).optional(),
  ruleId: z.uuid().optional(),
});

const retirePayload = z.strictObject({ organizationId: z.uuid(), ruleId: z.uuid() });

/** At 00:05 in São Paulo: charges whose day is over become overdue, and the steps of the new day are planned. */
const daily: JobDefinition<z.infer<typeof place>, DunningGateways> = {
  task: DAILY_TASK,
  payload: place,
  every: { at: '03:05', tenant: 'organization' },
  async run({ organizationId }, context) {
    await runDay(context);
    await context.write(async ({ enqueue }) => enqueue(runTaskOf(organizationId)));
  },
};

/** What becomes due within the day: for some charges, for a rule, or for all. */
const plan: JobDefinition<z.infer<typeof planPayload>, DunningGateways> = {
  task: PLAN_TASK,
  payload: planPayload,
  async run({ organizationId, chargeIds, ruleId }, context) {
    if (chargeIds === undefined) await planAgain(context, ruleId ?? null);
    else await context.write((write) => planToday(write, chargeIds));
    await context.write(async ({ enqueue }) => enqueue(runTaskOf(organizationId)));
  },
};

/** Every minute: steps whose moment has come, and the day itself where nobody planned it. */
const run: JobDefinition<z.infer<typeof place>, DunningGateways> = {
  task: RUN_TASK,
  payload: place,
  every: { at: 1, tenant: 'organization' },
  async run({ organizationId }, context) {
    const isMore = await runSteps(context);
    const isOpen = await context.read(isDayOpen);
    if (!isMore && !isOpen) return;
    await context.write(async ({ enqueue }) => {
      if (isMore) enqueue(runTaskOf(organizationId));
      if (isOpen) {
        enqueue({ task: DAILY_TASK, payload: { organizationId }, key: `${DAILY_TASK}/${organizationId}` });
      }
    });
  },
};

/** Until no charge is left under an archived rule. */
const retire: JobDefinition<z.infer<typeof retirePayload>, DunningGateways> = {
  task: RETIRE_TASK,
  payload: retirePayload,
  async run({ ruleId }, context) {
    await context.write((write) => retireCharges(write, ruleId));
  },
};

function runTaskOf(organizationId: string) {
  return { task: RUN_TASK, payload: { organizationId }, key: `${RUN_TASK}/${organizationId}` };
}

// biome-ignore lint/suspicious/noExplicitAny: jobs of every payload are kept in one list.
export const jobs: JobDefinition<any, DunningGateways>[] = [daily, plan, run, retire];
