import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filledBy, firstMatch, type MatchingRule, matchTextOf, orderWith, searchPatternOf } from './rules.ts';

const rule = (fields: Partial<MatchingRule>): MatchingRule => ({
  ruleId: 'rule',
  categoryId: 'category',
  personId: null,
  costCenterId: null,
  paymentMethod: null,
  notes: null,
  searchPattern: 'tarifa',
  match: 'contains',
  categoryKind: 'expense',
  ...fields,
});

describe('matching', () => {
  test.each([
    ['TARIFA BANCÁRIA', true],
    ['Cobrança de tarifa', true],
    ['Tarifá', true],
    ['tari fa', false],
    ['', false],
  ])('"%s" contains "tarifa": %s', (text, isFound) => {
    expect(firstMatch([rule({})], text) !== null).toBe(isFound);
  });

  test.each([
    ['  TARIFA   bancária ', true],
    ['Tarifa bancaria', true],
    ['Tarifa bancária mensal', false],
  ])('"%s" equals "tarifa bancaria": %s', (text, isFound) => {
    const equals = rule({ match: 'equals', searchPattern: 'tarifa bancaria' });
    expect(firstMatch([equals], text) !== null).toBe(isFound);
  });

  test('the first rule wins, and one whose category is of the other kind is passed over', () => {
    const rules = [
      rule({ ruleId: 'income', categoryKind: 'income' }),
      rule({ ruleId: 'expense' }),
      rule({ ruleId: 'notes', categoryId: null, categoryKind: null }),
    ];
    expect(firstMatch(rules, 'tarifa', 'expense')?.ruleId).toBe('expense');
    expect(firstMatch(rules, 'tarifa', 'income')?.ruleId).toBe('income');
    expect(firstMatch(rules, 'tarifa')?.ruleId).toBe('income');
    expect(firstMatch(rules.slice(2), 'tarifa', 'income')?.ruleId).toBe('notes');
  });

  test('finds every pattern in any text around it, whatever the case and the accents', () => {
    const word = fc.stringMatching(/^[a-zçãé]{2,8}$/);
    fc.assert(
      fc.property(fc.string(), word, fc.string(), (before, pattern, after) => {
        const searchPattern = searchPatternOf(pattern);
        expect(firstMatch([rule({ searchPattern })], `${before} ${pattern.toUpperCase()} ${after}`)).not.toBe(
          null,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test('compares a compared text as itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(matchTextOf(matchTextOf(text))).toBe(matchTextOf(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(['a', '´', '\u0301\u0301', ' x '])(
    'refuses a pattern that would match anything: "%s"',
    (pattern) => {
      expect(() => searchPatternOf(pattern)).toThrow();
    },
  );
});

test('an order with one put at a place holds every rule once, the others in their order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50), { minLength: 1 }), fc.nat(), fc.nat(), (numbers, which, place) => {
      const ids = numbers.map(String);
      const id = ids[which % ids.length]!;
      const position = 1 + (place % ids.length);
      const order = orderWith(ids, id, position);
      expect(order[position - 1]).toBe(id);
      expect(order.filter((other) => other !== id)).toEqual(ids.filter((other) => other !== id));
    }),
    { numRuns: 1_000 },
  );
});

test('a filling gives only what is empty', () => {
  const all = { categoryId: 'c', personId: 'p', costCenterId: 'k', notes: 'n' };
  const classification = { ...rule(all), ...all };
  expect(filledBy(classification, { cost_centers: [], person_id: null, notes: null })).toEqual({
    category_id: 'c',
    person_id: 'p',
    cost_center_id: 'k',
    notes: 'n',
  });
  expect(filledBy(classification, { cost_centers: [{ id: 'x' }], person_id: 'y', notes: 'z' })).toEqual({
    category_id: 'c',
  });
  expect(filledBy(classification, { cost_centers: [] })).toEqual({ category_id: 'c', cost_center_id: 'k' });
});
