import { describe, expect, test } from 'vitest';
import {
  approversFor,
  ascending,
  balanceFloorOf,
  defaultSafety,
  isApprovalNeeded,
  requireOneFloorEach,
  rulesOfWorkspace,
} from './rules.ts';

describe('the rules in the settings of a workspace', () => {
  test('hold one threshold for anybody with the right to approve', () => {
    expect(rulesOfWorkspace({ approval: { above: '1000.00', second_person: true } })).toEqual({
      thresholds: [{ above: 100_000, approvers: null }],
      require_second_person: true,
      safety: defaultSafety,
    });
  });

  test('are none where the settings hold none, or nothing readable', () => {
    for (const settings of [undefined, null, {}, { approval: { above: 1000 } }, { approval: 'all' }]) {
      expect(rulesOfWorkspace(settings)).toEqual({
        thresholds: [],
        require_second_person: false,
        safety: defaultSafety,
      });
    }
  });
});

describe('thresholds', () => {
  const thresholds = ascending([
    { above: 1_000_000, approvers: ['director'] },
    { above: 100_000, approvers: null },
  ]);

  test('make a bill wait from the lowest one on', () => {
    expect(isApprovalNeeded({ thresholds }, 99_999)).toBe(false);
    expect(isApprovalNeeded({ thresholds }, 100_000)).toBe(true);
    expect(isApprovalNeeded({ thresholds: [] }, 100_000_000)).toBe(false);
  });

  test('let the highest one that is reached say who approves', () => {
    expect(approversFor({ thresholds }, 999_999)).toBeNull();
    expect(approversFor({ thresholds }, 1_000_000)).toEqual(['director']);
    expect(approversFor({ thresholds }, 1)).toBeNull();
  });

  test('differ in their amounts', () => {
    const twice = [
      { above: 1, approvers: null },
      { above: 1, approvers: ['a'] },
    ];
    expect(() => ascending(twice)).toThrowError(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

test('an account has its own floor or the one of all, and each is given once', () => {
  const forAll = { account_id: null, amount_cents: 100, mode: 'warn' } as const;
  const own = { account_id: 'a', amount_cents: -500, mode: 'refuse' } as const;
  const safety = { ...defaultSafety, balance_floor: [forAll, own] };
  expect(balanceFloorOf(safety, 'a')).toBe(own);
  expect(balanceFloorOf(safety, 'b')).toBe(forAll);
  expect(balanceFloorOf(defaultSafety, 'a')).toBeNull();
  expect(() => requireOneFloorEach([forAll, own])).not.toThrow();
  for (const twice of [
    [forAll, forAll],
    [own, own],
  ]) {
    expect(() => requireOneFloorEach(twice)).toThrowError(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  }
});
