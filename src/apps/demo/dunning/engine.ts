/** The days that the rules have been at work: which step came for which charge, and what became of it. */

import { addBusinessDays } from '../../../core/calendar.ts';
import { addDays, type CivilDate } from '../../../core/dates.ts';
import { SYSTEM_USER_ID } from '../../../core/job.ts';
import { idAt } from '../setting.ts';
import { instantIn, openFrom } from './clock.ts';
import { type CollectionRule, RULES_DAYS_AGO } from './collection.ts';
import { contactFor, isTaken, nextDayAt, type Outbox, send } from './messages.ts';
import { atTime, type Draft, dayOf, isoOf, msOf, type Row, touch } from './setting.ts';
import type { Cast, Rest, Story } from './story.ts';

type ExecutionRow = Draft<'dunning_step_executions'>;
type Step = CollectionRule['steps'][number];

const MOVED_DAYS_MAX = 5;
const PLANNED_AT = '00:05';
const RUN_EVERY_MS = 60_000;

interface Coming {
  readonly story: Story;
  readonly step: Step;
  readonly execution: ExecutionRow;
  readonly stepOn: CivilDate;
  at: number;
}

export interface Runs {
  readonly executions: ExecutionRow[];
  readonly runs: Row<'dunning_daily_runs'>[];
}

/** Everything up to now; what comes later today waits, as the run of the night has left it. */
export function runRules(cast: Cast, outbox: Outbox): Runs {
  const { setting, collection, stories } = cast;
  const lastDay = lastRunOf(cast);
  const coming: Coming[] = [];
  for (const story of stories) {
    const rule = collection.rules.find(({ row }) => row.id === story.charge.collection_rule_id);
    if (rule !== undefined) coming.push(...plan(cast, story, rule, lastDay));
  }
  const executions = coming.map(({ execution }) => execution);
  runAll(cast, outbox, coming, setting.now.getTime() - RUN_EVERY_MS);
  return { executions, runs: dailyRuns(cast, executions, lastDay) };
}

function lastRunOf({ setting: { now, today } }: Cast): CivilDate {
  return now.getTime() >= msOf(atTime(today, PLANNED_AT)) ? today : addDays(today, -1);
}

/** The steps that the nights up to the last one have planned for the charge. */
function plan({ setting }: Cast, story: Story, rule: CollectionRule, lastDay: CivilDate): Coming[] {
  const { charge, debtor, ruleBegan } = story;
  const { state } = debtor.person;
  const startDay = dayOf(ruleBegan!);
  return rule.steps.flatMap((step): Coming[] => {
    const day = dayOfStep(step, charge);
    if (day < startDay || day > lastDay) return [];
    const nominal = instantIn(state, day, step.time_of_day);
    if (nominal < ruleBegan!) return [];
    const plannedAt = Math.max(msOf(atTime(day, PLANNED_AT)), ruleBegan!);
    // A step of a time in which the charge was held is missed for good.
    if (restAt(story, plannedAt) !== undefined && restAt(story, nominal) !== undefined) return [];
    const at = step.channel === null ? nominal : openFrom(setting.policy, state, step.channel, nominal);
    return [{ story, step, execution: executionOf(setting, story, step, day, at), stepOn: day, at }];
  });
}

/** Steps after the due date count from the day up to which paying was in time. */
function dayOfStep({ offset_days: offset, day_kind: dayKind }: Step, charge: Story['charge']): CivilDate {
  const from = offset > 0 ? charge.adjusted_due_date : charge.due_date;
  return dayKind === 'calendar' ? addDays(from, offset) : addBusinessDays(from, offset);
}

function restAt({ rests }: Story, at: number): Rest | undefined {
  return rests.find(({ from, to }) => from <= at && at < to);
}

function executionOf(
  { organizationId, random }: Cast['setting'],
  { charge, rests }: Story,
  step: Step,
  day: CivilDate,
  at: number,
): ExecutionRow {
  const plannedAt = atTime(day, PLANNED_AT);
  const wasReopened =
    charge.rule_cycle > 1 && rests.some(({ to, code }) => code === 'paid' && to <= msOf(plannedAt));
  return {
    organization_id: organizationId,
    id: idAt(plannedAt, random),
    charge_id: charge.id,
    person_id: charge.person_id,
    rule_id: step.rule_id,
    step_id: step.id,
    cycle: charge.rule_cycle > 1 && !wasReopened ? charge.rule_cycle - 1 : charge.rule_cycle,
    action: step.action,
    channel: step.channel,
    step_on: day,
    due_at: isoOf(at),
    moves: 0,
    status: 'scheduled',
    skipped_reason: null,
    notification_id: null,
    policy_version: null,
    done_at: null,
    created_at: plannedAt,
    updated_at: plannedAt,
    version: 1,
  };
}

