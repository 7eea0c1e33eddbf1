/** What is owed, paid, promised and contested. */

import { addDays } from '../../src/core/dates.ts';
import type { Portfolio } from './portfolio.ts';
import { isOpenCharge, isOpenDispute } from './portfolio-state.ts';
import {
  type Act,
  chargeFor,
  dueOn,
  methods,
  type PortfolioStep,
  pick,
  reason,
  shareOf,
  text,
} from './portfolio-step.ts';

export const create: Act = (portfolio, { which, way, days, share }) =>
  portfolio.call('dunning_charges_create', {
    person_id: pick(portfolio.base.people, which)!,
    amount: text(shareOf(10_000, share)),
    due_date: addDays(portfolio.today, way % 2 === 0 ? days : -days),
    description: 'Random',
  });

export const update: Act = (portfolio, step) => {
  const { id } = chargeFor(portfolio, step);
  const due_date = addDays(portfolio.today, step.way % 3 === 0 ? step.days : -step.days);
  const interest = { kind: 'percent_per_month', value: '0.5' };
  return portfolio.call('dunning_charges_update', {
    id,
    ...(step.way % 4 === 3 ? { terms: { interest } } : { due_date }),
  });
};

export const pay: Act = (portfolio, step) => {
  const charge = chargeFor(portfolio, step);
  const paid_at = addDays(portfolio.today, step.way % 3 === 0 ? -step.days : 0);
  const due = dueOn(portfolio, charge, paid_at) || charge.amount_cents;
  return portfolio.undoably(
    () =>
      portfolio.call('dunning_payments_create', {
        charge_id: charge.id,
        amount: text(shareOf(due, step.share)),
        paid_at,
        method: methods[step.way % methods.length]!,
      }),
    ({ payment }) => portfolio.call('dunning_payments_reverse', { id: payment.id, reason }),
    step.other % 3 === 0,
  );
};

/** Told twice under one name, now and then with other contents. */
export const payAgain: Act = async (portfolio, step) => {
  const charge = chargeFor(portfolio, step);
  const told = (amount: string) =>
    portfolio.call('dunning_payments_create', {
      charge_id: charge.id,
      amount,
      paid_at: portfolio.today,
      method: 'pix',
      end_to_end_id: `E${step.other % 3}`,
    });
  const first = await told(text(shareOf(charge.amount_cents, step.share)));
  await told(text(shareOf(charge.amount_cents, step.way % 2 === 0 ? step.share : 700)));
  return first;
};

export const reverse: Act = async (portfolio, { which }) => {
  const payment = pick(portfolio.state.payments, which);
  return payment === undefined
    ? null
    : portfolio.call('dunning_payments_reverse', { id: payment.id, reason });
};

export const cancel: Act = (portfolio, step) =>
  portfolio.call('dunning_charges_cancel', { id: chargeFor(portfolio, step).id, reason });

export const promise: Act = (portfolio, step) => {
  const charge = chargeFor(portfolio, step);
  const open = portfolio.state.charges.filter(
    (one) => isOpenCharge(one) && one.person_id === charge.person_id && one.id !== charge.id,
  );
  const chosen = step.way % 3 === 0 && open.length > 0 ? [charge, pick(open, step.other)!] : [charge];
  const owed = chosen.reduce((sum, one) => sum + dueOn(portfolio, one, portfolio.today), 0);
  return portfolio.call('dunning_payment_promises_create', {
    charge_ids: chosen.map(({ id }) => id),
    amount: text(shareOf(owed, step.share)),
    promised_for: addDays(portfolio.today, step.days),
  });
};

const promiseFor = ({ state }: Portfolio, { which, other }: PortfolioStep) =>
  pick(other % 5 === 0 ? state.promises : state.promises.filter(({ status }) => status === 'open'), which);

export const changePromise: Act = async (portfolio, step) => {
  const found = promiseFor(portfolio, step);
  return found === undefined
    ? null
    : portfolio.call('dunning_payment_promises_update', {
        id: found.id,
        promised_for: addDays(portfolio.today, step.days),
        amount: text(shareOf(found.amount_cents, step.share)),
      });
};

export const cancelPromise: Act = async (portfolio, step) => {
  const found = promiseFor(portfolio, step);
  return found === undefined
    ? null
    : portfolio.call('dunning_payment_promises_cancel', { id: found.id, reason });
};

const disputeReasons = ['already_paid', 'wrong_amount', 'quality'] as const;

export const dispute: Act = (portfolio, step) => {
  const charge = chargeFor(portfolio, step);
  return portfolio.call('dunning_disputes_create', {
    charge_id: charge.id,
    reason: pick(disputeReasons, step.way)!,
    description: 'Random',
    ...(step.share < 1_000 && { disputed_amount: text(shareOf(charge.amount_cents, step.share)) }),
  });
};

const outcomes = ['dismissed', 'withdrawn', 'upheld', 'partially_upheld', 'under_review'] as const;

export const resolve: Act = async (portfolio, { which, other, way, share }) => {
  const { disputes, charges } = portfolio.state;
  const found = pick(other % 5 === 0 ? disputes : disputes.filter(isOpenDispute), which);
  if (found === undefined) return null;
  const charge = charges.find(({ id }) => id === found.charge_id)!;
  const status = pick(outcomes, way)!;
  return portfolio.call('dunning_disputes_update', {
    id: found.id,
    status,
    resolution: 'Random',
    ...(status === 'partially_upheld' && { adjusted_amount: text(shareOf(charge.amount_cents, share)) }),
  });
};

export const pause: Act = (portfolio, step) =>
  portfolio.call('dunning_charges_pause', {
    id: chargeFor(portfolio, step).id,
    reason,
    ...(step.way % 2 === 0 && { until: addDays(portfolio.today, step.days) }),
  });

export const resume: Act = async (portfolio, { which }) => {
  const held = portfolio.state.holds.filter(({ reason: why }) => why === 'manual');
  const id = pick(held, which)?.charge_id ?? pick(portfolio.state.charges, which)!.id;
  return portfolio.call('dunning_charges_resume', { id });
};
