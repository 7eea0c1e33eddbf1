/** Runs steps whose moment has come. */

import { civilTimeAt } from '../../core/dates.ts';
import type { JobContext } from '../../core/job.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { SEND_TASK } from '../notifications/index.ts';
import { settingsOf } from '../settings/index.ts';
import { lookUpByKeys, selectIsDayOpen } from './engine-queries.ts';
import { inLanes, LANES } from './lanes.ts';
import type { StepRow } from './queries.ts';
import { plannedStep } from './resource.ts';
import { countsFromAdjusted, datesReaching } from './rules.ts';
import {
  type DueDay,
  type RunBatch,
  runDue,
  type StepDay,
  selectDueDays,
  selectDueSteps,
} from './running-queries.ts';
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
  const due = await work.read(({ db, organizationId, now }) => selectDueDays(db, organizationId, now));
  if (due.length === 0) return false;
  let isMore = false;
  const lanes = Array.from({ length: LANES }, (_, lane) => lane);
  await inLanes(LANES, lanes, async (lane) => {
    if (await runLane(work, due, lane)) isMore = true;
  });
  return isMore;
}

/** The steps of one debtor are in one lane, where their messages take turns. */
async function runLane(
  work: Pick<JobContext<unknown>, 'write'>,
  due: readonly DueDay[],
  lane: number,
): Promise<boolean> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    if ((await work.write((context) => runBatch(context, due, lane))) === 0) return false;
  }
  return true;
}

/** Gives how many steps it looked at. */
async function runBatch(context: WriteContext, due: readonly DueDay[], lane: number): Promise<number> {
  const { organizationId } = context;
  const settings = await settingsOf(context);
  const days = await stepDaysOf(context, due);
  await lookUpByKeys(context.db);
  const batch = await runDue({ context, settings, days, lane, limit: BATCH });
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

/** Each step and day as they are now: the rule, the template, and the charges it has on the day. */
async function stepDaysOf({ db, organizationId }: Context, due: readonly DueDay[]): Promise<StepDay[]> {
  const ids = new Set(due.map(({ step_id }) => step_id));
  const rows = new Map((await selectDueSteps(db, organizationId, [...ids])).map((row) => [row.id, row]));
  return due.map(({ step_id, step_on }) => {
    const row = rows.get(step_id)!;
    const step = plannedStep(row, row);
    const dates = datesReaching(step, step_on);
    return {
      step_id,
      step_on,
      position: row.position,
      reason: reasonOf(row),
      template_id: row.template_id,
      text_version: row.text_version,
      is_adjusted: countsFromAdjusted(step),
      from_date: dates?.from ?? null,
      to_date: dates?.to ?? null,
    };
  });
}

function reasonOf(
  row: Pick<StepRow, 'active' | 'deleted_at'> & { rule_active: boolean; template_active: boolean | null },
): StepDay['reason'] {
  if (row.deleted_at !== null || !row.active) return 'step_removed';
  if (!row.rule_active) return 'rule_inactive';
  return row.template_active === false ? 'template_inactive' : null;
}

/**
 * Whether nobody has planned today or is at it. The schedule has one hour for all time zones, and a process that dies
 * leaves its day unfinished. An organization without any day yet waits for the schedule.
 */
export async function isDayOpen({ db, organizationId, today, now, timeZone }: Context): Promise<boolean> {
  if (civilTimeAt(now, timeZone) < DAY_FROM) return false;
  return selectIsDayOpen(db, organizationId, today, new Date(now.getTime() - STUCK_AFTER_MS));
}
