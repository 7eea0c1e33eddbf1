/** What must hold of a portfolio whatever was done to it: MODEL §14, invariants 12 to 14, 17, 19 and 20, and §4. */

import { expect } from 'vitest';
import { addDays } from '../../src/core/dates.ts';
import type { Moves } from './portfolio.ts';
import { moneyOf, reckon } from './portfolio-reckoning.ts';
import { isLiveAgreement, isOpenCharge, isOpenDispute, isOver, type State } from './portfolio-state.ts';

/** MODEL §4: where each record may go from where it is. */
const allowed: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  charge: {
    pending: ['overdue', 'paid', 'in_agreement', 'canceled'],
    overdue: ['paid', 'in_agreement', 'canceled', 'pending'],
    in_agreement: ['paid', 'overdue', 'pending'],
    paid: ['overdue', 'pending', 'in_agreement'],
    canceled: [],
  },
  payment: { confirmed: ['reversed'], reversed: [] },
  agreement: {
    proposed: ['accepted', 'active', 'rejected', 'expired', 'canceled'],
    accepted: ['active', 'completed', 'canceled', 'broken'],
    active: ['completed', 'canceled', 'broken', 'accepted'],
    completed: ['active', 'accepted'],
    rejected: [],
    expired: [],
    canceled: [],
    broken: [],
  },
  dispute: {
    open: ['under_review', 'upheld', 'partially_upheld', 'dismissed', 'withdrawn'],
    under_review: ['upheld', 'partially_upheld', 'dismissed', 'withdrawn'],
  },
  promise: { open: ['kept', 'broken', 'canceled'] },
  notification: {
    scheduled: ['queued', 'sent', 'failed', 'canceled', 'skipped'],
    queued: ['scheduled', 'sent', 'failed', 'canceled', 'skipped'],
    sent: ['delivered', 'read', 'failed', 'bounced'],
    delivered: ['read'],
  },
  step_execution: { scheduled: ['done', 'skipped', 'failed'], done: ['failed', 'skipped'] },
};

/** Each record of a change begins where the one before it ended, and moves only as it may. */
export function checkMoves(moves: Moves, statuses: Map<string, string>): void {
  for (const [kind, id, before, after] of moves) {
    const known = statuses.get(id);
    if (before !== null && known !== undefined && !isQuiet(kind, known, before)) {
      expect([kind, id, standOf(kind, before)]).toEqual([kind, id, known]);
    }
    if (after === null) continue;
    statuses.set(id, standOf(kind, after));
    const table = allowed[kind];
    if (before === null || table === undefined || before.status === after.status) continue;
    expect([kind, before.status, table[before.status] ?? []]).toEqual([
      kind,
      before.status,
      expect.arrayContaining([after.status]),
    ]);
  }
}

/** What goes by the thousand has no record for each: charges that become overdue, messages that come to their turn. */
function isQuiet(
  kind: string,
  known: string,
  { status, version }: { status: string; version: number },
): boolean {
  if (kind === 'charge') return known === `pending ${version - 1}` && status === 'overdue';
  return kind === 'notification' && known === `scheduled ${version}` && status === 'queued';
}

/** An installment has the version of its agreement. */
const standOf = (kind: string, { status, version }: { status: string; version: number }) =>
  kind === 'installment' ? status : `${status} ${version}`;

export function checkRecords(state: State, today: string): void {
  for (const charge of state.charges) {
    checkMoney(state, charge, today);
    checkTies(state, charge);
  }
  for (const agreement of state.agreements) checkAgreement(state, agreement);
  for (const promise of state.promises) {
    if (promise.status === 'kept') expect(promise.paid_cents).toBeGreaterThanOrEqual(promise.amount_cents);
    expect(promise.status === 'open').toBe(promise.ended_at === null);
  }
  for (const { needs_refund, excess_cents, status } of state.payments) {
    expect(needs_refund).toBe(status === 'confirmed' && excess_cents > 0);
  }
  const runs = state.executions.map(({ charge_id, step_id, cycle }) => `${charge_id} ${step_id} ${cycle}`);
  expect(new Set(runs).size).toBe(runs.length);
}

/** Days after the due date within which an installment has to be paid; see `prepareBase`. */
const DEFAULT_AFTER_DAYS = 15;

