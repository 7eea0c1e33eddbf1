import { describe, expect, test } from 'vitest';
import { approvalAfterChange, payableTouchedBy } from './rules.ts';

describe('approval', () => {
  test('invariant 11: starts again with every change, and a refusal is not shaken off by a lower amount', () => {
    expect(approvalAfterChange('approved', true)).toBe('pending');
    expect(approvalAfterChange('approved', false)).toBe('pending');
    expect(approvalAfterChange('rejected', false)).toBe('pending');
    expect(approvalAfterChange('not_required', true)).toBe('pending');
    expect(approvalAfterChange('not_required', false)).toBe('not_required');
  });
});

describe('what a change touches', () => {
  const bill = {
    amount_cents: 1,
    abatement_cents: 0,
    withholdings: [],
    person_id: 'p',
    payment_details: null,
    terms: null,
    due_date: '2026-10-05',
    category_id: null,
    cost_centers: [],
    issue_date: null,
    competence_month: '2026-10',
    document_number: null,
    series: null,
  };
  const touched = (change: Partial<Record<keyof typeof bill, unknown>>) =>
    Object.entries(payableTouchedBy(bill, { ...bill, ...change }))
      .filter(([, isTouched]) => isTouched)
      .map(([name]) => name);

  test('the payment is what is paid, to whom, with what fine, and how', () => {
    expect(touched({ amount_cents: 2 })).toEqual(['money', 'books', 'identity', 'payment']);
    expect(touched({ payment_details: { kind: 'none' } })).toEqual(['identity', 'payment']);
    expect(touched({ terms: { graceDays: 1 } })).toEqual(['terms', 'payment']);
    expect(touched({ competence_month: '2026-11' })).toEqual(['books']);
    expect(touched({})).toEqual([]);
  });
});
