import { failArgument } from '../../../core/errors.ts';
import { operation } from '../../../core/operation.ts';
import { changeSettings, preferencesOf } from '../resource.ts';
import { changedPreferences } from '../rules.ts';
import { preferenceFields, preferencesSchema } from '../schema.ts';

export const updateNotificationPreferences = operation({
  name: 'dunning_notification_preferences_update',
  title: 'Update notification preferences',
  summary: 'Change channels in use, sender, daily caps, quiet hours or language of messages from now on.',
  effect: 'write',
  scope: 'dunning.settings',
  hints: { idempotent: true },
  input: preferenceFields,
  output: preferencesSchema,
  async run(input, context) {
    const isChange = Object.keys(preferenceFields).some(
      (field) => input[field as keyof typeof input] !== undefined,
    );
    if (!isChange) failArgument('channels', 'at least one preference to change');
    return preferencesOf(await changeSettings(context, (before) => changedPreferences(before, input)));
  },
});
