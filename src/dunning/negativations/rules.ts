/** The life of a report to a credit bureau: every step as a pure function (MODEL §4). */

import { addBusinessDays, previousBusinessDay } from '../../core/calendar.ts';
import { addDays, type CivilDate, daysBetween } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';

export type NegativationStatus =
  | 'pending'
  | 'approved'
  | 'notice_sent'
  | 'registered'
  | 'removal_requested'
  | 'removed'
  | 'rejected'
  | 'canceled'
  | 'failed';

/** Why a report ends before its time, or what it waits for. */
export type StopReason =
  | 'paid'
  | 'in_agreement'
  | 'disputed'
  | 'charge_canceled'
  | 'dispute_upheld'
  | 'requested'
  | 'no_longer_allowed'
  | 'expired';

export interface TriedNotice {
  readonly channel: string;
  readonly contact_id: string | null;
  readonly notification_id: string;
  readonly outcome: string;
}

export interface PriorNotice {
  readonly channel: string;
  /** Null for a letter to the address of the debtor. */
  readonly contact_id: string | null;
  readonly notification_id: string;
  readonly sent_at: string | null;
  readonly delivered_at: string | null;
  readonly evidence: 'posted' | 'delivered' | 'read' | null;
  /** As the notice says; from its proof on, as many as count. */
  readonly waiting_days: number | null;
  readonly ends_on: CivilDate | null;
  readonly tried: readonly TriedNotice[];
}

export interface Removal {
  readonly requested_at: string;
  readonly reason: StopReason;
  readonly deadline: CivilDate;
  readonly done_at: string | null;
  /** The day on which somebody was warned that the deadline is near. */
  readonly warned_on: CivilDate | null;
}

/** What changes in the life of a report. */
export interface NegativationState {
  readonly status: NegativationStatus;
  readonly status_reason: string | null;
  readonly prior_notice: PriorNotice | null;
  /** The last day of waiting; it may be registered from the day after. Null until the notice is proven. */
  readonly waits_until: CivilDate | null;
  readonly registered_at: string | null;
  readonly expires_on: CivilDate;
  readonly removal: Removal | null;
  readonly removal_deadline: CivilDate | null;
  readonly bureau_reference: string | null;
}

/** Every move there is. */
export const moves: Readonly<Record<NegativationStatus, readonly NegativationStatus[]>> = {
  pending: ['approved', 'rejected', 'canceled'],
  approved: ['notice_sent', 'canceled', 'failed'],
  notice_sent: ['registered', 'canceled', 'failed'],
  registered: ['removal_requested', 'removed'],
  removal_requested: ['removed'],
  removed: [],
  rejected: [],
  canceled: [],
  failed: [],
};

/** Days after which an electronic notice that was sent and not proven counts as lost. */
export const PROOF_DAYS_MAX = 7;

/** Business days before the five years are over at which the removal is asked for, so that it is done in time. */
export const EXPIRY_LEAD_BUSINESS_DAYS = 5;

/** True once nothing can change any more, and the charge is free for another action. */
export function isOver(status: string): boolean {
  return moves[status as NegativationStatus].length === 0;
}

/** Fails with `invalid_state` unless the report is in one of the states. */
export function requireStatus(state: { status: string }, allowed: readonly NegativationStatus[]): void {
  if (!allowed.includes(state.status as NegativationStatus)) {
    fail('invalid_state', { from: state.status, allowed });
  }
}

export function afterDecision<State extends NegativationState>(
  state: State,
  decision: 'approved' | 'rejected',
): State {
  requireStatus(state, ['pending']);
  return moved(state, decision, {});
}

/** A notice is on its way: the one before it, if there was one, did not arrive. */
export function withNotice<State extends NegativationState>(
  state: State,
  notice: Pick<PriorNotice, 'channel' | 'contact_id' | 'notification_id' | 'waiting_days'>,
): State {
  const tried = state.prior_notice?.tried ?? [];
  const unproven = { sent_at: null, delivered_at: null, evidence: null, ends_on: null };
  return {
    ...state,
    status_reason: null,
    prior_notice: { ...notice, ...unproven, tried },
    waits_until: null,
  };
}

/** No channel is left: it stays as it is and says so. */
export function withoutNotice<State extends NegativationState>(state: State): State {
  return { ...state, status_reason: 'no_notice_channel' };
}

