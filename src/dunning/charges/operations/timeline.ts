import { z } from 'zod';
import { id, listArguments, listOutput, moneyText } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { decodeCursor, pageOf } from '../../../core/paging.ts';
import { requireCharge } from '../resource.ts';
import { selectTimeline, type TimelineRow, timelineSorts } from '../timeline-queries.ts';

const { cursor, limit } = listArguments;

const entrySchema = z.object({
  at: z.string(),
  kind: z.string().describe('Kind of the record it is about.'),
  id: z.string().describe('That record.'),
  event: z.string().describe('Of the charge itself, the tool or job that changed it.'),
  amount: z.string().nullable(),
  channel: z.string().nullable(),
  note: z.string().nullable().describe('Text that somebody wrote.'),
  actor_id: z.string().nullable(),
});

export const getChargeTimeline = operation({
  name: 'dunning_charges_timeline',
  title: 'Charge timeline',
  summary:
    'Everything that happened to one charge in order: changes, payments, messages, disputes, legal events.',
  effect: 'read',
  scope: 'dunning.charges',
  input: { id: id('the charge'), sort: z.enum(['-at', 'at']).default('-at'), cursor, limit },
  output: listOutput(entrySchema),
  async run(input, context) {
    const charge = await requireCharge(context, input.id);
    const sort = timelineSorts[input.sort]!;
    const position = decodeCursor(sort, input.cursor);
    const found = await selectTimeline(context.db, context.organizationId, charge.id, {
      sort,
      position,
      limit: input.limit,
    });
    const { rows, next_cursor } = pageOf(found, input.limit, sort, ({ at, id: place }) => ({
      key: at,
      id: place,
    }));
    return { items: rows.map(entryOf), next_cursor };
  },
});

function entryOf(row: TimelineRow): z.input<typeof entrySchema> {
  return {
    at: row.at,
    kind: row.kind,
    id: row.record_id,
    event: row.event,
    amount: row.amount_cents === null ? null : moneyText(row.amount_cents),
    channel: row.channel,
    note: row.note,
    actor_id: row.actor_id,
  };
}
