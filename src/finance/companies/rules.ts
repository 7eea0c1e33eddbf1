import type { CivilDate } from '../../core/dates.ts';
import { parseTaxId } from '../../core/documents/tax-id.ts';
import { fail } from '../../core/errors.ts';

/** The CNPJ in its stored form. Fails with `invalid_document_number`, also for a CPF: a company has a CNPJ. */
export function requireCnpj(text: string): string {
  const taxId = parseTaxId(text);
  return taxId?.kind === 'cnpj'
    ? taxId.number
    : fail('invalid_document_number', { path: 'document_number', expected: 'a CNPJ' });
}

/** Fails with `books_closed` when a date lies in a closed month (MODEL §14, invariant 9). */
export function requireOpenBooks(
  company: { books_closed_until: CivilDate | null },
  ...dates: (CivilDate | null)[]
): void {
  const until = company.books_closed_until;
  if (until === null) return;
  for (const date of dates) if (date !== null && date <= until) fail('books_closed', { until, date });
}
