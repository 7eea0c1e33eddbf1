import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adjustedDueDateOf } from '../../core/accruals.ts';
import { isBusinessDay } from '../../core/calendar.ts';
import { addDays, civilDateAt, civilTimeAt, daysBetween } from '../../core/dates.ts';
import { type ContactPolicy, hoursOn, STATES, timeZoneOf } from '../contact-law/index.ts';
import {
  collisionOf,
  countsFromAdjusted,
  datesReaching,
  meets,
  momentOf,
  noConditions,
  type PlannedCharge,
  type PlannedStep,
  stepDay,
} from './rules.ts';
import { firstToCome, simulateSteps } from './simulation.ts';

const policy: ContactPolicy = {
  version: '2026-03.1',
  windows: {},
  isEmailInWindows: true,
  quietHours: null,
  dailyCapPerPerson: 1,
  dailyCaps: {},
  channels: ['email', 'sms', 'whatsapp', 'phone', 'letter'],
};

const step = (fields: Partial<PlannedStep> = {}): PlannedStep => ({
  id: 'step',
  ruleId: 'rule',
  position: 0,
  offsetDays: 1,
  dayKind: 'calendar',
  time: '10:00',
  action: 'message',
  channel: 'sms',
  templateId: 'template',
  isActive: true,
  conditions: noConditions,
  since: new Date(0),
  ...fields,
});

const charge = (dueDate: string, fields: Partial<PlannedCharge> = {}): PlannedCharge => ({
  dueDate,
  adjustedDueDate: adjustedDueDateOf(dueDate),
  amountCents: 10_000,
  state: 'SP',
  personKind: 'natural',
  tags: [],
  ...fields,
});

const anyDate = fc.integer({ min: 0, max: 10_000 }).map((days) => addDays('2015-01-01', days));
const anyOffset = fc.record({
  offsetDays: fc.integer({ min: -60, max: 90 }),
  dayKind: fc.constantFrom('calendar', 'business'),
});
const anyTime = fc
  .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) })
  .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const anyState = fc.constantFrom(null, ...STATES);

const shown = (at: Date, state: string | null) => {
  const zone = timeZoneOf(state);
  return `${civilDateAt(at, zone)} ${civilTimeAt(at, zone)}`;
};

describe('the day of a step', () => {
  test('counts up to the due date from it, and after it from the day up to which paying was in time', () => {
    // Saturday; the bank holiday of Monday 12 October moves paying in time to Tuesday.
    const due = charge('2026-10-10');
    expect(due.adjustedDueDate).toBe('2026-10-13');
    expect(stepDay(step({ offsetDays: -3 }), due)).toBe('2026-10-07');
    expect(stepDay(step({ offsetDays: 0 }), due)).toBe('2026-10-10');
    expect(stepDay(step({ offsetDays: 1 }), due)).toBe('2026-10-14');
    expect(stepDay(step({ offsetDays: 1, dayKind: 'business' }), due)).toBe('2026-10-14');
    expect(stepDay(step({ offsetDays: -1, dayKind: 'business' }), due)).toBe('2026-10-09');
    expect(stepDay(step({ offsetDays: 4, dayKind: 'business' }), due)).toBe('2026-10-19');
  });

  test('nobody is told of being late while paying is in time', () => {
    fc.assert(
      fc.property(anyDate, anyOffset, (dueDate, offset) => {
        const due = charge(dueDate);
        const day = stepDay(offset as PlannedStep, due)!;
        if (offset.offsetDays > 0) expect(day > due.adjustedDueDate).toBe(true);
        else expect(day <= due.dueDate).toBe(true);
      }),
    );
  });

  test('is found from the other side: exactly the dates whose step falls on the day', () => {
    fc.assert(
      fc.property(anyDate, anyOffset, fc.integer({ min: -10, max: 10 }), (day, offset, off) => {
        const one = offset as PlannedStep;
        const found = datesReaching(one, day);
        const near = addDays(found?.from ?? addDays(day, -one.offsetDays), off);
        const isFrom = countsFromAdjusted(one);
        fc.pre(!isFrom || isBusinessDay(near));
        const reaches = stepDay(one, { dueDate: near, adjustedDueDate: near }) === day;
        expect(reaches).toBe(found !== null && near >= found.from && near <= found.to);
      }),
    );
  });

  test('beyond the end of the calendar there is none', () => {
    expect(stepDay(step({ offsetDays: 1_825 }), charge('2199-06-01'))).toBeNull();
  });
});

