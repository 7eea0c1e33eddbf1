import type { Context } from '../../core/operation.ts';
import { decodeCursor, pageOf } from '../../core/paging.ts';
import { legalEventOf } from './events.ts';
import { eventSorts, selectEvents, selectLastAnswer, selectLiveAction } from './queries.ts';
import type { LegalEvent, LegalKind } from './schema.ts';

/** The live action of a charge; null without one. */
export async function liveActionOf(
  context: Context,
  chargeId: string,
): Promise<{ kind: LegalKind; id: string } | null> {
  const found = await selectLiveAction(context.db, context.organizationId, chargeId);
  return found === undefined ? null : { kind: found.kind, id: found.action_id };
}

/** When the newest answer of the office happened; null before any. */
export async function lastAnswerAt(context: Context, actionId: string): Promise<Date | null> {
  const found = await selectLastAnswer(context.db, context.organizationId, actionId);
  return found?.at == null ? null : new Date(found.at);
}

/** A page of the events of an action that the caller may see. */
export async function pageOfEvents(
  context: Context,
  actionId: string,
  input: { sort: string; cursor?: string | undefined; limit: number },
): Promise<{ items: LegalEvent[]; next_cursor: string | null }> {
  const sort = eventSorts[input.sort]!;
  const position = decodeCursor(sort, input.cursor);
  const found = await selectEvents(context.db, context.organizationId, actionId, {
    sort,
    position,
    limit: input.limit,
  });
  const page = pageOf(found, input.limit, sort, ({ at, id }) => ({ key: at, id }));
  return { items: page.rows.map(legalEventOf), next_cursor: page.next_cursor };
}
