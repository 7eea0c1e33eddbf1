/** Transfers between accounts of the workspace; the doors for whoever ties them to lines of statements. */

import type { JobDefinition } from '../../core/job.ts';
import type { ResourceDefinition } from '../../core/surfaces.ts';
import type { FinanceGateways } from '../../gateways/bank/port.ts';
import { bankJobsOf } from '../bank-commands/index.ts';
import { cancelTransfer } from './operations/cancel.ts';
import { createTransfer } from './operations/create.ts';
import { getTransfer } from './operations/get.ts';
import { linkTransfer } from './operations/link.ts';
import { listTransfers } from './operations/list.ts';
import { transferSubject } from './subject.ts';

export { linkTransfer, type PreparedLink, prepareLink, replaceLeg } from './legs.ts';
export type { TransferRow } from './queries.ts';
export { requireTransfer, transferOf } from './resource.ts';
export { lineSources, requireLine } from './rules.ts';

export const operations = [listTransfers, getTransfer, createTransfer, cancelTransfer, linkTransfer];

export const resources: ResourceDefinition[] = [];

// biome-ignore lint/suspicious/noExplicitAny: jobs of every payload are kept in one list.
export const jobs: JobDefinition<any, FinanceGateways>[] = bankJobsOf(transferSubject);
