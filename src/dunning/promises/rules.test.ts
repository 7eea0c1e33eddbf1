import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBusinessDay } from '../../core/calendar.ts';
import { addDays, daysBetween } from '../../core/dates.ts';
import { keepUntilOf, promiseStatusOn } from './rules.ts';

const days = fc.integer({ min: 0, max: 2_000 }).map((count) => addDays('2024-01-01', count));
const cents = fc.integer({ min: 1, max: 10_000_000 });

describe('the last day of a promise', () => {
  it.each([
    // A Friday before a Monday that is a holiday.
    ['2026-10-09', 1, '2026-10-13'],
    ['2026-10-10', 1, '2026-10-13'],
    ['2026-10-14', 1, '2026-10-15'],
    ['2026-10-14', 0, '2026-10-14'],
  ])('promised for %s with %i business days of grace, it is %s', (promisedFor, grace, last) => {
    expect(keepUntilOf(promisedFor, grace)).toBe(last);
  });

  it('is a business day after the promised one, whatever the day', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 10 }), (promisedFor, grace) => {
        const last = keepUntilOf(promisedFor, grace);
        expect(isBusinessDay(last)).toBe(true);
        expect(daysBetween(promisedFor, last)).toBeGreaterThanOrEqual(grace);
      }),
    );
  });
});

describe('a promise', () => {
  const promise = { amountCents: 10_000, keepUntil: '2026-10-13', paidCents: 0, isOwed: true };

  it.each([
    ['2026-10-13', {}, 'open'],
    ['2026-10-14', {}, 'broken'],
    ['2026-10-14', { paidCents: 9_999 }, 'broken'],
    ['2026-10-10', { paidCents: 10_000 }, 'kept'],
    // Paid in time, told of later.
    ['2026-10-20', { paidCents: 10_000 }, 'kept'],
    // The last payment closed the charge: kept, not canceled.
    ['2026-10-10', { paidCents: 10_000, isOwed: false }, 'kept'],
    ['2026-10-10', { isOwed: false }, 'canceled'],
  ] as const)('on %s with %o is %s', (today, changes, status) => {
    expect(promiseStatusOn(today, { ...promise, ...changes })).toBe(status);
  });

  it('never turns from kept to broken as time passes, and never back to open', () => {
    fc.assert(
      fc.property(days, days, cents, cents, fc.boolean(), (one, other, amountCents, paidCents, isOwed) => {
        const [early, late] = one < other ? [one, other] : [other, one];
        const judged = { amountCents, keepUntil: '2026-10-13', paidCents, isOwed };
        const [before, after] = [promiseStatusOn(early, judged), promiseStatusOn(late, judged)];
        if (before !== 'open') expect(after).toBe(before);
      }),
    );
  });
});
