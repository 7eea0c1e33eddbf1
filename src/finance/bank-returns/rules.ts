/** Decisions about the titles of a return file: values in, values out. Amounts in centavos. */

import type { CivilDate } from '../../core/dates.ts';
import { digestOf } from '../../core/digest.ts';
import type { Cents } from '../../core/money.ts';
import { isPaidOccurrence } from './layouts.ts';
import type { ReturnFile, ReturnTitle } from './reading.ts';

/** What is to be recorded for a paid title. */
export interface Receipt {
  readonly paidOn: CivilDate;
  readonly amount: Cents;
  readonly fee: Cents;
  readonly interest: Cents | undefined;
  readonly discount: Cents | undefined;
}

/**
 * The key by which the same record is known in another file (MODEL §13): bank, agreement, our number, occurrence,
 * its date and its amount.
 */
export function replayKeyOf(file: Pick<ReturnFile, 'bankCode' | 'agreement'>, title: ReturnTitle): string {
  const { ourNumber, occurrence, occurredOn, paid } = title;
  return digestOf([file.bankCode, file.agreement, ourNumber, occurrence, occurredOn, paid]);
}

/**
 * The receipt that a title tells of; null when its occurrence is no payment. Without a date the file's own counts,
 * and without either the day it is read.
 */
export function receiptOf(
  file: Pick<ReturnFile, 'bankCode' | 'fileDate'>,
  title: ReturnTitle,
  today: CivilDate,
): Receipt | null {
  if (!isPaidOccurrence(file.bankCode, title.occurrence) || title.paid === null || title.paid === 0)
    return null;
  const { paid: amount, fee } = title;
  const paidOn = title.occurredOn ?? file.fileDate ?? today;
  const reduced = title.discount + title.abatement;
  // The parts the bank tells are taken when they explain the amount; else they follow from the terms.
  const isExplained = title.face !== null && amount === title.face + title.interest - reduced;
  return {
    paidOn,
    amount,
    fee,
    interest: isExplained && title.interest > 0 ? title.interest : undefined,
    discount: isExplained && reduced > 0 ? reduced : undefined,
  };
}
