/** Confirmations as `invoke` uses them: sealed states on the wire, one ledger of used ids in the database. */

import type { Confirmations, Subject } from '../core/confirmations.ts';
import { AppError, fail } from '../core/errors.ts';
import type { Database } from '../core/ports.ts';
import { insertUsedConfirmation, selectLastUse, selectStatus, tryLock, updateFailed } from './queries.ts';
import { questionText } from './question.ts';
import { changedFactKeys, openState, type SealKey, sealState } from './state.ts';

const QUESTIONS_PER_MINUTE = 30;
const RECENT_MS = 600_000;
/** Counters of questions; the oldest go first, so memory stays bounded. */
const COUNTERS_MAX = 10_000;

export interface ConfirmationOptions {
  readonly keys: readonly SealKey[];
  /** Keeps the states of two installations apart even if they share a key. */
  readonly environment: string;
  readonly database: Database;
}

/** The confirmation store. Any failure to reach the ledger is `confirmation_unavailable`: nothing runs. */
export function createConfirmations({ keys, environment, database }: ConfirmationOptions): Confirmations {
  const counters = new Map<string, number[]>();
  return {
    open: (state, subject, now) => openState(keys, environment, state, subject, now),
    seal: (subject, facts, now) => sealState(keys, environment, subject, facts, now),
    textOf: questionText,
    changedFacts: (before, facts) => changedFactKeys(keys, before, facts),
    limitQuestions: (subject, now) => limitQuestions(counters, subject, now.getTime()),
    lastUse: (db, subject, now) =>
      orUnavailable(async () => {
        const row = await selectLastUse(db, {
          ...actionOf(subject),
          since: new Date(now.getTime() - RECENT_MS),
        });
        return row === undefined ? null : Math.floor((now.getTime() - Date.parse(row.used_at)) / 60_000);
      }),
    find: (id, place) =>
      orUnavailable(() =>
        database.read(place, async (db) => statusOf(await selectStatus(db, place.organizationId, id))),
      ),
    claim: (db, id, place) =>
      orUnavailable(async () => {
        // Whoever holds the lock is running this confirmation at this moment (PROTOCOL C-06).
        if (!(await tryLock(db, place.organizationId, id))) return 'used';
        return statusOf(await selectStatus(db, place.organizationId, id)) ?? 'free';
      }),
    spend: (db, id, subject, now) =>
      orUnavailable(async () => {
        const inserted = await insertUsedConfirmation(db, { ...useOf(id, subject, now), status: 'used' });
        if (inserted === 0) fail('confirmation_replayed');
      }),
    fail: async (db, id, place, code) => {
      await updateFailed(db, place.organizationId, id, code);
    },
    decline: async (id, subject, now) => {
      try {
        await database.write(subject.place, (db) =>
          insertUsedConfirmation(db, { ...useOf(id, subject, now), status: 'declined' }),
        );
      } catch {
        // Best effort (PROTOCOL T-12): the answer "no" stands whether or not it could be recorded.
      }
    },
  };
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'confirmation_replayed') throw error;
    throw new AppError('confirmation_unavailable');
  }
}

function statusOf(row: { status: string } | undefined): 'used' | 'declined' | null {
  if (row === undefined) return null;
  return row.status === 'declined' ? 'declined' : 'used';
}

function actionOf({ operation, caller, place, digest }: Subject) {
  return {
    organizationId: place.organizationId,
    userId: caller.user.id,
    operation: operation.name,
    argumentsDigest: digest,
  };
}

function useOf(id: string, subject: Subject, usedAt: Date) {
  const { caller, place } = subject;
  return { ...actionOf(subject), id, usedAt, clientId: caller.clientId, workspaceId: place.workspaceId };
}

function limitQuestions(counters: Map<string, number[]>, { caller, operation }: Subject, now: number): void {
  const key = `${caller.user.id} ${operation.name}`;
  const recent = (counters.get(key) ?? []).filter((at) => at > now - 60_000);
  if (recent.length >= QUESTIONS_PER_MINUTE) {
    fail('rate_limited', { retry_after: Math.ceil((recent[0]! + 60_000 - now) / 1000) });
  }
  counters.delete(key);
  counters.set(key, [...recent, now]);
  if (counters.size > COUNTERS_MAX) counters.delete(counters.keys().next().value!);
}
