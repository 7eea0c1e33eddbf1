/** What happened to a report or a protest, in the order in which it happened. */

import type { WriteContext } from '../../core/operation.ts';
import { cleanOutsideText } from '../../core/text.ts';
import { insertEvent, type LegalEventRow, selectKnownReports } from './queries.ts';
import type { LegalEvent, LegalKind } from './schema.ts';

const OUTSIDE_TEXT_MAX = 200;
const REPORT_ID_MAX = 200;

/** An answer of an office as it is kept. */
interface Told {
  readonly reportId: string;
  readonly at: Date;
  readonly reference: string | null;
  readonly reason: string | null;
}

/** Records something this side did or found. `details` holds codes, dates and amounts of ours. */
export async function recordEvent(
  context: WriteContext,
  kind: LegalKind,
  actionId: string,
  event: string,
  details: object = {},
): Promise<void> {
  await insertEvent(
    context.db,
    {
      organization_id: context.organizationId,
      id: context.newId(),
      kind,
      action_id: actionId,
      at: context.now,
      event,
      details,
      report_id: null,
    },
    context.now,
  );
}

/** Records what an office told; false when it told it before. Its words are cleaned and capped. */
export async function recordAnswer(
  context: WriteContext,
  kind: LegalKind,
  actionId: string,
  event: string,
  told: Told,
  details: object = {},
): Promise<boolean> {
  const added = await insertEvent(
    context.db,
    {
      organization_id: context.organizationId,
      id: context.newId(),
      kind,
      action_id: actionId,
      at: told.at,
      event,
      details: {
        ...details,
        ...(told.reference !== null && { reference: outsideText(told.reference) }),
        ...(told.reason !== null && { reason: outsideText(told.reason) }),
      },
      report_id: reportIdOf(told),
    },
    context.now,
  );
  return added > 0;
}

/** The name under which an answer is kept. */
export function reportIdOf({ reportId }: Pick<Told, 'reportId'>): string {
  return cleanOutsideText(reportId, REPORT_ID_MAX);
}

/** Which of the actions' answers are on record, as `action/report`. */
export async function knownReports(
  context: Pick<WriteContext, 'organizationId'> & { db: Parameters<typeof selectKnownReports>[0] },
  actionIds: readonly string[],
): Promise<Set<string>> {
  const known = await selectKnownReports(context.db, context.organizationId, actionIds);
  return new Set(known.map(({ action_id, report_id }) => `${action_id}/${report_id}`));
}

export function outsideText(text: string): string {
  return cleanOutsideText(text, OUTSIDE_TEXT_MAX);
}

export function legalEventOf(row: LegalEventRow): LegalEvent {
  return {
    id: row.id,
    at: row.at,
    event: row.event,
    is_from_office: row.report_id !== null,
    details: row.details as Record<string, unknown>,
  };
}
