import { operation } from '../../../core/operation.ts';
import { preferencesOf, settingsInForce } from '../resource.ts';
import { preferencesSchema } from '../schema.ts';

export const getNotificationPreferences = operation({
  name: 'dunning_notification_preferences_get',
  title: 'Get notification preferences',
  summary: 'Channels in use, sender, daily caps, quiet hours and language of messages.',
  effect: 'read',
  scope: 'dunning.settings',
  input: {},
  output: preferencesSchema,
  async run(_input, context) {
    return preferencesOf(await settingsInForce(context));
  },
});
