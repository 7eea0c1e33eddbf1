/**
 * What charges owe, a second time, from MODEL §5 alone: one plain pass over the money for each. A fine as a percentage
 * and simple monthly interest on calendar days; no discounts. Amounts in centavos.
 */

import { isBusinessDay } from '../../src/core/calendar.ts';
import type { State } from './portfolio-state.ts';

const DAY_MS = 86_400_000;
const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10);

export interface Money {
  /** The payment or the credit. */
  readonly id: string;
  readonly on: string;
  readonly paidOn: string;
  readonly cents: number;
  /** Given up by a completed agreement. */
  readonly waived: number;
}

export interface Used {
  readonly interest: number;
  readonly fine: number;
  readonly principal: number;
  readonly excess: number;
}

export interface Reckoned {
  readonly open: number;
  readonly due: number;
  readonly used: ReadonlyMap<string, Used>;
  readonly hasAny: boolean;
}

type Charge = State['charges'][number];

/** Everything that counts for a charge, in its order. */
export function moneyOf(state: State, charge: Charge): Money[] {
  const confirmed = new Set(
    state.payments.filter(({ status }) => status === 'confirmed').map(({ id }) => id),
  );
  const own = state.payments
    .filter((one) => one.charge_id === charge.id && confirmed.has(one.id) && one.kind !== 'duplicate')
    .map((one) => ({
      id: one.id,
      on: one.effective_on,
      paidOn: one.paid_on,
      cents: one.amount_cents,
      waived: 0,
    }));
  const credited = state.credits
    .filter(
      (one) => one.charge_id === charge.id && (one.payment_id === null || confirmed.has(one.payment_id)),
    )
    .filter((one) => one.amount_cents + one.discount_cents > 0)
    .map((one) => ({
      id: one.id,
      on: one.credited_on,
      paidOn: one.credited_on,
      cents: one.amount_cents,
      waived: one.discount_cents,
    }));
  const rank = (one: Money) => `${one.on}${one.waived > 0 ? 1 : 0}${one.id}`;
  return [...own, ...credited].sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
}

export function reckon(charge: Charge, money: readonly Money[], on: string): Reckoned {
  const terms = charge.terms as { fine: { percent: number } | null; interest: { percent?: number } } | null;
  const percent = terms?.interest.percent ?? 0;
  const finePercent = terms?.fine?.percent ?? 0;
  const base = charge.amount_cents - charge.abatement_cents;
  let free = dayNumber(charge.due_date);
  while (!isBusinessDay(dayOf(free))) free += 1;
  let principal = base;
  let from = dayNumber(charge.due_date);
  let exact = 0n;
  let fine = 0;
  let finePaid = 0;
  let interestPaid = 0;
  const accrue = (day: string) => {
    const to = dayNumber(day);
    if (to <= free || principal === 0) return;
    exact += BigInt(principal) * BigInt(percent) * BigInt(to - from);
    from = to;
    fine = half(BigInt(base) * BigInt(finePercent), 1_000_000n);
  };
  const interest = () => half(exact, 30_000_000n) - interestPaid;
  const used = new Map<string, Used>();
  const counted = money.filter(({ paidOn }) => paidOn <= on);
  for (const { id, on: day, cents, waived } of counted) {
    accrue(day);
    let left = cents + waived;
    const take = (most: number) => {
      const taken = Math.min(left, most);
      left -= taken;
      return taken;
    };
    const parts = { interest: take(interest()), fine: take(fine - finePaid), principal: take(principal) };
    interestPaid += parts.interest;
    finePaid += parts.fine;
    principal -= parts.principal;
    used.set(id, { ...parts, excess: left });
  }
  const days = [on, ...counted.map(({ on: day }) => day)].sort();
  accrue(days.at(-1)!);
  return { open: principal, due: principal + interest() + fine - finePaid, used, hasAny: money.length > 0 };
}

/** A fraction rounded half up. */
function half(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator));
}
