/** What came of handing messages over, written down; and messages of runs that ended before they could. */

import { attempt } from '../../core/attempt.ts';
import type { WriteContext } from '../../core/operation.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { FoundMessage } from '../../gateways/messages/port.ts';
import { markContact } from '../people/index.ts';
import { type NotificationRow, selectNotificationsById } from './queries.ts';
import { changeNotifications } from './resource.ts';
import {
  deleteSlots,
  selectAttempts,
  selectStale,
  updateClaims,
  updateExecutions,
} from './sending-queries.ts';
import { insertTrail, type TrailLine } from './trail-queries.ts';

const DETAIL_MAX = 300;
const STALE_MAX = 100;
/** Longer than a batch may take, so that nobody asks about a message that is just being handed over. */
const STALE_MS = 2 * 60_000;
/** Waits after an attempt that reached nobody; after the last one the message has failed. */
const BACKOFF_MINUTES = [1, 5, 15, 60] as const;

/** What came of handing a message over. */
export type Outcome =
  | {
      readonly id: string;
      readonly kind: 'sent';
      readonly providerId: string | null;
      readonly sentAt: string;
    }
  /** For good. `hasReached`: the debtor may have got it all the same. */
  | {
      readonly id: string;
      readonly kind: 'failed';
      readonly reason: FailedReason;
      readonly hasReached: boolean;
    }
  /** Surely not taken; tried again later. */
  | { readonly id: string; readonly kind: 'unreachable'; readonly detail: string }
  /** Surely not sent, and due as before. */
  | { readonly id: string; readonly kind: 'freed' }
  /** Perhaps taken; the claim stays until somebody asks. */
  | { readonly id: string; readonly kind: 'unknown'; readonly detail: string };

export type FailedReason = 'invalid_contact' | 'rejected' | 'outcome_unknown' | 'unreachable';

export interface Stale {
  readonly id: string;
  readonly channel: string;
  /** When it was taken to be sent: if it was, it was then. */
  readonly claimedAt: string;
}

/** Takes over messages that another run took and never recorded. */
export async function claimStale(context: WriteContext): Promise<{ claimId: string; stale: Stale[] }> {
  const { db, organizationId, now } = context;
  const claimId = context.newId();
  const rows = await selectStale(db, organizationId, new Date(now.getTime() - STALE_MS), STALE_MAX);
  if (rows.length > 0) {
    await updateClaims(
      context,
      claimId,
      rows.map(({ id }) => id),
    );
  }
  return {
    claimId,
    stale: rows.map(({ id, channel, claimed_at }) => ({ id, channel, claimedAt: claimed_at! })),
  };
}

/** What the carrier's answer about such a message means. */
export function outcomeOfFound({ id, claimedAt }: Stale, found: FoundMessage): Outcome {
  switch (found.state) {
    case 'taken':
      return { id, kind: 'sent', providerId: found.providerId, sentAt: claimedAt };
    case 'absent':
      return { id, kind: 'freed' };
    case 'unknowable':
      return { id, kind: 'failed', reason: 'outcome_unknown', hasReached: true };
  }
}

/** Writes down what came of the messages of one claim. */
export async function recordOutcomes(
  context: WriteContext,
  claimId: string,
  outcomes: readonly Recorded[],
): Promise<void> {
  const { db, organizationId, now } = context;
  const ids = outcomes.map(({ id }) => id);
  if (ids.length === 0) return;
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const rows = await selectNotificationsById(db, organizationId, ids, true);
  const attempts = await attemptsOf(context, ids);
  const settled = rows.flatMap((row): Settled[] => {
    const outcome = finalOf(byId.get(row.id)!, attempts.get(row.id) ?? 0);
    // A report may have come before this: then the message is past being sent. A claim that was taken over is not ours.
    const isOurs = row.claim_id === claimId && row.status === 'queued';
    if (!isOurs && outcome.kind !== 'sent') return [];
    return [{ row, outcome, after: afterOutcome(context, row, outcome, attempts.get(row.id) ?? 0) }];
  });
  await changeNotifications(
    context,
    settled.flatMap(({ row, after }) => (after === row ? [] : [{ before: row, after }])),
  );
  await insertTrail(
    db,
    organizationId,
    settled.flatMap((one) => linesOf(one, now)),
  );
  await deleteSlots(
    db,
    organizationId,
    settled.filter(({ outcome }) => !mayHaveReached(outcome)).map(({ row }) => row.id),
  );
  await endExecutions(context, settled);
  await markInvalid(context, settled);
}

