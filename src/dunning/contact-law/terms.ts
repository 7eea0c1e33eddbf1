/** What the law says about fine and interest. */

import type { Interest, Terms } from '../../core/accruals.ts';
import { CONSUMER_FINE_MAX, INTEREST_WARNING } from './law.ts';

export type TermsWarning = 'fine_above_consumer_limit' | 'interest_above_one_percent_a_month';

/** What a court may object to: a fine that consumers may not be charged, interest that it may reduce. */
export function termsWarnings(terms: Terms | null): TermsWarning[] {
  if (terms === null) return [];
  return [
    ...(isFineAboveConsumerLimit(terms) ? (['fine_above_consumer_limit'] as const) : []),
    ...(isInterestHigh(terms.interest) ? (['interest_above_one_percent_a_month'] as const) : []),
  ];
}

/** Whether a consumer may not be charged this fine. A fixed one depends on the amount, when that is known. */
export function isFineAboveConsumerLimit({ fine }: Pick<Terms, 'fine'>, amountCents?: number): boolean {
  if (fine === null) return false;
  if (fine.kind === 'percent') return fine.percent > CONSUMER_FINE_MAX;
  return amountCents !== undefined && fine.cents * 50 > amountCents;
}

function isInterestHigh(interest: Interest): boolean {
  switch (interest.kind) {
    case 'percent_per_day':
      return interest.percent * (interest.days === 'business' ? 21 : 30) > INTEREST_WARNING;
    case 'percent_per_month':
      return interest.percent > INTEREST_WARNING;
    case 'percent_per_year':
      return interest.percent > INTEREST_WARNING * 12;
    // What a fixed amount is worth depends on the principal.
    case 'fixed_per_day':
    case 'none':
      return false;
  }
}
