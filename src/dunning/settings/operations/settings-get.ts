import { operation } from '../../../core/operation.ts';
import { settingsInForce, settingsRecordOf } from '../resource.ts';
import { settingsSchema } from '../schema.ts';

export const getSettings = operation({
  name: 'dunning_settings_get',
  title: 'Get collection settings',
  summary: 'Time zone, creditor, default fine and interest, contact hours by state, legal defaults.',
  effect: 'read',
  scope: 'dunning.settings',
  input: {},
  output: settingsSchema,
  async run(_input, context) {
    return settingsRecordOf(await settingsInForce(context), context);
  },
});
