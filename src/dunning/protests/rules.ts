/** The life of a protest: every step as a pure function (MODEL §4). */

import { addBusinessDays } from '../../core/calendar.ts';
import type { CivilDate } from '../../core/dates.ts';
import { fail } from '../../core/errors.ts';
import type { Cents } from '../../core/money.ts';
import { PROTEST_BUSINESS_DAYS } from '../contact-law/index.ts';

export type ProtestStatus =
  | 'pending'
  | 'approved'
  | 'sent'
  | 'protocoled'
  | 'notified'
  | 'protested'
  | 'cancellation_authorized'
  | 'canceled'
  | 'rejected'
  | 'returned'
  | 'paid_at_notary'
  | 'withdrawn'
  | 'suspended';

export type StopReason =
  | 'paid'
  | 'in_agreement'
  | 'disputed'
  | 'charge_canceled'
  | 'requested'
  | 'no_longer_allowed';

export interface Notary {
  readonly name: string;
  readonly city: string;
  readonly state: string;
}

export interface Costs {
  readonly amount_cents: Cents;
  readonly paid_by: 'debtor' | 'creditor';
}

/** What changes in the life of a protest. */
export interface ProtestState {
  readonly status: ProtestStatus;
  readonly status_reason: string | null;
  readonly notary: Notary | null;
  readonly protocol: string | null;
  readonly protocoled_on: CivilDate | null;
  readonly notified_on: CivilDate | null;
  readonly notice_kind: 'letter' | 'electronic' | 'edict' | null;
  /** The last day to pay before the protest. */
  readonly deadline_on: CivilDate | null;
  readonly protested_on: CivilDate | null;
  readonly costs: Costs | null;
  readonly notary_reference: string | null;
}

/** Every move there is. */
export const moves: Readonly<Record<ProtestStatus, readonly ProtestStatus[]>> = {
  pending: ['approved', 'rejected', 'canceled'],
  approved: ['sent', 'canceled'],
  sent: ['protocoled', 'returned', 'canceled'],
  protocoled: ['notified', 'paid_at_notary', 'withdrawn', 'suspended'],
  notified: ['protested', 'paid_at_notary', 'withdrawn', 'suspended'],
  suspended: ['notified', 'withdrawn'],
  protested: ['cancellation_authorized'],
  cancellation_authorized: ['canceled'],
  canceled: [],
  rejected: [],
  returned: [],
  paid_at_notary: [],
  withdrawn: [],
};

/** Moves that happen at the office, so that hearing of a later one tells of those before it. */
const officeMoves: Readonly<Partial<Record<ProtestStatus, readonly ProtestStatus[]>>> = {
  approved: ['sent'],
  sent: ['protocoled', 'returned'],
  protocoled: ['notified', 'paid_at_notary', 'withdrawn', 'suspended'],
  notified: ['protested', 'paid_at_notary', 'withdrawn', 'suspended'],
  suspended: ['notified', 'withdrawn'],
  cancellation_authorized: ['canceled'],
};

/** True once nothing can change any more, and the charge is free for another action. */
export function isOver(status: string): boolean {
  return moves[status as ProtestStatus].length === 0;
}

/** True while the debtor has to pay at the office: what the creditor sends meanwhile would send the money elsewhere. */
export function holdsTheRule(status: string): boolean {
  return ['approved', 'sent', 'protocoled', 'notified', 'suspended'].includes(status);
}

/** Fails with `invalid_state` unless the protest is in one of the states. */
export function requireStatus(state: { status: string }, allowed: readonly ProtestStatus[]): void {
  if (!allowed.includes(state.status as ProtestStatus))
    fail('invalid_state', { from: state.status, allowed });
}

export function afterDecision<State extends ProtestState>(
  state: State,
  decision: 'approved' | 'rejected',
): State {
  requireStatus(state, ['pending']);
  return moved(state, decision, {});
}

/** The office took the title. */
export function afterTaken<State extends ProtestState>(state: State, reference: string | null): State {
  const notary_reference = reference ?? state.notary_reference;
  return state.status === 'approved'
    ? moved(state, 'sent', { notary_reference })
    : { ...state, notary_reference };
}

/** What a notary office tells. */
export interface NotaryTold {
  /** What the answer is to. */
  readonly command: 'send' | 'withdraw' | 'authorize_cancellation';
  readonly status:
    | 'protocoled'
    | 'notified'
    | 'protested'
    | 'returned'
    | 'paid_at_notary'
    | 'suspended'
    | 'withdrawn'
    | 'canceled'
    | 'refused';
  readonly at: Date;
  readonly on: CivilDate;
  readonly notary: Notary | null;
  readonly protocol: string | null;
  readonly noticeKind: ProtestState['notice_kind'];
  readonly costs: Costs | null;
  readonly reference: string | null;
}

/**
 * The states that an answer brings, one after the other. One that is older than the last, or that no way leads to, only
 * fills in what was not known; so does one that tells of a step already taken.
 */
