import type { PanelDefinition } from '../core/surfaces.ts';

/** What clients that show pages show beside answers of finance. */
export const panels: readonly PanelDefinition[] = [
  {
    uri: 'ui://finance/cash-flow',
    name: 'cash-flow',
    title: 'Cash flow',
    description: 'The outlook as a chart, with the lowest point.',
    operations: ['finance_reports_cash_flow'],
  },
  {
    uri: 'ui://finance/aging',
    name: 'aging',
    title: 'Aging',
    description: 'Open amounts by delay.',
    operations: ['finance_reports_aging'],
  },
  {
    uri: 'ui://finance/approval',
    name: 'approval',
    title: 'Approval',
    description: 'A call that waits for a person, with the way to the console; it approves nothing itself.',
    operations: ['finance_approvals_get'],
  },
];
