import { z } from 'zod';
import { operation } from '../../../core/operation.ts';
import { amountDueSql } from '../../charges/index.ts';
import { settingsOf } from '../../settings/index.ts';
import { type AgingRow, selectAging, selectNames } from '../queries.ts';
import { whileBooksStay } from '../remembering.ts';
import { openOf } from '../resource.ts';
import { added, BANDS_DEFAULT, type Band, bandsOf } from '../rules.ts';
import { agingSchema, groupings } from '../schema.ts';

const BANDS_MAX = 12;
const BAND_DAYS_MAX = 3_650;
const GROUPS_MAX = 100;

export const agingMetrics = operation({
  name: 'dunning_metrics_aging',
  title: 'Aging of open charges',
  summary: 'Open charges by days from the due date, in all or by debtor, rule, kind of person or state.',
  effect: 'read',
  scope: 'dunning.metrics',
  input: {
    bands: z
      .array(z.int().min(1).max(BAND_DAYS_MAX))
      .min(1)
      .max(BANDS_MAX)
      .default([...BANDS_DEFAULT])
      .describe('Last day of each band, rising; the last band is open. Default: 30, 90.'),
    group_by: z.enum(groupings).optional().describe(`The ${GROUPS_MAX} largest besides the whole.`),
  },
  output: agingSchema,
  async run(input, context) {
    const { db, organizationId, today } = context;
    const { group_by: groupBy } = input;
    const bands = bandsOf(input.bands);
    const settings = await settingsOf(context);
    const amountDue = amountDueSql('c', today, settings);
    const bandStarts = bands.map(({ fromDays }) => fromDays);
    const filter = { today, bandStarts, groupBy, groupsMax: GROUPS_MAX, amountDue };
    const rows = await whileBooksStay(context, ['aging', bandStarts, groupBy, settings.interestFrom], () =>
      selectAging(db, organizationId, filter),
    );
    const groups = [
      ...Map.groupBy(
        rows.filter(({ is_whole }) => !is_whole),
        ({ key }) => key,
      ),
    ].toSorted(
      ([leftKey, left], [rightKey, right]) =>
        openCents(right) - openCents(left) || (String(leftKey) < String(rightKey) ? -1 : 1),
    );
    const names =
      groupBy === 'person' || groupBy === 'collection_rule'
        ? await selectNames(db, organizationId, groupBy, groups.map(([key]) => key).filter(isGiven))
        : new Map<string, string>();
    return {
      as_of: today,
      currency: 'BRL' as const,
      filter: { bands: input.bands, group_by: groupBy ?? null },
      ...sumsOf(
        rows.filter(({ is_whole }) => is_whole),
        bands,
      ),
      groups: groups.map(([key, own]) => ({
        key,
        name: key === null ? null : (names.get(key) ?? null),
        ...sumsOf(own, bands),
      })),
      groups_count: rows[0]?.groups ?? 0,
    };
  },
});

function sumsOf(rows: readonly AgingRow[], bands: readonly Band[]) {
  return {
    not_yet_due: openOf(rows.filter(({ band }) => band === 0)),
    overdue: openOf(rows.filter(({ band }) => band > 0)),
    total: openOf(rows),
    bands: bands.map(({ fromDays, toDays }, index) => ({
      from_days: fromDays,
      to_days: toDays,
      ...openOf(rows.filter(({ band }) => band === index + 1)),
    })),
  };
}

function openCents(rows: readonly AgingRow[]): number {
  return added(rows, ({ open_cents }) => open_cents);
}

function isGiven(key: string | null): key is string {
  return key !== null;
}
