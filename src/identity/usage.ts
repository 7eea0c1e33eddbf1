import type { Db } from '../core/ports.ts';
import { updateTokensLastUsed } from './queries.ts';

const FLUSH_MS = 60_000;

export interface TokenUsage {
  /** Notes that the token was used; returns at once. */
  note(tokenId: string): void;
  /** Writes what was noted and stops. */
  close(): Promise<void>;
}

/** Keeps `tokens.last_used_at` to the minute: one statement a minute, whatever the traffic. */
export function trackTokenUsage(db: Db, now: () => Date, onProblem: (error: unknown) => void): TokenUsage {
  let used = new Set<string>();
  const flush = async () => {
    const ids = [...used];
    used = new Set();
    if (ids.length > 0) await updateTokensLastUsed(db, ids, now());
  };
  const timer = setInterval(() => void flush().catch(onProblem), FLUSH_MS);
  timer.unref();
  return {
    note: (tokenId) => {
      used.add(tokenId);
    },
    async close() {
      clearInterval(timer);
      await flush().catch(onProblem);
    },
  };
}
