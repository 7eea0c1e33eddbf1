import type { JobDefinition } from '../../core/job.ts';
import type { DunningGateways } from '../../gateways/dunning.ts';

// biome-ignore lint/suspicious/noExplicitAny: jobs of every payload are kept in one list.
export const jobs: JobDefinition<any, DunningGateways>[] = [];
