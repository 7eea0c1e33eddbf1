/** How messages move between their states; values only. */

import { fail } from '../../core/errors.ts';
import type { DeliveryStatus } from '../../gateways/messages/port.ts';
import type { MessageStatus } from './schema.ts';

/**
 * How much each state knows. A report moves a message only upwards, so that the order in which reports come decides
 * nothing. What bounced did not arrive, whatever was said before; what was read did.
 */
const rank: Readonly<Record<MessageStatus, number>> = {
  scheduled: 0,
  queued: 0,
  sent: 1,
  failed: 2,
  delivered: 3,
  bounced: 4,
  read: 5,
  // Was never sent: reports cannot be of it.
  canceled: 9,
  skipped: 9,
};

export interface Delivery {
  readonly status: MessageStatus;
  readonly reason: string | null;
  readonly sentAt: string | null;
  readonly deliveredAt: string | null;
  readonly readAt: string | null;
}

export interface Report {
  readonly status: DeliveryStatus;
  readonly at: string;
}

/** The state after all reports there are of the message: the same in whatever order and however often they are given. */
export function afterReports(delivery: Delivery, reports: readonly Report[]): Delivery {
  const highest = reports.reduce<MessageStatus>(
    (known, { status }) => (rank[status] > rank[known] ? status : known),
    delivery.status,
  );
  const hasArrived = highest === 'delivered' || highest === 'read';
  return {
    status: highest,
    reason: highest === delivery.status ? delivery.reason : reasonOf(highest),
    sentAt: earliest([delivery.sentAt, ...atOf(reports, 'sent')]),
    // What was read had arrived; what bounced had not, whoever said it had.
    deliveredAt: hasArrived ? earliest([...atOf(reports, 'delivered'), ...atOf(reports, 'read')]) : null,
    readAt: earliest(atOf(reports, 'read')),
  };
}

/** Whether anything of it differs. */
export function isSameDelivery(left: Delivery, right: Delivery): boolean {
  return (
    left.status === right.status &&
    left.reason === right.reason &&
    left.sentAt === right.sentAt &&
    left.deliveredAt === right.deliveredAt &&
    left.readAt === right.readAt
  );
}

/** Whether a message may still be called off: it waits, and nobody is sending it. */
export function requireCancelable(row: { status: string; claimed_at: string | null }): void {
  const isWaiting = row.status === 'scheduled' || row.status === 'queued';
  if (!isWaiting || row.claimed_at !== null) {
    fail('invalid_state', { from: isWaiting ? 'sending' : row.status, allowed: ['scheduled', 'queued'] });
  }
}

const resendable = ['sent', 'delivered', 'read', 'failed', 'bounced', 'skipped'];

/**
 * Whether a message may be sent again: it is over, and neither a legal notice nor the offer of an agreement. Those have
 * their own course, and their text says what was true when they were written.
 */
export function requireResendable(row: { status: string; trigger: string }): void {
  if (row.trigger === 'prior_notice' || row.trigger === 'agreement')
    fail('invalid_state', { from: row.trigger, allowed: ['manual', 'rule'] });
  if (!resendable.includes(row.status)) fail('invalid_state', { from: row.status, allowed: resendable });
}

/** An address or number with its middle hidden, enough for a person to know it again. */
export function maskedContact(value: string): string {
  const at = value.indexOf('@');
  if (at > 0) return `${value.slice(0, Math.min(2, at))}***${value.slice(at)}`;
  return value.length > 8 ? `${value.slice(0, 5)}*****${value.slice(-4)}` : '***';
}

function atOf(reports: readonly Report[], status: DeliveryStatus): string[] {
  return reports.filter((report) => report.status === status).map(({ at }) => at);
}

function earliest(instants: readonly (string | null)[]): string | null {
  const known = instants.filter((instant) => instant !== null);
  return known.toSorted((left, right) => Date.parse(left) - Date.parse(right))[0] ?? null;
}

function reasonOf(status: MessageStatus): string | null {
  return status === 'failed' || status === 'bounced' ? `reported_${status}` : null;
}
