/** What can happen to a portfolio, each as a person, a debtor or time makes it happen. */

import fc from 'fast-check';
import { addDays } from '../../src/core/dates.ts';
import type { Ended, Portfolio } from './portfolio.ts';
import { moneyOf, reckon } from './portfolio-reckoning.ts';
import { isLiveAgreement, isOpenCharge, isOpenDispute, isOver } from './portfolio-state.ts';

/** What a step does, and how often compared with the others. */
const weights = {
  create: 1,
  update: 2,
  pay: 6,
  payAgain: 1,
  reverse: 3,
  cancel: 1,
  promise: 3,
  changePromise: 1,
  cancelPromise: 1,
  dispute: 2,
  resolve: 3,
  pause: 1,
  resume: 1,
  propose: 3,
  accept: 4,
  endAgreement: 2,
  payInstallment: 5,
  report: 3,
  protest: 2,
  decide: 4,
  cancelLegal: 1,
  assign: 2,
  notify: 1,
  work: 3,
  wait: 7,
} as const;

export type PortfolioStepName = keyof typeof weights;

/** Which records are meant is counted among those there are then. */
export interface PortfolioStep {
  readonly does: PortfolioStepName;
  readonly which: number;
  readonly other: number;
  /** Which of the ways there are of doing it. */
  readonly way: number;
  /** Thousandths of what there is. */
  readonly share: number;
  readonly days: number;
}

export const portfolioStep: fc.Arbitrary<PortfolioStep> = fc.record({
  does: fc.oneof(
    ...Object.entries(weights).map(([does, weight]) => ({
      weight,
      arbitrary: fc.constant(does as PortfolioStepName),
    })),
  ),
  which: fc.nat(20),
  other: fc.nat(20),
  way: fc.nat(11),
  share: fc.constantFrom(1_000, 1_000, 1_000, 500, 400, 1, 1_300),
  days: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 25 })),
});

const plain = { which: 0, other: 1, way: 2, share: 1_000, days: 1 };
const charge = fc.nat(5);
const doing = (which: number, ...steps: readonly Partial<PortfolioStep>[]): PortfolioStep[] =>
  steps.map((step) => ({ ...plain, which, ...step }) as PortfolioStep);

/** Stories that chance alone tells too seldom, up to where it gets interesting. */
const beginnings: readonly ((which: number) => PortfolioStep[])[] = [
  () => [],
  () => [],
  // Reported to a bureau.
  (which) =>
    doing(
      which,
      { does: 'report' },
      { does: 'decide', which: 0 },
      { does: 'wait' },
      { does: 'wait', days: 25 },
      { does: 'wait' },
    ),
  // Protested.
  (which) =>
    doing(
      which,
      { does: 'protest' },
      { does: 'decide', which: 0 },
      { does: 'wait' },
      { does: 'wait', days: 4 },
    ),
  // An agreement that is about to break.
  (which) =>
    doing(
      which,
      { does: 'propose', other: 2 },
      { does: 'accept', which: 0 },
      { does: 'payInstallment', which: 0, share: 1_300 },
      { does: 'wait', days: 25 },
      { does: 'wait', days: 20 },
    ),
  // A promise that is kept.
  (which) => doing(which, { does: 'promise', share: 500, days: 4 }, { does: 'pay' }, { does: 'work' }),
  // A promise on its last day.
  (which) => doing(which, { does: 'promise', days: 4 }, { does: 'wait', days: 5 }),
];

/** A story's beginning on one of the charges, and whatever comes after it. */
export function portfolioSequence(stepsMax: number): fc.Arbitrary<PortfolioStep[]> {
  const rest = fc.array(portfolioStep, { minLength: 1, maxLength: stepsMax, size: 'max' });
  return fc
    .tuple(fc.constantFrom(...beginnings), charge, rest)
    .map(([begin, which, steps]) => [...begin(which), ...steps]);
}

