import type { JobDefinition } from '../../core/job.ts';
import type { Operation } from '../../core/operation.ts';
import type { ResourceDefinition } from '../../core/surfaces.ts';
import type { FinanceGateways } from '../../gateways/bank/port.ts';

export const operations: Operation[] = [];

export const resources: ResourceDefinition[] = [];

// biome-ignore lint/suspicious/noExplicitAny: jobs of every payload are kept in one list.
export const jobs: JobDefinition<any, FinanceGateways>[] = [];