/** What a night and the worker's queue leave behind: nothing that should have moved by then is where it was. */
export function checkNight(state: State, today: string): void {
  const late = state.charges.filter((one) => one.status === 'pending' && one.adjusted_due_date < today);
  expect(late).toEqual([]);
  expect(state.holds.filter(({ until }) => until !== null && until < today)).toEqual([]);
  const byId = new Map(state.charges.map((charge) => [charge.id, charge]));
  for (const promise of state.promises.filter(({ status }) => status === 'open')) {
    expect(promise.keep_until >= today).toBe(true);
    const charges = promise.charge_ids.map((id) => byId.get(id)!);
    expect(charges.some(isOpenCharge)).toBe(true);
    const held = state.holds
      .filter(({ source_id }) => source_id === promise.id)
      .map(({ charge_id }) => charge_id);
    for (const charge of charges.filter(isOpenCharge)) expect(held).toContain(charge.id);
  }
  for (const agreement of state.agreements) {
    if (agreement.status === 'proposed') expect(agreement.valid_until >= today).toBe(true);
    if (!isLiveAgreement(agreement)) continue;
    const open = state.installments.filter(
      (one) => one.agreement_id === agreement.id && one.status === 'open',
    );
    const oldest = open.map(({ adjusted_due_date }) => adjusted_due_date).sort()[0]!;
    expect(addDays(oldest, DEFAULT_AFTER_DAYS) >= today).toBe(true);
  }
  for (const { charge_id, status } of state.negativations) {
    if (!['pending', 'approved', 'notice_sent'].includes(status)) continue;
    expect(byId.get(charge_id)).toMatchObject({ status: 'overdue', is_disputed: false });
  }
  for (const { charge_id, status } of state.protests) {
    if (!['pending', 'approved'].includes(status)) continue;
    expect(byId.get(charge_id)).toMatchObject({ status: 'overdue', is_disputed: false });
  }
  // Debts that are paid do not stay where everybody sees them.
  for (const { charge_id, status } of state.negativations) {
    if (status === 'registered') expect(byId.get(charge_id)!.status).not.toMatch(/^(paid|canceled)$/);
  }
}

type Charge = State['charges'][number];

/** §14.19 and §14.20: every figure is what the standing money alone makes of it. */
function checkMoney(state: State, charge: Charge, today: string): void {
  const { id, status } = charge;
  if (status === 'canceled') return;
  const money = moneyOf(state, charge);
  const settled = reckon(charge, money, '2199-12-31');
  const last = [charge.due_date, ...money.map(({ on }) => on)].sort().at(-1)!;
  const then = reckon(charge, money, last);
  expect({ id, open: charge.open_cents }).toEqual({ id, open: settled.open });
  const isSettled = then.due === 0 && (then.hasAny || charge.amount_cents === charge.abatement_cents);
  if (status !== 'in_agreement') expect({ id, isPaid: status === 'paid' }).toEqual({ id, isPaid: isSettled });
  expect(charge.paid_on === null).toBe(status !== 'paid');
  if (status === 'overdue') expect(charge.adjusted_due_date < today).toBe(true);
  for (const payment of state.payments) {
    if (payment.charge_id !== id || payment.status !== 'confirmed') continue;
    const { interest_cents: interest, fine_cents: fine, principal_cents: principal } = payment;
    const use = settled.used.get(payment.id) ?? {
      interest: 0,
      fine: 0,
      principal: 0,
      excess: payment.amount_cents,
    };
    expect({ interest, fine, principal, excess: payment.excess_cents }).toEqual(use);
    const worth = interest + fine + principal;
    const isLate = payment.effective_on > charge.adjusted_due_date;
    expect(payment.recovered_cents).toBe(isLate && worth > 0 ? worth : null);
  }
}