interface Settled {
  readonly row: NotificationRow;
  readonly outcome: Recorded;
  readonly after: NotificationRow;
}

/** An outcome, and who carried the message. */
export type Recorded = Outcome & { readonly provider: string };

async function attemptsOf(
  { db, organizationId }: WriteContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await selectAttempts(db, organizationId, ids);
  return new Map(rows.map(({ notification_id, attempts }) => [notification_id, attempts]));
}

/** The last attempt that reaches nobody ends the message. */
function finalOf(outcome: Recorded, attempts: number): Recorded {
  const { id, kind, provider } = outcome;
  const isOver = (kind === 'unreachable' || kind === 'freed') && attempts >= BACKOFF_MINUTES.length;
  return isOver ? { id, provider, kind: 'failed', reason: 'unreachable', hasReached: false } : outcome;
}

function afterOutcome(
  { now }: WriteContext,
  row: NotificationRow,
  outcome: Recorded,
  attempts: number,
): NotificationRow {
  const { provider } = outcome;
  const free = { claimed_at: null, claim_id: null };
  switch (outcome.kind) {
    case 'sent':
      return {
        ...row,
        ...free,
        ...(isBeforeSent(row) && { status: 'sent', status_reason: null }),
        sent_at: row.sent_at ?? outcome.sentAt,
        provider,
        provider_id: outcome.providerId ?? row.provider_id,
      };
    case 'failed':
      return { ...row, ...free, provider, status: 'failed', status_reason: outcome.reason };
    case 'unreachable': {
      if (isCalledOff(row)) return { ...row, ...free, status: 'canceled' };
      const wait = BACKOFF_MINUTES[attempts]! * 60_000;
      return { ...row, ...free, scheduled_for: new Date(now.getTime() + wait).toISOString() };
    }
    case 'freed':
      return { ...row, ...free, ...(isCalledOff(row) && { status: 'canceled' }) };
    case 'unknown':
      return row;
  }
}

/** Somebody called it off while it was being sent, which is the only reason that a message without an end has. */
function isCalledOff({ status, status_reason }: NotificationRow): boolean {
  return status === 'queued' && status_reason !== null;
}

/** A report may have moved it on already; somebody who could not know may have given it up. */
function isBeforeSent({ status, status_reason }: NotificationRow): boolean {
  return status === 'queued' || (status === 'failed' && status_reason === 'outcome_unknown');
}

function linesOf({ row, outcome }: Settled, now: Date): TrailLine[] {
  const line = (status: string, detail: string | null, at = now.toISOString()): TrailLine[] => [
    { notificationId: row.id, at, status, detail, reportId: null },
  ];
  switch (outcome.kind) {
    case 'sent':
      return line('sent', null, outcome.sentAt);
    case 'failed':
      return line('failed', outcome.reason);
    case 'unreachable':
      return line('unreachable', cleanOutsideText(outcome.detail, DETAIL_MAX));
    case 'unknown':
      return line('unknown', cleanOutsideText(outcome.detail, DETAIL_MAX));
    case 'freed':
      return [];
  }
}

function mayHaveReached(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'sent':
    case 'unknown':
      return true;
    case 'failed':
      return outcome.hasReached;
    case 'unreachable':
    case 'freed':
      return false;
  }
}

async function endExecutions(context: WriteContext, settled: readonly Settled[]): Promise<void> {
  const ends = settled.flatMap(({ row, outcome }) =>
    outcome.kind !== 'failed' || row.execution_id === null
      ? []
      : [{ executionId: row.execution_id, status: 'failed' as const, reason: outcome.reason }],
  );
  if (ends.length > 0) await updateExecutions(context.db, context.organizationId, ends, context.now);
}

/** An address that its carrier knows to be none is not written to again. Locked in the order of the people. */
async function markInvalid(context: WriteContext, settled: readonly Settled[]): Promise<void> {
  const invalid = settled
    .filter(({ outcome }) => outcome.kind === 'failed' && outcome.reason === 'invalid_contact')
    .toSorted((left, right) => (left.row.person_id < right.row.person_id ? -1 : 1));
  for (const { row } of invalid) {
    const { contact_id: contactId } = row;
    // It may have been removed since.
    if (contactId !== null) {
      await attempt(context, (inner) => markContact(inner, contactId, { validity: 'bounced' }));
    }
  }
}
