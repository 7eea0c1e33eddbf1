import { z } from 'zod';
import type { JobDefinition } from '../../core/job.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { judgeOverduePromises } from './judging.ts';

const payload = z.strictObject({ organizationId: z.uuid() });

/** Before the day's steps are planned, so that a broken promise lets them run. */
const judgePromises: JobDefinition<z.infer<typeof payload>, DunningGateways> = {
  task: 'dunning_judge_promises',
  payload,
  every: { at: '03:03', tenant: 'organization' },
  async run(_payload, context) {
    while ((await context.write(judgeOverduePromises)).isMore);
  },
};

export const jobs = [judgePromises];
