/**
 * What differs between banks in return files: the one table for it. Sources: FEBRABAN's CNAB 240 for collection,
 * version 10, and the CNAB 400 manuals of the banks named, as of 2026-11. Positions count from 1.
 */

interface Layout400 {
  /** Where our number stands; digits. */
  readonly ourNumber: readonly [first: number, last: number];
  /** What the amount at 254 to 266 is: what the customer paid, or that minus the bank's fee. */
  readonly amountIs: 'paid' | 'credited';
  /** Record type of a title. */
  readonly detail: readonly string[];
}

const usual: Layout400 = { ourNumber: [63, 70], amountIs: 'paid', detail: ['1'] };

const layouts400: Readonly<Record<string, Layout400>> = {
  '001': { ourNumber: [64, 80], amountIs: 'paid', detail: ['7'] },
  '033': usual,
  '104': { ourNumber: [57, 73], amountIs: 'paid', detail: ['1'] },
  '237': { ourNumber: [71, 81], amountIs: 'paid', detail: ['1'] },
  '341': { ourNumber: [63, 70], amountIs: 'credited', detail: ['1'] },
};

/** The layout of a bank's CNAB 400, the commonest one where we know no better. */
export function layout400Of(bankCode: string): Layout400 {
  return layouts400[bankCode] ?? usual;
}

/** Occurrences by which money came in. 06: paid; 17: paid after write-off or without registration. */
const paidOccurrences: ReadonlySet<string> = new Set(['06', '17']);

/** Paid at the notary's office, or otherwise, by bank. */
const paidOccurrencesOf: Readonly<Record<string, ReadonlySet<string>>> = {
  '001': new Set(['05', '15']),
  '237': new Set(['15']),
  '341': new Set(['08']),
};

/** Whether the occurrence says that the title was paid; everything else is noted and changes nothing. */
export function isPaidOccurrence(bankCode: string, occurrence: string): boolean {
  return paidOccurrences.has(occurrence) || (paidOccurrencesOf[bankCode]?.has(occurrence) ?? false);
}
