/** Credits of agreements against the histories of their charges. */

import type { CivilDate } from '../../core/dates.ts';
import type { Context, WriteContext } from '../../core/operation.ts';
import { type ChargeRow, type Entry, historiesOf, inOrder, laterOf, owedOn } from '../charges/index.ts';
import { type Credit, type Debt, inTimeOrder } from './credits.ts';
import { dueOf, type Share } from './figures.ts';
import type { NewCredit } from './part-queries.ts';

/**
 * What is due on each charge on any day, with credits that are not written yet; no more than is due by now, when
 * something was paid after that day.
 */
export async function debtsOf(context: Context, rows: readonly ChargeRow[]): Promise<Debt[]> {
  const histories = await historiesOf(context, rows);
  return rows.map((row) => {
    const { entries, ways } = histories.get(row.id)!;
    return {
      chargeId: row.id,
      dueDate: row.due_date,
      dueOn(on, credits) {
        const counted = inOrder([...entries, ...credits.map(entryOf)]);
        const dueBy = (day: CivilDate) => owedOn(row, counted, day, ways).amountDue;
        return Math.min(dueBy(on), dueBy(laterOf(on, context.today)));
      },
    };
  });
}

/**
 * What is left on each charge after its credits, on the day of the last one: given up by the agreement. Nothing is given
 * up of what the agreement did not know of: a payment made before it that was taken back since is owed again.
 */
export async function closingCredits(
  context: WriteContext,
  rows: readonly ChargeRow[],
  credits: readonly Credit[],
  { asOf, shares }: { readonly asOf: CivilDate; readonly shares: readonly Share[] },
): Promise<NewCredit[]> {
  const histories = await historiesOf(context, rows);
  const agreed = new Map(shares.map((share) => [share.chargeId, dueOf(share)]));
  const on = inTimeOrder(credits).at(-1)!.on;
  return rows.flatMap((row) => {
    const { entries, ways } = histories.get(row.id)!;
    const own = credits.filter(({ chargeId }) => chargeId === row.id).map(entryOf);
    const left = owedOn(row, inOrder([...entries, ...own]), on, ways);
    const notAgreed = Math.max(0, owedOn(row, entries, asOf, ways).amountDue - agreed.get(row.id)!);
    const discount = left.openPrincipal + left.unpaidFine + left.unpaidInterest - notAgreed;
    if (discount <= 0) return [];
    return [{ id: context.newId(), chargeId: row.id, paymentId: null, on, cents: 0, discount }];
  });
}

export function newCredits({ newId }: WriteContext, credits: readonly Credit[]): NewCredit[] {
  return credits.map((credit) => ({ ...credit, id: newId(), discount: 0 }));
}

function entryOf({ on, cents }: Credit): Entry {
  return { payment_id: null, discount_cents: 0, paid_on: on, effective_on: on, amount_cents: cents };
}
