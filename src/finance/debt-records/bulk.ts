/** The same change on many records: each succeeds or fails by itself. */

import { attempt } from '../../core/attempt.ts';
import { failArgument } from '../../core/errors.ts';
import type { WriteContext } from '../../core/operation.ts';
import { distinct } from '../debts/index.ts';
import type { DebtKind, DebtRow } from './kind.ts';
import { filterOf, type GivenFilter } from './list.ts';
import { lockCompaniesOf } from './locks.ts';
import { selectDebtIds } from './queries.ts';

/** Records of one call. */
export const BULK_MAX = 200;

export interface BulkResult {
  readonly requested: number;
  readonly succeeded: string[];
  readonly failed: { id: string; code: string; message: string }[];
}

/**
 * Changes each of the records named by ids or by a filter; one that cannot be is named in `failed` and the others go
 * on. Fails with `invalid_argument` unless exactly one of the two is given, and for a filter of more than 200.
 */
export async function changeMany<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  which: { readonly ids?: readonly string[] | undefined; readonly filter?: GivenFilter | undefined },
  change: (context: WriteContext, id: string) => Promise<unknown>,
): Promise<BulkResult> {
  const ids = await idsOf(context, kind, which);
  await lockCompaniesOf(context, kind, ids);
  const result: BulkResult = { requested: ids.length, succeeded: [], failed: [] };
  for (const [index, id] of ids.entries()) {
    const tried = await attempt(context, (inner) => change(inner, id));
    if ('error' in tried) {
      result.failed.push({ id, code: tried.error.code, message: tried.error.message });
    } else {
      result.succeeded.push(id);
    }
    context.progress({ done: index + 1, total: ids.length });
  }
  return result;
}

/** In order of the ids, so that two calls lock the same records in the same order. */
async function idsOf<Row extends DebtRow>(
  context: WriteContext,
  kind: DebtKind<Row>,
  { ids, filter }: { ids?: readonly string[] | undefined; filter?: GivenFilter | undefined },
): Promise<string[]> {
  if ((ids === undefined) === (filter === undefined)) failArgument('ids', 'either `ids` or `filter`');
  if (ids !== undefined) return distinct(ids).sort();
  const { db, workspaceId, today } = context;
  const planned = await filterOf(context, kind, filter!);
  const found = await selectDebtIds(db, kind, workspaceId, planned, today, BULK_MAX);
  if (found.length > BULK_MAX) {
    failArgument('filter', `a filter of at most ${BULK_MAX} records: narrow it and repeat for the rest`);
  }
  return found;
}
