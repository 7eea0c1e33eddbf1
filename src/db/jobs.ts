import type { Db, Job } from '../core/ports.ts';
import { sql } from './sql.ts';

/** Queues a job in the caller's transaction: it exists exactly when the transaction commits. */
export async function enqueueJob(db: Db, job: Job): Promise<void> {
  await db.run(sql`
    select enqueue_job(${job.task}, ${JSON.stringify(job.payload)}::json, ${job.runAt ?? null}::timestamptz, ${job.key ?? null})`);
}
