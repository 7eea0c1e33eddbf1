/** Sends reports to bureaus and brings their answers back; watches prior notices; does what each day brings. */

import { z } from 'zod';
import { addBusinessDays } from '../../core/calendar.ts';
import type { JobContext, JobDefinition } from '../../core/job.ts';
import type { WriteContext } from '../../core/operation.ts';
import type {
  BureauAnswer,
  BureauPort,
  RegistrationRequest,
  RemovalRequest,
} from '../../gateways/bureau/port.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';
import { type LegalDesk, type LegalSubject, legalJobsOf } from '../legal/index.ts';
import { afterRefusal, afterTaken, applyBureauAnswer, requestToSend } from './answers.ts';
import { advance } from './following.ts';
import { selectForDay, selectToWatch } from './queries.ts';
import { requireWithCharge } from './resource.ts';
import { EXPIRY_LEAD_BUSINESS_DAYS, PROOF_DAYS_MAX } from './rules.ts';

/** 00:10 in São Paulo, after charges have become overdue. */
const RUN_AT = '03:10';
const WATCH_EVERY_MINUTES = 5;
const DAY_MS = 86_400_000;
const PAGE_SIZE = 200;

const payload = z.strictObject({ organizationId: z.uuid() });
type Job = JobDefinition<z.infer<typeof payload>, DunningGateways>;

const subject: LegalSubject<BureauAnswer> = {
  kind: 'negativation',
  collectTask: 'dunning_collect_bureau_answers',
  deskOf: ({ bureau }) => deskOf(bureau),
  requestToSend,
  taken: afterTaken,
  refused: afterRefusal,
  apply: applyBureauAnswer,
};

const watch: Job = {
  task: 'dunning_watch_prior_notices',
  payload,
  every: { at: WATCH_EVERY_MINUTES, tenant: 'organization' },
  async run({ organizationId }, context) {
    const sentBefore = new Date(context.now.getTime() - PROOF_DAYS_MAX * DAY_MS);
    const found = await context.read(({ db }) => selectToWatch(db, organizationId, sentBefore, PAGE_SIZE));
    await advanceEach(context, found);
  },
};

const daily: Job = {
  task: 'dunning_negativations_daily',
  payload,
  every: { at: RUN_AT, tenant: 'organization' },
  async run({ organizationId }, context) {
    let afterId: string | null = null;
    for (;;) {
      const found: { id: string }[] = await context.read(({ db, today }) => {
        const expiringBy = addBusinessDays(today, EXPIRY_LEAD_BUSINESS_DAYS);
        return selectForDay(db, organizationId, { today, expiringBy, afterId }, PAGE_SIZE);
      });
      await advanceEach(context, found);
      if (found.length < PAGE_SIZE) return;
      afterId = found.at(-1)!.id;
    }
  },
};

export const jobs = [...legalJobsOf(subject), watch, daily];

/** One transaction for each: one that fails takes nothing from the others. */
async function advanceEach(
  context: JobContext<DunningGateways>,
  found: readonly { id: string }[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const { id } of found) {
    await context.write((write) => advanceOne(write, id)).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function advanceOne(context: WriteContext, id: string): Promise<void> {
  const { row, charge } = await requireWithCharge(context, id);
  await advance(context, row, charge);
}

function deskOf(bureau: BureauPort): LegalDesk<BureauAnswer> {
  return {
    send: (command, request, now) =>
      command === 'remove'
        ? bureau.remove(request as RemovalRequest, now)
        : bureau.register(request as RegistrationRequest, now),
    find: (request) => bureau.find(request),
    collect: (query) => bureau.collect(query),
  };
}
