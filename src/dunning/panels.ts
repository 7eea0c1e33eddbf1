import type { PanelDefinition } from '../core/surfaces.ts';

/** What clients that show pages show beside answers of dunning. */
export const panels: readonly PanelDefinition[] = [
  {
    uri: 'ui://dunning/recovery',
    name: 'recovery',
    title: 'Recovery',
    description: 'What was recovered, by month and channel, and what is still overdue.',
    operations: ['dunning_metrics_recovery'],
  },
  {
    uri: 'ui://dunning/aging',
    name: 'aging',
    title: 'Portfolio by delay',
    description: 'Open charges by delay.',
    operations: ['dunning_metrics_aging'],
  },
];
