/**
 * How often one may call, in the memory of one process: token buckets, each stored as the instant at which it is full
 * again (the generic cell rate algorithm of ITU-T I.371). With N processes the limit is N times what is configured.
 */

import type { Caller } from './caller.ts';
import { fail } from './errors.ts';
import type { Operation } from './operation.ts';

/** What is counted apart. `tool` is one person and one tool, `destructive` one person and every destructive tool. */
export const limitKinds = ['token', 'person', 'organization', 'address', 'tool', 'destructive'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** So many calls per so long: also how many may come at once. */
export interface RateLimit {
  readonly calls: number;
  readonly perMs: number;
}

/** A kind that is absent is not limited. */
export type RateLimits = Readonly<Partial<Record<LimitKind, RateLimit>>>;

/** Whose calls they are, by kind. */
export type RateKey = Readonly<Partial<Record<LimitKind, string>>>;

export interface RateVerdict {
  readonly allowed: boolean;
  /** Calls at most, of the bucket that is nearest to its end. */
  readonly limit: number;
  /** Calls that it still has. */
  readonly remaining: number;
  /** Whole seconds until it is full again; when refused, until the same call may be made. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /**
   * Takes `cost` calls from the bucket of each key, or from none when one of them has too few: a refused call costs
   * nothing. Undefined when nothing that the key names is limited.
   */
  take(key: RateKey, cost: number, now: Date): RateVerdict | undefined;
}

/** Keys remembered at most, for each kind; beyond it those that were longest not used start anew. */
const KEYS_MAX = 20_000;
interface Taken {
  readonly kind: LimitKind;
  readonly key: string;
  readonly limit: RateLimit;
  /** When the bucket would be full again, in calls times milliseconds: whole numbers, so that nothing is ever rounded. */
  readonly fullAt: number;
  /** How far that is past what the bucket can hold back, in the same unit; zero or less: it may be taken. */
  readonly excess: number;
}

/** A limiter with empty memory. */
export function createRateLimiter(limits: RateLimits, keysMax = KEYS_MAX): RateLimiter {
  const fullAtOf = new Map(limitKinds.map((kind) => [kind, new Map<string, number>()]));
  // Time counts from the first call, so that its products stay whole numbers for decades.
  let startMs: number | undefined;
  return {
    take(key, cost, now) {
      startMs ??= now.getTime();
      const time = now.getTime() - startMs;
      const taken: Taken[] = [];
      for (const kind of limitKinds) {
        const [limit, name] = [limits[kind], key[kind]];
        if (limit === undefined || name === undefined) continue;
        const empty = emptyAt(limit, time);
        const before = fullAtOf.get(kind)!.get(name) ?? time * limit.calls;
        // A clock that was set back must not lock anybody out for longer than one window.
        const from = Math.min(Math.max(before, time * limit.calls), empty);
        const fullAt = from + cost * limit.perMs;
        taken.push({ kind, key: name, limit, fullAt, excess: fullAt - empty });
      }
      if (taken.length === 0) return undefined;
      const refused = taken.filter(({ excess }) => excess > 0);
      if (refused.length === 0) {
        for (const one of taken) remember(fullAtOf.get(one.kind)!, one, keysMax);
        return verdictOf(taken, time);
      }
      const last = refused.reduce((a, b) => (waitMs(b) > waitMs(a) ? b : a));
      const resetSeconds = wholeSeconds(waitMs(last));
      return { allowed: false, limit: last.limit.calls, remaining: 0, resetSeconds };
    },
  };
}

/** The `fullAt` of a bucket that is empty at this time. */
function emptyAt({ calls, perMs }: RateLimit, time: number): number {
  return (time + perMs) * calls;
}

function waitMs({ excess, limit }: Taken): number {
  return excess / limit.calls;
}

/** The headers that tell a caller how much is left (draft-ietf-httpapi-ratelimit-headers), and when to come back. */
export function rateHeaders(verdict: RateVerdict): Readonly<Record<string, string>> {
  const { allowed, limit, remaining, resetSeconds } = verdict;
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
    ...(!allowed && { 'Retry-After': String(resetSeconds) }),
  };
}

/**
 * The order of a map is that of the last use, because what is used is put at its end. A tenth goes at once: looking for the
 * first entry of a map that loses one entry at a time takes longer each time.
 */
function remember(fullAtOf: Map<string, number>, { key, fullAt }: Taken, keysMax: number): void {
  fullAtOf.delete(key);
  fullAtOf.set(key, fullAt);
  if (fullAtOf.size <= keysMax) return;
  let surplus = Math.ceil(keysMax / 10);
  for (const oldest of fullAtOf.keys()) {
    if (surplus === 0) return;
    fullAtOf.delete(oldest);
    surplus -= 1;
  }
}

/** Of several buckets the one with the fewest calls left, because it is the next to refuse. */
function verdictOf(taken: readonly Taken[], time: number): RateVerdict {
  const all = taken.map(({ limit, fullAt }) => ({
    allowed: true,
    limit: limit.calls,
    remaining: Math.floor((emptyAt(limit, time) - fullAt) / limit.perMs),
    resetSeconds: wholeSeconds(fullAt / limit.calls - time),
  }));
  return all.reduce((a, b) => (b.remaining < a.remaining ? b : a));
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** What is counted of a caller on every surface: the token, the person and the organization. */
export function keyOfCaller(caller: Caller): RateKey {
  return {
    ...(caller.tokenId !== null && { token: caller.tokenId }),
    person: caller.user.id,
    organization: caller.organization.id,
  };
}

/**
 * Counts one call of a tool, and a destructive one once more among all destructive ones of the person. Fails with
 * `rate_limited` and the seconds to wait, which reaches the model (PROTOCOL C-78).
 */
export function limitTool(limiter: RateLimiter, operation: Operation, caller: Caller, now: Date): void {
  const person = caller.user.id;
  const key = {
    tool: `${person} ${operation.name}`,
    ...(operation.effect === 'destructive' && { destructive: person }),
  };
  const verdict = limiter.take(key, 1, now);
  if (verdict?.allowed === false) fail('rate_limited', { retry_after: verdict.resetSeconds });
}
