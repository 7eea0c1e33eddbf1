import { z } from 'zod';
import type { JobDefinition } from '../../core/job.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { FOLLOW_CHARGE_TASK } from '../charges/index.ts';
import { planToday } from '../collection-rules/index.ts';
import { FOLLOW_RECEIVABLE_TASK, followReceivable } from '../finance-link/index.ts';
import { followNegativation } from '../negativations/index.ts';
import { judgePromisesOf } from '../promises/index.ts';
import { followProtest } from '../protests/index.ts';
import { SETTLE_RECEIVABLE_TASK, takeOverFromFinance, takeOverToFinance } from './linked.ts';
import { selectLinkedCharge } from './queries.ts';

const payload = z.strictObject({ organizationId: z.uuid(), chargeId: z.uuid() });
type Payload = z.infer<typeof payload>;

/** What depends on a charge, each in a transaction of its own: one that fails is tried again with the others done. */
const followCharge: JobDefinition<Payload, DunningGateways> = {
  task: FOLLOW_CHARGE_TASK,
  payload,
  async run({ organizationId, chargeId }, context) {
    await context.write((write) => judgePromisesOf(write, chargeId));
    await context.write((write) => followNegativation(write, chargeId));
    await context.write((write) => followProtest(write, chargeId));
    await context.write((write) => planToday(write, [chargeId]));
    await context.write(async (write) => {
      const charge = await selectLinkedCharge(write.db, organizationId, chargeId);
      if (charge?.finance_receivable_id != null) write.enqueue(followReceivable(organizationId, chargeId));
    });
  },
};

const followReceivableJob: JobDefinition<Payload, DunningGateways> = {
  task: FOLLOW_RECEIVABLE_TASK,
  payload,
  async run({ chargeId }, context) {
    await context.write(async (write) => {
      const next = await takeOverFromFinance(write, chargeId);
      if (next !== null) write.enqueue(next);
    });
  },
};

const placed = payload.extend({ workspaceId: z.uuid() });

const settleReceivableJob: JobDefinition<z.infer<typeof placed>, DunningGateways> = {
  task: SETTLE_RECEIVABLE_TASK,
  payload: placed,
  async run({ chargeId }, context) {
    await context.write((write) => takeOverToFinance(write, chargeId));
  },
};

export const jobs = [followCharge, followReceivableJob, settleReceivableJob];
