import { z } from 'zod';
import type { JobDefinition } from '../../core/job.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { callOf, claim, keepBodies, queueNext, recordAttempt, withBodies } from './delivering.ts';
import { deleteEnded } from './delivery-queries.ts';
import { publishNext } from './publishing.ts';
import { DELIVER_TASK } from './resource.ts';

/** Finds what a stopped process left behind; everything else is queued for its own time. */
const LOOKED_FOR_MINUTES = 15;

/** Calls at a time, so that one slow receiver does not hold up the others. */
const CALLS_AT_ONCE = 20;

const KEPT_DAYS = 90;
const FORGOTTEN_AT_ONCE = 5_000;
/** At night in Brazil. */
const FORGET_AT = '05:20';

const payload = z.strictObject({ organizationId: z.uuid() });
type Payload = z.infer<typeof payload>;

/** Queued by the audit chain itself with each of its events; the name is known to the database. */
const publishEvents: JobDefinition<Payload, DunningGateways> = {
  task: 'dunning_publish_events',
  payload,
  async run(_, context) {
    while (await context.write(publishNext));
  },
};

const deliverWebhooks: JobDefinition<Payload, DunningGateways> = {
  task: DELIVER_TASK,
  payload,
  every: { at: LOOKED_FOR_MINUTES, tenant: 'organization' },
  async run(_, context) {
    const claimed = await context.write(claim);
    const { made, all } = await context.read((read) => withBodies(read, claimed));
    if (made.length > 0) await context.write((write) => keepBodies(write, made));
    const waiting = all.values();
    const caller = async () => {
      for (const delivery of waiting) {
        const answer = await context.gateways.webhooks.send(callOf(delivery, context.now));
        await context.write((write) => recordAttempt(write, delivery, answer));
      }
    };
    const callers = await Promise.allSettled(Array.from({ length: CALLS_AT_ONCE }, caller));
    await context.write(queueNext);
    const failed = callers.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  },
};

const forgetDeliveries: JobDefinition<Payload, DunningGateways> = {
  task: 'dunning_forget_deliveries',
  payload,
  every: { at: FORGET_AT, tenant: 'organization' },
  async run({ organizationId }, context) {
    const before = new Date(context.now.getTime() - KEPT_DAYS * 86_400_000);
    const forget = () =>
      context.write(({ db }) => deleteEnded(db, organizationId, before, FORGOTTEN_AT_ONCE));
    while ((await forget()) === FORGOTTEN_AT_ONCE);
  },
};

export const jobs = [publishEvents, deliverWebhooks, forgetDeliveries];
