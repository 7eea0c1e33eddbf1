import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { legalEventSchema, pageOfEvents } from '../../legal/index.ts';
import { negativationOf, requireNegativation } from '../resource.ts';
import { negativationSchema } from '../schema.ts';

const EVENTS_SHOWN = 50;

export const getNegativation = operation({
  name: 'dunning_negativations_get',
  title: 'Get credit-bureau report',
  summary: 'One report to a credit bureau with the proof of its prior notice and its latest events.',
  effect: 'read',
  scope: 'dunning.legal',
  input: { id: id('the report') },
  output: negativationSchema.extend({
    events: z.array(legalEventSchema).describe(`The ${EVENTS_SHOWN} newest, newest first.`),
  }),
  async run(input, context) {
    const row = await requireNegativation(context, input.id);
    const { items } = await pageOfEvents(context, row.id, { sort: '-at', limit: EVENTS_SHOWN });
    return { ...negativationOf(row), events: items };
  },
});