describe('the moment of a step', () => {
  test('PITFALLS 53: a closed hour moves it: SP to Monday at 8, RJ at 9, a holiday to the day after', () => {
    const saturday = step({ time: '14:30' });
    expect(shown(momentOf(saturday, '2026-10-17', 'SP', policy).dueAt, 'SP')).toBe('2026-10-19 08:00');
    expect(shown(momentOf(saturday, '2026-10-17', 'RJ', policy).dueAt, 'RJ')).toBe('2026-10-19 09:00');
    expect(shown(momentOf(step(), '2026-10-12', 'SP', policy).dueAt, 'SP')).toBe('2026-10-13 08:00');
  });

  test('MODEL §14.15: is never outside the hours of the debtor and never before its own time', () => {
    fc.assert(
      fc.property(
        anyDate,
        anyTime,
        anyState,
        fc.constantFrom('email', 'sms', 'whatsapp', 'phone'),
        (day, time, state, channel) => {
          const one = step({ time, channel, action: channel === 'phone' ? 'task' : 'message' });
          const { nominalAt, dueAt } = momentOf(one, day, state, policy);
          expect(dueAt >= nominalAt).toBe(true);
          const zone = timeZoneOf(state);
          const hours = hoursOn(policy, state, channel, civilDateAt(dueAt, zone))!;
          const clock = civilTimeAt(dueAt, zone);
          expect(clock >= hours.from && clock < hours.to).toBe(true);
          expect(daysBetween(day, civilDateAt(dueAt, zone))).toBeLessThanOrEqual(5);
        },
      ),
    );
  });

  test('what only a person of the organization sees is bound by no hours', () => {
    const task = step({ action: 'task', channel: null, templateId: null, time: '23:00' });
    expect(shown(momentOf(task, '2026-10-17', 'AM', policy).dueAt, 'AM')).toBe('2026-10-17 23:00');
  });

  test('one that is late comes as soon as contact is allowed', () => {
    const now = new Date('2026-10-16T23:30:00Z');
    const { dueAt } = momentOf(step({ time: '09:00' }), '2026-10-16', 'SP', policy, now);
    expect(shown(dueAt, 'SP')).toBe('2026-10-17 08:00');
  });
});

describe('a simulation', () => {
  const rule = (offsets: readonly number[]) => ({
    steps: offsets.map((offsetDays) => step({ id: `D${offsetDays}`, offsetDays })),
    conditions: noConditions,
  });

  test('PITFALLS 51: under a rule of D+1, D+5, D+10 and D+15, a charge 12 days late hears first on D+15', () => {
    const simulated = simulateSteps(rule([1, 5, 10, 15]), charge('2026-10-01'), {
      startsAt: new Date('2026-10-13T12:00:00Z'),
      policy,
    });
    expect(simulated.map(({ step: { id }, reason }) => [id, reason])).toEqual([
      ['D1', 'past'],
      ['D5', 'past'],
      ['D10', 'past'],
      ['D15', null],
    ]);
    expect(firstToCome(simulated)).toMatchObject({ day: '2026-10-16', date: '2026-10-16' });
  });

  test('MODEL §14.16: no step comes before the rule began for the charge, however late it is', () => {
    fc.assert(
      fc.property(
        anyDate,
        fc.array(anyOffset, { minLength: 1, maxLength: 8 }),
        anyTime,
        anyState,
        fc.integer({ min: -400, max: 60 }),
        (dueDate, offsets, time, state, startsAfter) => {
          const startsAt = new Date(`${addDays(dueDate, -startsAfter)}T15:00:00Z`);
          const steps = offsets.map((offset, index) =>
            step({ ...(offset as PlannedStep), id: String(index), time }),
          );
          const simulated = simulateSteps({ steps, conditions: noConditions }, charge(dueDate, { state }), {
            startsAt,
            policy,
          });
          expect(simulated).toHaveLength(steps.length);
          for (const { reason, at, day } of simulated) {
            if (reason === null) expect(at! >= startsAt).toBe(true);
            else expect(reason === 'past' || day! <= dueDate).toBe(true);
          }
        },
      ),
    );
  });

  test('a reminder that would be moved past the due date does not come', () => {
    // Friday evening: the next hour of contact in RJ is on Monday, after the last day.
    const simulated = simulateSteps(
      { steps: [step({ offsetDays: 0, time: '20:00' })], conditions: noConditions },
      charge('2026-10-16', { state: 'RJ' }),
      { startsAt: new Date('2026-10-01T00:00:00Z'), policy },
    );
    expect(simulated[0]).toMatchObject({ date: '2026-10-19', isMoved: true, reason: 'past_due' });
  });

  test('says which conditions keep a step away and which step is switched off', () => {
    const simulated = simulateSteps(
      {
        steps: [
          step({ id: 'dear', conditions: { ...noConditions, amountMinCents: 10_001 } }),
          step({ id: 'company', offsetDays: 2, conditions: { ...noConditions, personKind: 'legal' } }),
          step({ id: 'off', offsetDays: 3, isActive: false }),
          step({ id: 'tagged', offsetDays: 4, conditions: { ...noConditions, tags: ['a', 'b'] } }),
        ],
        conditions: noConditions,
      },
      charge('2026-10-01', { tags: ['b'] }),
      { startsAt: new Date('2026-10-01T00:00:00Z'), policy },
    );
    expect(simulated.map(({ reason }) => reason)).toEqual([
      'conditions',
      'conditions',
      'step_inactive',
      null,
    ]);
  });
});

test('conditions hold for the amounts they name', () => {
  const between = { ...noConditions, amountMinCents: 100, amountMaxCents: 200 };
  expect(
    [99, 100, 200, 201].map((amountCents) => meets(between, charge('2026-01-01', { amountCents }))),
  ).toEqual([false, true, true, false]);
});

test('steps collide that do the same at the same time; another channel, time or action is another step', () => {
  const known = step({ id: 'known' });
  expect(collisionOf(step({ id: 'new' }), [known])).toBe(known);
  expect(collisionOf(known, [known])).toBeUndefined();
  for (const other of [
    { time: '10:01' },
    { channel: 'email' },
    { dayKind: 'business' },
    { offsetDays: 2 },
  ] as const) {
    expect(collisionOf(step({ id: 'new', ...other }), [known])).toBeUndefined();
  }
});
