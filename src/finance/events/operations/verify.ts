import { operation } from '../../../core/operation.ts';
import { chainReportOf } from '../resource.ts';
import { chainReportSchema } from '../schema.ts';

export const verifyEvents = operation({
  name: 'finance_events_verify',
  title: 'Verify events',
  summary:
    'Checks the audit chain of the workspace from its first event: changed, missing and cut-off events show.',
  effect: 'read',
  scope: 'finance.events',
  input: {},
  output: chainReportSchema,
  run: (_input, context) => chainReportOf(context, context.workspaceId),
});