/** True while a notice is on its way or proven: no other one is to be sent. */
export function hasLiveNotice({ prior_notice: notice }: NegativationState): boolean {
  return notice !== null && !notice.tried.some((tried) => tried.notification_id === notice.notification_id);
}

/** The message that carries the notice, as it stands. */
export interface NoticeMessage {
  readonly status: string;
  readonly sent_at: string | null;
  readonly delivered_at: string | null;
  readonly read_at: string | null;
  /** Somebody else answers where it went. */
  readonly is_wrong_person: boolean;
}

export type NoticeFate = 'waiting' | 'sent' | 'proven' | 'lost';

/**
 * What became of a notice. A letter counts from its posting, because no receipt is needed (STJ Súmula 404); an
 * electronic one only from its proven delivery (STJ Tema 1.315).
 */
export function noticeFateOf(
  channel: string,
  message: NoticeMessage,
  now: { today: CivilDate; dateOf: (instant: string) => CivilDate },
): { fate: NoticeFate; evidence: PriorNotice['evidence']; at: string | null; outcome: string } {
  const { status, sent_at, delivered_at, read_at } = message;
  const isLost = ['failed', 'bounced', 'canceled', 'skipped'].includes(status);
  if (isLost) return { fate: 'lost', evidence: null, at: null, outcome: status };
  if (message.is_wrong_person) return { fate: 'lost', evidence: null, at: null, outcome: 'wrong_person' };
  if (channel === 'letter') {
    return sent_at === null
      ? { fate: 'waiting', evidence: null, at: null, outcome: status }
      : { fate: 'proven', evidence: 'posted', at: sent_at, outcome: status };
  }
  const proof = delivered_at ?? read_at;
  if (proof !== null) {
    const evidence = delivered_at === null ? 'read' : 'delivered';
    return { fate: 'proven', evidence, at: proof, outcome: status };
  }
  if (sent_at === null) return { fate: 'waiting', evidence: null, at: null, outcome: status };
  const isStale = daysBetween(now.dateOf(sent_at), now.today) > PROOF_DAYS_MAX;
  return { fate: isStale ? 'lost' : 'sent', evidence: null, at: null, outcome: 'unproven' };
}

/** The notice left: from now on the report says so. */
export function afterNoticeSent<State extends NegativationState>(state: State, sentAt: string): State {
  const prior_notice = { ...state.prior_notice!, sent_at: sentAt };
  if (state.status !== 'approved') return { ...state, prior_notice };
  return moved(state, 'notice_sent', { prior_notice });
}

/** The notice is proven: the waiting days run from that day, never fewer than it says itself. */
export function afterNoticeProven<State extends NegativationState>(
  state: State,
  proof: {
    evidence: PriorNotice['evidence'];
    deliveredAt: string | null;
    on: CivilDate;
    waitingDays: number;
  },
): State {
  const waiting_days = Math.max(proof.waitingDays, state.prior_notice!.waiting_days ?? 0);
  const ends_on = addDays(proof.on, waiting_days);
  const prior_notice = {
    ...state.prior_notice!,
    delivered_at: proof.deliveredAt,
    evidence: proof.evidence,
    waiting_days,
    ends_on,
  };
  return { ...state, prior_notice, waits_until: ends_on };
}

/** The notice did not arrive, or what proved it was taken back: it is no notice, and no day counts. */
export function afterNoticeLost<State extends NegativationState>(state: State, outcome: string): State {
  const { channel, contact_id, notification_id, tried } = state.prior_notice!;
  const prior_notice = {
    ...state.prior_notice!,
    delivered_at: null,
    evidence: null,
    ends_on: null,
    tried: [...tried, { channel, contact_id, notification_id, outcome }],
  };
  return { ...state, prior_notice, waits_until: null };
}

/** True from the day after the last one of waiting, while nobody has called it off and the debt is young enough. */
export function mayRegister(state: NegativationState, today: CivilDate): boolean {
  return (
    state.status === 'notice_sent' &&
    state.prior_notice?.evidence != null &&
    state.waits_until !== null &&
    today > state.waits_until &&
    today <= state.expires_on &&
    state.removal === null
  );
}

/**
 * It is called off, by a person or by what happened to the charge. Before the registration it is canceled; while the
 * bureau may be registering it, that is remembered and undone as soon as the bureau says so; afterwards it is removed.
 */