export function afterAnswer<State extends ProtestState>(
  state: State,
  told: NotaryTold,
  lastToldAt: Date | null,
): State[] {
  const target = targetOf(state, told);
  const isOld = lastToldAt !== null && told.at.getTime() < lastToldAt.getTime();
  const path = target === null || isOld ? null : pathTo(state.status, target);
  if (path === null) {
    const filled = { ...state, ...missingFacts(state, told) };
    return isSame(state, filled) ? [] : [filled];
  }
  const states: State[] = [];
  let current = state;
  for (const [index, status] of path.entries()) {
    const isLast = index === path.length - 1;
    current = moved(current, status, isLast ? factsOf(current, told) : {});
    states.push(current);
  }
  return states;
}

/**
 * It is called off. What has not left is canceled at once; what the office has is withdrawn, which it may refuse; a
 * protest that was made can only be canceled there, with our consent.
 */
export function afterStop<State extends ProtestState>(
  state: State,
  reason: StopReason,
  isSending: boolean,
): { state: State; needs: 'nothing' | 'drop' | 'withdraw' | 'authorize_cancellation' } {
  const asked = { ...state, status_reason: reason };
  switch (state.status) {
    case 'pending':
      return { state: moved(state, 'canceled', { status_reason: reason }), needs: 'drop' };
    case 'approved':
      return isSending
        ? { state: asked, needs: 'withdraw' }
        : { state: moved(state, 'canceled', { status_reason: reason }), needs: 'drop' };
    case 'sent':
    case 'protocoled':
    case 'notified':
    case 'suspended':
      return { state: asked, needs: 'withdraw' };
    case 'protested':
      return {
        state: moved(state, 'cancellation_authorized', { status_reason: reason }),
        needs: 'authorize_cancellation',
      };
    case 'cancellation_authorized':
      // Asked for again where the office refused it.
      return { state, needs: 'authorize_cancellation' };
    default:
      return { state, needs: 'nothing' };
  }
}

/** The title came back before it was anybody's: the office would not take it. */
export function afterNotTaken<State extends ProtestState>(state: State): State {
  if (state.status === 'sent') return moved(state, 'returned', { status_reason: 'refused_by_office' });
  if (state.status === 'approved') return moved(state, 'canceled', { status_reason: 'refused_by_office' });
  return state;
}

/** The last day to pay: three business days from the notice (Lei 9.492/97 art. 12). */
export function deadlineAfter(notifiedOn: CivilDate): CivilDate {
  return addBusinessDays(notifiedOn, PROTEST_BUSINESS_DAYS);
}

/** Where the answer leads; null when it is about the request itself. */
function targetOf(state: ProtestState, told: NotaryTold): ProtestStatus | null {
  if (told.status === 'refused') return told.command === 'send' ? 'returned' : null;
  const isBeforeProtocol = ['approved', 'sent'].includes(state.status) && told.protocol === null;
  return told.status === 'withdrawn' && isBeforeProtocol ? 'canceled' : told.status;
}

/** The shortest way of the office from one state to another, without the first; null without one. */
function pathTo(from: ProtestStatus, to: ProtestStatus): ProtestStatus[] | null {
  if (from === to) return null;
  // Withdrawn before it had a protocol: the one move that is no step of an office's work.
  if (to === 'canceled' && (from === 'sent' || from === 'approved')) {
    return from === 'sent' ? ['canceled'] : ['sent', 'canceled'];
  }
  const ways: ProtestStatus[][] = [[from]];
  const seen = new Set<ProtestStatus>([from]);
  for (const way of ways) {
    for (const next of officeMoves[way.at(-1)!] ?? []) {
      if (next === to) return [...way.slice(1), next];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return null;
}

/** What the answer says, taken over what was known before. */
function factsOf(state: ProtestState, told: NotaryTold): Partial<ProtestState> {
  const status_reason =
    told.status === 'refused' || told.status === 'returned'
      ? `${told.status}_by_office`
      : state.status_reason;
  return {
    status_reason,
    notary: told.notary ?? state.notary,
    protocol: told.protocol ?? state.protocol,
    notary_reference: told.reference ?? state.notary_reference,
    costs: told.costs ?? state.costs,
    ...(told.status === 'protocoled' && { protocoled_on: told.on }),
    ...(told.status === 'notified' && {
      notified_on: told.on,
      notice_kind: told.noticeKind,
      deadline_on: deadlineAfter(told.on),
    }),
    ...(told.status === 'protested' && { protested_on: told.on }),
  };
}

/** What the answer says that was not known. */
function missingFacts(state: ProtestState, told: NotaryTold): Partial<ProtestState> {
  const facts = factsOf(state, told);
  const missing = Object.entries(facts).filter(
    ([name]) => name !== 'status_reason' && state[name as keyof ProtestState] === null,
  );
  return Object.fromEntries(missing);
}

function isSame(left: ProtestState, right: ProtestState): boolean {
  return (Object.keys(left) as (keyof ProtestState)[]).every((key) => left[key] === right[key]);
}

function moved<State extends ProtestState>(
  state: State,
  status: ProtestStatus,
  changes: Partial<ProtestState>,
): State {
  if (!moves[state.status].includes(status))
    throw new Error(`no protest moves from ${state.status} to ${status}`);
  return { ...state, ...changes, status };
}
