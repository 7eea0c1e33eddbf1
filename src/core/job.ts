/** Work after the commit: a schema, a handler, and the same transactions and audit chain as any operation. */

import type { z } from 'zod';
import type { Caller } from './caller.ts';
import { civilDateAt } from './dates.ts';
import { digestOf } from './digest.ts';
import { newId } from './ids.ts';
import type { InvokePorts } from './invoke.ts';
import type { Context, WriteContext } from './operation.ts';
import type { Change, Job, Tenant } from './ports.ts';

/** Who acts when no person does. */
export const SYSTEM_USER_ID = '00000000-0000-7000-8000-000000000000';

/** `Gateways` are the outside parties a job may reach; operations never do. */
export interface JobDefinition<Payload, Gateways> {
  readonly task: string;
  readonly payload: z.ZodType<Payload>;
  /**
   * Runs in every place of its kind, with the place alone as its payload: once a day, or every so many minutes. A day
   * on which no worker ran is made up for when one starts within the next.
   */
  readonly every?: JobSchedule;
  /** May run more than once for the same payload: it looks at the records before it acts. */
  readonly run: (payload: Payload, context: JobContext<Gateways>) => Promise<void>;
}

export interface JobSchedule {
  /** A time of day "HH:MM" in UTC, or minutes between two runs. */
  readonly at: string | number;
  readonly tenant: 'workspace' | 'organization';
}

export interface JobContext<Gateways> {
  readonly gateways: Gateways;
  readonly now: Date;
  /** Single statements. */
  read<T>(work: (context: Context) => Promise<T>): Promise<T>;
  /** One transaction; its changes become one event of the chain, its jobs are queued with it. */
  write<T>(work: (context: WriteContext) => Promise<T>): Promise<T>;
}

/** Where a job works, as its payload names it. */
export interface JobPlace extends Tenant {
  readonly timeZone: string;
}

export type JobPorts = Pick<InvokePorts, 'database' | 'appendEvent' | 'enqueue' | 'catalogue' | 'now'>;

/** The context of one run of a job at a place. */
export function jobContextOf<Gateways>(
  ports: JobPorts,
  task: string,
  payload: unknown,
  place: JobPlace,
  gateways: Gateways,
): JobContext<Gateways> {
  const now = ports.now();
  return {
    gateways,
    now,
    read: (work) =>
      ports.database.read(place, (db) => work({ ...baseContext(ports, place, now), db, isWriting: false })),
    write: (work) =>
      ports.database.write(place, async (db) => {
        const changes: Change[] = [];
        const jobs: Job[] = [];
        const result = await work({
          ...baseContext(ports, place, now),
          db,
          isWriting: true,
          isDryRun: false,
          newId,
          changed: (kind, id, before, after) => {
            changes.push({ kind, id, before, after });
          },
          enqueue: (job) => {
            jobs.push(job);
          },
        });
        for (const job of jobs) await ports.enqueue(db, job);
        if (changes.length > 0) {
          await ports.appendEvent(db, place.workspaceId ?? place.organizationId, {
            id: newId(),
            at: now.toISOString(),
            operation: task,
            outcome: 'done',
            actor: { userId: SYSTEM_USER_ID, tokenId: null, clientId: 'worker', surface: 'job' },
            argumentsDigest: digestOf(payload),
            changes,
          });
        }
        return result;
      }),
  };
}

function baseContext(ports: JobPorts, place: JobPlace, now: Date) {
  return {
    caller: systemCaller(place),
    organizationId: place.organizationId,
    workspaceId: place.workspaceId ?? '',
    scopes: new Set<string>(),
    now,
    today: civilDateAt(now, place.timeZone),
    timeZone: place.timeZone,
    publicUrl: null,
    testHosts: [],
    progress: () => {},
    catalogue: ports.catalogue,
  };
}

function systemCaller(place: JobPlace): Caller {
  return {
    product: place.workspaceId === null ? 'dunning' : 'finance',
    access: 'write',
    user: { id: SYSTEM_USER_ID, name: 'System', email: '', locale: 'pt-BR' },
    organization: { id: place.organizationId, name: '', timeZone: place.timeZone },
    tokenId: null,
    clientId: 'worker',
    tokenExpiresAt: null,
    organizationScopes: new Set(),
    workspaces: new Map(),
    defaultWorkspaceId: place.workspaceId,
    visibilityKey: 'system',
  };
}