/** §14.13: what a charge says of others is what they say of it. */
function checkTies(state: State, charge: Charge): void {
  const { id, status } = charge;
  const ofCharge = ({ charge_id }: { charge_id: string }) => charge_id === id;
  const shares = state.shares.filter((one) => ofCharge(one) && one.is_live);
  expect({ id, shares: shares.length }).toEqual({ id, shares: status === 'in_agreement' ? 1 : 0 });
  if (shares.length === 1) {
    expect(shares[0]!.agreement_id).toBe(charge.agreement_id);
    expect(isLiveAgreement(state.agreements.find((one) => one.id === charge.agreement_id)!)).toBe(true);
  }
  const disputes = state.disputes.filter((one) => ofCharge(one) && isOpenDispute(one));
  expect({ id, disputes: disputes.length }).toEqual({ id, disputes: charge.is_disputed ? 1 : 0 });
  const actions = [
    ...state.negativations
      .filter((one) => ofCharge(one) && !isOver.negativation.has(one.status))
      .map((one) => ({ kind: 'negativation', id: one.id })),
    ...state.protests
      .filter((one) => ofCharge(one) && !isOver.protest.has(one.status))
      .map((one) => ({ kind: 'protest', id: one.id })),
  ];
  expect(actions.length).toBeLessThanOrEqual(1);
  expect({ id, kind: charge.legal_kind }).toEqual({ id, kind: actions[0]?.kind ?? null });
  expect(state.liveActions.filter(ofCharge).map(({ kind, action_id }) => ({ kind, id: action_id }))).toEqual(
    actions,
  );
  const holds = state.holds.filter(ofCharge);
  const sources = {
    dispute: disputes.map((one) => one.id),
    agreement: shares.map(({ agreement_id }) => agreement_id),
  };
  for (const reason of ['dispute', 'agreement'] as const) {
    const held = holds.filter((one) => one.reason === reason).map(({ source_id }) => source_id);
    expect({ id, status, reason, held }).toEqual({ id, status, reason, held: sources[reason] });
  }
  for (const { reason, source_id } of holds) {
    if (reason !== 'promise') continue;
    expect(state.promises.find((one) => one.id === source_id)?.status).toBe('open');
  }
  const order = ['dispute', 'agreement', 'legal', 'promise', 'manual', 'contact'];
  const first = order.find((reason) => holds.some((one) => one.reason === reason)) ?? null;
  const isHeld = first !== null && (isOpenCharge(charge) || status === 'in_agreement');
  expect({ id, paused: charge.paused_reason }).toEqual({ id, paused: isHeld ? first : null });
  if (status === 'paid' || status === 'canceled') expect(charge.dunning_state).not.toBe('active');
  expect(charge.dunning_state === 'none').toBe(charge.collection_rule_id === null && !isHeld);
}

/** §14.12, §14.20. */
function checkAgreement(state: State, agreement: State['agreements'][number]): void {
  const { id, status, negotiated_total_cents: total } = agreement;
  const own = state.installments.filter(({ agreement_id }) => agreement_id === id);
  expect(sumOf(own.map(({ amount_cents }) => amount_cents))).toBe(total);
  expect(total).toBe(agreement.original_total_cents - agreement.discount_cents);
  const dates = own.map(({ due_date }) => due_date);
  expect(dates).toEqual([...new Set(dates)].sort());
  const shares = state.shares.filter(({ agreement_id }) => agreement_id === id);
  expect(sumOf(shares.map((one) => one.principal_cents + one.interest_cents + one.fine_cents))).toBe(
    agreement.original_total_cents,
  );
  expect(sumOf(shares.map(({ discount_cents }) => discount_cents))).toBe(agreement.discount_cents);
  const payments = state.payments.filter((one) => one.agreement_id === id && one.status === 'confirmed');
  const used = sumOf(payments.map(({ amount_cents, excess_cents }) => amount_cents - excess_cents));
  const credits = state.credits.filter(({ agreement_id }) => agreement_id === id);
  const isLive = isLiveAgreement(agreement);
  const paid = sumOf(own.map(({ paid_cents }) => paid_cents));
  if (isLive || status === 'completed') expect({ id, status, paid }).toEqual({ id, status, paid: used });
  if (isLive) expect(credits).toEqual([]);
  else expect(sumOf(credits.map(({ amount_cents }) => amount_cents))).toBe(used);
  if (status === 'accepted') expect(used).toBe(0);
  if (status === 'completed') expect(used).toBe(total);
  for (const { payment_id, amount_cents, credited_on } of credits) {
    if (payment_id === null) expect(amount_cents).toBe(0);
    else expect(payments.find((one) => one.id === payment_id)?.effective_on).toBe(credited_on);
  }
  expect(own.some((one) => one.status === 'open')).toBe(isLive || status === 'proposed');
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
