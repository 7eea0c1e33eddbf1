import { z } from 'zod';
import { id } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { legalEventSchema, pageOfEvents } from '../../legal/index.ts';
import { protestOf, requireProtest } from '../resource.ts';
import { protestSchema } from '../schema.ts';

const EVENTS_SHOWN = 50;

export const getProtest = operation({
  name: 'dunning_protests_get',
  title: 'Get protest',
  summary: 'One protest: notary office, protocol, deadlines, costs, and its latest events.',
  effect: 'read',
  scope: 'dunning.legal',
  input: { id: id('the protest') },
  output: protestSchema.extend({
    events: z.array(legalEventSchema).describe(`The ${EVENTS_SHOWN} newest, newest first.`),
  }),
  async run(input, context) {
    const row = await requireProtest(context, input.id);
    const { items } = await pageOfEvents(context, row.id, { sort: '-at', limit: EVENTS_SHOWN });
    return { ...protestOf(row), events: items };
  },
});