type Act = (portfolio: Portfolio, step: PortfolioStep) => Promise<Ended | null>;

const reason = 'Engano';
const text = (cents: number) => (cents / 100).toFixed(2);

function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items.length === 0 ? undefined : items[at % items.length];
}

function shareOf(cents: number, share: number): number {
  return Math.max(1, Math.floor((cents * share) / 1_000));
}

/** Open ones more often than those that should refuse. */
function chargeFor({ state }: Portfolio, { which, other }: Pick<PortfolioStep, 'which' | 'other'>) {
  const open = state.charges.filter(isOpenCharge);
  return pick(other % 5 === 0 ? state.charges : open, which) ?? state.charges[0]!;
}

const dueOn = ({ state }: Portfolio, charge: Portfolio['state']['charges'][number], on: string) =>
  reckon(charge, moneyOf(state, charge), on).due;

const create: Act = (portfolio, { which, way, days, share }) =>
  portfolio.call('dunning_charges_create', {
    person_id: pick(portfolio.base.people, which)!,
    amount: text(shareOf(10_000, share)),
    due_date: addDays(portfolio.today, way % 2 === 0 ? days : -days),
    description: 'Random',
  });

const update: Act = (portfolio, step) => {
  const { id } = chargeFor(portfolio, step);
  const due_date = addDays(portfolio.today, step.way % 3 === 0 ? step.days : -step.days);
  const interest = { kind: 'percent_per_month', value: '0.5' };
  return portfolio.call('dunning_charges_update', {
    id,
    ...(step.way % 4 === 3 ? { terms: { interest } } : { due_date }),
  });
};

const methods = ['pix', 'boleto', 'cash'] as const;

const pay: Act = (portfolio, step) => {
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
  );
};

