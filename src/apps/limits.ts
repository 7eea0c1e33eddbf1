/** How often one may call and through which proxies, as the environment says it. */

import { createAddressReader, type TrustedProxies } from '../core/client-address.ts';
import { limitKinds, type RateLimit, type RateLimits } from '../core/rate-limits.ts';
import { nearest } from '../core/text.ts';
import { UsageError } from './usage.ts';

const RATE = /^(\d{1,7})\/([smh])$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
const PROXIES_MAX = 10;

const perMinute = (calls: number): RateLimit => ({ calls, perMs: UNIT_MS.m });

/** Out of the way of people and their agents; in the way of a loop that has run wild. */
export const defaultLimits: Required<RateLimits> = {
  token: perMinute(1_200),
  person: perMinute(2_400),
  organization: perMinute(12_000),
  address: perMinute(6_000),
  tool: perMinute(600),
  // A question and its yes are two calls.
  destructive: perMinute(120),
};

/** `token=600/m,destructive=30/m`; a kind that is not named keeps its default, `none` lifts one or all. */
export function rateLimitsOf(text: string | undefined): RateLimits {
  if (text === 'none') return {};
  const limits: { -readonly [Kind in keyof RateLimits]: RateLimits[Kind] } = { ...defaultLimits };
  for (const part of text?.split(',') ?? []) {
    const [name = '', rate = ''] = part.trim().split('=');
    const kind = limitKinds.find((known) => known === name);
    if (kind === undefined) {
      const near = nearest(name, limitKinds);
      throw new UsageError(
        `KOBANA_RATE_LIMITS knows ${limitKinds.join(', ')}, not ${name}${near === null ? '' : `; did you mean ${near}?`}`,
      );
    }
    if (rate === 'none') delete limits[kind];
    else limits[kind] = rateOf(rate, kind);
  }
  return limits;
}

function rateOf(text: string, kind: string): RateLimit {
  const [, calls = '0', unit = 's'] = RATE.exec(text) ?? [];
  if (Number(calls) === 0) {
    throw new UsageError(`KOBANA_RATE_LIMITS takes ${kind}=600/m, with s, m or h, or ${kind}=none`);
  }
  return { calls: Number(calls), perMs: UNIT_MS[unit as keyof typeof UNIT_MS] };
}

/** `token 1200/m, person none, …`, for whoever looks at what is in force. */
export function limitsText(limits: RateLimits): string {
  return limitKinds
    .map((kind) => {
      const limit = limits[kind];
      const unit = Object.entries(UNIT_MS).find(([, ms]) => ms === limit?.perMs)?.[0];
      return `${kind} ${limit === undefined ? 'none' : `${limit.calls}/${unit}`}`;
    })
    .join(', ');
}

/** Which proxies are trusted, and what follows where none is although there seems to be one. */
export function proxiesText({
  publicUrl,
  trustedProxies,
}: {
  readonly publicUrl: string | undefined;
  readonly trustedProxies: TrustedProxies | undefined;
}): string {
  if (trustedProxies !== undefined) return [trustedProxies].flat().join(', ');
  return publicUrl?.startsWith('https:') === true
    ? 'none trusted: behind a proxy, calls are not limited by address (KOBANA_TRUSTED_PROXIES)'
    : 'none trusted';
}

/** A number of proxies, or the networks they are in; undefined: none is trusted. */
export function trustedProxiesOf(text: string | undefined): TrustedProxies | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) {
    const count = Number(text);
    if (count <= PROXIES_MAX) return count;
    throw new UsageError(`KOBANA_TRUSTED_PROXIES takes a number up to ${PROXIES_MAX}, or networks`);
  }
  const networks = text.split(',').map((network) => network.trim());
  try {
    createAddressReader(networks);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`KOBANA_TRUSTED_PROXIES: ${error.message}`);
  }
  return networks;
}
