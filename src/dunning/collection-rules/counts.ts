/** How much each rule has to do: counted once while the books stay as they are. */

import type { Context } from '../../core/operation.ts';
import { rememberByVersion } from '../../core/remembered.ts';
import { selectCounts } from './queries.ts';

export interface Counts {
  readonly steps: number;
  readonly charges: number;
}

const REMEMBERED_MAX = 1_000;
const counts = rememberByVersion<ReadonlyMap<string, Counts>>(REMEMBERED_MAX);

/** Steps in use and charges at work, by rule. `version` is what the rows were read at; null counts anew. */
export function countsOf(
  { db, organizationId }: Pick<Context, 'db' | 'organizationId'>,
  rules: readonly { readonly id: string }[],
  version: number | null,
): Promise<ReadonlyMap<string, Counts>> {
  const ids = rules.map(({ id }) => id);
  return counts.at(JSON.stringify([organizationId, ids]), version, async () => {
    const rows = await selectCounts(db, organizationId, ids);
    return {
      value: new Map(rows.map(({ rule_id, steps, charges }) => [rule_id, { steps, charges }])),
      version: rows[0]?.books_version ?? null,
    };
  });
}
