/** Sums as the reports show them. */

import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { SumRow } from './queries.ts';
import { type Flow, netOf } from './rules.ts';
import type { Booked } from './statement.ts';

export function flowOf(flow: Flow) {
  return {
    inflow: moneyText(flow.inflow),
    outflow: moneyText(flow.outflow),
    net: moneyText(netOf(flow)),
    inflow_count: flow.inflowCount,
    outflow_count: flow.outflowCount,
  };
}

export function sumOf({ amount, count }: { amount: Cents; count: number }) {
  return { amount: moneyText(amount), count };
}

type Part = SumRow['part'];
type Column = 'amount' | 'principal' | 'discount' | 'interest' | 'fine' | 'fee' | 'count';

/** The rows of one part in one direction added up. */
export function totalOf(rows: readonly SumRow[], part: Part, direction: SumRow['direction']) {
  const own = rows.filter((row) => row.part === part && row.direction === direction);
  const total = (column: Column) => own.reduce((sum, row) => sum + row[column], 0);
  return {
    amount: total('amount'),
    principal: total('principal'),
    discount: total('discount'),
    interest: total('interest'),
    fine: total('fine'),
    fee: total('fee'),
    count: total('count'),
  };
}

/** What is booked under the category: of a settlement the principal less the discount, of everything else all of it. */
export function bookedOf({
  part,
  direction,
  category_id,
  amount,
  principal,
  discount,
  count,
}: SumRow): Booked {
  return {
    categoryId: category_id,
    direction: direction!,
    amount: part === 'settled' ? principal - discount : amount,
    count,
  };
}
