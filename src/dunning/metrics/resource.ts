/** Sums as the metrics show them. */

import { moneyText } from '../../core/fields.ts';
import type { Cents } from '../../core/money.ts';
import type { MessageCounts } from './queries.ts';
import { added, meanDaysOf, type Recovered, shareOf, type Window } from './rules.ts';

export interface OpenSum {
  readonly charges: number;
  readonly open_cents: Cents;
  readonly due_cents: Cents;
}

export function openOf(rows: readonly OpenSum[]) {
  return {
    charges: added(rows, ({ charges }) => charges),
    open_principal: moneyText(added(rows, ({ open_cents }) => open_cents)),
    amount_due: moneyText(added(rows, ({ due_cents }) => due_cents)),
  };
}

export function recoveredSumOf({ cents, payments }: Pick<Recovered, 'cents' | 'payments'>) {
  return { amount: moneyText(cents), payments };
}

export function meanDays(recovered: Recovered) {
  return { days: meanDaysOf(recovered), principal: moneyText(recovered.principal) };
}

export function filterOf({ from, to, months }: Window) {
  return { months: months.length, from, to };
}

export function messagesOf(rows: readonly MessageCounts[]) {
  const sent = added(rows, (row) => row.sent);
  const delivered = added(rows, (row) => row.delivered);
  const read = added(rows, (row) => row.read);
  return {
    sent,
    delivered,
    read,
    failed: added(rows, (row) => row.failed),
    delivery_rate: shareOf(delivered, sent),
    read_rate: shareOf(read, delivered),
  };
}

export function paidAfter(rows: readonly { payments: number; cents: Cents }[], delivered: number) {
  const payments = added(rows, (row) => row.payments);
  return {
    payments,
    amount: moneyText(added(rows, (row) => row.cents)),
    payment_rate: shareOf(payments, delivered),
  };
}
