/** What a step of a portfolio is, how sequences of them come about, and how a step chooses among the records there are. */

import fc from 'fast-check';
import type { Ended, Portfolio } from './portfolio.ts';
import { moneyOf, reckon } from './portfolio-reckoning.ts';
import { isOpenCharge } from './portfolio-state.ts';

/** What a step does, and how often compared with the others. */
const weights = {
  create: 2,
  update: 2,
  pay: 6,
  payAgain: 2,
  reverse: 3,
  cancel: 2,
  promise: 3,
  changePromise: 2,
  cancelPromise: 2,
  dispute: 2,
  resolve: 3,
  pause: 2,
  resume: 2,
  propose: 3,
  amend: 2,
  accept: 4,
  endAgreement: 2,
  payInstallment: 5,
  report: 3,
  protest: 2,
  decide: 4,
  cancelLegal: 2,
  assign: 2,
  notify: 2,
  silence: 2,
  tell: 2,
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

export type Act = (portfolio: Portfolio, step: PortfolioStep) => Promise<Ended | null>;

export const reason = 'Engano';
export const text = (cents: number) => (cents / 100).toFixed(2);

export function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items.length === 0 ? undefined : items[at % items.length];
}

export function shareOf(cents: number, share: number): number {
  return Math.max(1, Math.floor((cents * share) / 1_000));
}

/** Open ones more often than those that should refuse. */
export function chargeFor({ state }: Portfolio, { which, other }: Pick<PortfolioStep, 'which' | 'other'>) {
  const open = state.charges.filter(isOpenCharge);
  return pick(other % 5 === 0 ? state.charges : open, which) ?? state.charges[0]!;
}

export const dueOn = ({ state }: Portfolio, charge: Portfolio['state']['charges'][number], on: string) =>
  reckon(charge, moneyOf(state, charge), on).due;

export const methods = ['pix', 'boleto', 'cash'] as const;
