import { z } from 'zod';
import { failArgument } from '../../../core/errors.ts';
import { date } from '../../../core/fields.ts';
import { operation } from '../../../core/operation.ts';
import { type AgingRow, selectAging, selectNames } from '../queries.ts';
import { sumOf } from '../resource.ts';
import { BANDS_DEFAULT, type Band, bandsOf } from '../rules.ts';
import { agingSchema } from '../schema.ts';

const BANDS_MAX = 12;
const BAND_DAYS_MAX = 3_650;
const GROUPS_MAX = 1_000;

export const agingReport = operation({
  name: 'finance_reports_aging',
  title: 'Aging of open amounts',
  summary: 'Open principal of payables or receivables by delay, on a date, in all or by person or company.',
  effect: 'read',
  scope: 'finance.reports',
  input: {
    kind: z.enum(['payables', 'receivables']),
    as_of: date().optional().describe('Default: today. A past date counts what was open then.'),
    bands: z
      .array(z.int().min(1).max(BAND_DAYS_MAX))
      .min(1)
      .max(BANDS_MAX)
      .default([...BANDS_DEFAULT])
      .describe('Last day of each band, rising; the last band is open. Default: 30, 60, 90, 180.'),
    group_by: z
      .enum(['person', 'company'])
      .optional()
      .describe(`The ${GROUPS_MAX.toLocaleString('en')} largest besides the whole.`),
  },
  output: agingSchema,
  async run(input, { db, workspaceId, today, timeZone }) {
    const { kind, as_of: asOf = today, group_by: groupBy } = input;
    if (asOf > today) failArgument('as_of', 'a date not after today');
    const bands = bandsOf(input.bands);
    const rows = await selectAging(db, workspaceId, {
      kind: kind === 'payables' ? 'payable' : 'receivable',
      asOf,
      today,
      timeZone,
      bandStarts: bands.map(({ fromDays }) => fromDays),
      groupBy,
      groupsMax: GROUPS_MAX,
    });
    const byGroup = Map.groupBy(rows, ({ group_id }) => group_id);
    const whole = byGroup.get(null) ?? [];
    byGroup.delete(null);
    const names =
      groupBy === undefined
        ? new Map<string, string>()
        : await selectNames(db, workspaceId, groupBy, [...byGroup.keys()] as string[]);
    const groups = ([...byGroup] as [string, AgingRow[]][]).toSorted(
      ([leftId, left], [rightId, right]) => totalOf(right) - totalOf(left) || (leftId < rightId ? -1 : 1),
    );
    return {
      as_of: today,
      currency: 'BRL' as const,
      filter: { kind, as_of: asOf, bands: input.bands, group_by: groupBy ?? null },
      ...sumsOf(whole, bands),
      groups: groups.map(([id, own]) => ({ id, name: names.get(id)!, ...sumsOf(own, bands) })),
      groups_count: rows[0]?.groups ?? 0,
    };
  },
});

function sumsOf(rows: readonly AgingRow[], bands: readonly Band[]) {
  return {
    not_yet_due: sumOf(added(rows.filter(({ band }) => band === 0))),
    overdue: sumOf(added(rows.filter(({ band }) => band > 0))),
    total: sumOf(added(rows)),
    bands: bands.map(({ fromDays, toDays }, index) => ({
      from_days: fromDays,
      to_days: toDays,
      ...sumOf(added(rows.filter(({ band }) => band === index + 1))),
    })),
  };
}

function totalOf(rows: readonly AgingRow[]): number {
  return added(rows).amount;
}

function added(rows: readonly AgingRow[]): { amount: number; count: number } {
  return {
    amount: rows.reduce((sum, { cents }) => sum + cents, 0),
    count: rows.reduce((sum, { documents }) => sum + documents, 0),
  };
}
