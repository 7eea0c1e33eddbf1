import { controlsGet } from '../../../approvals/index.ts';

export const getDunningControls = controlsGet({
  name: 'account_dunning_controls_get',
  tenant: 'organization',
  whose: "the organization's dunning",
});
