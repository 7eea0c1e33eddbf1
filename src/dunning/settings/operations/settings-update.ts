import { failArgument } from '../../../core/errors.ts';
import { operation } from '../../../core/operation.ts';
import { changeSettings, settingsRecordOf } from '../resource.ts';
import { changedSettings } from '../rules.ts';
import { settingsFields, settingsSchema } from '../schema.ts';

export const updateSettings = operation({
  name: 'dunning_settings_update',
  title: 'Update collection settings',
  summary:
    'Change what collection is held to from now on; hours and notice may only be stricter than the law.',
  effect: 'write',
  scope: 'dunning.settings',
  hints: { idempotent: true },
  input: settingsFields,
  output: settingsSchema,
  async run(input, context) {
    const isChange = Object.keys(settingsFields).some(
      (field) => input[field as keyof typeof input] !== undefined,
    );
    if (!isChange) failArgument('creditor', 'at least one setting to change');
    const after = await changeSettings(context, (before) => changedSettings(before, input));
    return settingsRecordOf(after, context);
  },
});
