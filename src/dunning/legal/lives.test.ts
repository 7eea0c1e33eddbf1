import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as negativations from '../negativations/rules.ts';
import * as protests from '../protests/rules.ts';

const tables = {
  negativation: {
    moves: negativations.moves as Record<string, readonly string[]>,
    isOver: negativations.isOver,
  },
  protest: { moves: protests.moves as Record<string, readonly string[]>, isOver: protests.isOver },
} as const;
type Kind = keyof typeof tables;

const steps = fc.array(
  fc.record({ ask: fc.constantFrom<Kind | null>('negativation', 'protest', null), move: fc.nat() }),
  { maxLength: 60 },
);

it('MODEL §14.13: a charge that is freed only by what is over has one live action, whatever both kinds do', () => {
  fc.assert(
    fc.property(steps, (events) => {
      const actions: { kind: Kind; status: string }[] = [];
      const live = () => actions.filter(({ kind, status }) => !tables[kind].isOver(status));
      for (const { ask, move } of events) {
        if (ask !== null) {
          if (live().length === 0) actions.push({ kind: ask, status: 'pending' });
        } else {
          // Every action may move, also those that are over: they have nowhere to go.
          for (const action of actions) {
            const next = tables[action.kind].moves[action.status]!;
            if (next.length > 0) action.status = next[move % next.length]!;
          }
        }
        expect(live().length).toBeLessThanOrEqual(1);
      }
    }),
  );
});

it.each(['negativation', 'protest'] as const)(
  'every state of a %s is reached from the request, and can end',
  (kind) => {
    const { moves, isOver } = tables[kind];
    const reach = (from: string) => {
      const seen = new Set([from]);
      for (const status of seen) for (const next of moves[status]!) seen.add(next);
      return seen;
    };
    expect([...reach('pending')].sort()).toEqual(Object.keys(moves).sort());
    for (const status of Object.keys(moves)) expect([...reach(status)].some(isOver)).toBe(true);
  },
);
