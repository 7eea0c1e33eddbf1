/** Every day, registers the occurrences that have come within the horizon. */

import { z } from 'zod';
import { addDays } from '../../core/dates.ts';
import type { JobDefinition } from '../../core/job.ts';
import type { WriteContext } from '../../core/operation.ts';
import type { FinanceGateways } from '../../gateways/bank/port.ts';
import { selectToCome } from './queries.ts';
import { registerDue } from './registering.ts';
import { requireRecurrence } from './resource.ts';
import { HORIZON_DAYS } from './schema.ts';

/** 00:05 in São Paulo. */
const RUN_AT = '03:05';

const PAGE_SIZE = 200;

const payload = z.strictObject({ organizationId: z.uuid(), workspaceId: z.uuid() });

/** One transaction for each recurrence: one that is refused, or fails, takes nothing from the others. */
const recurrencesRun: JobDefinition<z.infer<typeof payload>, FinanceGateways> = {
  task: 'recurrences_run',
  payload,
  every: { at: RUN_AT, tenant: 'workspace' },
  async run({ workspaceId }, context) {
    let after: { next_on: string; id: string } | null = null;
    const failures: unknown[] = [];
    for (;;) {
      const found = await context.read(({ db, today }) =>
        selectToCome(db, workspaceId, addDays(today, HORIZON_DAYS), { after, limit: PAGE_SIZE }),
      );
      for (const { id } of found) {
        await context.write((write) => registerDueOf(write, id)).catch((error) => failures.push(error));
      }
      if (found.length < PAGE_SIZE) break;
      after = found.at(-1)!;
    }
    if (failures.length > 0) throw failures[0];
  },
};

export const jobs = [recurrencesRun];

/** Somebody may have paused or ended it, or registered its occurrence, since it was found. */
async function registerDueOf(context: WriteContext, id: string): Promise<void> {
  const row = await requireRecurrence(context, id);
  if (row.status === 'active') await registerDue(context, row, row, 'hold');
}
