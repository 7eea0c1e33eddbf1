import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { civilDateAt, civilTimeAt, weekdayOf } from '../../core/dates.ts';
import {
  type ContactPolicy,
  hoursOn,
  instantAt,
  lastReportableDay,
  lawfulHours,
  nextContactAt,
  priorNoticeDays,
  removalDeadline,
  STATES,
  timeZoneOf,
  type Weekday,
} from './index.ts';

const policy: ContactPolicy = {
  version: '2026-03.1',
  windows: {},
  isEmailInWindows: true,
  quietHours: null,
  dailyCapPerPerson: 1,
  dailyCaps: {},
  channels: ['email', 'sms', 'whatsapp', 'phone', 'letter'],
};

const next = (state: string | null, at: string, changes: Partial<ContactPolicy> = {}, channel = 'sms') => {
  const zone = timeZoneOf(state);
  const instant = nextContactAt({ ...policy, ...changes }, state, channel, new Date(at));
  return `${civilDateAt(instant, zone)} ${civilTimeAt(instant, zone)}`;
};

describe('hours', () => {
  test('PITFALLS 53: a Saturday afternoon waits for Monday, a Saturday in RJ and a holiday for the next open day', () => {
    expect(next('SP', '2026-10-17T14:30:00-03:00')).toBe('2026-10-19 08:00');
    expect(next('RJ', '2026-10-17T10:00:00-03:00')).toBe('2026-10-19 09:00');
    expect(next('SP', '2026-10-12T10:00:00-03:00')).toBe('2026-10-13 08:00');
    expect(next('SP', '2026-10-17T10:00:00-03:00')).toBe('2026-10-17 10:00');
  });

  test('a window includes its first minute and not its last', () => {
    expect(next('SP', '2026-10-16T19:59:59-03:00')).toBe('2026-10-16 19:59');
    expect(next('SP', '2026-10-16T20:00:00-03:00')).toBe('2026-10-17 08:00');
    expect(next('SP', '2026-10-16T07:59:59-03:00')).toBe('2026-10-16 08:00');
    expect(next('ES', '2026-10-16T19:00:00-03:00')).toBe('2026-10-19 08:00');
  });

  test("are those of the debtor's own clock", () => {
    expect(next('AC', '2026-10-16T12:30:00Z')).toBe('2026-10-16 08:00');
    expect(nextContactAt(policy, 'AC', 'sms', new Date('2026-10-16T12:30:00Z'))).toEqual(
      new Date('2026-10-16T13:00:00Z'),
    );
    expect(next('AM', '2026-10-16T23:00:00Z')).toBe('2026-10-17 08:00');
    expect(next('AM', '2026-10-16T22:59:00Z')).toBe('2026-10-16 18:59');
    expect(next(null, '2026-10-16T09:00:00Z')).toBe('2026-10-16 08:00');
    expect(next('XX', '2026-10-16T09:00:00Z')).toBe('2026-10-16 08:00');
  });

  test('do not bind letters, and e-mail only where the organization says so; quiet hours bind e-mail too', () => {
    const sunday = '2026-10-18T23:00:00-03:00';
    expect(next('SP', sunday, {}, 'letter')).toBe('2026-10-18 23:00');
    expect(next('SP', sunday, {}, 'email')).toBe('2026-10-19 08:00');
    expect(next('SP', sunday, { isEmailInWindows: false }, 'email')).toBe('2026-10-18 23:00');
    const quietHours = { from: '22:00', to: '07:30' };
    expect(next('SP', sunday, { isEmailInWindows: false, quietHours }, 'email')).toBe('2026-10-19 07:30');
    expect(next('SP', sunday, { quietHours }, 'letter')).toBe('2026-10-18 23:00');
  });

  test('are narrowed by the settings and never widened', () => {
    const own = { 5: { from: '06:00', to: '12:00' }, 6: null } as const;
    const windows = { SP: own };
    expect(hoursOn({ ...policy, windows }, 'SP', 'sms', '2026-10-16')).toEqual({
      from: '08:00',
      to: '12:00',
    });
    expect(hoursOn({ ...policy, windows }, 'SP', 'sms', '2026-10-17')).toBeNull();
    expect(hoursOn({ ...policy, windows }, 'SP', 'sms', '2026-10-15')).toEqual({
      from: '08:00',
      to: '20:00',
    });
    expect(hoursOn({ ...policy, windows }, 'MG', 'sms', '2026-10-17')).toEqual({
      from: '08:00',
      to: '14:00',
    });
    const shut = { SP: { 5: { from: '20:30', to: '21:00' } } };
    expect(hoursOn({ ...policy, windows: shut }, 'SP', 'sms', '2026-10-16')).toBeNull();
  });

  test('MODEL §14.15: an opening found is never before the moment, is open, and lies within the law of the state', () => {
    const minutes = fc.integer({ min: 0, max: 1439 });
    const timeOf = (minute: number) =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    const own = fc.record({
      from: minutes.map((minute) => timeOf(minute % 780)),
      to: minutes.map((minute) => timeOf(840 + (minute % 600))),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...STATES),
        fc.date({ min: new Date('2017-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        own,
        (state, at, hours) => {
          const narrowed = { ...policy, windows: { [state]: { 1: hours, 3: hours } } };
          const opening = nextContactAt(narrowed, state, 'sms', at);
          expect(opening >= at).toBe(true);
          expect(nextContactAt(narrowed, state, 'sms', opening)).toEqual(opening);
          const date = civilDateAt(opening, timeZoneOf(state));
          const time = civilTimeAt(opening, timeZoneOf(state));
          const lawful = lawfulHours(state)[weekdayOf(date) as Weekday]!;
          expect(time >= lawful.from && time < lawful.to).toBe(true);
        },
      ),
    );
  });
});

describe('the instant of a time', () => {
  test('a midnight that daylight saving skipped is one hour later, and one that came twice is the first', () => {
    expect(instantAt('2018-11-04', '00:00', 'SP')).toEqual(new Date('2018-11-04T03:00:00Z'));
    expect(instantAt('2018-11-04', '01:00', 'SP')).toEqual(new Date('2018-11-04T03:00:00Z'));
    expect(instantAt('2018-02-17', '23:30', 'SP')).toEqual(new Date('2018-02-18T01:30:00Z'));
    expect(instantAt('2018-11-03', '24:00', 'SP')).toEqual(new Date('2018-11-04T03:00:00Z'));
  });

  test('follows the zone of each state', () => {
    expect(instantAt('2026-10-16', '08:00', 'SP')).toEqual(new Date('2026-10-16T11:00:00Z'));
    expect(instantAt('2026-10-16', '08:00', 'AM')).toEqual(new Date('2026-10-16T12:00:00Z'));
    expect(instantAt('2026-10-16', '08:00', 'AC')).toEqual(new Date('2026-10-16T13:00:00Z'));
  });
});

describe('limits', () => {
  test('PITFALLS 56: days of prior notice by state, longer by the settings and never shorter', () => {
    expect(['SC', 'PI', 'SP', 'PE', 'MT', null].map((state) => priorNoticeDays(state))).toEqual([
      10, 15, 20, 20, 45, 20,
    ]);
    expect(priorNoticeDays('SC', { SC: 12, MT: 60 })).toBe(12);
    expect(priorNoticeDays('MT', { MT: 10 })).toBe(45);
  });

  test('five calendar years from the due date, on the last day of a month that is shorter', () => {
    expect(lastReportableDay('2021-10-01')).toBe('2026-10-01');
    expect(lastReportableDay('2024-02-29')).toBe('2029-02-28');
    expect(lastReportableDay('2023-02-28')).toBe('2028-02-28');
  });

  test('a report of a paid debt goes within five business days', () => {
    expect(removalDeadline('2026-10-08')).toBe('2026-10-16');
    expect(removalDeadline('2026-10-08', 2)).toBe('2026-10-13');
  });
});
