/** Every day, lets go on what was held until yesterday; just before the day's steps are planned. */

import { z } from 'zod';
import type { JobDefinition } from '../../core/job.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { liftPastHolds } from './holds.ts';

/** 00:01 in São Paulo. */
const RUN_AT = '03:01';
/** Charges of one transaction, and of one event of the audit chain. */
const CHARGES_AT_ONCE = 200;

const payload = z.strictObject({ organizationId: z.uuid() });

const liftHolds: JobDefinition<z.infer<typeof payload>, DunningGateways> = {
  task: 'dunning_lift_holds',
  payload,
  every: { at: RUN_AT, tenant: 'organization' },
  async run(_payload, context) {
    while (await context.write((write) => liftPastHolds(write, CHARGES_AT_ONCE))) {
      // Some at a time, so that nobody waits long for one of them.
    }
  },
};

// biome-ignore lint/suspicious/noExplicitAny: jobs of every payload are kept in one list.
export const jobs: JobDefinition<any, DunningGateways>[] = [liftHolds];
