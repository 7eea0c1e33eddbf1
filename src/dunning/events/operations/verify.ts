import { operation } from '../../../core/operation.ts';
import { chainReportOf, chainReportSchema } from '../../../finance/events/index.ts';

export const verifyEvents = operation({
  name: 'dunning_events_verify',
  title: 'Verify events',
  summary:
    'Checks the audit chain of the organization from its first event: changed, missing and cut-off events show.',
  effect: 'read',
  scope: 'dunning.events',
  input: {},
  output: chainReportSchema,
  run: (_input, context) => chainReportOf(context, context.organizationId),
});
