/** What a rule would do to a charge, day by day: values in, values out. */

import { type CivilDate, civilDateAt } from '../../core/dates.ts';
import { type ContactPolicy, timeZoneOf } from '../contact-law/index.ts';
import {
  type Conditions,
  compareSteps,
  isPastDue,
  meets,
  momentOf,
  type PlannedCharge,
  type PlannedStep,
  stepDay,
} from './rules.ts';

/** Why a step would not come. `past`: its moment was before the rule begins for the charge. */
export type SimulatedReason = 'step_inactive' | 'past' | 'conditions' | 'past_due' | 'beyond_calendar';

export interface SimulatedStep {
  readonly step: PlannedStep;
  /** The day it falls on; null beyond the end of the calendar. */
  readonly day: CivilDate | null;
  /** When it comes, moved to when contact is allowed. */
  readonly at: Date | null;
  /** The civil date of that, in the state of the debtor. */
  readonly date: CivilDate | null;
  readonly isMoved: boolean;
  readonly reason: SimulatedReason | null;
}

/** The steps in the order of their days, each with when it comes or why it does not. */
export function simulateSteps(
  { steps, conditions }: { readonly steps: readonly PlannedStep[]; readonly conditions: Conditions },
  charge: PlannedCharge,
  at: { readonly startsAt: Date; readonly policy: ContactPolicy },
): SimulatedStep[] {
  return steps
    .map((step) => simulateStep(step, conditions, charge, at))
    .sort((left, right) => compareMoments(left, right) || compareSteps(left.step, right.step));
}

/** The first step to come; null when none does. */
export function firstToCome(simulated: readonly SimulatedStep[]): SimulatedStep | null {
  const coming = simulated.filter(({ reason }) => reason === null);
  return coming.reduce<SimulatedStep | null>(
    (first, step) => (first === null || step.at! < first.at! ? step : first),
    null,
  );
}

function simulateStep(
  step: PlannedStep,
  conditions: Conditions,
  charge: PlannedCharge,
  { startsAt, policy }: { readonly startsAt: Date; readonly policy: ContactPolicy },
): SimulatedStep {
  const day = stepDay(step, charge);
  if (day === null) return { step, day, at: null, date: null, isMoved: false, reason: 'beyond_calendar' };
  const { nominalAt, dueAt } = momentOf(step, day, charge.state, policy);
  const date = civilDateAt(dueAt, timeZoneOf(charge.state));
  return {
    step,
    day,
    at: dueAt,
    date,
    isMoved: dueAt.getTime() !== nominalAt.getTime(),
    reason: reasonOf(step, conditions, charge, { nominalAt, startsAt, date }),
  };
}

function reasonOf(
  step: PlannedStep,
  conditions: Conditions,
  charge: PlannedCharge,
  { nominalAt, startsAt, date }: { nominalAt: Date; startsAt: Date; date: CivilDate },
): SimulatedReason | null {
  if (!step.isActive) return 'step_inactive';
  if (nominalAt < startsAt) return 'past';
  if (!meets(conditions, charge) || !meets(step.conditions, charge)) return 'conditions';
  return isPastDue(step, charge.adjustedDueDate, date) ? 'past_due' : null;
}

function compareMoments(left: SimulatedStep, right: SimulatedStep): number {
  if (left.day === right.day || left.day === null || right.day === null) return 0;
  return left.day < right.day ? -1 : 1;
}
