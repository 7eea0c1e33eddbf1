/** What the day, the charge and its agreement do to a live report. */

import type { WriteContext } from '../../core/operation.ts';
import { type ChargeRow, requireCharge } from '../charges/index.ts';
import { removalDeadline } from '../contact-law/index.ts';
import {
  dropCommand,
  failedRules,
  fateOf,
  type LegalRule,
  legalChecksOf,
  liveActionOf,
  queueCommand,
  recordEvent,
  rulesBlockedByGate,
  settingOf,
} from '../legal/index.ts';
import { cancelNotifications } from '../notifications/index.ts';
import { type Settings, settingsOf } from '../settings/index.ts';
import { sendNotice, watchNotice } from './notices.ts';
import { selectGrounds } from './queries.ts';
import { registrationRequest, removalRequest } from './requests.ts';
import { type NegativationRow, requireNegativation, storeNegativation } from './resource.ts';
import {
  afterExpiry,
  afterStop,
  expiryRemovalFrom,
  hasLiveNotice,
  isRemovalDue,
  mayRegister,
  type StopReason,
} from './rules.ts';

/** Rules that only make it wait: they may be met again without anybody asking for the report anew. */
const waitsFor: ReadonlySet<LegalRule> = new Set(['not_paused', 'creditor_known', 'days_overdue']);

/** Does to the live report of a charge what has become due: it is canceled, registered, removed. */
export async function followNegativation(context: WriteContext, chargeId: string): Promise<void> {
  const found = await liveActionOf(context, chargeId);
  if (found?.kind !== 'negativation') return;
  const charge = await requireCharge(context, chargeId);
  await advance(context, await requireNegativation(context, found.id), charge);
}

/** The same for a report and its charge, both locked. */
export async function advance(context: WriteContext, row: NegativationRow, charge: ChargeRow): Promise<void> {
  const settings = await settingsOf(context);
  const ground = await groundFor(context, row, charge, settings);
  if (ground !== null && row.status !== 'removal_requested') {
    await stop(context, row, charge, ground);
    return;
  }
  switch (row.status) {
    case 'approved':
    case 'notice_sent': {
      const watched = hasLiveNotice(row)
        ? await watchNotice(context, row, charge)
        : await sendNotice(context, row, charge);
      await registerWhenDue(context, watched, charge);
      return;
    }
    case 'registered':
      if (context.today >= expiryRemovalFrom(row.expires_on)) {
        await stop(context, row, charge, { reason: 'expired', deadline: row.expires_on });
      }
      return;
    case 'removal_requested':
      await pursueRemoval(context, row, charge, settings);
      return;
  }
}

/** Calls the report off; see `afterStop` for what that means in each state. */
export async function stop(
  context: WriteContext,
  row: NegativationRow,
  charge: ChargeRow,
  {
    reason,
    deadline,
    failed,
    note,
  }: { reason: StopReason; deadline: string; failed?: readonly LegalRule[]; note?: string },
): Promise<NegativationRow> {
  const { fate, row: command } = await fateOf(context, row.id, 'register');
  const at = context.now.toISOString();
  const { state, needs } = afterStop(row, { reason, at, deadline }, fate === 'in_flight');
  if (state === row) return row;
  const event = state.status === 'canceled' ? 'canceled' : 'removal_requested';
  await recordEvent(context, 'negativation', row.id, event, {
    reason,
    ...(failed && { failed }),
    ...(note && { note }),
  });
  const stored = await storeNegativation(context, row, state);
  if (needs === 'drop') {
    if (fate === 'unsent') await dropCommand(context, command!, reason);
    await cancelNotifications(context, { negativationId: row.id }, reason);
  }
  if (needs === 'removal') await queueRemoval(context, stored, charge, reason);
  return stored;
}

/** Asks the bureau to remove what it shows. */
export async function queueRemoval(
  context: WriteContext,
  row: NegativationRow,
  charge: ChargeRow,
  reason: string,
): Promise<void> {
  const settings = await settingsOf(context);
  await queueCommand(context, 'negativation', row.id, 'remove', (key) =>
    removalRequest(row, charge.person_document_number, settings, reason, key),
  );
}

/** The rules that stand against registering it now: those that end it, and those it can wait for. */
export async function obstaclesOf(
  context: WriteContext,
  row: NegativationRow,
  charge: ChargeRow,
): Promise<{ ending: LegalRule[]; waiting: LegalRule[]; setting: Awaited<ReturnType<typeof settingOf>> }> {
  const setting = await settingOf(context, 'negativation', charge, { own: row });
  const broken = new Set([
    ...failedRules(legalChecksOf(setting.situation)),
    ...(await rulesBlockedByGate(context, charge)),
  ]);
  // The notice is proven by now.
  broken.delete('notice_possible');
  const all = [...broken];
  return {
    setting,
    ending: all.filter((rule) => !waitsFor.has(rule)),
    waiting: all.filter((rule) => waitsFor.has(rule)),
  };
}

