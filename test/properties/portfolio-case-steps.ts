/** Agreements, and debts that are taken to a bureau or a notary. */

import { addDays } from '../../src/core/dates.ts';
import type { Portfolio } from './portfolio.ts';
import { isLiveAgreement, isOpenCharge, isOver } from './portfolio-state.ts';
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

export const propose: Act = (portfolio, step) => {
  const first = chargeFor(portfolio, step);
  const open = portfolio.state.charges.filter(
    (one) => isOpenCharge(one) && one.person_id === first.person_id && one.id !== first.id,
  );
  const others = open.filter((_, at) => (step.way & (1 << at)) !== 0);
  const chosen = [first, ...others];
  const total = chosen.reduce((sum, one) => sum + dueOn(portfolio, one, portfolio.today), 0);
  const negotiated = shareOf(total, Math.min(1_000, 400 + step.share));
  const isDown = step.other % 2 === 0;
  return portfolio.call('dunning_agreements_create', {
    person_id: first.person_id,
    charge_ids: chosen.map(({ id }) => id),
    negotiated_total: text(negotiated),
    plan: {
      installments: 1 + (step.other % 3),
      first_due_date: addDays(portfolio.today, 11 + step.days),
      ...(isDown && { down_payment: text(Math.ceil(negotiated / 4)) }),
    },
    valid_until: addDays(portfolio.today, 10),
  });
};

export const accept: Act = async (portfolio, { which, other }) => {
  const { agreements } = portfolio.state;
  const standing = agreements.filter(({ status }) => status === 'proposed');
  const found = pick(other % 6 === 0 ? agreements : standing, which);
  return found === undefined
    ? null
    : portfolio.call('dunning_agreements_accept', { id: found.id, accepted_by: 'Devedora' });
};

export const endAgreement: Act = async (portfolio, { which, other, way }) => {
  const { agreements } = portfolio.state;
  const live = agreements.filter((one) => isLiveAgreement(one) || one.status === 'proposed');
  const found = pick(other % 6 === 0 ? agreements : live, which);
  if (found === undefined) return null;
  return found.status === 'proposed' && way % 2 === 0
    ? portfolio.call('dunning_agreements_reject', { id: found.id, by: 'debtor', reason })
    : portfolio.call('dunning_agreements_cancel', { id: found.id, reason });
};

export const payInstallment: Act = async (portfolio, step) => {
  const { agreements, installments } = portfolio.state;
  const bound = agreements.filter((one) => isLiveAgreement(one));
  const candidates = step.other % 4 === 0 ? agreements : bound;
  const found = pick(
    installments.filter(({ agreement_id }) => candidates.some(({ id }) => id === agreement_id)),
    step.which,
  );
  if (found === undefined) return null;
  return portfolio.undoably(
    () =>
      portfolio.call('dunning_payments_create', {
        installment_id: found.id,
        amount: text(shareOf(found.amount_cents, step.share)),
        paid_at: addDays(portfolio.today, step.way % 4 === 0 ? -step.days : 0),
        method: methods[step.way % methods.length]!,
      }),
    ({ payment }) => portfolio.call('dunning_payments_reverse', { id: payment.id, reason }),
    step.other % 3 === 0,
  );
};

export const report: Act = (portfolio, step) =>
  portfolio.call('dunning_negativations_create', {
    charge_id: chargeFor(portfolio, step).id,
    bureau: 'serasa',
  });

export const protest: Act = (portfolio, step) =>
  portfolio.call('dunning_protests_create', {
    charge_id: chargeFor(portfolio, step).id,
    title_kind: 'DSI',
  });

function actionFor({ state }: Portfolio, { which, other }: PortfolioStep) {
  const actions = [
    ...state.negativations.map(({ id, status }) => ({ kind: 'negativation' as const, id, status })),
    ...state.protests.map(({ id, status }) => ({ kind: 'protest' as const, id, status })),
  ];
  return pick(
    other % 6 === 0 ? actions : actions.filter(({ kind, status }) => !isOver[kind].has(status)),
    which,
  );
}

/** By another person most of the time. */
export const decide: Act = async (portfolio, step) => {
  const found = actionFor(portfolio, step);
  if (found === undefined) return null;
  const status = step.way % 5 === 0 ? 'rejected' : 'approved';
  return portfolio.call(
    `dunning_${found.kind}s_update`,
    { id: found.id, status, note: 'Random' },
    step.way % 6 === 1 ? 0 : 1,
  );
};

export const cancelLegal: Act = async (portfolio, step) => {
  const found = actionFor(portfolio, step);
  return found === undefined
    ? null
    : portfolio.call(`dunning_${found.kind}s_cancel`, { id: found.id, reason });
};

/** A proposal is made anew with other figures. */
export const amend: Act = async (portfolio, { which, other, share, days }) => {
  const { agreements } = portfolio.state;
  const standing = agreements.filter(({ status }) => status === 'proposed');
  const found = pick(other % 6 === 0 ? agreements : standing, which);
  if (found === undefined) return null;
  return portfolio.call('dunning_agreements_update', {
    id: found.id,
    negotiated_total: text(shareOf(found.negotiated_total_cents, Math.min(1_000, 300 + share))),
    plan: { installments: 1 + (other % 2), first_due_date: addDays(portfolio.today, 11 + days) },
    valid_until: addDays(portfolio.today, 10),
  });
};
