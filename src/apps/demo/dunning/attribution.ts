/** Which message a payment followed. */

import type { Agreement } from './agreement-money.ts';
import { DAY_MS } from './clock.ts';
import type { Outbox } from './messages.ts';
import { atTime, msOf, type Row } from './setting.ts';
import type { Cast, PaymentRow } from './story.ts';

const ATTRIBUTION_DAYS = 7;

/** The last message that reached the debtor in the days before a payment, as it was known then. */
export function attribute(
  { stories }: Cast,
  outbox: Outbox,
  agreements: readonly Agreement[],
  executions: readonly Row<'dunning_step_executions'>[],
): void {
  const steps = new Map(executions.map(({ id, step_id }) => [id, step_id]));
  const to = (payment: PaymentRow, chargeIds: readonly string[], agreementId: string | null) => {
    const from = msOf(atTime(payment.paid_on, '00:00')) - ATTRIBUTION_DAYS * DAY_MS;
    const end = Math.min(msOf(atTime(payment.paid_on, '00:00')) + DAY_MS, msOf(payment.created_at));
    const reached = (outbox.ofPerson.get(payment.person_id) ?? []).filter(
      ({ delivered_at, charge_id, agreement_id }) =>
        delivered_at !== null &&
        msOf(delivered_at) >= from &&
        msOf(delivered_at) < end &&
        (chargeIds.includes(charge_id ?? '') || (agreementId !== null && agreement_id === agreementId)),
    );
    const last = reached.sort((left, right) => msOf(left.delivered_at!) - msOf(right.delivered_at!)).at(-1);
    if (last === undefined) return;
    const step_id = last.execution_id === null ? null : (steps.get(last.execution_id) ?? null);
    Object.assign(payment, { channel: last.channel, notification_id: last.id, step_id });
  };
  for (const { payments, charge } of stories) for (const payment of payments) to(payment, [charge.id], null);
  for (const { payments, stories: own, row } of agreements) {
    for (const payment of payments)
      to(
        payment,
        own.map(({ charge }) => charge.id),
        row.id,
      );
  }
}
