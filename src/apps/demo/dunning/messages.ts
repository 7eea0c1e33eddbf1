/** Messages and what became of them, in the places of the day that debtors have. */

import { addDays, type CivilDate } from '../../../core/dates.ts';
import { codesOf } from '../../../dunning/charges/index.ts';
import { pickContact } from '../../../dunning/people/index.ts';
import { type MessageView, messageValues, renderText } from '../../../dunning/templates/index.ts';
import { openFrom } from './clock.ts';
import type { Template } from './collection.ts';
import type { ContactRow, Debtor } from './debtors.ts';
import { amountsOn } from './paying.ts';
import {
  atTime,
  bornIn,
  type Draft,
  type DunningSetting,
  dayOf,
  isoOf,
  msOf,
  type Row,
  touch,
} from './setting.ts';
import type { Story } from './story.ts';

export type NotificationRow = Draft<'dunning_notifications'>;
export type Channel = 'email' | 'sms' | 'whatsapp' | 'letter';

const PROVIDER = 'simulator';

export interface Outbox {
  readonly notifications: NotificationRow[];
  readonly trail: Row<'dunning_notification_trail'>[];
  readonly slots: Row<'dunning_contact_slots'>[];
  readonly ofPerson: Map<string, NotificationRow[]>;
  /** `person/day` of every place taken. */
  readonly taken: Set<string>;
}

export function openOutbox(): Outbox {
  return { notifications: [], trail: [], slots: [], ofPerson: new Map(), taken: new Set() };
}

export interface Letter {
  readonly debtor: Debtor;
  readonly stories: readonly Story[];
  readonly channel: Channel;
  readonly trigger: 'rule' | 'manual' | 'resend' | 'agreement' | 'prior_notice';
  readonly at: number;
  readonly template?: Template;
  readonly own?: { readonly subject: string | null; readonly body: string };
  readonly given?: Partial<NotificationRow>;
}

/** The contact that a message may go to now, and why none may: as the gate sees it. */
export function contactFor(
  { person, contacts }: Debtor,
  channel: string,
): { contact: ContactRow | null; reason: 'opted_out' | 'wrong_person' | 'no_contact' | null } {
  const own = contacts.filter((one) => one.channel === channel);
  const contact = pickContact(own, channel);
  if (contact !== null) {
    return { contact, reason: channel === 'letter' && person.address === null ? 'no_contact' : null };
  }
  if (channel === 'letter' && own.length === 0 && person.address !== null)
    return { contact: null, reason: null };
  if (own.some(({ consent }) => consent === 'opted_out')) return { contact: null, reason: 'opted_out' };
  if (own.some(({ validity }) => validity === 'wrong_person'))
    return { contact: null, reason: 'wrong_person' };
  return { contact: null, reason: 'no_contact' };
}

export function isTaken(outbox: Outbox, personId: string, at: number): boolean {
  return outbox.taken.has(`${personId}/${dayOf(at)}`);
}

/** When the next day opens for the debtor. */
export function nextDayAt(
  { policy }: DunningSetting,
  { person }: Debtor,
  channel: string,
  at: number,
): number {
  return openFrom(policy, person.state, channel, msOf(atTime(addDays(dayOf(at), 1), '00:00')));
}

/** A message that left at that instant, and what was told of it until now. */
export function send(setting: DunningSetting, outbox: Outbox, letter: Letter): NotificationRow {
  const { debtor, stories, channel, at, template, own } = letter;
  const { contact } = contactFor(debtor, channel);
  const row = draftOf(setting, letter, contact);
  const text = own ?? renderedOf(setting, template!, debtor, stories, dayOf(at));
  Object.assign(row, {
    status: 'queued',
    queued_at: isoOf(at),
    rendered: text,
    policy_version: setting.policy.version,
  });
  store(outbox, row);
  takePlace(setting, outbox, row, at);
  const isBouncing = contact !== null && debtor.bouncing.has(contact.identity);
  if (isBouncing && channel === 'sms') fail(setting, outbox, row, contact, at + 4_000);
  else deliver(setting, outbox, row, contact, { at: at + 4_000, isBouncing });
  return row;
}

/** A message that waits for its time. */
export function schedule(
  setting: DunningSetting,
  outbox: Outbox,
  letter: Letter,
  createdAt: string,
): NotificationRow {
  const { contact } = contactFor(letter.debtor, letter.channel);
  const row = draftOf(setting, letter, contact, createdAt);
  row.policy_version = setting.policy.version;
  store(outbox, row);
  return row;
}

function draftOf(
  setting: DunningSetting,
  letter: Letter,
  contact: ContactRow | null,
  createdAt = isoOf(letter.at),
): NotificationRow {
  const { debtor, stories, channel, trigger, at, template, own, given } = letter;
  const [first] = stories;
  return {
    ...bornIn(setting, createdAt),
    person_id: debtor.person.id,
    charge_id: first?.charge.id ?? null,
    charge_count: Math.max(1, stories.length),
    agreement_id: null,
    negativation_id: null,
    channel,
    contact_id: contact?.id ?? null,
    template_id: template?.row.id ?? null,
    template_version: template?.row.text_version ?? null,
    own_subject: own?.subject ?? null,
    own_body: own?.body ?? null,
    rendered: null,
    trigger,
    execution_id: null,
    resent_from: null,
    scheduled_for: isoOf(at),
    status: 'scheduled',
    status_reason: null,
    provider: null,
    provider_id: null,
    claimed_at: null,
    claim_id: null,
    policy_version: null,
    queued_at: null,
    sent_at: null,
    delivered_at: null,
    read_at: null,
    ...given,
  };
}

