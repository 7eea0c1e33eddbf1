/** What the portfolio and its recovery come to; `docs/metrics.md` defines every figure. */

import type { ResourceDefinition } from '../../core/surfaces.ts';
import { agingMetrics } from './operations/aging.ts';
import { channelMetrics } from './operations/channels.ts';
import { ruleMetrics } from './operations/collection-rules.ts';
import { overviewMetrics } from './operations/overview.ts';
import { recoveryMetrics } from './operations/recovery.ts';

export { prompts } from './prompts.ts';

export const operations = [recoveryMetrics, overviewMetrics, agingMetrics, channelMetrics, ruleMetrics];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://dunning/metrics/recovery',
    name: 'recovery_metrics',
    title: 'Recovery metrics',
    description: 'Recovery metrics.',
    mimeType: 'application/json',
    operation: 'dunning_metrics_recovery',
    ttlMs: 0,
  },
];
