import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { adjustedCentsOf, isLive, requireTransition } from './rules.ts';
import { disputeStatuses } from './schema.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'done';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};

describe('the states of a dispute', () => {
  it('go from open or under review to a decision, and from a decision nowhere', () => {
    for (const from of disputeStatuses) {
      for (const to of disputeStatuses) {
        const isAllowed = isLive(from) && to !== 'open' && to !== from;
        expect(
          codeOf(() => requireTransition(from, to)),
          `${from} → ${to}`,
        ).toBe(isAllowed ? 'done' : 'invalid_state');
      }
    }
  });
});

describe('what a charge is worth after the decision', () => {
  it.each([
    ['dismissed', null, undefined, null],
    ['withdrawn', 3_000, undefined, null],
    // Nobody said how much is contested: all of it.
    ['upheld', null, undefined, 0],
    ['upheld', 3_000, undefined, 7_000],
    ['upheld', 3_000, 5_000, 5_000],
    ['partially_upheld', null, 6_000, 6_000],
  ] as const)('%s, contested %s, said %s: %s', (status, disputed, said, worth) => {
    expect(adjustedCentsOf(status, 10_000, disputed, said)).toBe(worth);
  });

  it.each([
    ['partially_upheld', undefined],
    ['partially_upheld', 0],
    ['partially_upheld', 10_000],
    ['upheld', 10_001],
    ['dismissed', 5_000],
    ['under_review', 5_000],
  ] as const)('%s with %s is refused', (status, said) => {
    expect(codeOf(() => adjustedCentsOf(status, 10_000, null, said))).toBe('invalid_argument');
  });

  it('is never more than before and never negative', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.option(fc.integer({ min: 1, max: 20_000_000 })),
        (amount, disputed) => {
          const worth = adjustedCentsOf('upheld', amount, disputed, undefined)!;
          expect(worth).toBeGreaterThanOrEqual(0);
          expect(worth).toBeLessThan(amount);
        },
      ),
    );
  });
});
