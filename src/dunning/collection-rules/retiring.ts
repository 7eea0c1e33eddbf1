/** Takes the charges of an archived rule off it. */

import type { WriteContext } from '../../core/operation.ts';
import { releaseFromRule, skipPlannedOfRule } from './retire-queries.ts';
import { RETIRE_TASK } from './tasks.ts';

/** Charges of one transaction; the rest is left to a job, and none of them is dunned meanwhile. */
const CHUNK = 5_000;

/** So many charges at once, and the job that goes on when there are more. */
export async function retireCharges(context: WriteContext, ruleId: string): Promise<void> {
  const { db, organizationId, now } = context;
  const released = await releaseFromRule(db, organizationId, ruleId, now, CHUNK);
  const skipped = await skipPlannedOfRule(db, organizationId, ruleId, now, CHUNK);
  if (skipped < CHUNK && released < CHUNK) return;
  context.enqueue({
    task: RETIRE_TASK,
    payload: { organizationId, ruleId },
    key: `${RETIRE_TASK}/${ruleId}`,
  });
}
