/** What webhooks can be told of: the codes in one table, and which of them a change of a record stands for. */

import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../core/ports.ts';

/** The record that the code tells of is what stands before the point. */
export const eventCodes = {
  'person.created': 'A debtor was registered.',
  'person.updated': 'Data of a debtor changed.',
  'contact.created': 'A contact was added.',
  'contact.updated': 'A contact changed: its value, consent or validity.',
  'contact.deleted': 'A contact was removed.',
  'charge.created': 'A charge was registered.',
  'charge.updated': 'A charge changed and kept its status.',
  'charge.overdue': 'A charge is past its due date.',
  'charge.in_agreement': 'A charge became part of an agreement.',
  'charge.paid': 'Nothing of a charge is open any more.',
  'charge.canceled': 'A charge was canceled.',
  'charge.reopened': 'A charge that was paid, canceled or in an agreement is open again.',
  'payment.created': 'A payment was recorded.',
  'payment.reversed': 'A payment was reversed.',
  'notification.sent': 'A message was given to its carrier.',
  'notification.delivered': 'A message arrived.',
  'notification.read': 'A message was read.',
  'notification.bounced': 'A message came back.',
  'notification.failed': 'A message could not be sent.',
  'notification.skipped': 'A message was not sent, because the debtor may not be contacted.',
  'notification.canceled': 'A message was canceled before it was sent.',
  'interaction.created': 'A contact with a debtor was noted.',
  'promise.created': 'A debtor promised to pay.',
  'promise.kept': 'A promise was kept.',
  'promise.broken': 'A promise was not kept.',
  'promise.canceled': 'A promise was canceled.',
  'agreement.created': 'An agreement was proposed.',
  'agreement.updated': 'An agreement changed and kept its status.',
  'agreement.accepted': 'An agreement was accepted.',
  'agreement.active': 'An agreement is in force.',
  'agreement.completed': 'An agreement was paid in full.',
  'agreement.rejected': 'An agreement was turned down.',
  'agreement.expired': 'An agreement was not accepted in time.',
  'agreement.canceled': 'An agreement was canceled.',
  'agreement.broken': 'An agreement was not kept.',
  'installment.paid': 'An installment of an agreement was paid in full.',
  'dispute.created': 'A charge was disputed.',
  'dispute.under_review': 'A dispute is being looked into.',
  'dispute.upheld': 'A dispute was decided for the debtor.',
  'dispute.partially_upheld': 'A dispute was decided in part for the debtor.',
  'dispute.dismissed': 'A dispute was decided against the debtor.',
  'dispute.withdrawn': 'A dispute was withdrawn.',
  'negativation.created': 'A report to a credit bureau was asked for.',
  'negativation.approved': 'A report was approved.',
  'negativation.notice_sent': 'The prior notice of a report was sent.',
  'negativation.registered': 'A debt is reported at the bureau.',
  'negativation.removal_requested': 'The bureau was asked to remove a report.',
  'negativation.removed': 'A report was removed.',
  'negativation.rejected': 'A report was turned down.',
  'negativation.canceled': 'A report was canceled.',
  'negativation.failed': 'A report could not be made.',
  'protest.created': 'A protest was asked for.',
  'protest.approved': 'A protest was approved.',
  'protest.sent': 'A title was sent to the notary.',
  'protest.protocoled': 'The notary took a title in.',
  'protest.notified': 'The notary told the debtor.',
  'protest.protested': 'A title was protested.',
  'protest.paid_at_notary': 'A debtor paid at the notary.',
  'protest.withdrawn': 'A title was withdrawn before the protest.',
  'protest.suspended': 'A court suspended a protest.',
  'protest.returned': 'The notary gave a title back.',
  'protest.rejected': 'A protest was turned down.',
  'protest.cancellation_authorized': 'The creditor agreed to cancel a protest.',
  'protest.canceled': 'A protest was canceled.',
  'campaign.created': 'A discount campaign was set up.',
  'campaign.updated': 'A discount campaign changed.',
  'campaign.active': 'A discount campaign began.',
  'campaign.ended': 'A discount campaign ended.',
} as const satisfies Record<string, string>;

export type EventCode = keyof typeof eventCodes;

/** What a test sends; nothing subscribes to it. */
export const PING = 'ping';

export const codes = Object.keys(eventCodes) as EventCode[];

/** The kind of record a code tells of. */
export function kindOf(code: EventCode): string {
  return code.slice(0, code.indexOf('.'));
}

/** Whether somebody may subscribe to it: `*`, one code, or all codes of a kind as `charge.*`. */
export function isSubscribable(pattern: string): boolean {
  return pattern === '*' || codes.some((code) => code === pattern || `${kindOf(code)}.*` === pattern);
}

/** Every subscription that takes in the code. */
export function subscriptionsTo(code: EventCode): string[] {
  return [code, `${kindOf(code)}.*`, '*'];
}

/** The codes a change stands for, first what happened first. Kinds that nobody is told of have none. */
export function codesOf({ kind, before, after }: Pick<Change, 'kind' | 'before' | 'after'>): EventCode[] {
  return namesOf(before, after)
    .map((name) => `${kind}.${name}`)
    .filter((code): code is EventCode => Object.hasOwn(eventCodes, code));
}

function namesOf(before: unknown, after: unknown): string[] {
  if (isNothing(before)) return isNothing(after) ? [] : ['created', ...statusesOf(after)];
  if (isNothing(after)) return ['deleted'];
  const [old] = statusesOf(before);
  const [fresh] = statusesOf(after);
  if (fresh === old) return isDeepStrictEqual(before, after) ? [] : ['updated'];
  const isReopened = closed.has(old ?? '') && (fresh === 'overdue' || fresh === 'pending');
  return isReopened ? ['reopened'] : statusesOf(after);
}

/** States of a charge that it leaves only by being open again. */
const closed = new Set(['paid', 'canceled', 'in_agreement']);

function statusesOf(record: unknown): string[] {
  const status = (record as { status?: unknown }).status;
  return typeof status === 'string' ? [status] : [];
}

function isNothing(record: unknown): boolean {
  return record === null || record === undefined;
}