export function reasonBehind(failed: readonly LegalRule[]): StopReason {
  if (failed.includes('not_paid')) return 'paid';
  if (failed.includes('not_canceled')) return 'charge_canceled';
  if (failed.includes('not_in_agreement')) return 'in_agreement';
  if (failed.includes('not_disputed') || failed.includes('no_payment_claim')) return 'disputed';
  return 'no_longer_allowed';
}

/** The last look: everything is checked again, and only then is the bureau asked. */
async function registerWhenDue(
  context: WriteContext,
  row: NegativationRow,
  charge: ChargeRow,
): Promise<void> {
  if (context.today > row.expires_on) {
    await stop(context, row, charge, { reason: 'no_longer_allowed', deadline: context.today });
    return;
  }
  if (!mayRegister(row, context.today)) return;
  const { fate } = await fateOf(context, row.id, 'register');
  if (fate === 'unsent' || fate === 'in_flight') return;
  const { ending, waiting, setting } = await obstaclesOf(context, row, charge);
  if (ending.length > 0) {
    const deadline = removalDeadline(context.today);
    await stop(context, row, charge, { reason: reasonBehind(ending), deadline, failed: ending });
    return;
  }
  if (waiting.length > 0) {
    if (row.status_reason === waiting[0]) return;
    await recordEvent(context, 'negativation', row.id, 'registration_waits', { failed: waiting });
    await storeNegativation(context, row, { ...row, status_reason: waiting[0]! });
    return;
  }
  const added = await queueCommand(context, 'negativation', row.id, 'register', (key) =>
    registrationRequest(row, setting, key),
  );
  if (added) await recordEvent(context, 'negativation', row.id, 'registration_asked');
}

/** Why the report has to end, from what happened to the charge; null while nothing did. */
async function groundFor(
  context: WriteContext,
  row: NegativationRow,
  charge: ChargeRow,
  { legal }: Settings,
): Promise<{ reason: StopReason; deadline: string } | null> {
  const { db, organizationId, today } = context;
  const grounds = await selectGrounds(db, organizationId, charge.id, row.created_at);
  const from = (date: string) => removalDeadline(date, legal.removalBusinessDays);
  const isShown = row.status === 'registered';
  // A dispute that was won leaves the charge paid or canceled, which is not why the report was wrong.
  if (grounds?.is_dispute_upheld) return { reason: 'dispute_upheld', deadline: from(today) };
  if (charge.status === 'paid') return { reason: 'paid', deadline: from(charge.paid_on ?? today) };
  if (charge.status === 'canceled') return { reason: 'charge_canceled', deadline: from(today) };
  if (charge.status === 'in_agreement') {
    const isEnough =
      !isShown ||
      legal.removeBureauOn === 'accept' ||
      (legal.removeBureauOn === 'first_installment' && grounds?.has_paid_installment);
    return isEnough ? { reason: 'in_agreement', deadline: from(today) } : null;
  }
  return charge.is_disputed && !isShown ? { reason: 'disputed', deadline: from(today) } : null;
}

/** Warns before the deadline, asks again what was refused, and ends with the five years at the latest. */
async function pursueRemoval(
  context: WriteContext,
  row: NegativationRow,
  charge: ChargeRow,
  { legal }: Settings,
): Promise<void> {
  const { today, now } = context;
  const removal = row.removal!;
  if (today > row.expires_on) {
    await recordEvent(context, 'negativation', row.id, 'expired');
    await storeNegativation(context, row, afterExpiry(row, now.toISOString()));
    return;
  }
  const { fate } = await fateOf(context, row.id, 'remove');
  if (fate === 'none' || fate === 'over') await queueRemoval(context, row, charge, removal.reason);
  const deadline = deadlineOf(charge, removal.deadline, legal.removalBusinessDays);
  const sooner = { ...row, removal: { ...removal, deadline }, removal_deadline: deadline };
  const isDue = isRemovalDue(sooner, today);
  if (!isDue && deadline === removal.deadline) return;
  if (isDue) await recordEvent(context, 'negativation', row.id, 'removal_due', { deadline });
  const warned_on = isDue ? today : removal.warned_on;
  await storeNegativation(context, row, { ...sooner, removal: { ...removal, deadline, warned_on } });
}

/** Being paid while a later deadline runs brings the one of the payment. */
function deadlineOf(charge: ChargeRow, deadline: string, businessDays: number): string {
  if (charge.status !== 'paid' || charge.paid_on === null) return deadline;
  const byPayment = removalDeadline(charge.paid_on, businessDays);
  return byPayment < deadline ? byPayment : deadline;
}
