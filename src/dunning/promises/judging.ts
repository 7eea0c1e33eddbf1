/** Promises come to an end when they are paid, when their day passes, or when nothing of them is owed. */

import type { WriteContext } from '../../core/operation.ts';
import { releaseCharges, requireCharges } from '../charges/index.ts';
import { selectOpenPromisesOf, selectOverduePromises, selectPromiseStanding } from './queries.ts';
import { changePromise, requirePromise } from './resource.ts';
import { promiseStatusOn } from './rules.ts';

/** So many in one transaction of the daily run. */
const BATCH = 200;

/** Judges the open promises about a charge, after anything happened to it. */
export async function judgePromisesOf(context: WriteContext, chargeId: string): Promise<void> {
  for (const id of await selectOpenPromisesOf(context.db, context.organizationId, chargeId)) {
    await judge(context, id);
  }
}

/** Judges promises whose last day has passed; gives how many, which is fewer than a batch when none is left. */
export async function judgeOverduePromises(context: WriteContext): Promise<{ readonly isMore: boolean }> {
  const found = await selectOverduePromises(context.db, context.organizationId, context.today, BATCH);
  // All charges before any promise: judged one after the other, two promises could wait in a circle with somebody.
  await requireCharges(
    context,
    found.flatMap(({ charge_ids }) => charge_ids),
  );
  for (const { id } of found) await judge(context, id);
  return { isMore: found.length === BATCH };
}

async function judge(context: WriteContext, id: string): Promise<void> {
  const seen = await requirePromise({ ...context, isWriting: false }, id);
  // Charges are locked before promises, whoever comes.
  await requireCharges(context, seen.charge_ids);
  const promise = await requirePromise(context, id);
  if (promise.status !== 'open') return;
  const standing = await selectPromiseStanding(context.db, promise);
  const status = promiseStatusOn(context.today, {
    amountCents: promise.amount_cents,
    keepUntil: promise.keep_until,
    paidCents: standing.paid_cents,
    isOwed: standing.is_owed,
  });
  if (status === 'open' && standing.paid_cents === promise.paid_cents) return;
  await changePromise(context, promise, {
    status,
    paid_cents: standing.paid_cents,
    ...(status !== 'open' && { ended_at: context.now.toISOString() }),
    ...(status === 'canceled' && { ended_reason: 'no_longer_owed' }),
  });
  if (status !== 'open') await releaseCharges(context, { reason: 'promise', sourceId: id });
}