/** In the order of time; what is moved comes again later. */
function runAll(cast: Cast, outbox: Outbox, coming: readonly Coming[], until: number): void {
  const byDay = new Map<CivilDate, Coming[]>();
  const put = (one: Coming) => {
    const day = dayOf(one.at);
    const known = byDay.get(day);
    if (known === undefined) byDay.set(day, [one]);
    else known.push(one);
  };
  for (const one of coming) put(one);
  const first = [...byDay.keys()].sort()[0];
  if (first === undefined) return;
  for (let day = first; day <= dayOf(until); day = addDays(day, 1)) {
    const due = (byDay.get(day) ?? []).sort((left, right) => left.at - right.at);
    for (const one of due) if (one.at <= until && run(cast, outbox, one)) put(one);
  }
}

/** True when it was moved to another day. */
function run(cast: Cast, outbox: Outbox, one: Coming): boolean {
  const { story, step, execution, at } = one;
  const reason = obstacleTo(one);
  if (reason !== null) {
    close(execution, at, { status: 'skipped', skipped_reason: reason });
    return false;
  }
  const { policy } = cast.setting;
  if (step.action !== 'message') {
    close(execution, at, { status: 'done', done_at: isoOf(at + 1_000), policy_version: policy.version });
    return false;
  }
  if (isTaken(outbox, story.charge.person_id, at)) return moveOn(cast, one);
  const template = cast.collection.templates.find(({ row }) => row.id === step.template_id)!;
  const sent = send(cast.setting, outbox, {
    debtor: story.debtor,
    stories: [story],
    channel: step.channel as 'email',
    trigger: 'rule',
    at: at + 1_000,
    template,
    given: { execution_id: execution.id, created_by: SYSTEM_USER_ID },
  });
  close(execution, at, {
    status: 'done',
    done_at: isoOf(at + 1_000),
    notification_id: sent.id,
    policy_version: policy.version,
  });
  if (sent.status === 'failed') {
    close(execution, at + 5_000, { status: 'failed', skipped_reason: sent.status_reason });
  }
  story.executions.push(execution);
  return false;
}

function moveOn({ setting }: Cast, one: Coming): boolean {
  const { story, step, execution, stepOn, at } = one;
  const next = nextDayAt(setting, story.debtor, step.channel!, at);
  if (dayOf(next) > addDays(stepOn, MOVED_DAYS_MAX)) {
    close(execution, at, { status: 'skipped', skipped_reason: 'daily_cap' });
    return false;
  }
  close(execution, at, { due_at: isoOf(next), moves: execution.moves + 1 });
  one.at = next;
  return true;
}

/** In the order in which the run looks: the step, the debtor, the charge, the contact. */
function obstacleTo({ story, step, at }: Coming): string | null {
  const { charge, debtor, legal } = story;
  if (step.offset_days <= 0 && charge.adjusted_due_date < dayOf(at)) return 'past_due';
  const isSuggestion = step.action.startsWith('suggest');
  if (isSuggestion && legal !== null && legal.from <= at && at < legal.to) return 'legal_action_exists';
  if (debtor.person.deceased) return 'deceased';
  if (debtor.person.do_not_contact && step.channel !== null) return 'do_not_contact';
  const rest = restAt(story, at);
  if (rest !== undefined) return rest.code;
  if (step.channel === null) return null;
  const { reason } = contactFor(debtor, step.channel);
  return step.action === 'task' && reason === 'no_contact' ? null : reason;
}

function close(execution: ExecutionRow, at: number, change: Partial<ExecutionRow>): void {
  Object.assign(execution, change);
  touch(execution, isoOf(at + 1_000));
}

function dailyRuns(
  { setting, stories }: Cast,
  executions: readonly ExecutionRow[],
  lastDay: CivilDate,
): Row<'dunning_daily_runs'>[] {
  const planned = Map.groupBy(executions, ({ step_on }) => step_on);
  const late = Map.groupBy(stories, ({ charge }) => addDays(charge.adjusted_due_date, 1));
  const runs: Row<'dunning_daily_runs'>[] = [];
  for (let day = addDays(setting.today, -RULES_DAYS_AGO + 1); day <= lastDay; day = addDays(day, 1)) {
    const at = atTime(day, PLANNED_AT);
    const flipped = (late.get(day) ?? []).filter((story) => restAt(story, msOf(at)) === undefined).length;
    runs.push({
      organization_id: setting.organizationId,
      run_on: day,
      started_at: at,
      finished_at: isoOf(msOf(at) + 2_000),
      flipped,
      planned: (planned.get(day) ?? []).length,
    });
  }
  return runs;
}
