import { controlsGet } from '../../../approvals/index.ts';

export const getControls = controlsGet({
  name: 'account_controls_get',
  tenant: 'workspace',
  whose: 'a workspace of finance',
});