export function afterStop<State extends NegativationState>(
  state: State,
  stop: { reason: StopReason; at: string; deadline: CivilDate },
  isRegistering: boolean,
): { state: State; needs: 'nothing' | 'drop' | 'removal' } {
  const removal: Removal = {
    requested_at: stop.at,
    reason: stop.reason,
    deadline: stop.deadline,
    done_at: null,
    warned_on: null,
  };
  const asked = { removal, removal_deadline: stop.deadline, status_reason: stop.reason };
  switch (state.status) {
    case 'pending':
    case 'approved':
      return { state: moved(state, 'canceled', { status_reason: stop.reason }), needs: 'drop' };
    case 'notice_sent':
      if (!isRegistering) {
        return { state: moved(state, 'canceled', { status_reason: stop.reason }), needs: 'drop' };
      }
      return { state: state.removal === null ? { ...state, ...asked } : state, needs: 'nothing' };
    case 'registered':
      return { state: moved(state, 'removal_requested', asked), needs: 'removal' };
    default:
      return { state, needs: 'nothing' };
  }
}

/** What a bureau says of a command. */
export interface BureauTold {
  readonly command: 'register' | 'remove';
  readonly status: 'registered' | 'removed' | 'refused';
  readonly at: string;
  readonly reference: string | null;
}

/**
 * The states that an answer brings, one after the other; none when it says nothing new, comes too late or out of order.
 * `isStray`: the bureau shows a debt of which no report is alive, and has to be told to remove it.
 */
export function afterAnswer<State extends NegativationState>(
  state: State,
  told: BureauTold,
): { states: State[]; isStray: boolean } {
  const bureau_reference = told.reference ?? state.bureau_reference;
  if (told.status === 'registered') {
    if (state.status === 'notice_sent') return { states: registeredStates(state, told), isStray: false };
    return { states: [], isStray: ['canceled', 'failed', 'rejected'].includes(state.status) };
  }
  if (told.status === 'removed') {
    if (state.status !== 'removal_requested' && state.status !== 'registered') {
      return { states: [], isStray: false };
    }
    const removal = state.removal === null ? null : { ...state.removal, done_at: told.at };
    const status_reason = state.removal?.reason ?? 'removed_by_bureau';
    return {
      states: [moved(state, 'removed', { removal, status_reason, bureau_reference })],
      isStray: false,
    };
  }
  if (told.command === 'register' && state.status === 'notice_sent') {
    const { removal } = state;
    const next =
      removal === null
        ? moved(state, 'failed', { status_reason: 'refused_by_bureau' })
        : moved(state, 'canceled', {
            status_reason: removal.reason,
            removal: null,
            removal_deadline: null,
          });
    return { states: [next], isStray: false };
  }
  return { states: [], isStray: false };
}

/** The day from which its removal for age is asked for. */
export function expiryRemovalFrom(expiresOn: CivilDate): CivilDate {
  return addBusinessDays(expiresOn, -EXPIRY_LEAD_BUSINESS_DAYS);
}

/** After the five years no bureau may show it, whether or not it has said so. */
export function afterExpiry<State extends NegativationState>(state: State, at: string): State {
  requireStatus(state, ['registered', 'removal_requested']);
  const removal = state.removal === null ? null : { ...state.removal, done_at: at };
  return moved(state, 'removed', { removal, status_reason: state.removal?.reason ?? 'expired' });
}

/** True from the last business day before the deadline, once. */
export function isRemovalDue(state: NegativationState, today: CivilDate): boolean {
  const { removal } = state;
  if (state.status !== 'removal_requested' || removal === null || removal.warned_on !== null) return false;
  return today >= previousBusinessDay(addDays(removal.deadline, -1));
}

function registeredStates<State extends NegativationState>(state: State, told: BureauTold): State[] {
  const registered = moved(state, 'registered', {
    registered_at: told.at,
    bureau_reference: told.reference ?? state.bureau_reference,
    status_reason: null,
  });
  const { removal } = state;
  if (removal === null) return [registered];
  return [registered, moved(registered, 'removal_requested', { status_reason: removal.reason })];
}

function moved<State extends NegativationState>(
  state: State,
  status: NegativationStatus,
  changes: Partial<NegativationState>,
): State {
  if (!moves[state.status].includes(status))
    throw new Error(`no report moves from ${state.status} to ${status}`);
  return { ...state, ...changes, status };
}
