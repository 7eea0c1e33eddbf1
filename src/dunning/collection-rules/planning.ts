/** Plans which steps come on a day: for the whole portfolio at night, or for a few charges during the day. */

import { addDays, type CivilDate } from '../../core/dates.ts';
import type { JobContext } from '../../core/job.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { type ContactPolicy, STATES } from '../contact-law/index.ts';
import { settingsOf } from '../settings/index.ts';
import { publishCharges } from '../webhooks/index.ts';
import {
  beginRun,
  countRun,
  finishRun,
  flipToOverdue,
  lookUpByKeys,
  planStep,
  type StateMoment,
  type StepPlan,
  selectActiveRules,
  selectDatesOf,
  selectLastRun,
} from './engine-queries.ts';
import { inLanes, LANES } from './lanes.ts';
import { conditionsOf, plannedStepsOf } from './resource.ts';
import {
  boundChannel,
  compareSteps,
  countsFromAdjusted,
  type Dates,
  datesReaching,
  momentOf,
  type PlannedStep,
} from './rules.ts';

/** Charges of one transaction: short enough that nobody waits long for one of them. */
const CHUNK = 20_000;
/** Days on which no worker ran that are made up for; what is older is no news to anybody. */
const MISSED_DAYS_MAX = 3;

type Work = Pick<JobContext<unknown>, 'read' | 'write' | 'now'>;

/** Makes charges overdue and plans the day, and days that were missed; each day once, however often it is asked for. */
export async function runDay(work: Work): Promise<void> {
  const today = await work.read(async (context) => context.today);
  await flip(work, today);
  const days = await work.read((context) => daysToPlan(context));
  const missedSince = days.length > 1 ? days.at(-1)! : null;
  for (const day of days) {
    const isOpen = await work.write(({ db, organizationId, now }) => beginRun(db, organizationId, day, now));
    if (!isOpen) continue;
    await planDay(work, day, day < today ? missedSince : null);
    await work.write(async (context) => {
      const run = await finishRun(context.db, context.organizationId, day, context.now);
      if (run === undefined) return;
      const { flipped, planned } = run;
      context.changed('daily_run', day, null, { date: day, flipped, planned });
    });
  }
}

/** Plans today's steps again, of all rules or of one: what is planned already stays, what has become due since is added. */
export async function planAgain(work: Work, ruleId: string | null): Promise<void> {
  const today = await work.read(async (context) => context.today);
  await planDay(work, today, null, ruleId);
}

/**
 * Plans what is left of today for a few charges whose rule begins, or goes on, now. Gives how many steps were planned.
 */
export async function planToday(context: WriteContext, chargeIds: readonly string[]): Promise<number> {
  const { db, organizationId, today, now } = context;
  if (chargeIds.length === 0) return 0;
  const charges = await selectDatesOf(db, organizationId, chargeIds);
  if (charges.length === 0) return 0;
  const isReached = (step: PlannedStep, { from, to }: Dates) =>
    charges.some((charge) => {
      const date = countsFromAdjusted(step) ? charge.adjusted_due_date : charge.due_date;
      return charge.rule_id === step.ruleId && date >= from && date <= to;
    });
  let planned = 0;
  for (const plan of await plansOf(context, { day: today, missedSince: null }, isReached)) {
    planned += (await planStep(db, organizationId, plan, { chargeIds }, today, now)).planned;
  }
  return planned;
}

async function flip(work: Work, today: CivilDate): Promise<void> {
  for (let after: string | null = null, isMore = true; isMore; ) {
    const ids = await work.write((context) => flipSome(context, today, after));
    after = ids.at(-1) ?? null;
    isMore = ids.length === CHUNK;
  }
}

async function flipSome(
  context: WriteContext,
  today: CivilDate,
  after: string | null,
): Promise<readonly string[]> {
  const { db, organizationId, now } = context;
  await lookUpByKeys(db);
  const ids = await flipToOverdue(db, organizationId, today, now, { after, limit: CHUNK });
  if (ids.length === 0) return ids;
  await beginRun(db, organizationId, today, now);
  await countRun(db, organizationId, today, { flipped: ids.length });
  await publishCharges(context, 'charge.overdue', ids);
  return ids;
}

