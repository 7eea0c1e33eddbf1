/** When a promise is kept or broken. Pure. */

import { addBusinessDays } from '../../core/calendar.ts';
import type { CivilDate } from '../../core/dates.ts';
import type { Cents } from '../../core/money.ts';
import type { PromiseStatus } from './schema.ts';

/** The last day on which a payment keeps the promise. */
export function keepUntilOf(promisedFor: CivilDate, graceBusinessDays: number): CivilDate {
  return addBusinessDays(promisedFor, graceBusinessDays);
}

export interface Judged {
  readonly amountCents: Cents;
  readonly keepUntil: CivilDate;
  /** Confirmed payments on its charges, made since it was given and by `keepUntil`. */
  readonly paidCents: Cents;
  /** Whether at least one of its charges may still be collected. */
  readonly isOwed: boolean;
}

/**
 * What a promise has become by a day: kept once the payments reach its amount, broken after its last day, canceled
 * when nothing of it is owed any more for another reason; open until then.
 */
export function promiseStatusOn(today: CivilDate, promise: Judged): PromiseStatus {
  if (promise.paidCents >= promise.amountCents) return 'kept';
  if (!promise.isOwed) return 'canceled';
  return today > promise.keepUntil ? 'broken' : 'open';
}