function store({ notifications, ofPerson }: Outbox, row: NotificationRow): void {
  notifications.push(row);
  const known = ofPerson.get(row.person_id);
  if (known === undefined) ofPerson.set(row.person_id, [row]);
  else known.push(row);
}

function takePlace(setting: DunningSetting, outbox: Outbox, row: NotificationRow, at: number): void {
  const day = dayOf(at);
  outbox.taken.add(`${row.person_id}/${day}`);
  outbox.slots.push({
    organization_id: setting.organizationId,
    person_id: row.person_id,
    contact_on: day,
    ordinal: 1,
    notification_id: row.id,
    channel: row.channel,
    policy_version: setting.policy.version,
    taken_at: isoOf(at),
  });
}

/** How long a carrier takes to tell, in milliseconds. */
const ARRIVES_MS: Readonly<Record<Channel, number>> = {
  email: 25_000,
  sms: 8_000,
  whatsapp: 5_000,
  letter: 5 * 86_400_000,
};

function deliver(
  setting: DunningSetting,
  outbox: Outbox,
  row: NotificationRow,
  contact: ContactRow | null,
  { at, isBouncing }: { at: number; isBouncing: boolean },
): void {
  const { random, now } = setting;
  const channel = row.channel as Channel;
  Object.assign(row, {
    status: 'sent',
    sent_at: isoOf(at),
    provider: PROVIDER,
    provider_id: `sim-${row.id}`,
  });
  note(setting, outbox, row, at, 'sent', null);
  const arrivesAt = at + ARRIVES_MS[channel];
  if (isBouncing) {
    Object.assign(row, { status: 'bounced', status_reason: 'reported_bounced' });
    note(setting, outbox, row, arrivesAt, 'bounced', 'mailbox unknown', 'bounced');
    if (contact !== null) mark(contact, { validity: 'bounced' }, isoOf(arrivesAt));
    return;
  }
  // Some carriers never say that it arrived.
  if (random.chance(6) || arrivesAt >= now.getTime()) return;
  Object.assign(row, { status: 'delivered', delivered_at: isoOf(arrivesAt) });
  note(setting, outbox, row, arrivesAt, 'delivered', null, 'delivered');
  if (contact !== null && contact.validity !== 'wrong_person') {
    mark(contact, { validity: 'valid', last_delivered_at: isoOf(arrivesAt) }, isoOf(arrivesAt));
  }
  const readAt = arrivesAt + random.integer(2, 240) * 60_000;
  const isRead = (channel === 'email' && random.chance(38)) || (channel === 'whatsapp' && random.chance(70));
  if (!isRead || readAt >= now.getTime()) return;
  Object.assign(row, { status: 'read', read_at: isoOf(readAt) });
  note(setting, outbox, row, readAt, 'read', null, 'read');
}

/** The carrier knows that there is no such recipient: the place of the day is free again. */
function fail(
  setting: DunningSetting,
  outbox: Outbox,
  row: NotificationRow,
  contact: ContactRow,
  at: number,
): void {
  Object.assign(row, { status: 'failed', status_reason: 'invalid_contact', provider: PROVIDER });
  note(setting, outbox, row, at, 'failed', 'invalid_contact');
  mark(contact, { validity: 'bounced' }, isoOf(at));
  const index = outbox.slots.findLastIndex(({ notification_id }) => notification_id === row.id);
  outbox.slots.splice(index, 1);
  outbox.taken.delete(`${row.person_id}/${dayOf(at)}`);
}

function mark(contact: ContactRow, change: Partial<ContactRow>, at: string): void {
  Object.assign(contact, change);
  touch(contact, at);
}

function note(
  setting: DunningSetting,
  outbox: Outbox,
  row: NotificationRow,
  at: number,
  status: string,
  detail: string | null,
  reportId: string | null = null,
): void {
  const last = outbox.trail.at(-1);
  const position = last?.notification_id === row.id ? last.position + 1 : 1;
  outbox.trail.push({
    organization_id: setting.organizationId,
    notification_id: row.id,
    position,
    at: isoOf(at),
    status,
    detail,
    report_id: reportId,
  });
  touch(row, isoOf(at));
}

function renderedOf(
  setting: DunningSetting,
  { wording, row }: Template,
  debtor: Debtor,
  stories: readonly Story[],
  today: CivilDate,
): { subject: string | null; body: string } {
  const values = messageValues({
    ...viewOf(setting, debtor, stories, today),
    language: row.language as 'pt-BR' | 'en',
  });
  const { subject, body } = renderText({ subject: wording.subject ?? null, body: wording.body }, values);
  return { subject, body };
}

/** What a message about the charges may tell on a day. */
export function viewOf(
  setting: DunningSetting,
  { person }: Debtor,
  stories: readonly Story[],
  today: CivilDate,
): MessageView {
  const charges = stories.map((story) => {
    const { charge } = story;
    const amounts = amountsOn(setting, story, today);
    const { typed_line: typedLine, pix_code: pixCode, link } = codesOf(charge);
    return {
      description: charge.description,
      documentNumber: charge.document_number,
      dueDate: charge.due_date,
      amountCents: charge.amount_cents,
      amountDueCents: amounts.amountDue,
      paymentOptions: { typedLine, pixCode, link },
      daysLate: amounts.daysLate,
    };
  });
  return {
    creditor: setting.creditor,
    person: { name: person.name, documentNumber: person.document_number },
    charges,
    totalDueCents: charges.reduce((sum, { amountDueCents }) => sum + amountDueCents, 0),
    today,
    language: person.language === 'en' ? 'en' : 'pt-BR',
  };
}
