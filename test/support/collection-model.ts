/** What the engine is to do, said once more for tests: charge by charge, with a calendar and clocks of its own. */

/** Bank holidays of the weeks that are looked at. */
const HOLIDAYS = new Set(['2026-09-07', '2026-10-12', '2026-11-02']);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MOVES_DAYS_MAX = 5;

/** Hours behind UTC, and opening and closing hours from Monday to Friday and on Saturday, in 2026. */
export const states = {
  SP: { behind: 3, week: [8, 20], saturday: [8, 14] },
  RJ: { behind: 3, week: [9, 19], saturday: null },
  ES: { behind: 3, week: [8, 19], saturday: null },
  AM: { behind: 4, week: [8, 19], saturday: [8, 14] },
  AC: { behind: 5, week: [8, 20], saturday: [8, 14] },
} as const;

export type ModelState = keyof typeof states;

export interface ModelStep {
  readonly id: string;
  readonly rule: number;
  readonly position: number;
  readonly offset: number;
  readonly isBusiness: boolean;
  readonly hour: number;
  readonly action: 'message' | 'task';
  readonly amountMin: number;
}

export interface ModelCharge {
  readonly id: string;
  readonly person: string;
  readonly state: ModelState;
  readonly rule: number;
  readonly amount: number;
  due: string;
  startedAt: number;
  status: 'pending' | 'overdue' | 'paid';
  isPaused: boolean;
  isDisputed: boolean;
  cycle: number;
}

export interface ModelExecution {
  readonly charge: ModelCharge;
  readonly step: ModelStep;
  readonly cycle: number;
  readonly stepOn: string;
  dueAt: number;
  moves: number;
  status: 'scheduled' | 'done' | 'skipped';
  reason: string | null;
}

export interface Model {
  readonly steps: readonly ModelStep[];
  readonly charges: readonly ModelCharge[];
  executions: ModelExecution[];
  lastNight: string | null;
  /** Messages that went, by person and day. */
  readonly sent: Map<string, number>;
}

