/** Computed answers over the whole books; `docs/reports.md` defines every figure. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { agingReport } from './operations/aging.ts';
import { cashFlowReport } from './operations/cash-flow.ts';
import { incomeStatement } from './operations/income-statement.ts';
import { monthlySummary } from './operations/monthly-summary.ts';

export { prompts } from './prompts.ts';

export const operations = [cashFlowReport, monthlySummary, agingReport, incomeStatement];

export const resources: ResourceDefinition[] = [];