/** Newest first, so that of several missed steps the latest is known when the others are planned. */
async function daysToPlan({ db, organizationId, today }: Context): Promise<CivilDate[]> {
  const last = await selectLastRun(db, organizationId);
  // Before the first run there was nothing to miss.
  const earliest = last === undefined ? today : addDays(last.run_on, 1);
  const days: CivilDate[] = [];
  for (let day = today; day >= earliest && days.length <= MISSED_DAYS_MAX; day = addDays(day, -1))
    days.push(day);
  return days;
}

async function planDay(
  work: Work,
  day: CivilDate,
  missedSince: CivilDate | null,
  ruleId: string | null = null,
): Promise<void> {
  const isAsked = (step: PlannedStep) => ruleId === null || step.ruleId === ruleId;
  const plans = await work.read((context) => plansOf(context, { day, missedSince }, isAsked));
  // Of several missed days the steps count on each other.
  await inLanes(missedSince === null ? LANES : 1, plans, (plan) => planWhole(work, plan));
}

/** Plans one step for all charges it falls on. */
async function planWhole(work: Work, plan: StepPlan): Promise<void> {
  for (let after: string | null = null, isMore = true; isMore; ) {
    const stretch = await work.write(async ({ db, organizationId, today, now }) => {
      await lookUpByKeys(db);
      const done = await planStep(db, organizationId, plan, { after, limit: CHUNK }, today, now);
      if (done.planned > 0) await countRun(db, organizationId, plan.day, { planned: done.planned });
      return done;
    });
    after = stretch.last_id;
    isMore = stretch.found === CHUNK;
  }
}

/** The wanted steps of active rules that fall on a day, the latest of the day first. */
async function plansOf(
  context: Context,
  { day, missedSince }: { readonly day: CivilDate; readonly missedSince: CivilDate | null },
  isWanted: (step: PlannedStep, dates: Dates) => boolean,
): Promise<StepPlan[]> {
  const rules = await selectActiveRules(context.db, context.organizationId);
  const steps = await plannedStepsOf(context, rules);
  const { contactPolicy } = await settingsOf(context);
  const momentsOf = momentsOn(day, contactPolicy, context.now);
  const conditions = new Map(rules.map((rule) => [rule.id, conditionsOf(rule.conditions)]));
  return steps
    .filter(({ isActive }) => isActive)
    .sort((left, right) => compareTimes(right, left))
    .flatMap((step) => {
      const dates = datesReaching(step, day);
      if (dates === null || !isWanted(step, dates)) return [];
      const ruleConditions = conditions.get(step.ruleId)!;
      return [{ step, ruleConditions, day, dates, missedSince, ...momentsOf(step) }];
    });
}

type Moments = Pick<StepPlan, 'nominalAt' | 'dueAt' | 'states'>;

/** When steps of the day come in each state; steps of one time and channel come at the same moments. */
function momentsOn(day: CivilDate, policy: ContactPolicy, now: Date): (step: PlannedStep) => Moments {
  const known = new Map<string, Moments>();
  return (step) => {
    const key = `${step.time}/${boundChannel(step)}`;
    const moments = known.get(key) ?? momentsByState(step, day, policy, now);
    known.set(key, moments);
    return moments;
  };
}

function momentsByState(step: PlannedStep, day: CivilDate, policy: ContactPolicy, now: Date): Moments {
  const { nominalAt, dueAt } = momentOf(step, day, null, policy, now);
  const states = STATES.flatMap((state): StateMoment[] => {
    const own = momentOf(step, day, state, policy, now);
    const isSame = +own.nominalAt === +nominalAt && +own.dueAt === +dueAt;
    return isSame
      ? []
      : [{ state, nominal_at: own.nominalAt.toISOString(), due_at: own.dueAt.toISOString() }];
  });
  return { nominalAt, dueAt, states };
}

/** By time alone, whatever the day counts from: all of them fall on the same one. */
function compareTimes(left: PlannedStep, right: PlannedStep): number {
  if (left.time !== right.time) return left.time < right.time ? -1 : 1;
  return compareSteps(left, right);
}
