/** Sends deliveries and writes down what came of it. */

import type { Context, WriteContext } from '../../core/operation.ts';
import { cleanOutsideText } from '../../core/text.ts';
import type { WebhookAnswer, WebhookCall } from '../../gateways/webhooks/port.ts';
import { recordedCharge, requireCharges } from '../charges/index.ts';
import {
  type ClaimedDelivery,
  claimDue,
  selectDelivery,
  selectNextDue,
  updateAfterAttempt,
  updateBody,
} from './delivery-queries.ts';
import { deliverJob } from './resource.ts';
import { ATTEMPTS_KEPT, bodyOf, headersOf, secretsAt, verdictOn } from './rules.ts';
import type { Attempt } from './schema.ts';

/** Calls that all take as long as they may end well before the time in their signatures is old. */
const AT_ONCE_MAX = 40;
const CLAIM_HOLDS_MS = 120_000;
const ANSWER_LENGTH_MAX = 1_000;

/** Takes what is due, with its body made. */
export async function claim(context: WriteContext): Promise<ClaimedDelivery[]> {
  const { db, organizationId, now } = context;
  const staleBefore = new Date(now.getTime() - CLAIM_HOLDS_MS);
  return claimDue(db, organizationId, { now, staleBefore, limit: AT_ONCE_MAX });
}

/** Bodies for those told of many charges at once: the record as it is now, in each later attempt the same. */
export async function withBodies(
  context: Context,
  claimed: readonly ClaimedDelivery[],
): Promise<{ made: ClaimedDelivery[]; all: ClaimedDelivery[] }> {
  const bare = claimed.filter(({ payload }) => payload === '');
  if (bare.length === 0) return { made: [], all: [...claimed] };
  const ids = [...new Set(bare.map(({ resource_id }) => resource_id!))];
  const records = new Map((await requireCharges(context, ids)).map((row) => [row.id, recordedCharge(row)]));
  const made = bare.map((delivery) => ({
    ...delivery,
    payload: bodyOf({
      id: delivery.event_key,
      event: delivery.event,
      at: delivery.created_at,
      organizationId: context.organizationId,
      resource: { type: 'charge', id: delivery.resource_id! },
      data: records.get(delivery.resource_id!),
    }),
  }));
  return { made, all: [...claimed.filter(({ payload }) => payload !== ''), ...made] };
}

export async function keepBodies(context: WriteContext, made: readonly ClaimedDelivery[]): Promise<void> {
  for (const { id, payload } of made) await updateBody(context.db, context.organizationId, id, payload);
}

/** The call of a delivery, signed now. */
export function callOf(delivery: ClaimedDelivery, now: Date): WebhookCall {
  const { id, event, payload: body, url } = delivery;
  return { url, body, headers: headersOf({ id, event, body }, secretsAt(delivery, now), now) };
}

export async function recordAttempt(
  context: WriteContext,
  { id, url }: ClaimedDelivery,
  answer: WebhookAnswer,
): Promise<void> {
  const { db, organizationId, now } = context;
  const row = await selectDelivery(db, organizationId, id, true);
  // Its webhook was deleted meanwhile, and it with it.
  if (row === undefined) return;
  const number = (row.attempts.at(-1)?.number ?? 0) + 1;
  const verdict = verdictOn(answer, number, now);
  const attempt: Attempt = {
    number,
    at: now.toISOString(),
    url,
    ...resultOf(answer),
    duration_ms: answer.durationMs,
  };
  await updateAfterAttempt(
    db,
    organizationId,
    {
      id,
      status: verdict.status,
      attempts: [...row.attempts, attempt].slice(-ATTEMPTS_KEPT),
      next_attempt_at: 'at' in verdict ? verdict.at.toISOString() : null,
      delivered_at: verdict.status === 'delivered' ? now.toISOString() : null,
    },
    now,
  );
}

function resultOf(answer: WebhookAnswer): Pick<Attempt, 'status_code' | 'error' | 'answer'> {
  if (answer.kind === 'failed') return { status_code: null, error: answer.reason, answer: null };
  return {
    status_code: answer.status,
    error: null,
    answer: cleanOutsideText(answer.text, ANSWER_LENGTH_MAX),
  };
}

/** Comes back for the rest, or when the next one is due. */
export async function queueNext(context: WriteContext): Promise<void> {
  const at = await selectNextDue(context.db, context.organizationId);
  if (at === null) return;
  const due = new Date(at);
  context.enqueue(deliverJob(context.organizationId, due > context.now ? due : undefined));
}
