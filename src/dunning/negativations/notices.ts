/** The notice that has to reach the debtor before a report: sent, watched, and sent another way when it gets lost. */

import { attempt } from '../../core/attempt.ts';
import { civilDateAt } from '../../core/dates.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { ChargeRow } from '../charges/index.ts';
import { priorNoticeDays } from '../contact-law/index.ts';
import { recordEvent, type Setting, settingOf } from '../legal/index.ts';
import { queueNotification } from '../notifications/index.ts';
import { contactsOf, pickContact } from '../people/index.ts';
import { messageCreditorOf, plainNotice } from '../templates/index.ts';
import { bureauName } from './facts.ts';
import { selectNoticeMessage } from './queries.ts';
import { type NegativationRow, storeNegativation } from './resource.ts';
import {
  afterNoticeLost,
  afterNoticeProven,
  afterNoticeSent,
  hasLiveNotice,
  noticeFateOf,
  withNotice,
  withoutNotice,
} from './rules.ts';

/** The surest first: a letter counts from its posting, the others from their proven delivery. */
const channelsInOrder = ['letter', 'email', 'whatsapp', 'sms'] as const;
type NoticeChannel = (typeof channelsInOrder)[number];

/**
 * Queues the notice over the first channel that was not tried and may be used. Without one the report stays as it is and
 * says so; a contact that is added later is tried on the next day.
 */
export async function sendNotice(
  context: WriteContext,
  row: NegativationRow,
  charge: ChargeRow,
): Promise<NegativationRow> {
  const setting = await settingOf(context, 'negativation', charge, { own: row });
  const waiting_days = waitingDaysOf(setting);
  const message = noticeText(row, setting, waiting_days, context.today);
  const contacts = await contactsOf({ ...context, isWriting: false }, row.person_id);
  for (const channel of channelsInOrder) {
    const contact_id = pickContact(contacts, channel)?.id ?? null;
    const isTried = row.prior_notice?.tried.some(
      (tried) => tried.channel === channel && tried.contact_id === contact_id,
    );
    if (isTried || (contact_id === null && channel !== 'letter')) continue;
    if (channel === 'letter' && setting.situation.person.address === null) continue;
    const notification_id = await queueOver(context, row, { channel, contactId: contact_id }, message);
    if (notification_id === null) continue;
    await recordEvent(context, 'negativation', row.id, 'notice_queued', { channel });
    return storeNegativation(
      context,
      row,
      withNotice(row, { channel, contact_id, notification_id, waiting_days }),
    );
  }
  if (row.status_reason === 'no_notice_channel') return row;
  await recordEvent(context, 'negativation', row.id, 'no_notice_channel');
  return storeNegativation(context, row, withoutNotice(row));
}

/** Looks at the message that carries the notice, and does what its fate asks for. */
export async function watchNotice(
  context: WriteContext,
  row: NegativationRow,
  charge: ChargeRow,
): Promise<NegativationRow> {
  if (!hasLiveNotice(row) || !['approved', 'notice_sent'].includes(row.status) || row.removal !== null) {
    return row;
  }
  const notice = row.prior_notice!;
  const message = await selectNoticeMessage(context.db, context.organizationId, notice.notification_id);
  if (message === undefined) return row;
  const { today, timeZone } = context;
  const dateOf = (instant: string) => civilDateAt(new Date(instant), timeZone);
  const { fate, evidence, at, outcome } = noticeFateOf(notice.channel, message, { today, dateOf });
  if (fate === 'waiting') return row;
  if (fate === 'lost') {
    await recordEvent(context, 'negativation', row.id, 'notice_lost', { channel: notice.channel, outcome });
    const lost = await storeNegativation(context, row, afterNoticeLost(row, outcome));
    return sendNotice(context, lost, charge);
  }
  const sent = await recordSent(context, row, message.sent_at ?? at!);
  if (fate === 'sent' || sent.waits_until !== null) return sent;
  const waitingDays = waitingDaysOf(await settingOf(context, 'negativation', charge));
  const proven = afterNoticeProven(sent, {
    evidence,
    deliveredAt: evidence === 'posted' ? null : at,
    on: dateOf(at!),
    waitingDays,
  });
  await recordEvent(context, 'negativation', row.id, 'notice_proven', {
    channel: notice.channel,
    evidence,
    waits_until: proven.waits_until,
  });
  return storeNegativation(context, sent, proven);
}

async function recordSent(
  context: WriteContext,
  row: NegativationRow,
  sentAt: string,
): Promise<NegativationRow> {
  if (row.prior_notice!.sent_at !== null) return row;
  await recordEvent(context, 'negativation', row.id, 'notice_sent', { channel: row.prior_notice!.channel });
  return storeNegativation(context, row, afterNoticeSent(row, sentAt));
}

function waitingDaysOf({ person, settings }: Setting): number {
  return priorNoticeDays(person.state, settings.legal.priorNoticeDays);
}

/** The id of the message, which waits for the hours by itself; null when the channel may not be used. */
async function queueOver(
  context: WriteContext,
  row: NegativationRow,
  way: { channel: NoticeChannel; contactId: string | null },
  message: { subject: string; body: string },
): Promise<string | null> {
  const hasSubject = way.channel === 'email' || way.channel === 'letter';
  const queued = await attempt(context, (inner) =>
    queueNotification(inner, {
      ...way,
      personId: row.person_id,
      chargeIds: [row.charge_id],
      ownSubject: hasSubject ? message.subject : null,
      ownBody: message.body,
      negativationId: row.id,
      trigger: 'prior_notice',
    }),
  );
  return 'value' in queued ? queued.value.id : null;
}

/** It may wait for the hours: what is due is said as of the day it leaves. */
function noticeText(row: NegativationRow, { person, settings }: Setting, waitingDays: number, today: string) {
  return plainNotice({
    creditor: messageCreditorOf(settings),
    person: { name: person.name, documentNumber: person.document_number },
    notice: { bureau: bureauName(row.bureau), waitingDays },
    today,
    language: person.language === 'en' ? 'en' : 'pt-BR',
  });
}
