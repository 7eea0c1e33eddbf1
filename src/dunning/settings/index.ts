/** What collection is held to: terms, contact hours, caps, legal defaults, and how messages go out. */

import type { PromptDefinition, ResourceDefinition } from '../../core/surfaces.ts';
import { getNotificationPreferences } from './operations/notification-preferences-get.ts';
import { updateNotificationPreferences } from './operations/notification-preferences-update.ts';
import { getSettings } from './operations/settings-get.ts';
import { updateSettings } from './operations/settings-update.ts';

export { settingsOf } from './resource.ts';
export {
  type Creditor,
  contactPolicyOf,
  defaultSettings,
  type LegalSettings,
  type Preferences,
  type Settings,
} from './rules.ts';

export const operations = [
  getSettings,
  updateSettings,
  getNotificationPreferences,
  updateNotificationPreferences,
];

export const resources: ResourceDefinition[] = [
  {
    uri: 'kobana://dunning/notification-preferences',
    name: 'notification_preferences',
    title: 'Notification preferences',
    description: "The organization's notification preferences.",
    mimeType: 'application/json',
    operation: 'dunning_notification_preferences_get',
    ttlMs: 0,
  },
];

export const prompts: PromptDefinition[] = [];
