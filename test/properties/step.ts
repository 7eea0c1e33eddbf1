/** What a step is, and how it chooses among the records there are. */

import fc from 'fast-check';
import type { DebtState, EntryState } from './checks.ts';
import type { Ledger } from './ledger.ts';

/** What a step does, and how often compared with the others. */
const weights = {
  settle: 5,
  unsettle: 2,
  reconcile: 8,
  unreconcile: 3,
  writeOff: 2,
  reverseWriteOff: 1,
  cancel: 1,
  send: 3,
  answerOrder: 4,
  cancelOrder: 1,
  charge: 3,
  receive: 4,
  answerCharge: 1,
  cancelCharge: 1,
  transfer: 3,
  answerTransfer: 1,
  cancelTransfer: 2,
  link: 1,
  close: 1,
  update: 4,
  liken: 2,
  register: 2,
  approve: 2,
  enter: 1,
  ignore: 1,
} as const;

export type StepName = keyof typeof weights;

/** Which records are meant is counted among those there are then. */
export interface Step {
  readonly does: StepName;
  readonly which: number;
  readonly other: number;
  /** Which of the ways there are of doing it. */
  readonly way: number;
  /** Thousandths of what there is. */
  readonly share: number;
  readonly day: string;
  /** Whether September is closed just before it. */
  readonly isInClosedBooks: boolean;
}

const days = ['2026-10-01', '2026-09-30', '2026-09-16', '2026-09-10', '2026-08-31'] as const;

export const step: fc.Arbitrary<Step> = fc.record({
  does: fc.oneof(
    ...Object.entries(weights).map(([does, weight]) => ({
      weight,
      arbitrary: fc.constant(does as StepName),
    })),
  ),
  which: fc.nat(20),
  other: fc.nat(20),
  way: fc.nat(11),
  share: fc.constantFrom(1_000, 1_000, 1_000, 500, 400, 1, 1_100),
  day: fc.constantFrom(...days),
  isInClosedBooks: fc.constantFrom(false, false, false, false, false, true),
});

export const reason = 'Engano';
export const isOpen = ({ status }: { status: string }) => status === 'open' || status === 'partially_paid';
export const isLine = ({ source, ignored, transfer_id, rest }: EntryState) =>
  ['import', 'manual'].includes(source) && !ignored && transfer_id === null && rest > 0;

export function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items.length === 0 ? undefined : items[at % items.length];
}

/** Up to three of the items, from one on. */
export function some<Item>(items: readonly Item[], from: number, count: number): Item[] {
  return items.length === 0
    ? []
    : Array.from({ length: Math.min(count, items.length) }, (_, at) => items[(from + at) % items.length]!);
}

export function cents(of: number, share: number): number {
  return Math.max(1, Math.floor((of * share) / 1_000));
}

/** Open ones more often than those that should refuse. */
export function debtOf(
  { state }: Ledger,
  { which, other }: Pick<Step, 'which' | 'other'>,
  kind?: DebtState['kind'],
): DebtState {
  const debts = state.debts.filter((debt) => kind === undefined || debt.kind === kind);
  const open = debts.filter(isOpen);
  return pick(other % 5 === 0 ? debts : open, which) ?? debts[0]!;
}

/** Whether the way back is tried too: of reconciliations always, of the rest now and then. */
export const isTried = ({ other }: Step) => other % 4 === 0;

export const tool = (debt: { kind: string }, verb: string) => `finance_${debt.kind}s_${verb}`;
