import { controlsUpdate } from '../../../approvals/index.ts';

export const updateControls = controlsUpdate({
  name: 'account_controls_update',
  tenant: 'workspace',
  whose: 'a workspace of finance',
});
