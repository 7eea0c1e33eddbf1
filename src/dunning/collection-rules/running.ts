/** Runs steps whose moment has come. */

import { civilTimeAt } from '../../core/dates.ts';
import type { JobContext } from '../../core/job.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { SEND_TASK } from '../notifications/index.ts';
import { settingsOf } from '../settings/index.ts';
import { lookUpByKeys, selectIsDayOpen } from './engine-queries.ts';
import { selectStepsById } from './queries.ts';
import { plannedStep } from './resource.ts';
import { countsFromAdjusted, datesReaching } from './rules.ts';
import { type Reach, type RunBatch, runDue, selectDueDays } from './running-queries.ts';
import { PLAN_MAX, PLAN_TASK } from './tasks.ts';

/** Steps of one transaction. */
const BATCH = 5_000;
/** Batches of one job: it ends after some minutes at most, and goes on in another if there is more. */
const BATCHES_MAX = 100;
/** When a day begins, in the time zone of the organization. */
const DAY_FROM = '00:05';
/** The whole day of a million charges is planned in less. */
const STUCK_AFTER_MS = 15 * 60_000;

/** Runs what is due. Gives whether there may be more. */
export async function runSteps(work: Pick<JobContext<unknown>, 'read' | 'write'>): Promise<boolean> {
  const reaches = await work.read(reachesDue);
  if (reaches.length === 0) return false;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    if ((await work.write((context) => runBatch(context, reaches))) === 0) return false;
  }
  return true;
}

/** Gives how many steps it looked at. */
async function runBatch(context: WriteContext, reaches: readonly Reach[]): Promise<number> {
  const { organizationId } = context;
  const settings = await settingsOf(context);
  await lookUpByKeys(context.db);
  const batch = await runDue({ context, settings, reaches, limit: BATCH });
  const { queued, done, moved, skipped, forgotten } = batch;
  // Planning locks charges, which nobody does who holds their steps: it has a transaction of its own.
  for (let from = 0; from < forgotten.length; from += PLAN_MAX) {
    const chargeIds = forgotten.slice(from, from + PLAN_MAX);
    context.enqueue({ task: PLAN_TASK, payload: { organizationId, chargeIds } });
  }
  if (queued > 0) {
    context.enqueue({ task: SEND_TASK, payload: { organizationId }, key: `${SEND_TASK}/${organizationId}` });
  }
  recordBatch(context, batch);
  return queued + done + moved + skipped + forgotten.length;
}

/** One line for all of them: each message and each task says itself what became of it. */
function recordBatch(context: WriteContext, { queued, done, moved, skipped }: RunBatch): void {
  if (queued + done + moved + skipped === 0) return;
  context.changed('step_run', context.newId(), null, { queued, done, moved, skipped });
}

/** The days of the steps that are due, and which charges each step has on its day as it is now. */
async function reachesDue({ db, organizationId, now }: Context): Promise<Reach[]> {
  const days = await selectDueDays(db, organizationId, now);
  const rows = await selectStepsById(db, organizationId, [...new Set(days.map(({ step_id }) => step_id))]);
  const steps = new Map(rows.map((row) => [row.id, plannedStep(row, row)]));
  return days.map(({ step_id, step_on }) => {
    const step = steps.get(step_id)!;
    const dates = datesReaching(step, step_on);
    return {
      step_id,
      step_on,
      is_adjusted: countsFromAdjusted(step),
      from_date: dates?.from ?? null,
      to_date: dates?.to ?? null,
    };
  });
}

/**
 * Whether nobody has planned today or is at it. The schedule has one hour for all time zones, and a process that dies
 * leaves its day unfinished. An organization without any day yet waits for the schedule.
 */
export async function isDayOpen({ db, organizationId, today, now, timeZone }: Context): Promise<boolean> {
  if (civilTimeAt(now, timeZone) < DAY_FROM) return false;
  return selectIsDayOpen(db, organizationId, today, new Date(now.getTime() - STUCK_AFTER_MS));
}
