import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';

/** Fails with `books_closed` when a date lies in a closed month (MODEL §14, invariant 9). */
export function requireOpenBooks(
  company: { books_closed_until: CivilDate | null },
  ...dates: (CivilDate | null)[]
): void {
  const until = company.books_closed_until;
  if (until === null) return;
  for (const date of dates) if (date !== null && date <= until) fail('books_closed', { until, date });
}
