import { type ParsedCronItem, parseCronItems } from 'graphile-worker';
import type { JobPorts } from '../core/job.ts';
import type { Db } from '../core/ports.ts';
import { selectTenants } from '../db/tenants.ts';

/** A computer that is off at night does its daily work when it is on again. */
const MADE_UP_FOR_MS = 24 * 3_600_000;

/** The task that queues a daily job in every workspace. */
export function dailyTaskOf(task: string): string {
  return `${task}_daily`;
}

/** The schedule of tasks that run once a day, each at its time "HH:MM" in UTC. */
export function dailyItems(daily: readonly { task: string; at: string }[]): ParsedCronItem[] {
  return parseCronItems(
    daily.map(({ task, at }) => {
      const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at) ?? [];
      if (hour === undefined) throw new Error(`${task}: "${at}" is no time of day as HH:MM`);
      return {
        task,
        match: `${Number(minute)} ${Number(hour)} * * *`,
        identifier: task,
        options: { backfillPeriod: MADE_UP_FOR_MS, jobKey: task },
      };
    }),
  );
}

/** Queues the job once for each workspace; one that still waits from before is not doubled. */
export async function queueEverywhere(
  { enqueue }: Pick<JobPorts, 'enqueue'>,
  shared: Db,
  task: string,
): Promise<void> {
  for (const { organization_id: organizationId, workspace_id: workspaceId } of await selectTenants(shared)) {
    if (workspaceId === null) continue;
    await enqueue(shared, {
      task,
      payload: { organizationId, workspaceId },
      key: `${dailyTaskOf(task)}/${workspaceId}`,
    });
  }
}
