/** How many approvals wait. */

import type { PageContext } from './page.ts';

const COUNTED_MAX = 20;

export interface Pending {
  readonly records: number;
  /** There are more than were counted. */
  readonly hasMore: boolean;
}

/** Of the chosen books and of dunning together; null where they cannot be read, so that a page is shown without them. */
export async function pendingApprovals(ctx: PageContext): Promise<Pending | null> {
  const { workspaceId } = ctx;
  const lists = await Promise.all([
    workspaceId === null ? null : listOf(ctx, 'finance', `&workspace_id=${workspaceId}`),
    listOf(ctx, 'dunning', ''),
  ]);
  const read = lists.filter((list) => list !== null);
  if (read.length === 0) return null;
  return {
    records: read.reduce((sum, { records }) => sum + records, 0),
    hasMore: read.some(({ hasMore }) => hasMore),
  };
}

async function listOf(
  ctx: PageContext,
  domain: 'finance' | 'dunning',
  more: string,
): Promise<Pending | null> {
  if ((await ctx.caller(domain)) === null) return null;
  const path = `/${domain}/v1/approvals?status=pending&limit=${COUNTED_MAX}${more}`;
  const reply = await ctx.rest(domain, { method: 'GET', path });
  if (reply.status >= 400) return null;
  const list = reply.body as { items: readonly unknown[]; next_cursor: string | null };
  return { records: list.items.length, hasMore: list.next_cursor !== null };
}
