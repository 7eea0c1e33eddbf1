import { z } from 'zod';
import { operation } from '../../../core/operation.ts';
import { templateChannel } from '../schema.ts';
import { templateVariables } from '../variables.ts';

export const listTemplateVariables = operation({
  name: 'dunning_template_variables_list',
  title: 'List template variables',
  summary:
    'The variables a template may name, with examples. Lines that name one of a charge repeat for each charge.',
  effect: 'read',
  scope: 'dunning.templates',
  input: { channel: templateChannel.optional().describe('Only what this channel takes.') },
  output: z.object({
    items: z.array(
      z.object({
        name: z.string(),
        scope: z.enum(['message', 'charge']).describe('What it tells of.'),
        description: z.string(),
        example: z.string(),
        channels: z.array(templateChannel),
        allowed_in_subject: z.boolean(),
      }),
    ),
  }),
  async run({ channel }) {
    const usable = templateVariables.filter(
      ({ channels }) => channel === undefined || channels.includes(channel),
    );
    return {
      items: usable.map(({ isDebtDetail, channels, ...variable }) => ({
        ...variable,
        channels: [...channels],
        allowed_in_subject: !isDebtDetail,
      })),
    };
  },
});
