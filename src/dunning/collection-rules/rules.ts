/** When a step falls on which charge: values in, values out. */

import { addBusinessDays, isBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate, daysBetween } from '../../core/dates.ts';
import { type ContactPolicy, instantAt, nextContactAt } from '../contact-law/index.ts';
import type { DayKind, StepAction, StepChannel } from './schema.ts';

/** A step that was moved is given up after so many days. */
export const MOVED_DAYS_MAX = 5;

const LAST_DAY = '2199-12-31';

/** Which charges a rule or a step is for; null and no tags are no condition. */
export interface Conditions {
  readonly amountMinCents: number | null;
  readonly amountMaxCents: number | null;
  readonly personKind: 'natural' | 'legal' | null;
  /** One of them is enough. */
  readonly tags: readonly string[];
}

export const noConditions: Conditions = {
  amountMinCents: null,
  amountMaxCents: null,
  personKind: null,
  tags: [],
};

/** A step as deciding needs it. */
export interface PlannedStep {
  readonly id: string;
  readonly ruleId: string;
  readonly position: number;
  readonly offsetDays: number;
  readonly dayKind: DayKind;
  /** HH:MM in the state of the debtor. */
  readonly time: string;
  readonly action: StepAction;
  readonly channel: StepChannel | null;
  readonly templateId: string | null;
  readonly isActive: boolean;
  readonly conditions: Conditions;
  /** Moments before are none of this step, nor of the rule as it is now. */
  readonly since: Date;
}

/** A charge as deciding needs it. */
export interface PlannedCharge {
  readonly dueDate: CivilDate;
  readonly adjustedDueDate: CivilDate;
  readonly amountCents: number;
  /** Of the debtor. */
  readonly state: string | null;
  readonly personKind: 'natural' | 'legal';
  /** Of the charge and of the debtor. */
  readonly tags: readonly string[];
}

/** A stretch of days, both ends included. */
export interface Dates {
  readonly from: CivilDate;
  readonly to: CivilDate;
}

type Offset = Pick<PlannedStep, 'offsetDays' | 'dayKind'>;

/** Steps after the due date count from the day up to which paying was in time: nobody is told late too soon. */
export function countsFromAdjusted({ offsetDays }: Pick<Offset, 'offsetDays'>): boolean {
  return offsetDays > 0;
}

/** The day a step falls on for a charge; null beyond the end of the calendar. */
export function stepDay(
  step: Offset,
  charge: Pick<PlannedCharge, 'dueDate' | 'adjustedDueDate'>,
): CivilDate | null {
  const from = countsFromAdjusted(step) ? charge.adjustedDueDate : charge.dueDate;
  // Weekends and holidays make business days longer, though never twice as long with a month to spare.
  if (daysBetween(from, LAST_DAY) < 2 * Math.abs(step.offsetDays) + 31) return null;
  return step.dayKind === 'calendar'
    ? addDays(from, step.offsetDays)
    : addBusinessDays(from, step.offsetDays);
}

/**
 * The other way round: the due dates, or for steps after it the adjusted due dates, whose step falls on the day. They
 * are one stretch; null when no date leads there.
 */
export function datesReaching(step: Offset, day: CivilDate): Dates | null {
  const { offsetDays, dayKind } = step;
  if (dayKind === 'calendar' || offsetDays === 0) {
    const date = addDays(day, -offsetDays);
    return { from: date, to: date };
  }
  if (!isBusinessDay(day)) return null;
  // An adjusted due date is a business day, so exactly one leads there.
  if (offsetDays > 0) {
    const date = addBusinessDays(day, -offsetDays);
    return { from: date, to: date };
  }
  // Due dates may be any day: those behind the business day before the last one counted, up to that one.
  return {
    from: addDays(addBusinessDays(day, -offsetDays - 1), 1),
    to: addBusinessDays(day, -offsetDays),
  };
}

/** The hours of contact that bind a step: of its channel. What only a person sees is bound by none. */
export function boundChannel({ action, channel }: Pick<PlannedStep, 'action' | 'channel'>): string | null {
  return action === 'message' || action === 'task' ? channel : null;
}

/** A step's moment on a day, and when contact is allowed from then on, for debtors of one state. */
export function momentOf(
  step: Pick<PlannedStep, 'time' | 'action' | 'channel'>,
  day: CivilDate,
  state: string | null,
  policy: ContactPolicy,
  now: Date | null = null,
): { nominalAt: Date; dueAt: Date } {
  const nominalAt = instantAt(day, step.time, state);
  const from = now !== null && now > nominalAt ? now : nominalAt;
  const channel = boundChannel(step);
  return { nominalAt, dueAt: channel === null ? from : nextContactAt(policy, state, channel, from) };
}

/** Whether a charge is one of those that the conditions are for. */
export function meets(
  { amountMinCents, amountMaxCents, personKind, tags }: Conditions,
  charge: Pick<PlannedCharge, 'amountCents' | 'personKind' | 'tags'>,
): boolean {
  return (
    (amountMinCents === null || charge.amountCents >= amountMinCents) &&
    (amountMaxCents === null || charge.amountCents <= amountMaxCents) &&
    (personKind === null || charge.personKind === personKind) &&
    (tags.length === 0 || tags.some((tag) => charge.tags.includes(tag)))
  );
}

/** A reminder of a due date has lost its sense once paying on that date is over. */
export function isPastDue(step: Offset, adjustedDueDate: CivilDate, today: CivilDate): boolean {
  return !countsFromAdjusted(step) && adjustedDueDate < today;
}

/** Steps in the order in which they happen: by day, by time, by place. */
export function compareSteps(left: PlannedStep, right: PlannedStep): number {
  return (
    left.offsetDays - right.offsetDays ||
    compareTexts(left.time, right.time) ||
    left.position - right.position ||
    compareTexts(left.id, right.id)
  );
}

/** The step of a rule that would do the same at the same time; undefined when there is none. */
export function collisionOf<Known extends PlannedStep>(
  step: Omit<PlannedStep, 'position' | 'since' | 'conditions' | 'ruleId'>,
  others: readonly Known[],
): Known | undefined {
  return others.find(
    (other) =>
      other.id !== step.id &&
      other.offsetDays === step.offsetDays &&
      other.dayKind === step.dayKind &&
      other.time === step.time &&
      other.action === step.action &&
      other.channel === step.channel,
  );
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
