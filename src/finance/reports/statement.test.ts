import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Booked, type CategoryPlace, statementOf } from './statement.ts';

/** Up to three levels; what is below has the kind of what is above. */
const chart: readonly CategoryPlace[] = [
  place('sales', 'income', null),
  place('services', 'income', 'sales'),
  place('office', 'expense', null),
  place('rent', 'expense', 'office'),
  place('supplies', 'expense', 'office'),
  place('paper', 'expense', 'supplies'),
];

function place(id: string, kind: string, parent_id: string | null): CategoryPlace {
  return { id, name: id, kind, parent_id, statement_group: null };
}

const booked = (categoryId: string | null, direction: 'in' | 'out', amount: number): Booked => ({
  categoryId,
  direction,
  amount,
  count: 1,
});

test('a category holds what is below it, with its path, each followed by those below it', () => {
  const { expense, income } = statementOf(
    [booked('rent', 'out', 500), booked('paper', 'out', 30), booked('services', 'in', 900)],
    chart,
  );
  expect(
    expense.lines.map(({ path, level, amount, count }) => [path.join(' / '), level, amount, count]),
  ).toEqual([
    ['office', 1, 530, 2],
    ['office / rent', 2, 500, 1],
    ['office / supplies', 2, 30, 1],
    ['office / supplies / paper', 3, 30, 1],
  ]);
  expect([expense.total, income.total]).toEqual([
    { amount: 530, count: 2 },
    { amount: 900, count: 1 },
  ]);
});

test("a supplier's refund lowers the expense and is no income", () => {
  const { expense, income } = statementOf([booked('rent', 'out', 500), booked('rent', 'in', 200)], chart);
  expect([expense.total.amount, income.total.amount]).toEqual([300, 0]);
});

test('what has no category stands on the side its money went', () => {
  const { expense, income } = statementOf([booked(null, 'in', 7), booked(null, 'out', 5)], chart);
  expect([income.uncategorised, income.total]).toEqual([
    { amount: 7, count: 1 },
    { amount: 7, count: 1 },
  ]);
  expect(expense.total.amount).toBe(5);
});

test('totals are the sum of their parts: the whole, each side, and each category', () => {
  const one = fc.record({
    categoryId: fc.option(fc.constantFrom(...chart.map(({ id }) => id))),
    direction: fc.constantFrom('in' as const, 'out' as const),
    amount: fc.nat(1e9),
    count: fc.nat(9),
  });
  const property = fc.property(fc.array(one, { maxLength: 40 }), (all) => {
    const { income, expense } = statementOf(all, chart);
    const moved = all.reduce(
      (sum, { direction, amount }) => sum + (direction === 'in' ? amount : -amount),
      0,
    );
    expect(income.total.amount - expense.total.amount).toBe(moved);
    expect(income.total.count + expense.total.count).toBe(all.reduce((sum, { count }) => sum + count, 0));
    for (const { lines, uncategorised, total } of [income, expense]) {
      const top = lines.filter(({ level }) => level === 1);
      expect(total.amount).toBe(top.reduce((sum, { amount }) => sum + amount, uncategorised.amount));
      for (const line of lines) {
        const below = lines.filter(({ parentId }) => parentId === line.categoryId);
        const own = all
          .filter(({ categoryId }) => categoryId === line.categoryId)
          .reduce(
            (sum, { direction, amount }) =>
              sum + ((direction === 'in') === (lines === income.lines) ? amount : -amount),
            0,
          );
        expect(line.amount).toBe(below.reduce((sum, { amount }) => sum + amount, own));
      }
    }
  });
  fc.assert(property, { numRuns: 1_000 });
});
