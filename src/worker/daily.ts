import { type ParsedCronItem, parseCronItems } from 'graphile-worker';
import type { JobPorts, JobSchedule } from '../core/job.ts';
import type { Db } from '../core/ports.ts';
import { selectTenants } from '../db/tenants.ts';

/** A computer that is off at night does its daily work when it is on again. */
const MADE_UP_FOR_MS = 24 * 3_600_000;

/** The task that queues a scheduled job in every place of its kind. */
export function scheduledTaskOf(task: string): string {
  return `${task}_scheduled`;
}

/** The schedule of tasks, each once a day at a time "HH:MM" in UTC or every so many minutes. */
export function scheduleOf(tasks: readonly { task: string; at: JobSchedule['at'] }[]): ParsedCronItem[] {
  return parseCronItems(
    tasks.map(({ task, at }) => {
      const isOften = typeof at === 'number';
      return {
        task,
        match: isOften ? `*/${at} * * * *` : dailyMatch(task, at),
        identifier: task,
        // What runs every few minutes has nothing to make up for.
        options: { backfillPeriod: isOften ? 0 : MADE_UP_FOR_MS, jobKey: task },
      };
    }),
  );
}

function dailyMatch(task: string, at: string): string {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at) ?? [];
  if (hour === undefined) throw new Error(`${task}: "${at}" is no time of day as HH:MM`);
  return `${Number(minute)} ${Number(hour)} * * *`;
}

/** Queues the job once for each place of its kind; one that still waits from before is not doubled. */
export async function queueEverywhere(
  { enqueue }: Pick<JobPorts, 'enqueue'>,
  shared: Db,
  task: string,
  tenant: JobSchedule['tenant'],
): Promise<void> {
  for (const { organization_id: organizationId, workspace_id: workspaceId } of await selectTenants(shared)) {
    if ((workspaceId === null) !== (tenant === 'organization')) continue;
    await enqueue(shared, {
      task,
      payload: workspaceId === null ? { organizationId } : { organizationId, workspaceId },
      key: `${scheduledTaskOf(task)}/${workspaceId ?? organizationId}`,
    });
  }
}
