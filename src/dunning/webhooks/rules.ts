/** Where webhooks may go, how they are signed, and when one is sent again. */

import { createHmac, randomBytes } from 'node:crypto';
import { isPublicAddress, isTestHost } from '../../core/addresses.ts';
import { fail, failArgument } from '../../core/errors.ts';
import type { WebhookAnswer } from '../../gateways/webhooks/port.ts';
import { isSubscribable } from './codes.ts';

export const URL_LENGTH_MAX = 2_000;

/** Waits after the first attempt and each of the seven that may follow: a little under nine hours in all. */
const WAIT_MINUTES = [1, 5, 15, 30, 60, 120, 300] as const;

/** Attempts of one delivery that are kept, the newest. */
export const ATTEMPTS_KEPT = 20;

const SECRET_BYTES = 32;

/** Names that mean a machine nearby, wherever they are asked for. */
const LOCAL_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
];

/** Below 1024 other protocols listen. */
const PORT_MIN = 1_024;

/**
 * The address in its usual form. Fails with `webhook_address_refused` unless it is https, without user or fragment, to a
 * public name or number and a port for the web, or to one of the test hosts that the server was told of, by http too.
 * What the name resolves to is looked at with each call.
 */
export function requireCallableUrl(text: string, testHosts: readonly string[]): string {
  const url = URL.parse(text);
  const reason = url === null ? 'not_a_url' : reasonAgainst(url, isTestHost(url, testHosts));
  if (url === null || reason !== null) fail('webhook_address_refused', { reason });
  return url.href;
}

type Refusal = 'not_a_url' | 'not_https' | 'has_user' | 'has_fragment' | 'not_public' | 'port';

function reasonAgainst(
  { protocol, username, password, hash, hostname, port, href }: URL,
  isTest: boolean,
): Refusal | null {
  if (protocol !== 'https:' && !isTest) return 'not_https';
  if (username !== '' || password !== '') return 'has_user';
  if (hash !== '') return 'has_fragment';
  if (isTest) return null;
  if (!isPublicHost(hostname)) return 'not_public';
  if (port !== '' && Number(port) < PORT_MIN) return 'port';
  return href.length > URL_LENGTH_MAX ? 'not_a_url' : null;
}

/** The URL parser has read numbers in all their spellings (`127.1`, `0x7f.1`, `2130706433`) before this. */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return isPublicAddress(host.slice(1, -1));
  if (/^[\d.]+$/.test(host)) return isPublicAddress(host);
  return host.includes('.') && !LOCAL_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`));
}

/** The subscriptions without repetition. Fails with `invalid_argument` for a code that does not exist. */
export function requireSubscriptions(events: readonly string[]): string[] {
  if (!events.every(isSubscribable)) {
    failArgument('events', 'codes of dunning_webhook_events_list, all of a kind as "charge.*", or "*"');
  }
  return [...new Set(events)].toSorted();
}

/** A new secret: the text itself, all of it, is the key of the signatures. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

export interface SigningSecrets {
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until: string | null;
}

/** The secrets that sign now: the present one first, the one before it while its grace lasts. */
export function secretsAt({ secret, previous_secret, previous_until }: SigningSecrets, now: Date): string[] {
  const hasGrace = previous_secret !== null && previous_until !== null && new Date(previous_until) > now;
  return hasGrace ? [secret, previous_secret] : [secret];
}

/** The headers of one call; `body` is signed as the bytes that are sent. */
export function headersOf(
  delivery: { readonly id: string; readonly event: string; readonly body: string },
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map(
    (secret) =>
      `sha256=${createHmac('sha256', secret).update(`${timestamp}.${delivery.body}`, 'utf8').digest('hex')}`,
  );
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'kobana-dunning-webhooks',
    'kobana-event': delivery.event,
    'kobana-delivery': delivery.id,
    'kobana-timestamp': timestamp,
    'kobana-signature': signatures.join(', '),
  };
}

export type Verdict =
  | { readonly status: 'delivered' | 'failed' }
  | { readonly status: 'pending'; readonly at: Date };

/**
 * What becomes of a delivery after an attempt, `attemptsMade` with it. Only what may pass by itself is tried again:
 * 5xx, 408 and 429, timeouts, TLS and connections that fail.
 */
export function verdictOn(answer: WebhookAnswer, attemptsMade: number, now: Date): Verdict {
  if (answer.kind === 'answered' && answer.status >= 200 && answer.status < 300)
    return { status: 'delivered' };
  const mayPass =
    answer.kind === 'failed'
      ? answer.reason !== 'refused'
      : answer.status >= 500 || answer.status === 408 || answer.status === 429;
  const wait = WAIT_MINUTES[attemptsMade - 1];
  if (!mayPass || wait === undefined) return { status: 'failed' };
  return { status: 'pending', at: new Date(now.getTime() + wait * 60_000) };
}

/** The body of a delivery. `id` is of what happened: equal in every webhook that is told of it. */
export function bodyOf(told: {
  readonly id: string;
  readonly event: string;
  readonly at: string;
  readonly organizationId: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly data: unknown;
}): string {
  const version = (told.data as { version?: unknown } | null)?.version;
  return JSON.stringify({
    id: told.id,
    event: told.event,
    created_at: told.at,
    organization_id: told.organizationId,
    version: typeof version === 'number' ? version : null,
    resource: told.resource,
    data: told.data,
  });
}
