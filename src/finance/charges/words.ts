/** What was agreed about paying early or late, in the words that go on paper and into messages. */

import {
  type DayKind,
  type Discount,
  type Fine,
  fineOf,
  firstLateDay,
  type Interest,
  type Terms,
} from '../../core/accruals.ts';
import { type CivilDate, formatDateBr } from '../../core/dates.ts';
import { type Cents, formatBrl, formatPercent, type Percent } from '../../core/money.ts';

export interface Agreed {
  readonly amount: Cents;
  readonly dueDate: CivilDate;
  /** The last day on which it can be paid. */
  readonly payUntil: CivilDate;
  readonly terms: Terms | null;
}

/** One sentence for each agreement: discounts, fine, interest, and the last day. */
export function instructionsOf({ amount, dueDate, payUntil, terms }: Agreed): string[] {
  const last = `Não receber após ${formatDateBr(payUntil)}.`;
  if (terms === null) return [last];
  const late = formatDateBr(firstLateDay(dueDate, terms.graceDays));
  return [
    ...terms.discounts.map((discount) => discountSentence(discount, dueDate)),
    ...(terms.fine === null ? [] : [`A partir de ${late}, multa de ${fineText(amount, terms.fine)}.`]),
    ...(terms.interest.kind === 'none'
      ? []
      : [`A partir de ${late}, juros de ${interestText(terms.interest)}.`]),
    last,
  ];
}

function discountSentence(discount: Discount, dueDate: CivilDate): string {
  const until = formatDateBr(discount.until ?? dueDate);
  const value = 'cents' in discount ? formatBrl(discount.cents) : percentText(discount.percent);
  return 'days' in discount
    ? `Desconto de ${value} por dia ${dayText(discount.days)} de antecipação, para pagamento até ${until}.`
    : `Desconto de ${value} para pagamento até ${until}.`;
}

function fineText(amount: Cents, fine: Fine): string {
  const value = formatBrl(fineOf(amount, fine));
  return fine.kind === 'fixed' ? value : `${percentText(fine.percent)} (${value})`;
}

function interestText(interest: Exclude<Interest, { kind: 'none' }>): string {
  const days = `por dia ${dayText(interest.days)} de atraso`;
  switch (interest.kind) {
    case 'fixed_per_day':
      return `${formatBrl(interest.cents)} ${days}`;
    case 'percent_per_day':
      return `${percentText(interest.percent)} ${days}`;
    case 'percent_per_month':
      return `${percentText(interest.percent)} ao mês, cobrados ${days}`;
    case 'percent_per_year':
      return `${percentText(interest.percent)} ao ano, cobrados ${days}`;
  }
}

function percentText(percent: Percent): string {
  return `${formatPercent(percent).replace('.', ',')}%`;
}

function dayText(days: DayKind): string {
  return days === 'business' ? 'útil' : 'corrido';
}
