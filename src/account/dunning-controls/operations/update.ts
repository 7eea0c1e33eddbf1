import { controlsUpdate } from '../../../approvals/index.ts';

export const updateDunningControls = controlsUpdate({
  name: 'account_dunning_controls_update',
  tenant: 'organization',
  whose: "the organization's dunning",
});
