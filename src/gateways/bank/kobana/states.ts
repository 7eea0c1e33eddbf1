/** The states of Kobana's records, and what each means here. The one place where they are named. */

import { z } from 'zod';
import type { AnnouncedBoleto, BankOrderStatus } from '../port.ts';
import { dayOfInstant, readAs } from './values.ts';

type LiveStatus = 'pending' | 'awaiting_approval' | 'scheduled' | 'processing' | 'awaiting_funds';
type Meaning = LiveStatus | 'confirmed' | 'rejected' | 'canceled';

/** Payments and transfers, as the description of the API lists them (v2, read in 2026). */
const orderMeanings: Readonly<Record<string, Meaning>> = {
  pending: 'pending',
  awaiting_approval: 'awaiting_approval',
  approved: 'scheduled',
  scheduled: 'scheduled',
  awaiting_scheduled_date: 'scheduled',
  // Its day passed without a payment; it can still be let go or called off.
  overdue: 'scheduled',
  awaiting_funds: 'awaiting_funds',
  finishing: 'processing',
  confirmed: 'confirmed',
  reproved: 'rejected',
  rejected: 'rejected',
  failed: 'rejected',
  canceled: 'canceled',
};

const refusals: Readonly<Record<string, string>> = {
  reproved: 'not approved by the people who approve at Kobana',
  rejected: 'rejected by the bank',
  failed: 'failed at Kobana',
};

/** Boletos announced by DDA. */
export const announcedStatuses = {
  open: 'open',
  overdue: 'overdue',
  paid: 'paid',
  canceled: 'canceled',
  downloaded: 'written_off',
  blocked: 'blocked',
} as const satisfies Record<string, AnnouncedBoleto['status']>;

/** A payment or a transfer. */
export const orderForm = z.object({
  uid: z.string().min(1),
  status: z.string(),
  external_id: z.string().nullish(),
  created_at: z.string().nullish(),
  rejected_error: z.string().nullish(),
  transaction_code: z.string().nullish(),
  financial_provider_external_id: z.string().nullish(),
  transaction_date: dayOfInstant.nullish(),
  confirmed_at: dayOfInstant.nullish(),
});

export type KobanaOrder = z.output<typeof orderForm>;

/**
 * What the state of a payment or a transfer means. The day of settlement is the bank's own; where the bank tells none,
 * the day on which Kobana had the confirmation.
 */
export function orderStatusOf(order: KobanaOrder): BankOrderStatus {
  const { uid: reference } = order;
  const status = readAs(
    z.enum(Object.keys(orderMeanings)).transform((name) => orderMeanings[name]!),
    order.status,
    'status of an order',
  );
  switch (status) {
    case 'confirmed': {
      const settledOn = readAs(
        dayOfInstant,
        order.transaction_date ?? order.confirmed_at,
        'day of a confirmed order',
      );
      const authentication = order.transaction_code ?? order.financial_provider_external_id ?? reference;
      return { status, reference, authentication, settledOn };
    }
    case 'rejected':
      return { status, reference, reason: order.rejected_error ?? refusals[order.status]! };
    case 'canceled':
      return { status, reference, reason: 'canceled at Kobana' };
    default:
      return { status, reference };
  }
}