export const dayOf = (at: number): string => new Date(at - 3 * HOUR_MS).toISOString().slice(0, 10);
const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`);
const plus = (day: string, days: number) => new Date(noonOf(day) + days * DAY_MS).toISOString().slice(0, 10);
const weekday = (day: string) => new Date(noonOf(day)).getUTCDay();
const isBusiness = (day: string) => ![0, 6].includes(weekday(day)) && !HOLIDAYS.has(day);

export function adjusted(day: string): string {
  return isBusiness(day) ? day : adjusted(plus(day, 1));
}

function stepDay(step: ModelStep, due: string): string {
  let day = step.offset > 0 ? adjusted(due) : due;
  for (let left = Math.abs(step.offset); left > 0; ) {
    day = plus(day, Math.sign(step.offset));
    if (!step.isBusiness || isBusiness(day)) left -= 1;
  }
  return day;
}

function momentOf(step: ModelStep, day: string, state: ModelState): number {
  return Date.parse(`${day}T00:00:00Z`) + (step.hour + states[state].behind) * HOUR_MS;
}

/** Whether a message may go at the instant. */
export function isOpen(state: ModelState, at: number): boolean {
  const { behind, week, saturday } = states[state];
  const local = new Date(at - behind * HOUR_MS).toISOString();
  const day = local.slice(0, 10);
  const hours = HOLIDAYS.has(day) || weekday(day) === 0 ? null : weekday(day) === 6 ? saturday : week;
  const hour = Number(local.slice(11, 13));
  return hours !== null && hour >= hours[0] && hour < hours[1];
}

/** The next instant at which a message may go: hours begin on the hour. */
function openingFrom(state: ModelState, at: number): number {
  if (isOpen(state, at)) return at;
  let hour = Math.ceil(at / HOUR_MS) * HOUR_MS;
  while (!isOpen(state, hour)) hour += HOUR_MS;
  return hour;
}

function plan(model: Model, day: string, now: number, missedSince: string | null, only?: ModelCharge): void {
  const latestFirst = model.steps.toSorted(
    (left, right) => right.hour - left.hour || right.offset - left.offset || right.position - left.position,
  );
  for (const step of latestFirst) {
    for (const charge of only === undefined ? model.charges : [only]) {
      if (charge.rule !== step.rule || charge.status === 'paid' || charge.isPaused) continue;
      if (charge.amount < step.amountMin || stepDay(step, charge.due) !== day) continue;
      const nominal = momentOf(step, day, charge.state);
      if (nominal < charge.startedAt) continue;
      const mine = model.executions.filter((one) => one.charge === charge && one.cycle === charge.cycle);
      if (mine.some((one) => one.step === step)) continue;
      const from = Math.max(nominal, now);
      const dueAt = step.action === 'task' ? from : openingFrom(charge.state, from);
      const isLate = step.offset <= 0 && adjusted(charge.due) < dayOf(now);
      const isFollowed = mine.some(
        (one) => one.step.action === step.action && one.stepOn >= missedSince! && one.status !== 'skipped',
      );
      const reason = missedSince === null ? null : isLate ? 'past_due' : isFollowed ? 'superseded' : null;
      const status = reason === null ? 'scheduled' : 'skipped';
      model.executions.push({
        charge,
        step,
        cycle: charge.cycle,
        stepOn: day,
        dueAt,
        moves: 0,
        status,
        reason,
      });
    }
  }
}

export function night(model: Model, now: number): void {
  const today = dayOf(now);
  for (const charge of model.charges) {
    if (charge.status === 'pending' && adjusted(charge.due) < today) charge.status = 'overdue';
  }
  const first = model.lastNight === null ? today : plus(model.lastNight, 1);
  const days: string[] = [];
  for (let day = today; day >= first; day = plus(day, -1)) days.push(day);
  for (const day of days.slice(0, 4)) {
    plan(model, day, now, day < today ? days.slice(0, 4).at(-1)! : null);
  }
  model.lastNight = today;
}

export function planToday(model: Model, charge: ModelCharge, now: number): void {
  plan(model, dayOf(now), now, null, charge);
}

/**
 * Everything that is due, but for whose turn it is among messages to one person: `chosen` says which of them went, and
 * has to be told as many as may go. Gives the groups it was asked about.
 */
export function run(
  model: Model,
  now: number,
  chosen: (group: readonly ModelExecution[], left: number) => readonly ModelExecution[],
): void {
  const due = model.executions.filter((one) => one.status === 'scheduled' && one.dueAt <= now);
  const ready: ModelExecution[] = [];
  const forgotten: ModelCharge[] = [];
  for (const execution of due) {
    const reason = reasonOf(execution, now);
    if (reason === 'forgotten') {
      model.executions = model.executions.filter((one) => one !== execution);
      forgotten.push(execution.charge);
    } else if (reason !== null && reason !== 'window_closed') close(execution, 'skipped', reason);
    else if (execution.step.action === 'task') close(execution, 'done', null);
    else ready.push(execution);
  }
  for (const group of Map.groupBy(ready, ({ charge }) => charge.person).values()) {
    const { person, state } = group[0]!.charge;
    const left = Math.max(0, 1 - (model.sent.get(`${person}/${dayOf(now)}`) ?? 0));
    const isNow = isOpen(state, now);
    const going = isNow ? chosen(group, left) : [];
    const tomorrow = Date.parse(`${plus(dayOf(now), 1)}T03:00:00Z`);
    if (going.length > 0) model.sent.set(`${person}/${dayOf(now)}`, going.length);
    for (const execution of group) {
      if (going.includes(execution)) close(execution, 'done', null);
      else move(execution, openingFrom(state, isNow ? tomorrow : now), isNow ? 'daily_cap' : 'window_closed');
    }
  }
  for (const charge of new Set(forgotten)) planToday(model, charge, now);
}

function reasonOf({ charge, step, cycle, stepOn }: ModelExecution, now: number): string | null {
  if (charge.cycle !== cycle) return 'reopened';
  if (stepDay(step, charge.due) !== stepOn) return 'forgotten';
  if (step.offset <= 0 && adjusted(charge.due) < dayOf(now)) return 'past_due';
  if (charge.status === 'paid') return 'paid';
  if (charge.isDisputed) return 'disputed';
  return charge.isPaused ? 'paused' : null;
}

function close(execution: ModelExecution, status: 'done' | 'skipped', reason: string | null): void {
  execution.status = status;
  execution.reason = reason;
}

function move(execution: ModelExecution, to: number, reason: string): void {
  if (dayOf(to) > plus(execution.stepOn, MOVES_DAYS_MAX)) {
    close(execution, 'skipped', reason);
  } else {
    execution.dueAt = to;
    execution.moves += 1;
  }
}
