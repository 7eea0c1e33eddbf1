/** What charges are worth on a date, from their terms and all that was paid. */

import type { CivilDate } from '../../core/dates.ts';
import type { Context } from '../../core/operation.ts';
import type { Amounts } from '../../core/terms.ts';
import { settingsOf } from '../settings/index.ts';
import { type EntryRow, selectEntries } from './ledger-queries.ts';
import type { ChargeRow } from './queries.ts';
import { type Entry, owedOn, type Ways } from './reckoning.ts';

/** What is owed on the charge on a date, by default today. */
export async function amountsOf(
  context: Context,
  row: ChargeRow,
  on: CivilDate = context.today,
): Promise<Amounts> {
  return (await amountsOfMany(context, [row], on)).get(row.id)!;
}

/** The same for many charges, by their ids: two statements whatever their number. */
export async function amountsOfMany(
  context: Context,
  rows: readonly ChargeRow[],
  on: CivilDate = context.today,
): Promise<ReadonlyMap<string, Amounts>> {
  const histories = await historiesOf(context, rows);
  return new Map(
    rows.map((row) => {
      const { entries, ways } = histories.get(row.id)!;
      return [row.id, owedOn(row, entries, on, ways)];
    }),
  );
}

/** All that counts for a charge, in its order, and how it is reckoned. */
export interface History {
  readonly entries: readonly Entry[];
  readonly ways: Ways;
}

/** The histories of charges by their ids: what `owedOn` needs besides the row. */
export async function historiesOf(
  context: Context,
  rows: readonly ChargeRow[],
): Promise<ReadonlyMap<string, History>> {
  if (rows.length === 0) return new Map();
  const { interestFrom, allocationOrder } = await settingsOf(context);
  const entries = await entriesOf(context, rows);
  const ways = { interestFrom, allocationOrder };
  return new Map(rows.map((row) => [row.id, { entries: entries.get(row.id) ?? [], ways }]));
}

/** Nothing was paid on a charge without a ledger. */
async function entriesOf(
  { db, organizationId }: Context,
  rows: readonly ChargeRow[],
): Promise<Map<string, EntryRow[]>> {
  const ids = rows.filter(({ ledger }) => ledger !== null).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  return Map.groupBy(await selectEntries(db, organizationId, ids), ({ charge_id }) => charge_id);
}