/** Told twice under one name, now and then with other contents. */
const payAgain: Act = async (portfolio, step) => {
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

const reverse: Act = async (portfolio, { which }) => {
  const payment = pick(portfolio.state.payments, which);
  return payment === undefined
    ? null
    : portfolio.call('dunning_payments_reverse', { id: payment.id, reason });
};

const cancel: Act = (portfolio, step) =>
  portfolio.call('dunning_charges_cancel', { id: chargeFor(portfolio, step).id, reason });

const promise: Act = (portfolio, step) => {
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

const changePromise: Act = async (portfolio, step) => {
  const found = promiseFor(portfolio, step);
  return found === undefined
    ? null
    : portfolio.call('dunning_payment_promises_update', {
        id: found.id,
        promised_for: addDays(portfolio.today, step.days),
        amount: text(shareOf(found.amount_cents, step.share)),
      });
};

const cancelPromise: Act = async (portfolio, step) => {
  const found = promiseFor(portfolio, step);
  return found === undefined
    ? null
    : portfolio.call('dunning_payment_promises_cancel', { id: found.id, reason });
};

const disputeReasons = ['already_paid', 'wrong_amount', 'quality'] as const;

const dispute: Act = (portfolio, step) => {
  const charge = chargeFor(portfolio, step);
  return portfolio.call('dunning_disputes_create', {
    charge_id: charge.id,
    reason: pick(disputeReasons, step.way)!,
    description: 'Random',
    ...(step.share < 1_000 && { disputed_amount: text(shareOf(charge.amount_cents, step.share)) }),
  });
};

const outcomes = ['dismissed', 'withdrawn', 'upheld', 'partially_upheld', 'under_review'] as const;

const resolve: Act = async (portfolio, { which, other, way, share }) => {
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

const pause: Act = (portfolio, step) =>
  portfolio.call('dunning_charges_pause', {
    id: chargeFor(portfolio, step).id,
    reason,
    ...(step.way % 2 === 0 && { until: addDays(portfolio.today, step.days) }),
  });

const resume: Act = async (portfolio, { which }) => {
  const held = portfolio.state.holds.filter(({ reason: why }) => why === 'manual');
  const id = pick(held, which)?.charge_id ?? pick(portfolio.state.charges, which)!.id;
  return portfolio.call('dunning_charges_resume', { id });
};

const propose: Act = (portfolio, step) => {
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

const accept: Act = async (portfolio, { which, other }) => {
  const { agreements } = portfolio.state;
  const standing = agreements.filter(({ status }) => status === 'proposed');
  const found = pick(other % 6 === 0 ? agreements : standing, which);
  return found === undefined
    ? null
    : portfolio.call('dunning_agreements_accept', { id: found.id, accepted_by: 'Devedora' });
};

const endAgreement: Act = async (portfolio, { which, other, way }) => {
  const { agreements } = portfolio.state;
  const live = agreements.filter((one) => isLiveAgreement(one) || one.status === 'proposed');
  const found = pick(other % 6 === 0 ? agreements : live, which);
  if (found === undefined) return null;
  return found.status === 'proposed' && way % 2 === 0
    ? portfolio.call('dunning_agreements_reject', { id: found.id, by: 'debtor', reason })
    : portfolio.call('dunning_agreements_cancel', { id: found.id, reason });
};

const payInstallment: Act = async (portfolio, step) => {
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
  );
};

const report: Act = (portfolio, step) =>
  portfolio.call('dunning_negativations_create', {
    charge_id: chargeFor(portfolio, step).id,
    bureau: 'serasa',
  });

const protest: Act = (portfolio, step) =>
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
const decide: Act = async (portfolio, step) => {
  const found = actionFor(portfolio, step);
  if (found === undefined) return null;
  const status = step.way % 5 === 0 ? 'rejected' : 'approved';
  return portfolio.call(
    `dunning_${found.kind}s_update`,
    { id: found.id, status, note: 'Random' },
    step.way % 6 === 1 ? 0 : 1,
  );
};

const cancelLegal: Act = async (portfolio, step) => {
  const found = actionFor(portfolio, step);
  return found === undefined
    ? null
    : portfolio.call(`dunning_${found.kind}s_cancel`, { id: found.id, reason });
};

const assign: Act = (portfolio, step) => {
  const { rules } = portfolio.base;
  return portfolio.call('dunning_charges_bulk_assign_rule', {
    ids: [chargeFor(portfolio, step).id, pick(portfolio.state.charges, step.other)!.id],
    rule_id: step.way % 4 === 0 ? null : pick(rules, step.way)!,
    start_from: step.way % 3 === 0 ? 'next_step' : 'today',
  });
};

const notify: Act = (portfolio, step) =>
  portfolio.call('dunning_charges_notify', {
    id: chargeFor(portfolio, step).id,
    channel: 'email',
    template_id: portfolio.base.templates.email,
  });

const work: Act = async (portfolio) => {
  await portfolio.work();
  return { output: null };
};

const wait: Act = async (portfolio, { days, way }) => {
  await portfolio.wait(days, way % 3 === 0 ? '17:05' : '13:05');
  return { output: null };
};

/** What makes the records that a step needs. */
export const portfolioFirsts: Partial<Record<PortfolioStepName, PortfolioStepName>> = {
  reverse: 'pay',
  changePromise: 'promise',
  cancelPromise: 'promise',
  resolve: 'dispute',
  accept: 'propose',
  endAgreement: 'accept',
  payInstallment: 'accept',
  decide: 'report',
  cancelLegal: 'decide',
};

export const portfolioSteps: Readonly<Record<PortfolioStepName, Act>> = {
  create,
  update,
  pay,
  payAgain,
  reverse,
  cancel,
  promise,
  changePromise,
  cancelPromise,
  dispute,
  resolve,
  pause,
  resume,
  propose,
  accept,
  endAgreement,
  payInstallment,
  report,
  protest,
  decide,
  cancelLegal,
  assign,
  notify,
  work,
  wait,
};
