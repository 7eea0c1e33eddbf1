/** How a contact is kept, recognized and chosen; values only. */

import { z } from 'zod';
import type { Words } from '../../core/facts.ts';
import { cleanOutsideText, plainLetters } from '../../core/text.ts';
import type { Channel } from '../contact-law/index.ts';

export const channelWords: Readonly<Record<Channel, Words>> = {
  email: { 'pt-BR': 'e-mail', en: 'e-mail' },
  sms: { 'pt-BR': 'SMS', en: 'SMS' },
  whatsapp: { 'pt-BR': 'WhatsApp', en: 'WhatsApp' },
  phone: { 'pt-BR': 'telefone', en: 'phone' },
  letter: { 'pt-BR': 'carta', en: 'letter' },
};

const EMAIL_MAX = 254;
const LETTER_MAX = 300;
const email = z.email().max(EMAIL_MAX);

/** What the value of each channel looks like. */
export const contactForms: Readonly<Record<Channel, string>> = {
  email: 'an e-mail address',
  sms: 'a mobile number with area code, such as "+5511987654321"',
  whatsapp: 'a phone number with area code, such as "+5511987654321"',
  phone: 'a phone number with area code, such as "+5511987654321"',
  letter: 'a postal address on one line',
};

export interface ContactValue {
  readonly value: string;
  /** What consent is kept for: the same for every way to write the same mailbox or number. */
  readonly identity: string;
}

/**
 * The stored form of a contact; null when it is not in the form of its channel. Numbers are E.164, Brazilian ones may
 * leave out +55; an SMS needs a mobile number.
 */
export function normaliseContact(channel: Channel, value: string): ContactValue | null {
  switch (channel) {
    case 'email':
      return emailOf(value);
    case 'letter':
      return letterOf(value);
    case 'sms':
      return numberOf(value, true);
    case 'whatsapp':
    case 'phone':
      return numberOf(value, false);
  }
}

/** Why nothing may go to a contact by itself. */
type Usable = { readonly consent: string; readonly validity: string };

/** Whether a message may go to the contact, as far as the contact itself says. */
export function isUsable({ consent, validity }: Usable): boolean {
  return consent !== 'opted_out' && validity !== 'bounced' && validity !== 'wrong_person';
}

/** The usable contact of the channel: the one asked for, or the primary, or the newest; null when there is none. */
export function pickContact<
  Contact extends Usable & {
    readonly id: string;
    readonly channel: string;
    readonly is_primary: boolean;
  },
>(contacts: readonly Contact[], channel: string, contactId?: string | null): Contact | null {
  const usable = contacts.filter((contact) => contact.channel === channel && isUsable(contact));
  if (contactId !== undefined && contactId !== null) return usable.find(({ id }) => id === contactId) ?? null;
  const primary = usable.find((contact) => contact.is_primary);
  // Ids count up with time, so the greatest is the newest.
  return primary ?? usable.toSorted((left, right) => (left.id < right.id ? 1 : -1))[0] ?? null;
}

function emailOf(text: string): ContactValue | null {
  const value = text.trim().toLowerCase();
  return email.safeParse(value).success ? { value, identity: value } : null;
}

function letterOf(text: string): ContactValue | null {
  const value = cleanOutsideText(text, LETTER_MAX);
  const identity = plainLetters(value)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return identity === '' ? null : { value, identity };
}

/** Brazilian numbers have an area code without zeros; mobiles nine digits from 9 on, or eight in their old form. */
const BRAZILIAN = /^55([1-9]{2})(9\d{8}|[2-9]\d{7})$/;
const FIXED_LINE = /^[2-5]\d{7}$/;

function numberOf(text: string, isMobileNeeded: boolean): ContactValue | null {
  const written = text.trim();
  if (!/^\+?[\d\s().-]{8,30}$/.test(written)) return null;
  const digits = written.replace(/\D/g, '');
  const isForeign = written.startsWith('+') && !digits.startsWith('55');
  if (isForeign)
    return /^[1-9]\d{7,14}$/.test(digits) ? { value: `+${digits}`, identity: `+${digits}` } : null;
  const number = !written.startsWith('+') && digits.length <= 11 ? `55${digits}` : digits;
  const [, area, local] = BRAZILIAN.exec(number) ?? [];
  if (local === undefined || (isMobileNeeded && FIXED_LINE.test(local))) return null;
  // The same mobile is known with and without its ninth digit, so what both share is who it is.
  return { value: `+${number}`, identity: `+55${area}${local.length === 9 ? local.slice(1) : local}` };
}
