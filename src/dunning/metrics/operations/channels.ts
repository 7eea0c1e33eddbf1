import { operation } from '../../../core/operation.ts';
import { selectChannels, selectRecovered } from '../queries.ts';
import { filterOf, messagesOf, paidAfter, recoveredSumOf } from '../resource.ts';
import { recoveredOf, windowOf } from '../rules.ts';
import { channelsSchema, monthsArgument } from '../schema.ts';

export const channelMetrics = operation({
  name: 'dunning_metrics_channels',
  title: 'Channel metrics',
  summary: 'Messages delivered and read on each channel, and what was recovered after them.',
  effect: 'read',
  scope: 'dunning.metrics',
  input: { months: monthsArgument },
  output: channelsSchema,
  async run(input, { db, organizationId, today, timeZone }) {
    const window = windowOf(input.months, today);
    const messages = await selectChannels(db, organizationId, { from: window.from, timeZone });
    const recovered = await selectRecovered(db, organizationId, {
      monthStarts: [window.from],
      to: today,
      personId: undefined,
    });
    const names = new Set([...messages, ...recovered].map(({ channel }) => channel));
    names.delete('none');
    return {
      as_of: today,
      currency: 'BRL' as const,
      filter: filterOf(window),
      channels: [...names].sort().map((channel) => {
        const sums = messagesOf(messages.filter((row) => row.channel === channel));
        const paid = recovered.filter((row) => row.channel === channel);
        return { channel, ...sums, ...paidAfter(paid, sums.delivered) };
      }),
      without_message: recoveredSumOf(recoveredOf(recovered.filter(({ channel }) => channel === 'none'))),
    };
  },
});
