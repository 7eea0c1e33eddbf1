/** One item of many: its failure undoes itself and nothing else. */

import { AppError } from './errors.ts';
import type { WriteContext } from './operation.ts';
import type { Change, Job } from './ports.ts';

export type Attempt<Value> = { readonly value: Value } | { readonly error: AppError };

/**
 * Runs `work` under a savepoint. When it fails with a known code, its rows, its changes and its jobs are gone and the
 * failure is the answer; anything unknown goes on up and ends the whole call.
 */
export async function attempt<Value>(
  context: WriteContext,
  work: (context: WriteContext) => Promise<Value>,
): Promise<Attempt<Value>> {
  const changes: Change[] = [];
  const jobs: Job[] = [];
  const inner: WriteContext = {
    ...context,
    changed: (kind, id, before, after) => {
      changes.push({ kind, id, before, after });
    },
    enqueue: (job) => {
      jobs.push(job);
    },
  };
  try {
    const value = await context.db.nested(() => work(inner));
    for (const { kind, id, before, after } of changes) context.changed(kind, id, before, after);
    for (const job of jobs) context.enqueue(job);
    return { value };
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}
