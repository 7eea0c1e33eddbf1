/** Messages to debtors, from the queue to the last delivery report. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { cancelNotification } from './operations/cancel.ts';
import { notifyCharge } from './operations/charges-notify.ts';
import { createNotification } from './operations/create.ts';
import { getNotification } from './operations/get.ts';
import { listNotifications } from './operations/list.ts';
import { resendNotification } from './operations/resend.ts';

export { jobs } from './jobs.ts';
export {
  cancelNotifications,
  type NotificationDraft,
  queueNotification,
  SEND_TASK,
} from './queueing.ts';
export { applyReports } from './reports.ts';
export { type NotificationRow, notificationOf, requireNotification } from './resource.ts';
export { maskedContact } from './rules.ts';
export { messageChannels, type Notification, notificationSchema } from './schema.ts';

export const operations = [
  listNotifications,
  getNotification,
  createNotification,
  resendNotification,
  cancelNotification,
  notifyCharge,
];

export const resources: ResourceDefinition[] = [];

export const prompts: PromptDefinition[] = [];
