/** Messages written down to be sent: by a person, for an agreement, or as the notice before a report. */

import type { Context, WriteContext } from '../../core/operation.ts';
import type { MessageChannel } from '../../gateways/messages/port.ts';
import {
  type Candidate,
  type Clearance,
  type ContactPurpose,
  clearancesOf,
  failBlocked,
} from '../contact-gate/index.ts';
import { requireUsableTemplate } from '../templates/index.ts';
import {
  insertNotification,
  insertNotificationCharges,
  type NotificationRow,
  selectWaiting,
} from './queries.ts';
import { changeNotifications, notificationOf, requireNotification } from './resource.ts';
import type { MessageTrigger } from './schema.ts';

/** Sends what is due in an organization. */
export const SEND_TASK = 'dunning_send_messages';

export interface NotificationDraft {
  readonly personId: string;
  /** Of the person, in the order in which the message names them; none for a message about an agreement alone. */
  readonly chargeIds: readonly string[];
  readonly channel: MessageChannel;
  /** Default: the best contact of the channel. */
  readonly contactId?: string | null | undefined;
  readonly templateId?: string | null | undefined;
  /** The version of the template to send. Default: the one of now. */
  readonly templateVersion?: number | null | undefined;
  readonly ownSubject?: string | null | undefined;
  readonly ownBody?: string | null | undefined;
  readonly agreementId?: string | null | undefined;
  readonly negativationId?: string | null | undefined;
  readonly trigger: MessageTrigger;
  readonly scheduledFor?: Date | undefined;
  readonly resentFrom?: string | null | undefined;
}

/** When and to which contact a message may go. */
export interface Slot {
  readonly contactId: string | null;
  readonly policyVersion: string | null;
  readonly at: Date;
}

/**
 * Writes a message to be sent at `scheduledFor`, by default now. Its charges, the debtor and the contact have to allow it
 * at that moment. Outside the hours, or when the debtor has had the messages of the day, what a person sends is refused
 * with the time that is open next, and what the house sends by itself is moved to it.
 */
export async function queueNotification(
  context: WriteContext,
  draft: NotificationDraft,
): Promise<NotificationRow> {
  const { db, organizationId, now } = context;
  const slot = await slotFor(context, draft);
  const template = draft.templateId
    ? await requireUsableTemplate(context, draft.templateId, draft.channel)
    : null;
  const id = context.newId();
  const isDue = slot.at <= now;
  const chargeIds = [...new Set(draft.chargeIds)];
  await insertNotification(db, {
    organization_id: organizationId,
    id,
    person_id: draft.personId,
    charge_ids: chargeIds,
    agreement_id: draft.agreementId ?? null,
    negativation_id: draft.negativationId ?? null,
    channel: draft.channel,
    contact_id: draft.contactId ?? slot.contactId,
    template_id: template?.id ?? null,
    template_version: template === null ? null : (draft.templateVersion ?? template.text_version),
    own_subject: draft.ownSubject ?? null,
    own_body: draft.ownBody ?? null,
    trigger: draft.trigger,
    resent_from: draft.resentFrom ?? null,
    scheduled_for: slot.at.toISOString(),
    status: isDue ? 'queued' : 'scheduled',
    policy_version: slot.policyVersion,
    queued_at: isDue ? now.toISOString() : null,
    created_by: context.caller.user.id,
    created_at: now.toISOString(),
  });
  if (chargeIds.length > 1) await insertNotificationCharges(db, organizationId, id, chargeIds);
  const row = await requireNotification(context, id);
  context.changed('notification', id, null, notificationOf(row));
  // One that waits for its time is found by the run of that minute.
  if (isDue) queueSending(context);
  return row;
}

/** The contact and the moment the message gets. Throws the error of whatever stands against it. */
export async function slotFor(context: Context, draft: NotificationDraft): Promise<Slot> {
  const wanted = draft.scheduledFor === undefined ? context.now : later(draft.scheduledFor, context.now);
  const candidates = candidatesOf(draft, wanted);
  const clearances = await clearancesOf(context, candidates);
  const [first] = clearances;
  const blocked = clearances.findIndex((clearance) => !clearance.isCleared);
  if (blocked === -1 && first!.isCleared) {
    return { contactId: first!.contactId, policyVersion: first!.policyVersion, at: wanted };
  }
  const { code, nextAt } = clearances[blocked] as Extract<Clearance, { isCleared: false }>;
  const passesByItself = (code === 'window_closed' || code === 'daily_cap') && nextAt !== null;
  if (passesByItself && movesByItself(draft.trigger)) {
    return { contactId: null, policyVersion: null, at: new Date(nextAt) };
  }
  const { chargeId } = candidates[blocked]!;
  return failBlocked(code, nextAt, candidates.length > 1 ? chargeId : null);
}

/** Lets the sender of the organization run once this is committed. */
export function queueSending(context: WriteContext): void {
  const { organizationId } = context;
  context.enqueue({ task: SEND_TASK, payload: { organizationId }, key: `${SEND_TASK}/${organizationId}` });
}

/**
 * Calls off what still waits: of a charge alone, of an agreement, or of a report. What is being sent may be too late to
 * stop; it keeps the reason, so that it is not tried again when it did not leave. `reason` is a code of ours; gives how
 * many were called off.
 */
export async function cancelNotifications(
  context: WriteContext,
  about: { chargeId?: string; agreementId?: string; negativationId?: string },
  reason: string,
): Promise<number> {
  if (Object.values(about).every((id) => id === undefined)) return 0;
  const waiting = await selectWaiting(context.db, context.organizationId, about);
  await changeNotifications(
    context,
    waiting.map((row) => {
      const status = isBeingSent(row) ? row.status : 'canceled';
      return { before: row, after: { ...row, status, status_reason: reason } };
    }),
  );
  return waiting.filter((row) => !isBeingSent(row)).length;
}

function isBeingSent(row: NotificationRow): boolean {
  return row.claimed_at !== null;
}

/** What a message is for, as the gate asks. */
export function purposeOf(row: {
  readonly agreementId?: string | null | undefined;
  readonly negativationId?: string | null | undefined;
}): ContactPurpose {
  if (row.negativationId) return 'legal';
  return row.agreementId ? 'agreement' : 'message';
}

function candidatesOf(draft: NotificationDraft, at: Date): Candidate[] {
  const { personId, channel, contactId = null } = draft;
  const chargeIds = draft.chargeIds.length === 0 ? [null] : [...new Set(draft.chargeIds)];
  const purpose = purposeOf(draft);
  return chargeIds.map((chargeId) => ({ personId, chargeId, channel, contactId, at, purpose }));
}

/** A person who sends something wants to know that it does not go now. */
function movesByItself(trigger: MessageTrigger): boolean {
  return trigger === 'rule' || trigger === 'prior_notice';
}

function later(left: Date, right: Date): Date {
  return left > right ? left : right;
}
