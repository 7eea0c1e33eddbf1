/**
 * Reads delivery reports that mail servers send back (RFC 3464). Only `delivered` is a delivery: `relayed` and
 * `expanded` say that the message went on to a server that reports nothing.
 */

import { parseId } from '../../core/ids.ts';
import { bodyOf, headersOf, type MailPart, partsOf } from './mime.ts';
import type { DeliveryReport, DeliveryStatus } from './port.ts';
import { detailOf } from './reports.ts';

const RECIPIENTS_MAX = 10;
const ID_IN_MESSAGE_ID = /<([0-9a-f-]{36})@/i;

/** The reports in an e-mail as it came, or null when it is no delivery report. `now` dates what has no date. */
export function dsnReportsOf(raw: Buffer, now: Date): DeliveryReport[] | null {
  const parts = partsOf(raw.toString('latin1'));
  const status = parts.find(({ type }) => /^message\/(global-)?delivery-status$/.test(type));
  if (status === undefined) return null;
  const [message = new Map<string, string>(), ...recipients] = groupsOf(bodyOf(status));
  const key = parseId(message.get('original-envelope-id') ?? '') ?? keyOfReturned(parts);
  return recipients.slice(0, RECIPIENTS_MAX).flatMap((recipient) => {
    const report = reportOf(recipient);
    if (report === null) return [];
    const at = dateOf(recipient.get('last-attempt-date') ?? message.get('arrival-date')) ?? now;
    return [{ ...report, key, providerId: null, at }];
  });
}

/**
 * Whether an answer to a recipient says that the address itself is bad: the enhanced code 5.1.x or 5.2.1 (RFC 3463), or
 * without one 550, 551 or 553. A 5.7.x is the server's policy about us.
 */
export function isBadAddress(answer: string): boolean {
  const enhanced = /(?<![\d.])5\.(\d{1,3})\.(\d{1,3})(?![\d.])/.exec(answer);
  if (enhanced !== null) return enhanced[1] === '1' || (enhanced[1] === '2' && enhanced[2] === '1');
  return /(?<!\d)55[013](?!\d)/.test(answer);
}

type Fields = ReadonlyMap<string, string>;

/** Groups of fields, divided by empty lines. */
function groupsOf(text: string): Fields[] {
  return text
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map((group) => headersOf(group))
    .filter((fields) => fields.size > 0);
}

function reportOf(recipient: Fields): Pick<DeliveryReport, 'reportId' | 'status' | 'detail'> | null {
  const action = /^[a-z]+/.exec((recipient.get('action') ?? '').toLowerCase())?.[0];
  const code = /^\d\.\d{1,3}\.\d{1,3}/.exec(recipient.get('status') ?? '')?.[0] ?? '';
  const diagnostic = recipient.get('diagnostic-code') ?? '';
  const status = statusOf(action, code, diagnostic);
  if (action === undefined || status === null) return null;
  return { reportId: `${action}/${code}`, status, detail: detailOf(action, code, diagnostic) };
}

function statusOf(action: string | undefined, code: string, diagnostic: string): DeliveryStatus | null {
  switch (action) {
    case 'delivered':
      return 'delivered';
    case 'relayed':
    case 'expanded':
    case 'delayed':
      return 'sent';
    case 'failed':
      return isBadAddress(/^5/.test(code) && code !== '5.0.0' ? code : diagnostic) ? 'bounced' : 'failed';
    default:
      return null;
  }
}

/** Where a server keeps no envelope id, the returned headers still have the Message-ID that holds our key. */
function keyOfReturned(parts: readonly MailPart[]): string | null {
  const returned = parts.find(({ type }) => /^(message\/(rfc822|global)|text\/rfc822-headers)$/.test(type));
  if (returned === undefined) return null;
  const id = headersOf(bodyOf(returned)).get('message-id') ?? '';
  return parseId(ID_IN_MESSAGE_ID.exec(id)?.[1] ?? '');
}

function dateOf(text: string | undefined): Date | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : new Date(at);
}
