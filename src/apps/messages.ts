/** What the environment says about messages to debtors: who carries them, and whose reports are believed. */

import { isTokenText } from '../gateways/bank/kobana/address.ts';
import { isProviderAddress } from '../gateways/messages/http.ts';
import type { HttpAccess, MessagesAccess, WhatsAppAccess } from '../gateways/messages/index.ts';
import { UsageError } from './usage.ts';

export const WHATSAPP_API = 'https://graph.facebook.com/v23.0';
const SECRET_BYTES_MIN = 32;
const ADDRESS = /^[^\s<>@]+@[^\s<>@]+$/;

/** A variable of the environment; undefined when it is not there or empty. */
export type Given = (name: string) => string | undefined;

export interface ReportsAccess {
  /** Signs reports of e-mails, SMS and letters; undefined: none are taken. */
  readonly secret: string | undefined;
  /** Undefined: notifications of Meta are not taken. */
  readonly whatsapp: { readonly appSecret: string; readonly verifyToken: string } | undefined;
}

/** Which channels reach providers. Throws `UsageError` for half a provider. */
export function messagesOf(
  given: Given,
  mail: { readonly url: string; readonly from: string } | undefined,
): MessagesAccess {
  const bounces = given('KOBANA_MAIL_BOUNCES');
  if (bounces !== undefined && !ADDRESS.test(bounces)) {
    throw new UsageError('KOBANA_MAIL_BOUNCES must be an e-mail address');
  }
  return {
    email: mail && { ...mail, bounces },
    whatsapp: whatsAppOf(given),
    sms: httpOf(given, 'KOBANA_SMS'),
    letter: httpOf(given, 'KOBANA_LETTERS'),
  };
}

/** Whose reports are believed. Throws `UsageError` for a secret too short to be one. */
export function reportsOf(given: Given): ReportsAccess {
  const secret = given('KOBANA_REPORTS_SECRET');
  if (secret !== undefined && Buffer.byteLength(secret) < SECRET_BYTES_MIN) {
    throw new UsageError(`KOBANA_REPORTS_SECRET needs ${SECRET_BYTES_MIN} bytes or more`);
  }
  const appSecret = given('KOBANA_WHATSAPP_APP_SECRET');
  const verifyToken = given('KOBANA_WHATSAPP_VERIFY_TOKEN');
  if ((appSecret === undefined) !== (verifyToken === undefined)) {
    throw new UsageError('KOBANA_WHATSAPP_APP_SECRET and KOBANA_WHATSAPP_VERIFY_TOKEN go together');
  }
  return {
    secret,
    whatsapp: appSecret === undefined || verifyToken === undefined ? undefined : { appSecret, verifyToken },
  };
}

function whatsAppOf(given: Given): WhatsAppAccess | undefined {
  const token = given('KOBANA_WHATSAPP_TOKEN');
  const phoneNumberId = given('KOBANA_WHATSAPP_PHONE_ID');
  if (token === undefined && phoneNumberId === undefined) return undefined;
  if (token === undefined || phoneNumberId === undefined || !/^\d{5,20}$/.test(phoneNumberId)) {
    throw new UsageError('KOBANA_WHATSAPP_TOKEN and KOBANA_WHATSAPP_PHONE_ID go together; the id is digits');
  }
  return {
    ...accessOf('KOBANA_WHATSAPP', given('KOBANA_WHATSAPP_URL') ?? WHATSAPP_API, token),
    phoneNumberId,
    template: given('KOBANA_WHATSAPP_TEMPLATE') ?? null,
  };
}

function httpOf(given: Given, prefix: string): HttpAccess | undefined {
  const url = given(`${prefix}_URL`);
  const token = given(`${prefix}_TOKEN`);
  if (url === undefined && token === undefined) return undefined;
  if (url === undefined || token === undefined) {
    throw new UsageError(`${prefix}_URL and ${prefix}_TOKEN go together`);
  }
  return accessOf(prefix, url, token);
}

function accessOf(prefix: string, url: string, token: string): HttpAccess {
  if (!isProviderAddress(url)) {
    throw new UsageError(`${prefix}_URL must be an address that starts with https://, without a query`);
  }
  if (!isTokenText(token)) throw new UsageError(`${prefix}_TOKEN must be visible ASCII without spaces`);
  return { url, token };
}
