/** What reports of all providers have in common: who signed them, and how their texts are kept. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { cleanOutsideText } from '../../core/text.ts';

const DETAIL_MAX = 200;
const ID_MAX = 200;
const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** Whether the header holds the HMAC-SHA-256 of these bytes under the secret, as `sha256=` and hex digits. */
export function isSigned(bytes: Buffer, header: string | undefined, secret: string): boolean {
  const given = SIGNATURE.exec(header ?? '')?.[1];
  if (given === undefined) return false;
  const right = createHmac('sha256', secret).update(bytes).digest();
  return timingSafeEqual(right, Buffer.from(given, 'hex'));
}

/** Whether two secrets are equal, in a time that does not tell how much of them is. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}

/** A provider's words about a message, or null when there are none. */
export function detailOf(...parts: readonly (string | number | null | undefined)[]): string | null {
  const said = parts.filter((part) => part !== null && part !== undefined && part !== '').join(' ');
  return said === '' ? null : cleanOutsideText(said, DETAIL_MAX);
}

/** A provider's name for something, or null when it is none. */
export function providerIdOf(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const clean = cleanOutsideText(text, ID_MAX);
  return clean === '' ? null : clean;
}

/** The value that a body holds, or undefined when it is no JSON. */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
