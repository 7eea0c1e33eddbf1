/** Discount campaigns: what agreements may take off for a while. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { listCampaignCharges } from './operations/charges-list.ts';
import { createCampaign } from './operations/create.ts';
import { endCampaign } from './operations/end.ts';
import { getCampaign } from './operations/get.ts';
import { listCampaigns } from './operations/list.ts';
import { previewCampaign } from './operations/preview.ts';
import { updateCampaign } from './operations/update.ts';

export { jobs } from './jobs.ts';
export type { CampaignRow } from './queries.ts';
export { requireCampaign } from './resource.ts';
export { type Allowance, allowedDiscount, isEligible, type Parts, requireRunning } from './rules.ts';

export const operations = [
  listCampaigns,
  getCampaign,
  previewCampaign,
  createCampaign,
  updateCampaign,
  endCampaign,
  listCampaignCharges,
];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
