/** What other systems are told; `docs/webhooks.md` says how. `publishCharges` serves what changes many charges at once. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { createWebhook } from './operations/create.ts';
import { deleteWebhook } from './operations/delete.ts';
import { getDelivery } from './operations/deliveries-get.ts';
import { listDeliveries } from './operations/deliveries-list.ts';
import { retryDelivery } from './operations/deliveries-retry.ts';
import { listEventCodes } from './operations/events-list.ts';
import { getWebhook } from './operations/get.ts';
import { listWebhooks } from './operations/list.ts';
import { rotateSecret } from './operations/rotate-secret.ts';
import { testWebhook } from './operations/test.ts';
import { updateWebhook } from './operations/update.ts';

export { jobs } from './jobs.ts';
export { publishCharges } from './publishing.ts';

export const operations = [
  listWebhooks,
  getWebhook,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  testWebhook,
  rotateSecret,
  listEventCodes,
  listDeliveries,
  getDelivery,
  retryDelivery,
];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
