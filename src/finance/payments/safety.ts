/** The safety net of payments: what is risky about them, and what the settings of the payer do about it. */

import { fail } from '../../core/errors.ts';
import { type Cents, formatMoney } from '../../core/money.ts';
import type { Context } from '../../core/operation.ts';
import { bookBalanceOf } from '../accounts/index.ts';
import { balanceFloorOf, type Safety, type SafetyMode } from '../approval-settings/index.ts';
import { type Connection, lockConnection, selectOnItsWay, selectSentOn } from './queries.ts';

/** A change of bank details counts this long: the commonest payment fraud (MODEL §18). */
const CHANGED_DAYS = 7;

/** What makes a payment risky. */
export type SafetyReason = 'changed_bank_details' | 'possible_duplicate' | 'balance_floor' | 'daily_limit';

/** How far the payments of one call cross the limits they are held to, in centavos; null: not at all. */
export interface CrossedLimits {
  readonly balance_floor: {
    readonly floor: Cents;
    /** Of the account, less the orders on their way. */
    readonly balanceAfter: Cents;
    readonly mode: SafetyMode;
  } | null;
  readonly daily_limit: {
    readonly limit: Cents;
    /** By this connection today, with the payments of the call. */
    readonly sentToday: Cents;
    readonly mode: SafetyMode;
  } | null;
}

/** Whoever sends at the same moment by the same connection waits, when there is a limit to what it sends. */
export async function lockDailyLimit(context: Context, { daily_limit }: Safety): Promise<void> {
  if (context.isWriting && daily_limit !== null) {
    await lockConnection(context.db, context.workspaceId, connectionOf(context));
  }
}

/** The limits that payments of `total` from an account, which the caller holds locked when writing, would cross. */
export async function limitsCrossedBy(
  context: Context,
  payer: { readonly account: { readonly id: string }; readonly safety: Safety },
  total: Cents,
): Promise<CrossedLimits> {
  const { db, workspaceId, today, timeZone } = context;
  const { account, safety } = payer;
  const floor = balanceFloorOf(safety, account.id);
  const balance =
    floor === null
      ? 0
      : (await bookBalanceOf(context, account)) - (await selectOnItsWay(db, workspaceId, account.id));
  const dailyLimit = safety.daily_limit;
  const sentBefore =
    dailyLimit === null ? 0 : await selectSentOn(db, workspaceId, connectionOf(context), today, timeZone);
  return crossedLimits({ floor, balance, dailyLimit, sentBefore, total });
}

/** What is risky about one order, whatever the others of the call are. */
export function risksOf(order: {
  readonly detailsChangedDaysAgo: number | null;
  readonly lookalikes: readonly unknown[];
}): ('changed_bank_details' | 'possible_duplicate')[] {
  const { detailsChangedDaysAgo: days, lookalikes } = order;
  const hasChanged = days !== null && days < CHANGED_DAYS;
  return [
    ...(hasChanged ? (['changed_bank_details'] as const) : []),
    ...(lookalikes.length > 0 ? (['possible_duplicate'] as const) : []),
  ];
}

/** Where the limits of an account and a connection are crossed by payments of `total` more. */
export function crossedLimits(question: {
  readonly floor: { readonly amount_cents: Cents; readonly mode: SafetyMode } | null;
  /** Book balance less the orders on their way. */
  readonly balance: Cents;
  readonly dailyLimit: Safety['daily_limit'];
  readonly sentBefore: Cents;
  readonly total: Cents;
}): CrossedLimits {
  const { floor, dailyLimit, total } = question;
  const balanceAfter = question.balance - total;
  const sentToday = question.sentBefore + total;
  return {
    balance_floor:
      floor === null || total === 0 || balanceAfter >= floor.amount_cents
        ? null
        : { floor: floor.amount_cents, balanceAfter, mode: floor.mode },
    daily_limit:
      dailyLimit === null || total === 0 || sentToday <= dailyLimit.amount_cents
        ? null
        : { limit: dailyLimit.amount_cents, sentToday, mode: dailyLimit.mode },
  };
}

/** Fails with `payment_blocked`, naming every risk that the settings refuse. */
export function requireSafe(
  safety: Safety,
  risks: readonly ('changed_bank_details' | 'possible_duplicate')[],
  { balance_floor: floor, daily_limit: daily }: CrossedLimits,
): void {
  const reasons: SafetyReason[] = risks.filter((risk) => safety[risk] === 'refuse');
  if (floor?.mode === 'refuse') reasons.push('balance_floor');
  if (daily?.mode === 'refuse') reasons.push('daily_limit');
  if (reasons.length === 0) return;
  fail('payment_blocked', {
    reasons,
    ...(floor?.mode === 'refuse' && {
      balance_floor: formatMoney(floor.floor),
      balance_after: formatMoney(floor.balanceAfter),
    }),
    ...(daily?.mode === 'refuse' && {
      daily_limit: formatMoney(daily.limit),
      sent_today: formatMoney(daily.sentToday),
    }),
  });
}

function connectionOf({ caller }: Context): Connection {
  return { tokenId: caller.tokenId, userId: caller.user.id };
}
