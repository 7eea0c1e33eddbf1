/** Decisions about receivables: values in, values out. Amounts in centavos. */

import { fineOf, type Terms } from '../../core/accruals.ts';
import { failArgument } from '../../core/errors.ts';
import { type Cents, type Percent, percentOf } from '../../core/money.ts';

/** The largest fine for late payment of a consumer, in ten-thousandths of a percent (CDC, Lei 8.078/90, art. 52 §1). */
const CONSUMER_FINE_MAX: Percent = 20_000;

/** What was given up, as stored. */
export interface WriteOff {
  readonly cents: Cents;
  readonly reason: string;
  readonly category_id: string;
  readonly date: string;
  readonly by: string;
  readonly at: string;
}

/** Fails with `invalid_argument` for a fine that a natural person may not be charged on what is owed in all. */
export function requireLawfulFine(terms: Terms | null, base: Cents, person: { kind: string }): void {
  if (terms === null || person.kind !== 'natural') return;
  if (fineOf(base, terms.fine) > percentOf(base, CONSUMER_FINE_MAX)) {
    failArgument('charges.fine', 'at most 2 % for a natural person');
  }
}
