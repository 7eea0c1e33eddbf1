/** Runs steps whose moment has come. */

import type { JobContext } from '../../core/job.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { SEND_TASK } from '../notifications/index.ts';
import { settingsOf } from '../settings/index.ts';
import { lookUpByKeys, selectIsRunStuck } from './engine-queries.ts';
import { planToday } from './planning.ts';
import { selectStepsById } from './queries.ts';
import { plannedStep } from './resource.ts';
import { countsFromAdjusted, datesReaching } from './rules.ts';
import { type Reach, type RunBatch, runDue, selectDueDays } from './running-queries.ts';

/** Steps of one transaction. */
const BATCH = 5_000;
/** Batches of one job: it ends after some minutes at most, and goes on in another if there is more. */
const BATCHES_MAX = 100;
/** The whole day of a million charges is planned in less. */
const STUCK_AFTER_MS = 15 * 60_000;

/** Runs what is due. Gives whether there may be more. */
export async function runSteps(work: Pick<JobContext<unknown>, 'read' | 'write'>): Promise<boolean> {
  let reaches = await work.read(reachesDue);
  if (reaches.length === 0) return false;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const { handled, isPlannedAnew } = await work.write((context) => runBatch(context, reaches));
    if (handled === 0) return false;
    // What was planned anew may be due now, on days that nothing was due for before.
    if (isPlannedAnew) reaches = await work.read(reachesDue);
  }
  return true;
}

async function runBatch(
  context: WriteContext,
  reaches: readonly Reach[],
): Promise<{ handled: number; isPlannedAnew: boolean }> {
  const settings = await settingsOf(context);
  await lookUpByKeys(context.db);
  const batch = await runDue({ context, settings, reaches, limit: BATCH });
  const { queued, done, moved, skipped, forgotten } = batch;
  const planned = await planToday(context, forgotten);
  if (queued > 0) {
    const { organizationId } = context;
    context.enqueue({ task: SEND_TASK, payload: { organizationId }, key: `${SEND_TASK}/${organizationId}` });
  }
  recordBatch(context, batch);
  return {
    handled: queued + done + moved + skipped + forgotten.length,
    isPlannedAnew: planned > 0,
  };
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

/** A day whose planning began a while ago and did not end: its process died, and nobody else takes it up. */
export function isDayStuck({ db, organizationId, now }: Context): Promise<boolean> {
  return selectIsRunStuck(db, organizationId, new Date(now.getTime() - STUCK_AFTER_MS));
}
