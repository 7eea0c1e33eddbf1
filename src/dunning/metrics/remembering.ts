/** Sums over every open charge take seconds in a large portfolio: they are made once while the books stay as they are. */

import type { Context } from '../../core/operation.ts';
import { rememberByVersion } from '../../core/remembered.ts';
import { selectBooksVersion } from './queries.ts';

const REMEMBERED_MAX = 200;
const remembered = rememberByVersion<unknown>(REMEMBERED_MAX);

/**
 * The answer for what the key names, in the organization and on the day of the context. It is kept under the version read
 * before it was computed, so that a change meanwhile makes it anew.
 */
export async function whileBooksStay<Value>(
  { db, organizationId, today }: Context,
  key: readonly unknown[],
  compute: () => Promise<Value>,
): Promise<Value> {
  const version = await selectBooksVersion(db, organizationId);
  const value = await remembered.at(JSON.stringify([organizationId, today, ...key]), version, async () => ({
    value: await compute(),
    version,
  }));
  return value as Value;
}
