/** What the day and the charge do to a live protest. */

import type { WriteContext } from '../../core/operation.ts';
import { type ChargeRow, requireCharge } from '../charges/index.ts';
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
  type Setting,
  settingOf,
} from '../legal/index.ts';
import { settingsOf } from '../settings/index.ts';
import { changeRequest, protestRequest } from './requests.ts';
import { type ProtestRow, requireProtest, storeProtest } from './resource.ts';
import { afterStop, type StopReason } from './rules.ts';

/** Rules that only make it wait: they may be met again without anybody asking for the protest anew. */
const waitsFor: ReadonlySet<LegalRule> = new Set(['not_paused', 'creditor_known', 'days_overdue']);

/** Does to the live protest of a charge what the charge asks for: it is canceled, withdrawn, or consented to. */
export async function followProtest(context: WriteContext, chargeId: string): Promise<void> {
  const found = await liveActionOf(context, chargeId);
  if (found?.kind !== 'protest') return;
  const charge = await requireCharge(context, chargeId);
  await advance(context, await requireProtest(context, found.id), charge);
}

/** The same for a protest and its charge, both locked. */
export async function advance(context: WriteContext, row: ProtestRow, charge: ChargeRow): Promise<void> {
  const reason = groundFor(row, charge);
  if (reason !== null) {
    await stop(context, row, charge, reason);
    return;
  }
  if (row.status === 'cancellation_authorized') {
    await stop(context, row, charge, row.status_reason as StopReason);
  }
  if (row.status !== 'approved') return;
  const { fate } = await fateOf(context, row.id, 'send');
  if (fate !== 'unsent' && fate !== 'in_flight') await sendWhenAllowed(context, row, charge);
}

/** Calls the protest off; see `afterStop` for what that means in each state. */
export async function stop(
  context: WriteContext,
  row: ProtestRow,
  charge: ChargeRow,
  reason: StopReason,
  { failed, note }: { failed?: readonly LegalRule[]; note?: string } = {},
): Promise<ProtestRow> {
  const { fate, row: command } = await fateOf(context, row.id, 'send');
  const { state, needs } = afterStop(row, reason, fate === 'in_flight');
  if (needs === 'nothing') return row;
  if (needs === 'drop') {
    await recordEvent(context, 'protest', row.id, 'canceled', {
      reason,
      ...(failed && { failed }),
      ...(note && { note }),
    });
    if (fate === 'unsent') await dropCommand(context, command!, reason);
    return storeProtest(context, row, state);
  }
  const settings = await settingsOf(context);
  const isNew = await queueCommand(context, 'protest', row.id, needs, (key) =>
    changeRequest(row, charge.person_document_number, settings, reason, key),
  );
  if (!isNew) return row;
  const event = needs === 'withdraw' ? 'withdrawal_asked' : 'cancellation_authorized';
  await recordEvent(context, 'protest', row.id, event, { reason, ...(note && { note }) });
  return state === row ? row : storeProtest(context, row, state);
}

/** The last look before it is sent: everything is checked again. */
export async function obstaclesOf(
  context: WriteContext,
  row: ProtestRow,
  charge: ChargeRow,
): Promise<{ ending: LegalRule[]; waiting: LegalRule[]; setting: Setting }> {
  const setting = await settingOf(context, 'protest', charge, {
    own: row,
    title: { kind: row.title_kind, hasDocument: row.document_name !== null },
  });
  const broken = new Set([
    ...failedRules(legalChecksOf(setting.situation)),
    ...(await rulesBlockedByGate(context, charge)),
  ]);
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

/** Queues the title for the notary office, or says what it waits for. */
export async function sendWhenAllowed(
  context: WriteContext,
  row: ProtestRow,
  charge: ChargeRow,
): Promise<ProtestRow> {
  const { ending, waiting, setting } = await obstaclesOf(context, row, charge);
  if (ending.length > 0) return stop(context, row, charge, reasonBehind(ending), { failed: ending });
  if (waiting.length > 0) {
    if (row.status_reason === waiting[0]) return row;
    await recordEvent(context, 'protest', row.id, 'sending_waits', { failed: waiting });
    return storeProtest(context, row, { ...row, status_reason: waiting[0]! });
  }
  await queueCommand(context, 'protest', row.id, 'send', (key) => protestRequest(row, setting, key));
  return row.status_reason === null ? row : storeProtest(context, row, { ...row, status_reason: null });
}

/**
 * Why the protest has to end. One that was made ends only once the debt is gone: an agreement or a dispute does not undo
 * it. What was asked of the office is not asked for again while it has not answered.
 */
function groundFor(row: ProtestRow, charge: ChargeRow): StopReason | null {
  if (charge.status === 'paid') return 'paid';
  if (charge.status === 'canceled') return 'charge_canceled';
  if (row.status === 'protested' || row.status === 'cancellation_authorized') return null;
  if (charge.status === 'in_agreement') return 'in_agreement';
  return charge.is_disputed ? 'disputed' : null;
}
