import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { requireCompany } from '../../companies/index.ts';
import { approvalSettingsOf, settingsInForce } from '../resource.ts';
import { approvalSettingsSchema } from '../schema.ts';

export const getApprovalSettings = operation({
  name: 'finance_approval_settings_get',
  title: 'Get approval settings',
  summary: 'Who must approve which bills, and what payments are checked for before they are sent.',
  effect: 'read',
  scope: 'finance.settings',
  input: { company_id: id('the company').optional().describe('Default: the settings of the workspace.') },
  output: approvalSettingsSchema,
  async run(input, context) {
    const companyId = input.company_id ?? null;
    if (companyId !== null) await requireCompany(context, companyId);
    return approvalSettingsOf(await settingsInForce(context, companyId), companyId);
  },
});
