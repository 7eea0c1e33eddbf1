/** What a promise may say: of one debtor, for a day to come, not more than will be due then. */

import { addDays, type CivilDate } from '../../core/dates.ts';
import { fail, failArgument } from '../../core/errors.ts';
import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import { amountsOfMany, type ChargeRow } from '../charges/index.ts';

const DAYS_AHEAD_MAX = 180;

/** Fails with `invalid_argument` for a day that is past or too far off. */
export function requirePromisableDay(today: CivilDate, promisedFor: CivilDate): void {
  const last = addDays(today, DAYS_AHEAD_MAX);
  if (promisedFor < today || promisedFor > last) {
    failArgument('promised_for', `a date from today to ${last}`);
  }
}

/** Fails with `exceeds_open_amount` for more than the charges will come to on that day. */
export async function requirePromisableAmount(
  context: Context,
  charges: readonly ChargeRow[],
  amountCents: Cents,
  promisedFor: CivilDate,
): Promise<void> {
  const amounts = await amountsOfMany(context, charges, promisedFor);
  const due = charges.reduce((sum, charge) => sum + amounts.get(charge.id)!.amountDue, 0);
  if (amountCents > due) fail('exceeds_open_amount', { open: moneyText(due) });
}

/** The one debtor of all the charges. Fails with `invalid_argument` for several. */
export function debtorOf(charges: readonly ChargeRow[]): string {
  const [first] = charges;
  if (first === undefined || charges.some(({ person_id }) => person_id !== first.person_id)) {
    failArgument('charge_ids', 'charges of one debtor');
  }
  return first.person_id;
}
